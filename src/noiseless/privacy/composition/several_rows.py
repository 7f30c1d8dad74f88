"""Counts for a person with up to R rows, all of which vary together.

Source: theory §6, a person with several rows: docs/composition.md
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from math import comb, floor

from noiseless.exact.touched import touched

MOST_DIVIDED = 64
"""Up to this number of rows, the worst division is found exactly."""


def sum_answers(top: int, width: int, rows: int) -> int:
    """The answers of a sum of codes 0..top in bins of `width`: a person's total can have rows·top + 1 values.

    >>> sum_answers(top=1, width=2, rows=4)
    3
    """
    return touched(rows * top, width)


def grouped_sum_answers(top: int, width: int, rows: int, groups: int) -> int:
    """The answers of sums over disjoint public groups, with a person's rows divided among them in the worst way.

    The largest product of ⌈r·top/width⌉ + 1 over all divisions r_1 + … + r_G = R, where an empty part counts 1. The
    even division is not always the worst: 4 rows in 2 groups give 2·3 = 6 as 1 + 3 and only 4 as 2 + 2.

    >>> grouped_sum_answers(top=1, width=2, rows=4, groups=2)
    6
    """
    return worst_division(lambda part: sum_answers(top, width, part), rows, groups)


def worst_division(answers: Callable[[int], int], rows: int, groups: int) -> int:
    """The largest product over all divisions of a person's rows among groups, where r ≥ 1 rows in one cause answers(r).

    `answers` never falls. For many rows a bound is used: if a is the smallest number with answers(r) ≤ 1 + ra, the
    product over m = min(G, R) groups is at most (1 + Ra/m)^m, because the logarithm is concave.
    """
    if groups == 1:
        return answers(rows)
    if rows > MOST_DIVIDED:
        return floor((1 + rows * _steepest(answers, rows) / min(groups, rows)) ** min(groups, rows))
    one = [1, *map(answers, range(1, rows + 1))]
    best, power, left = [1] * (rows + 1), one, min(groups, rows)
    while left:  # best over `left` groups, by doubling
        if left & 1:
            best = _combined(best, power)
        power, left = _combined(power, power), left >> 1
    return best[rows]


@lru_cache(maxsize=512)
def cell_sum_answers(top: int, width: int, most: int, rows: int, cells: int, outside: bool) -> tuple[int, ...]:
    """The answers of exact counts of cells with sums of codes 0..top in bins of `width`, for 0, 1, …, `rows` rows.

    The rows are divided among the cells, and `outside` if they need not count. r rows in a cell move its sum through
    ⌈r·top/width⌉ + 1 bins, of which there are `most`. The counts say how the rows are divided, so the number of answers
    is the sum over all divisions of the product over the cells: a coefficient of a power of a polynomial.

    >>> cell_sum_answers(top=1, width=1, most=9, rows=2, cells=2, outside=False)
    (1, 4, 10)
    """
    power = [1, *(min(touched(part * top, width), most) for part in range(1, rows + 1))]
    found = [1] * (rows + 1) if outside else [1] + [0] * rows
    while cells:
        if cells & 1:
            found = _multiplied(found, power)
        power, cells = _multiplied(power, power), cells >> 1
    return tuple(found)


def _multiplied(first: list[int], second: list[int]) -> list[int]:
    """The product of two polynomials, as far as `first` goes."""
    return [sum(first[part] * second[place - part] for part in range(place + 1)) for place in range(len(first))]


def _steepest(answers: Callable[[int], int], rows: int) -> Fraction:
    """An upper bound of (answers(r) − 1)/r: for each range of r, the answers of its largest r over its smallest r."""
    steepest, part = Fraction(0), 1
    while part <= rows:
        after = max(part + 1, part + part // 16)
        steepest = max(steepest, Fraction(answers(min(after - 1, rows)) - 1, part))
        part = after
    return steepest


def _combined(first: list[int], second: list[int]) -> list[int]:
    """For every number of rows, the best division between two sets of groups."""
    return [max(first[part] * second[rows - part] for part in range(rows + 1)) for rows in range(len(first))]


def predicate_answers(rows: int) -> int:
    """The answers of an exact number of rows with a private property: from none to all of the person's rows.

    >>> predicate_answers(3)
    4
    """
    return rows + 1


def histogram_answers(rows: int, values: int) -> int:
    """The answers of an exact histogram: the ways to spread R rows over D values.

    >>> histogram_answers(rows=2, values=3)
    6
    """
    return comb(rows + values - 1, values - 1)


def variance_answers(top: int, width: int, rows: int, all_rows: int) -> int:
    """The answers of the integer nΣc² − (Σc)² in bins of `width`, where R of the n rows are the person's.

    >>> variance_answers(top=2, width=4, rows=1, all_rows=3)
    3
    """
    return touched(variance_moved(top, rows, all_rows), width)


def variance_moved(top: int, rows: int, all_rows: int) -> int:
    """How far R of the n rows can move the integer nΣc² − (Σc)²."""
    parts = rows * (all_rows - rows) if 2 * rows <= all_rows else all_rows**2 // 4
    return parts * top**2
