"""Answers as charts: bars with their intervals for groups, a histogram for buckets. SVG without styles or scripts.

The colours and the axis are those of the small pictures beside numbers (`curator/answer/pictures.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from fractions import Fraction
from html import escape
from itertools import pairwise
from typing import Any

from noiseless.curator.answer.answer import Answer
from noiseless.curator.answer.drawn import key_shown
from noiseless.curator.answer.pictures import LINE, OPEN, SOLID, Axis, place
from noiseless.curator.releases.reported import Reported
from noiseless.exact.readable import number_shown

MOST_BARS, MOST_CHARTS = 40, 3
WIDE, LEFT, TALL, FOOT = 520, 150, 160, 34
"""The width of a chart, the room for names at its left, the height of a histogram and the room below it."""
ROW = 24
LONGEST = 22
"""How many characters of a name are shown."""


def charts(answer: Answer) -> list[str]:
    """A chart for each of the first numbers, if there are groups to compare."""
    keys = [label for label in answer.labels if label not in answer.numbers]
    if not keys or not 2 <= len(answer.rows) <= MOST_BARS:
        return []
    found = []
    for label in answer.numbers[:MOST_CHARTS]:
        numbers = [cell if isinstance(cell := row[label], Reported) else None for row in answer.rows]
        if all(number is None for number in numbers):
            continue
        axis = Axis.of(answer, label)
        names = [" · ".join(key_shown(row[key]) for key in keys) for row in answer.rows]
        words = f"{label} by {', '.join(keys)}"
        buckets = len(keys) == 1 and axis.bars and _in_order([row[keys[0]] for row in answer.rows])
        found.append((_histogram if buckets else _bars)(words, names, numbers, axis))
    return found


def _in_order(values: Sequence[Any]) -> bool:
    """Whether these are the beginnings of buckets: at least three numbers or dates, each above the one before."""
    kinds = (int, Fraction, date)
    if len(values) < 3 or not all(isinstance(each, kinds) and not isinstance(each, bool) for each in values):
        return False
    return all(place(before) < place(after) for before, after in pairwise(values))


def _bars(words: str, names: Sequence[str], numbers: Sequence[Reported | None], axis: Axis) -> str:
    """One line for each group, from top to bottom, with a bar or an interval on it."""
    parts, room = [], WIDE - LEFT - 10
    for row, (name, number) in enumerate(zip(names, numbers, strict=True)):
        top = row * ROW
        parts.append(_text(LEFT - 8, top + 16, _short(name), "end"))
        parts.append(
            f'<line x1="{LEFT}" x2="{WIDE - 10}" y1="{top + 22}" y2="{top + 22}" stroke="{LINE}" opacity=".4"/>'
        )
        if number is None:
            parts.append(_text(LEFT + 4, top + 16, "no number"))
            continue
        left, right, middle = (LEFT + room * axis.share(end) for end in (number.lower, number.upper, number.value))
        right = max(right, left + 2)
        if axis.bars:
            parts += [_box(LEFT, top + 5, right - LEFT, 13, OPEN), _box(LEFT, top + 5, left - LEFT, 13, SOLID)]
        else:
            parts.append(_box(left, top + 7, right - left, 9, SOLID))
        parts.append(_mark(middle, top + 4, middle, top + 19))
    bottom = len(names) * ROW
    ends = (
        _text(LEFT, bottom + 14, _number(axis.low)),
        _text(WIDE - 10, bottom + 14, _number(axis.high), "end"),
    )
    return _svg(words, bottom + 20, [*parts, *ends])


def _histogram(words: str, names: Sequence[str], numbers: Sequence[Reported | None], axis: Axis) -> str:
    """Bars side by side: solid up to the lower end of the interval, lighter up to its upper end."""
    left, room = 60, WIDE - 70
    each = room / len(names)
    every = -(-len(names) // 8)
    parts = [
        f'<line x1="{left}" x2="{WIDE - 10}" y1="{TALL + 6}" y2="{TALL + 6}" stroke="currentColor"/>',
        _text(left - 6, 16, _number(axis.high), "end"),
        _text(left - 6, TALL + 6, "0", "end"),
    ]
    for column, (name, number) in enumerate(zip(names, numbers, strict=True)):
        x = left + column * each
        if column % every == 0:
            parts.append(
                _text(x + each / 2 if every == 1 else x, TALL + 22, _short(name), "middle" if every == 1 else "start")
            )
        if number is None:
            continue
        low, high, middle = (TALL * axis.share(end) for end in (number.lower, number.upper, number.value))
        high = max(high, low + 1.5)
        parts += [
            _box(x + 1, TALL + 6 - high, each - 2, high - low, OPEN),
            _box(x + 1, TALL + 6 - low, each - 2, low, SOLID),
            _mark(x + 3, TALL + 6 - middle, x + each - 3, TALL + 6 - middle),
        ]
    return _svg(words, TALL + FOOT, parts)


def _svg(words: str, tall: float, parts: Sequence[str]) -> str:
    said = escape(f"{words}. The table has the same numbers.")
    begin = f'<svg class="chart" viewBox="0 0 {WIDE} {tall:.0f}" role="img" aria-label="{said}">'
    return f"{begin}<title>{escape(words)}</title>{''.join(parts)}</svg>"


def _box(x: float, y: float, wide: float, tall: float, colour: str) -> str:
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(wide, 0):.1f}" height="{max(tall, 0):.1f}" fill="{colour}"/>'


def _mark(x: float, y: float, to_x: float, to_y: float) -> str:
    """Where the reported number is."""
    return f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}" stroke="currentColor" stroke-width="1.5"/>'


def _text(x: float, y: float, words: str, anchor: str = "start") -> str:
    where = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f'<text {where} font-size="13" fill="currentColor">{escape(words)}</text>'


def _short(name: str) -> str:
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"


def _number(value: float) -> str:
    return number_shown(Fraction(value).limit_denominator(10**6))
