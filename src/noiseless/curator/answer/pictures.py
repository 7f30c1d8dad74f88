"""A reported number drawn on an axis: in characters for a terminal, and as a small SVG for pages.

Counts and sums are bars from zero: solid as far as the number certainly goes, and lighter to where it may end. Other
numbers are intervals on a line, with the middle marked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from html import escape
from math import ceil, floor, inf
from typing import TYPE_CHECKING, Any, NamedTuple

from noiseless.curator.answer.frames import rounded
from noiseless.curator.releases.reported import Reported
from noiseless.exact.readable import number_shown

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions
    from rich.measure import Measurement
    from rich.text import Text

    from noiseless.curator.answer.answer import Answer

WIDE, TALL = 200, 14
SOLID, OPEN, LINE = "#2e86c1", "#a9cce3", "#aab7b8"


class Signs(NamedTuple):
    """The characters of a picture: parts of a bar from the smallest on, its uncertain end, and those of an interval."""

    parts: str
    open: str
    outside: str
    inside: str
    middle: str


UNICODE, ASCII = Signs("▏▎▍▌▋▊▉█", "░", "·", "━", "●"), Signs("#", ":", ".", "=", "o")


@dataclass(frozen=True, slots=True)
class Axis:
    """The ends of an axis, with some space around intervals. A bar begins at zero."""

    low: float
    high: float
    bars: bool = False

    @classmethod
    def of(cls, answer: Answer, label: str) -> Axis:
        """The axis of a column of an answer."""
        numbers = [row[label] for row in answer.rows]
        return cls.around([each for each in numbers if isinstance(each, Reported)], label in answer.tallies)

    @classmethod
    def around(cls, numbers: Iterable[Reported], tallies: bool = False) -> Axis:
        """An axis that is long enough for all of these numbers."""
        ends = [place(end) for each in numbers for end in (each.lower, each.upper)]
        finite = [end for end in ends if abs(end) < inf] or [0.0]
        low, high = min(finite), max(finite)
        if tallies and low >= 0:
            return cls(0.0, high or 1.0, bars=True)
        air = (high - low) / 20 or max(abs(low), 1.0) / 2
        return cls(low - air, high + air)

    def share(self, value: Any) -> float:
        """Where a value lies between the ends of the axis: from 0 to 1."""
        return min(max((place(value) - self.low) / (self.high - self.low), 0.0), 1.0)

    def text(self, number: Any, width: int, signs: Signs = UNICODE) -> str:
        """The picture of a number in characters."""
        if not isinstance(number, Reported):
            return ""
        return _bar(self, number, width, signs) if self.bars else _interval(self, number, width, signs)

    def svg(self, number: Reported, width: int = WIDE) -> str:
        """The picture of a number as SVG, for a page of any colour."""
        left, right, middle = (width * self.share(end) for end in (number.lower, number.upper, number.value))
        words = escape(f"{number_shown(number.value)}, {number.interval}")
        begin = f'<svg width="{width}" height="{TALL}" role="img" aria-label="{words}"><title>{words}</title>'
        if self.bars:
            right = right if number.exact else min(max(right, left + 2), width)
            open_end = f'<rect x="0" y="2" width="{right:.1f}" height="10" fill="{OPEN}"/>'
            return f'{begin}{open_end}<rect x="0" y="2" width="{left:.1f}" height="10" fill="{SOLID}"/></svg>'
        return (
            f'{begin}<line x1="0" x2="{width}" y1="7" y2="7" stroke="{LINE}"/>'
            f'<line x1="{left:.1f}" x2="{max(right, left + 1):.1f}" y1="7" y2="7" stroke="{SOLID}" stroke-width="8"/>'
            f'<circle cx="{middle:.1f}" cy="7" r="2.2" fill="currentColor"/></svg>'
        )


def _bar(axis: Axis, number: Reported, width: int, signs: Signs) -> str:
    """Solid up to the number, if it is exact; otherwise solid to the lower end and open to the upper, both outward."""
    filled = axis.share(number.lower) * width
    if not number.exact:
        return signs.parts[-1] * floor(filled) + signs.open * (ceil(axis.share(number.upper) * width) - floor(filled))
    whole, part = divmod(round(filled * len(signs.parts)), len(signs.parts))
    solid = signs.parts[-1] * whole + (signs.parts[part - 1] if part else "")
    return solid or (signs.parts[0] if number.value > 0 else "")


def _interval(axis: Axis, number: Reported, width: int, signs: Signs) -> str:
    """The interval on a line, with its middle marked."""
    left, right, middle = (round(axis.share(end) * (width - 1)) for end in (number.lower, number.upper, number.value))
    line = [signs.outside] * width
    line[left : right + 1] = signs.inside * (right + 1 - left)
    line[middle] = signs.middle
    return "".join(line)


def place(value: Any) -> float:
    """The place of a value on an axis."""
    return float(value.toordinal()) if isinstance(value, date) else rounded(value, "value")


@dataclass(frozen=True, slots=True)
class Picture:
    """A number on an axis, in the characters that the terminal has."""

    number: Any
    axis: Axis
    width: int

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        from rich.text import Text

        yield Text(self.axis.text(self.number, self.width, ASCII if options.ascii_only else UNICODE))

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        from rich.measure import Measurement

        return Measurement(self.width, self.width)
