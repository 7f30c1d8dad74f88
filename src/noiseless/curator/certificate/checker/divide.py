"""The worst division of a person's rows among groups, and a sum of roundings in closed form."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from math import floor

from noiseless.curator.certificate.checker.numbers import MOST_BITS
from noiseless.curator.certificate.checker.wrong import require

EXACT_UP_TO = 64
"""Up to this number of rows per person, the worst division among groups is searched exactly."""


def worst_division(most: Callable[[int], int], rows: int, groups: int) -> int:
    """The largest product over all divisions of a person's rows among groups. For many rows, an upper bound."""
    if groups == 1:
        return most(rows)
    used = min(groups, rows)
    if rows > EXACT_UP_TO:
        steepest = max(Fraction(most(last) - 1, first) for first, last in _spans(rows))
        base = 1 + rows * steepest / used
        require(used * (floor(base).bit_length() - 1) <= MOST_BITS, "the count is larger than any budget")
        return floor(base**used)
    one = [1, *(most(part) for part in range(1, rows + 1))]
    best = [1] * (rows + 1)
    for _ in range(used):
        require(max(best[rows], one[rows]).bit_length() <= MOST_BITS, "the count is larger than any budget")
        best = [max(best[left - part] * one[part] for part in range(left + 1)) for left in range(rows + 1)]
    return best[rows]


def _spans(rows: int) -> Iterator[tuple[int, int]]:
    """Ranges of numbers of rows, as first and last; each begins a sixteenth above the one before."""
    first = 1
    while first <= rows:
        after = max(first + 1, first + first // 16)
        yield first, min(after - 1, rows)
        first = after


def floor_sum(terms: int, divisor: int, slope: int, offset: int) -> int:
    """Σ ⌊(slope·i + offset)/divisor⌋ for i = 1, …, terms.

    >>> floor_sum(3, 2, slope=5, offset=1) == sum((5 * i + 1) // 2 for i in (1, 2, 3))
    True
    """
    return _floor_sum(terms + 1, divisor, slope, offset) - offset // divisor


def _floor_sum(terms: int, divisor: int, slope: int, offset: int) -> int:
    """The same for i = 0, …, terms − 1, by the steps of Euclid's algorithm."""
    total = 0
    while True:
        whole, slope = divmod(slope, divisor)
        total += whole * terms * (terms - 1) // 2
        whole, offset = divmod(offset, divisor)
        total += whole * terms
        last = slope * terms + offset
        if last < divisor:
            return total
        terms, offset = divmod(last, divisor)
        slope, divisor = divisor, slope
