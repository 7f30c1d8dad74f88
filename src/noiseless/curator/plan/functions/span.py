"""What is known of a function before any data are read: its bounds, its grid, and how far it is from the truth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, gcd, lcm

Codes = Mapping[str, tuple[int, int]]
"""Columns whose codes are known to lie between two codes, because a condition of CASE says so."""


@dataclass(frozen=True, slots=True)
class Span:
    """All values lie between low and high, both included.

    With a `pitch`, every value is `low` plus a whole number of pitches; a pitch of 0 is a constant. None: any rational.
    `slack` bounds how far the function of the true values can be from the function of the values of their codes.
    """

    low: Fraction
    high: Fraction
    pitch: Fraction | None = None
    slack: Fraction = Fraction(0)
    nullable: bool = False
    nonzero: bool = False
    """Whether it is never 0, although 0 lies between the bounds."""
    relative: Fraction | None = None
    """If given, the distance from the truth is also at most this part of the value's size."""
    inside: bool = True
    """Whether the function of the true values keeps to the bounds too. It may not where a condition narrows codes."""

    def __post_init__(self) -> None:
        limits = [self.high - self.low] if self.inside else []
        limits += [] if self.relative is None else [self.relative * self.most]
        object.__setattr__(self, "slack", min([self.slack, *limits]))

    @property
    def true(self) -> tuple[Fraction, Fraction]:
        """Bounds of the function of the true values."""
        beyond = Fraction(0) if self.inside else self.slack
        return self.low - beyond, self.high + beyond

    @property
    def true_least(self) -> Fraction | None:
        """The smallest size of the function of true values, above 0. None if it has no positive lower bound."""
        if self.least is None or (self.inside and (self.low > 0 or self.high < 0)):
            return self.least
        return self.least * (1 - self.share) if self.share is not None and self.share < 1 else None

    @property
    def least(self) -> Fraction | None:
        """The smallest size of a value, above 0. None if a value may be 0 or arbitrarily near to 0."""
        if self.low > 0 or self.high < 0:
            return min(abs(self.low), abs(self.high))
        if not self.nonzero or not self.pitch:
            return None
        above = -self.low % self.pitch  # the values nearest to 0 on both sides
        above = above or self.pitch
        below = self.pitch - above or self.pitch
        sizes = [size for size, inside in ((above, above <= self.high), (below, -below >= self.low)) if inside]
        return min(sizes) if sizes else None

    @property
    def most(self) -> Fraction:
        """The largest size of a value."""
        return max(abs(self.low), abs(self.high))

    @property
    def steps(self) -> int | None:
        """How many pitches the span is wide. None without a grid."""
        return None if self.pitch is None else int((self.high - self.low) / self.pitch) if self.pitch else 0

    @property
    def share(self) -> Fraction | None:
        """The distance from the truth as a part of the value's size. None if that has no bound."""
        if not self.slack:
            return Fraction(0)
        own = None if self.least is None else self.slack / self.least
        return min((each for each in (own, self.relative) if each is not None), default=None)


def constant(value: Fraction) -> Span:
    """The span of a constant."""
    return Span(value, value, Fraction(0))


def on_grid(low: Fraction, high: Fraction, start: Fraction, pitch: Fraction | None) -> tuple[Fraction, Fraction]:
    """Bounds moved inward to the values that lie on a grid.

    >>> on_grid(Fraction(-3), Fraction(7), Fraction(1), Fraction(5))
    (Fraction(1, 1), Fraction(6, 1))
    """
    if not pitch:
        return low, high
    return start + ceil((low - start) / pitch) * pitch, start + floor((high - start) / pitch) * pitch


def common(*pitches: Fraction | None) -> Fraction | None:
    """The largest pitch of which all are multiples. None if one is missing.

    >>> common(Fraction(1, 2), Fraction(1, 3)), common(Fraction(0), Fraction(5)), common(None, Fraction(1))
    (Fraction(1, 6), Fraction(5, 1), None)
    """
    if any(pitch is None for pitch in pitches):
        return None
    given = [pitch for pitch in pitches if pitch is not None]
    unit = lcm(*(pitch.denominator for pitch in given))
    return Fraction(gcd(*(int(pitch * unit) for pitch in given)), unit)


def hull(*spans: Span) -> Span:
    """Everything that any of several functions can be."""
    start = spans[0].low
    low, high = min(span.low for span in spans), max(span.high for span in spans)
    return Span(
        low,
        high,
        common(*(each for span in spans for each in (span.pitch, abs(span.low - start)))),
        max(span.slack for span in spans),
        any(span.nullable for span in spans),
        all(span.least is not None for span in spans),
        inside=all(span.inside for span in spans),
    )
