"""The simplest number between two."""

from __future__ import annotations

from fractions import Fraction


def simplest_between(low: Fraction, high: Fraction) -> Fraction:
    """The rational with the smallest denominator strictly between two.

    >>> simplest_between(Fraction(33, 100), Fraction(34, 100))
    Fraction(1, 3)
    """
    whole = low.numerator // low.denominator
    if whole + 1 < high:
        return Fraction(whole + 1)
    if low == whole:  # the least n with whole + 1/n below high
        gap = 1 / (high - whole)
        return whole + Fraction(1, gap.numerator // gap.denominator + 1)
    return whole + 1 / simplest_between(1 / (high - whole), 1 / (low - whole))
