"""How many bins a moving value can meet: the count behind every guarantee for uniform bins."""

from __future__ import annotations

from fractions import Fraction


def touched(spread: int | Fraction, width: int | Fraction) -> int:
    """⌈spread/width⌉ + 1: the most bins of `width` that a window of length `spread` can meet.

    The window is that of integers from t to t + spread and the bins hold `width` of them each, or both are real and
    bins hold their lower end.

    Source: NP Thm 8, corrected: docs/theorems.md#np-thm-8

    >>> touched(4, 2), touched(0, 5), touched(Fraction(5, 2), Fraction(1))
    (3, 1, 4)
    """
    return -(-spread // width) + 1
