"""The sum of the floors of an arithmetic progression."""

from __future__ import annotations


def floor_sum(terms: int, bottom: int, slope: int, offset: int) -> int:
    """Σ ⌊(slope·j + offset)/bottom⌋ for j = 0..terms−1, in logarithmically many steps.

    >>> floor_sum(4, 10, 6, 3) == sum((6 * j + 3) // 10 for j in range(4))
    True
    """
    total = 0
    while terms > 0:
        whole, slope = divmod(slope, bottom)
        total += whole * terms * (terms - 1) // 2
        whole, offset = divmod(offset, bottom)
        total += whole * terms
        top = slope * terms + offset
        terms, offset = divmod(top, bottom)
        bottom, slope = slope, bottom
    return total
