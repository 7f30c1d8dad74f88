"""A picture of some bins of a quantizer, and how far one person can move the answer among them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from html import escape

from noiseless.exact.number import written
from noiseless.exact.readable import bits_shown
from noiseless.privacy.pictures.svg import svg
from noiseless.privacy.quantizers.quantizer import Quantizer

WIDTH, HEIGHT, MARGIN = 680, 170, 40
MOST_BINS = 14
TOUCHED, UNTOUCHED, REACH = "#7fb3d5", "#eaecee", "#b03a2e"


@dataclass(frozen=True, slots=True)
class _Axis:
    """The position of a number in the picture."""

    low: Fraction
    high: Fraction

    def __call__(self, number: Fraction) -> float:
        share = (number - self.low) / (self.high - self.low)
        return round(MARGIN + float(share) * (WIDTH - 2 * MARGIN), 1)


def picture_of_bins(quantizer: Quantizer, count: int, sensitivity: Fraction) -> str:
    """An SVG of the bins, the ones that one person can reach in the worst case, and the reach as a bar."""
    touched = min(count, MOST_BINS)
    first = max(0, (quantizer.levels - touched) // 2)
    shown = range(max(0, first - 2), min(quantizer.levels, first + touched + 2))
    axis = _Axis(quantizer.edge(shown[0]), quantizer.edge(shown[-1] + 1))
    parts = [_bin(quantizer, axis, index, first <= index < first + touched) for index in shown]
    parts.append(_reach(quantizer, sensitivity, axis, first, first + touched - 1))
    more = "" if touched == count else f" ({touched} drawn)"
    answers = "1 answer" if count == 1 else f"{written(count)} answers"
    title = f"One person, everybody else's data fixed: at most {answers} ({bits_shown(count)}){more}"
    heading = f'<text x="{MARGIN}" y="20" font-size="13">{escape(title)}</text>'
    return svg(WIDTH, HEIGHT, [heading, *parts])


def _bin(quantizer: Quantizer, axis: _Axis, index: int, touched: bool) -> str:
    interval = quantizer.interval(index)
    left, right = axis(interval.low), axis(interval.high)
    middle = (left + right) / 2
    reported = f"{float(quantizer.midpoint(index)):.6g}"
    return (
        f'<rect x="{left}" y="70" width="{right - left:.1f}" height="40" '
        f'fill="{TOUCHED if touched else UNTOUCHED}" stroke="white" stroke-width="2"/>'
        f'<circle cx="{middle:.1f}" cy="90" r="3" fill="#1b2631"/>'
        f'<text x="{middle:.1f}" y="126" text-anchor="middle">{reported}</text>'
        f'<text x="{left}" y="146" text-anchor="middle" fill="#808b96">{float(interval.low):.6g}</text>'
    )


def _reach(quantizer: Quantizer, sensitivity: Fraction, axis: _Axis, first: int, last: int) -> str:
    """A bar as long as one person can move the query, in the worst place: from just inside the first bin touched."""
    if first == last:
        middle = quantizer.midpoint(first)
        quarter = quantizer.interval(first).span / 4
        left, right = axis(middle - quarter), axis(middle + quarter)
    else:
        start = quantizer.edge(first + 1)
        left = axis(start) - 3
        right = min(axis(start + sensitivity) - 3, axis(quantizer.edge(last + 1)) - 3)
    return (
        f'<line x1="{left:.1f}" y1="52" x2="{right:.1f}" y2="52" stroke="{REACH}" stroke-width="6"/>'
        f'<text x="{(left + right) / 2:.1f}" y="43" text-anchor="middle" fill="{REACH}">'
        f"how far one person's data can move the true value</text>"
        f'<text x="{MARGIN}" y="164" fill="#808b96">edges (grey), reported values (dots)</text>'
    )
