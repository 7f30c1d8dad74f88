"""The resolution of reports: floats must neither move a value too far nor reveal its side.

Reports are multiples of a power of ten. A float means the decimal it prints as, and every such multiple prints with at
most 15 digits, so the exact result is what is read. Cells of that size hold floats of both sides, if both sides have
enough room. If one side has less than `least`, the slice has only one report.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import inf, isqrt, nextafter, ulp

from noiseless.errors import RangeError
from noiseless.exact.number import exact_number
from noiseless.exact.rounding import float_down, float_up
from noiseless.theory.ranges.intervals import Intervals

UNBOUNDED = Fraction(1, 10**6)
"""The largest step relative to the error, if the range has no ends."""
FLOATS = 16
"""The fewest floats in the smallest cell, for a side of `least` room."""
COARSEST = Fraction(1, 64)
"""The largest useful step, relative to the error or the range."""


@dataclass(frozen=True, slots=True)
class Resolution:
    """The step of reports, and the room below which a side is too short.

    >>> Resolution.of(Fraction(1), Intervals("[0, 200]"))
    Resolution(step=Fraction(1, 100000000), least=Fraction(390625, 8589934592))
    """

    step: Fraction
    least: Fraction

    @staticmethod
    @lru_cache
    def of(error: Fraction, side: Intervals | None) -> Resolution | None:
        """The finest resolution that floats of the range allow; None if they are too far apart for the error."""
        if side is None:
            return Resolution(power_of_ten(error * UNBOUNDED), Fraction(0))
        largest = float_up(max(abs(side.low), abs(side.high)))
        if largest == inf:
            return None
        size, spacing = min(error, side.measure) or error, FLOATS * Fraction(ulp(largest))
        step = power_of_ten(_root(spacing * size) / 32)
        while spacing / step > Fraction(1, 8):
            step *= 10
        return Resolution(step, spacing * size / step) if step <= size * COARSEST else None


def side_of_floats(side: Intervals) -> Intervals:
    """From the first float of a closed interval to the last; no values lie between these and its ends.

    >>> side_of_floats(Intervals.closed("0.1", "0.7"))
    [1/10, 7/10]
    """
    return Intervals.closed(exact_number(first_float(side.low)), -exact_number(first_float(-side.high)))


def first_float(end: Fraction) -> float:
    """The smallest float that prints as a number not below the end."""
    found = nextafter(float_down(end), -inf)
    while exact_number(found) < end:
        found = nextafter(found, inf)
    return found


def too_small_error(error: Fraction, axis: str) -> RangeError:
    """The error for a range whose floats are too far apart to hide anything."""
    return RangeError(
        f"error={float(error):g} is too small for {axis!r}, because floats of this size are too far apart to hide "
        f"anything; choose a larger error, or subtract a constant from the column and the boundary"
    )


def power_of_ten(number: Fraction) -> Fraction:
    """The largest power of ten not above the number."""
    exponent = len(str(number.numerator)) - len(str(number.denominator))
    return next(power for power in (Fraction(10) ** (exponent - less) for less in range(3)) if power <= number)


def _root(number: Fraction) -> Fraction:
    """√ rounded down, to many digits."""
    return Fraction(isqrt(number.numerator * number.denominator << 128), number.denominator << 64)
