"""Variances and deviations in the units that were asked for, and what sums about a centre say about them."""

from __future__ import annotations

from fractions import Fraction
from math import floor, isqrt

from noiseless.curator.certificate.checker.columns import Column
from noiseless.curator.certificate.checker.intervals import Interval, halfway

PRECISION = 1 << 64
"""Square roots are rounded outward to 1/PRECISION of the unit."""
SPREADS = ("var_pop", "stddev_pop", "var_samp", "stddev_samp")
SAMPLES = SPREADS[2:]
"""Functions of a sample, which need two values."""


def root(number: Fraction, up: bool) -> Fraction:
    """The square root, rounded outward."""
    scaled = number * PRECISION**2
    below = isqrt(floor(scaled))
    return Fraction(below + 1 if up and below**2 != scaled else below, PRECISION)


def spread(low: Fraction, high: Fraction, column: Column, function: str, fewest: int, most: int) -> Interval | None:
    """A variance of codes between low and high, over a number of rows between fewest and most."""
    low, high = low * column.step**2, high * column.step**2
    if column.rounding or function == "stddev_pop":
        lower = max(root(low, up=False) - column.rounding, Fraction(0))
        upper = min(root(high, up=True) + column.rounding, (column.high - column.low) / 2)
        low, high = (lower, upper) if function == "stddev_pop" else (lower**2, upper**2)
    if function in SAMPLES:
        if most < 2:
            return None
        low, high = low * Fraction(most, most - 1), high * Fraction(max(fewest, 2), max(fewest, 2) - 1)
    if function == "stddev_samp":
        low, high = root(low, up=False), root(high, up=True)
    return halfway(low, high)


def variance_of_codes(
    mean: tuple[Fraction, Fraction], squares: tuple[Fraction, Fraction], centre: int, top: int, fewest: int, most: int
) -> tuple[Fraction, Fraction]:
    """Squares over rows, minus the squared distance of the mean from the centre. It is at most top²/4."""
    distances = [abs(end - centre) for end in mean]
    near = 0 if mean[0] <= centre <= mean[1] else min(distances)
    lower, upper = squares[0] / most - max(distances) ** 2, squares[1] / fewest - near**2
    return max(Fraction(0), lower), min(max(Fraction(0), upper), Fraction(top**2, 4))
