"""The interval in which a number certainly lies."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from fractions import Fraction

End = Fraction | date | float
"""The end of an interval. Floats are only used for infinity."""


@dataclass(frozen=True, slots=True)
class Interval:
    """The true number lies between lower and upper."""

    value: Fraction | date
    lower: End
    upper: End
    sure: bool = True
    """Whether there certainly is a number."""


def exactly(number: int | Fraction) -> Interval:
    """A number that is known exactly."""
    return Interval(Fraction(number), Fraction(number), Fraction(number))


def halfway(low: Fraction, high: Fraction) -> Interval:
    """An interval with its middle."""
    return Interval((low + high) / 2, low, high)
