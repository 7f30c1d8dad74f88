"""Curves on logarithmic axes as an SVG that is written by hand: `log_log` is all there is to it."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from itertools import cycle
from math import ceil, floor, log10

INK, GRID = "#1b2631", "#d5d8dc"
COLOURS = (
    "#1f618d",
    "#b03a2e",
    "#7d6608",
    "#117864",
    "#6c3483",
    "#ca6f1e",
    "#2e86c1",
    "#c2185b",
    "#5d6d7e",
    "#6e8b3d",
)
LEFT, RIGHT, TOP, BOTTOM = 62, 480, 44, 380
NAMES, GAP, WIDTH, HEIGHT = 504, 16, 720, 430
SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def log_log(curves: dict[str, list[tuple[float, float]]], x: str, y: str, title: str) -> str:
    """One line for each curve, named at its end; `x` and `y` say in words what the axes are.

    >>> drawing = log_log({"ours": [(1, 0.01), (100, 0.5)], "theirs": [(1, 0.02), (100, 90)]}, "rows", "seconds", "")
    >>> drawing.count("<polyline"), drawing.count(">theirs<")
    (2, 1)
    """
    drawn = {name: sorted(points) for name, points in curves.items() if points}
    across = Axis((point[0] for points in drawn.values() for point in points), LEFT, RIGHT)
    up = Axis((point[1] for points in drawn.values() for point in points), BOTTOM, TOP)
    parts = [_text(LEFT, 18, title), _text((LEFT + RIGHT) / 2, HEIGHT - 12, x, anchor="middle"), _text(8, TOP - 10, y)]
    parts += [_line(across(at), TOP, across(at), BOTTOM, GRID) for at in across.ticks]
    parts += [_line(LEFT, up(at), RIGHT, up(at), GRID) for at in up.ticks]
    parts += [_text(across(at), BOTTOM + 18, shown(at), anchor="middle") for at in across.ticks]
    parts += [_text(LEFT - 8, up(at) + 4, shown(at), anchor="end") for at in up.ticks]
    ends = {name: up(points[-1][1]) for name, points in drawn.items()}
    places = spread(ends, TOP, BOTTOM)
    for (name, points), colour in zip(drawn.items(), cycle(COLOURS)):
        end = across(points[-1][0])
        parts.append(_curve([(across(a), up(b)) for a, b in points], colour))
        parts.append(_line(end + 5, ends[name], NAMES - 4, places[name], colour, "1 3"))
        parts.append(_text(NAMES, places[name] + 4, name, colour))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        f'font-family="sans-serif" font-size="12" role="img"><rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>'
        + "".join(parts)
        + "</svg>\n"
    )


class Axis:
    """Where a positive number stands between two places of the drawing, and which numbers are marked."""

    def __init__(self, values: Iterable[float], start: float, stop: float) -> None:
        known = list(values) or [1.0]
        powers = range(floor(log10(min(known))), ceil(log10(max(known))) + 2)
        every = [float(f"{digit}e{power}") for power in powers for digit in (1, 2, 5)]
        low = max(at for at in every if at <= min(known))
        high = min(at for at in every if at >= max(known) and at > low)
        inside = [at for at in every if low <= at <= high]
        decades = [at for at in inside if f"{at:e}".startswith("1")]
        self.ticks = decades if len(decades) > 2 else inside
        self._low, self._scale, self._start = log10(low), (stop - start) / (log10(high) - log10(low)), start

    def __call__(self, value: float) -> float:
        return self._start + self._scale * (log10(value) - self._low)


def spread(wanted: dict[str, float], top: float, bottom: float) -> dict[str, float]:
    """Places near the wanted ones, in their order, at least a line of text apart, and within bounds if there is room.

    >>> spread({"a": 100, "b": 101, "c": 20}, 0, 110)
    {'c': 20, 'a': 85, 'b': 101}
    """
    order = sorted(wanted, key=wanted.__getitem__)
    places: dict[str, float] = {}
    lowest = bottom
    for name in reversed(order):
        places[name] = min(wanted[name], lowest)
        lowest = places[name] - GAP
    highest = top
    for name in order:
        places[name] = max(places[name], highest)
        highest = places[name] + GAP
    return {name: places[name] for name in order}


def shown(value: float) -> str:
    """A short numeral: 0.01, 20, 5·10⁶.

    >>> shown(0.01), shown(20), shown(1e7), shown(5e6)
    ('0.01', '20', '10⁷', '5·10⁶')
    """
    if 0.001 <= value < 100_000:
        return f"{value:g}"
    digits, power = f"{value:.0e}".split("e")
    ten = "10" + str(int(power)).translate(SUPERSCRIPT)
    return ten if digits == "1" else f"{digits}·{ten}"


def _text(x: float, y: float, words: str, colour: str = INK, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}" text-anchor="{anchor}">{escape(words)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, colour: str, dash: str = "") -> str:
    style = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"{style}/>'


def _curve(places: list[tuple[float, float]], colour: str) -> str:
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in places)
    return f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>{dots}'
