"""Variances and standard deviations of a population or a sample, with roots rounded outward.

The sample variance of n values is the variance times n/(n − 1). It does not exist for fewer than two values.
"""

from __future__ import annotations

from fractions import Fraction
from math import floor, isqrt

from noiseless.curator.releases.reported import Reported
from noiseless.curator.schema.scale import Scale
from noiseless.exact.touched import touched

PRECISION = 1 << 64
"""Square roots are rounded outward to 1/PRECISION of the unit."""
VARIANCES = ("VAR_POP", "VAR_SAMP")
SPREADS = (*VARIANCES, "STDDEV_POP", "STDDEV_SAMP")
"""Functions that do not change if all numbers change their sign, or if the same is added to all of them."""
SAMPLES = {"VAR_SAMP": "VAR_POP", "STDDEV_SAMP": "STDDEV_POP"}
"""Functions of a sample, each with the same function of a population."""
Range = tuple[Fraction, Fraction]
"""The least and the most that a number can be."""


def root(number: Fraction, up: bool) -> Fraction:
    """The square root, rounded outward to 2^-64 of the unit.

    >>> root(Fraction(9, 4), up=True), root(Fraction(2), up=False) < root(Fraction(2), up=True)
    (Fraction(3, 2), True)
    """
    scaled = number * PRECISION**2
    whole = isqrt(floor(scaled))
    return Fraction(whole if not up or whole**2 == scaled else whole + 1, PRECISION)


def enlarged(people: int) -> Fraction:
    """n/(n − 1): the variance of a sample divided by the variance of a population."""
    return Fraction(people, people - 1)


def own_error(error: Fraction, function: str, people: int) -> tuple[Fraction, str]:
    """An error of a function of a sample of n, as an error of the function of a population."""
    match function:
        case "VAR_SAMP":
            return error / enlarged(people), "VAR_POP"
        case "STDDEV_SAMP":
            return (error - Fraction(1, PRECISION)) / root(enlarged(people), up=True), "STDDEV_POP"
    return error, function


def sample_error(error: Fraction, function: str, people: int) -> Fraction:
    """The error of a function of a sample of n, from the error of the function of a population."""
    match function:
        case "VAR_SAMP":
            return error * enlarged(people)
        case "STDDEV_SAMP":
            return error * root(enlarged(people), up=True) + Fraction(1, PRECISION)
    return error


def middle_of(top: int) -> int:
    """c₀: the middle code, from which squared distances are taken."""
    return (top + 1) // 2


def far_of(top: int) -> int:
    """D, the largest distance of a code from the middle."""
    return max(middle_of(top), top - middle_of(top))


def turns_of_squares(top: int, width: int) -> int:
    """How often the bins of a squared distance from the middle change as a code rises: down, then up again."""
    return sum(touched(side**2, width) - 1 for side in (middle_of(top), top - middle_of(top)))


def variance_within(squares: tuple[int, int], mean: Range, people: tuple[int, int], centre: int, top: int) -> Range:
    """The variance of codes 0..top, Σ(x − c₀)²/n − (mean − c₀)², for all possible sums, means and numbers of rows."""
    far = [abs(end - centre) for end in mean]
    nearest = Fraction(0) if mean[0] <= centre <= mean[1] else min(far)
    low = Fraction(squares[0], people[1]) - max(far) ** 2
    high = Fraction(squares[1], people[0]) - nearest**2
    return max(Fraction(0), low), min(Fraction(top**2, 4), max(Fraction(0), high))


def spread(
    variance: Range, column: Scale, rounding: Fraction, function: str, people: tuple[int, int]
) -> Reported | None:
    """A variance in codes as the number that was asked for, over some number of rows. None if it cannot exist.

    Rounding every value by h moves a standard deviation by at most h, since it is a norm of the centred values.
    """
    if function not in SAMPLES:
        low, high = _of_population(variance, column, rounding, function)
        return Reported((low + high) / 2, low, high)
    if people[1] < 2:
        return None
    low, high = _of_population(variance, column, rounding, "VAR_POP")
    low, high = low * enlarged(people[1]), high * enlarged(max(2, people[0]))
    if function == "STDDEV_SAMP":
        low, high = root(low, up=False), root(high, up=True)
    return Reported((low + high) / 2, low, high)


def _of_population(variance: Range, column: Scale, rounding: Fraction, function: str) -> Range:
    low, high = (end * column.step**2 for end in variance)
    if not rounding and function == "VAR_POP":
        return low, high
    least = max(root(low, up=False) - rounding, Fraction(0))
    most = min(root(high, up=True) + rounding, column.span / 2)
    return (least**2, most**2) if function == "VAR_POP" else (least, most)
