"""The simplest number between two."""

from __future__ import annotations

from fractions import Fraction


def simplest_between(low: Fraction, high: Fraction) -> Fraction:
    """The rational with the smallest denominator strictly between two: their common continued fraction, cut short.

    >>> simplest_between(Fraction(33, 100), Fraction(34, 100))
    Fraction(1, 3)
    """
    wholes = []
    while True:
        whole = low.numerator // low.denominator
        if whole + 1 < high:
            found = Fraction(whole + 1)
            break
        if low == whole:  # the least n with whole + 1/n below high
            gap = 1 / (high - whole)
            found = whole + Fraction(1, gap.numerator // gap.denominator + 1)
            break
        wholes.append(whole)
        low, high = 1 / (high - whole), 1 / (low - whole)
    for whole in reversed(wholes):
        found = whole + 1 / found
    return found
