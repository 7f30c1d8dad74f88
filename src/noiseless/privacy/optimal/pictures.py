"""Pictures of optimal quantizers: the regions of a plane that share an answer, and what an error buys."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from itertools import groupby
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from noiseless.errors import InputError
from noiseless.exact.plural import plural
from noiseless.privacy.pictures.svg import INK, svg
from noiseless.privacy.quantizers.quantizer import Quantizer
from noiseless.privacy.queries.linear import EqualWeights, Linear
from noiseless.privacy.queries.order import OrderStatistic
from noiseless.theory.ranges.boxes import Box
from noiseless.theory.ranges.interval import Interval

if TYPE_CHECKING:
    from noiseless.privacy.optimal.optimal_quantizer import OptimalQuantizer
    from noiseless.privacy.optimal.trade_off import TradeOff

CELLS, PIXEL, MARGIN = 150, 2, 40
GREY = "#808b96"
LIGHT, DARK = (222, 235, 247), (8, 69, 148)
CURVES = (("L0, bits", "#b03a2e", ""), ("I⋆, bits", "#1f618d", "6 4"), ("d_min", "#7d6608", "2 4"))


def regions_picture(best: OptimalQuantizer) -> str:
    """An SVG of the plane of two people's data, or of a box of two coordinates: one shade for each answer."""
    function, box = _of_two(best)
    sides = [box[name] for name in box.names]
    x, y = (
        np.linspace(float(side.low), float(side.high), CELLS, endpoint=False) + float(side.high - side.low) / CELLS / 2
        for side in sides
    )
    values = np.broadcast_to(function(*np.meshgrid(x, y)), (CELLS, CELLS))
    inner = [float(best.quantizer.edge(k)) for k in range(1, best.quantizer.levels)]
    found = np.searchsorted(inner, values, side="right")
    shown, size = np.unique(found).tolist(), CELLS * PIXEL
    parts = [_region(found, index, _shade(place, len(shown))) for place, index in enumerate(shown)]
    ends = [(f"{float(side.low):g}", f"{float(side.high):g}") for side in sides]
    for share, words, anchor in ((0, ends[0][0], "start"), (0.5, box.names[0], "middle"), (1, ends[0][1], "end")):
        parts.append(_text(MARGIN + size * share, MARGIN + size + 16, words, anchor))
    for share, words in ((0, ends[1][0]), (0.5, box.names[1]), (1, ends[1][1])):
        parts.append(_text(MARGIN - 6, MARGIN + size * (1 - share) + 10 * share, words, "end"))
    parts += _legend(best.quantizer, shown, MARGIN + size + 20)
    title = f"{plural(best.cells, 'answer')}, error at most {float(best.error):g}"
    return svg(size + MARGIN + 150, size + 2 * MARGIN, [_text(MARGIN, 24, title), *parts], size=12)


def _of_two(best: OptimalQuantizer) -> tuple[Callable[..., Any], Box]:
    query: Any = best.asked
    if best.box is not None and len(best.box.names) == 2:
        return query, best.box
    of_two = isinstance(query, (EqualWeights, Linear, OrderStatistic)) and query.n == 2
    if of_two and isinstance(query.domain, Interval):
        ends = (query.domain.low, query.domain.high)
        return _drawn(query), Box(x1=ends, x2=ends)
    raise InputError(
        "regions cannot be drawn here; use two people whose values fill an interval, or a box of two coordinates"
    )


def _drawn(query: EqualWeights | Linear | OrderStatistic) -> Callable[..., Any]:
    if isinstance(query, OrderStatistic):
        return np.minimum if query.k == 1 else np.maximum
    first, second = map(float, query.weights if isinstance(query, Linear) else [query.weight] * 2)
    return lambda a, b: first * a + second * b


def _region(found: Any, index: int, colour: str) -> str:
    """One SVG path for the region of an answer, made of horizontal runs, from the lowest row up."""
    runs = []
    for row, line in enumerate(found.tolist()):
        column = 0
        for value, group in groupby(line):
            length = len(list(group))
            if value == index:
                across, down = MARGIN + PIXEL * column, MARGIN + PIXEL * (CELLS - 1 - row)
                runs.append(f"M{across} {down}h{PIXEL * length}v{PIXEL}h-{PIXEL * length}z")
            column += length
    return f'<path fill="{colour}" shape-rendering="crispEdges" d="{"".join(runs)}"/>'


def _shade(place: int, shades: int) -> str:
    share = place / max(1, shades - 1)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in zip(LIGHT, DARK, strict=True))


def _legend(quantizer: Quantizer, shown: Sequence[int], left: float) -> list[str]:
    """The reported values, or some of them if there are many."""
    step = -(-len(shown) // 14)
    parts = []
    for line, place in enumerate(range(0, len(shown), step)):
        down, colour = MARGIN + 20 * line, _shade(place, len(shown))
        parts.append(f'<rect x="{left}" y="{down}" width="16" height="14" fill="{colour}"/>')
        parts.append(_text(left + 22, down + 12, f"{float(quantizer.midpoint(shown[place])):.4g}"))
    return parts


def trade_off_picture(curve: TradeOff) -> str:
    """An SVG of L0, I⋆ and d_min against the error; the distance has its own scale, on the right."""
    errors = curve.error.tolist()
    bits = [value for column in (curve.leakage, curve.maximin) for value in column.tolist() if isfinite(value)]
    distances = [value for value in curve.d_min.tolist() if isfinite(value)]
    low, high = min(errors), max(errors)
    tops = [max(bits, default=1) or 1, max(bits, default=1) or 1, max(distances, default=1) or 1]
    parts = [_line(60, 20, 60, 240), _line(60, 240, 560, 240)]
    for (_, colour, dash), column, top in zip(CURVES, (curve.leakage, curve.maximin, curve.d_min), tops, strict=True):
        points = [
            f"{60 + 500 * (error - low) / ((high - low) or 1):.1f},{240 - 210 * value / top:.1f}"
            for error, value in zip(errors, column.tolist(), strict=True)
            if isfinite(value)
        ]
        if not points:
            continue
        style = f' stroke-dasharray="{dash}"' if dash else ""
        parts.append(f'<polyline points="{" ".join(points)}" fill="none" stroke="{colour}" stroke-width="2"{style}/>')
    for place, (name, colour, _) in enumerate(CURVES[: 3 if distances else 2]):
        parts.append(_text(620, 40 + 20 * place, f"{name} ({'right' if place == 2 else 'left'})", colour=colour))
    for share in (0, 0.5, 1):
        parts.append(_text(54, 244 - 210 * share, f"{tops[0] * share:.3g}", "end"))
        parts += [_text(566, 244 - 210 * share, f"{tops[2] * share:.3g}", colour=CURVES[2][1])] if distances else []
    parts += [_text(60, 258, f"{low:g}"), _text(560, 258, f"{high:g}", "end"), _text(310, 258, "error", "middle")]
    return svg(760, 270, parts, size=12)


def _line(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{GREY}"/>'


def _text(x: float, y: float, words: str, anchor: str = "start", colour: str = INK) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}" text-anchor="{anchor}">{escape(words)}</text>'
