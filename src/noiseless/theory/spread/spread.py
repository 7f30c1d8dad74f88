"""A function's spread: for each value, the share of all possible data on which the function is at most that value."""

from __future__ import annotations

from fractions import Fraction
from typing import Protocol

from noiseless.errors import NumberError
from noiseless.exact.number import Number, exact_number
from noiseless.exact.simplest import simplest_between

PRECISION = Fraction(1, 1 << 40)
"""The precision of the inverse, relative to the range."""


class Spread(Protocol):
    """F, without atoms and with one peak: its density rises and then falls (linear functions, order statistics)."""

    @property
    def low(self) -> Fraction:
        """The smallest value."""

    @property
    def high(self) -> Fraction:
        """The largest value."""

    def share_below(self, value: Number) -> Fraction:
        """F(t), exactly."""


def value_at(spread: Spread, share: Number, precision: Number | None = None, *, up: bool) -> Fraction:
    """F⁻¹: a value whose share is at least `share` (`up`), or at most, within `precision` of where it is equal.

    Guarantee: the side is certain, because F is exact; only the precision is limited. A simple fraction with exactly
    the wanted share is found.

    >>> from noiseless.theory.spread.linear import LinearSpread
    >>> value_at(LinearSpread.of([1, 1]), "1/2", up=True)
    Fraction(1, 1)
    """
    wanted = exact_number(share, "share")
    width = (spread.high - spread.low) * PRECISION if precision is None else exact_number(precision, "precision")
    if not 0 <= wanted <= 1 or width <= 0:
        raise NumberError(
            f"share={share} or precision={precision} is not valid; use a share from 0 to 1 and a precision above 0"
        )
    low, high, below, above = spread.low, spread.high, Fraction(0), Fraction(1)
    straight = True
    while high - low > width:
        before = high - low
        middle = _grid(_guess(low, high, below, above, wanted, width) if straight else (low + high) / 2, width)
        found = spread.share_below(middle)
        if found == wanted:
            return middle
        if found > wanted:
            high, above = middle, found
        else:
            low, below = middle, found
        # where a straight line did not help, halve once
        straight = not straight or high - low < before / 2
    simple = simplest_between(low, high)
    if spread.share_below(simple) == wanted:
        return simple
    return high if up else low


def _guess(
    low: Fraction, high: Fraction, below: Fraction, above: Fraction, wanted: Fraction, width: Fraction
) -> Fraction:
    """Where a straight line crosses, moved slightly to the far side, so that the next step approaches from there."""
    share = Fraction(float((wanted - below) / (above - below)))
    guess = low + (high - low) * share + width / 3 * (1 if 2 * share < 1 else -1)
    return min(max(guess, low + width / 2), high - width / 2)


def _grid(value: Fraction, width: Fraction) -> Fraction:
    """A number of few digits within a quarter of the width, because F is slower for longer arguments."""
    digits = max(0, (4 * width.denominator // width.numerator).bit_length())
    return Fraction(round(value * (1 << digits)), 1 << digits)
