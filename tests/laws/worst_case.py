"""The true worst case of a mechanism, by trying all data of everybody: the judge of every count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from typing import Any

import noiseless as nl

Rows = Sequence[Sequence[Any]]
"""For every person and all data of the others, the query's values as that person varies."""


def rows_of(function: Callable[[tuple[Any, ...]], Any], domains: Sequence[Sequence[Any]]) -> Rows:
    return [
        [function((*others[:person], value, *others[person:])) for value in domain]
        for person, domain in enumerate(domains)
        for others in product(*domains[:person], *domains[person + 1 :])
    ]


def rows_of_symmetric(function: Callable[[tuple[Any, ...]], Any], domain: Sequence[Any], n: int) -> Rows:
    """The same for a function that does not care who has which value."""
    return [[function((*others, value)) for value in domain] for others in combinations_with_replacement(domain, n - 1)]


def worst_count(answer: Callable[[Any], Any], rows: Rows) -> tuple[int, int]:
    """The most different answers in a row, and the fewest of one person's values that share one."""
    answer = cache(answer)
    counts = [Counter(map(answer, row)) for row in rows]
    return max(map(len, counts)), min(min(count.values()) for count in counts)


def judge(query: Any, rows: Rows, quantizers: Iterable[nl.Quantizer], exact: bool | None = None) -> None:
    """The certified count is the true one where it says so, and never below it; so with the smallest cell.

    Only a variance, and what is said to be `exact=False`, may be a mere bound.
    """
    bounded = isinstance(query, nl.Variance) if exact is None else not exact
    for quantizer in quantizers:
        guarantee = nl.certify(quantizer, query)
        assert guarantee.exact or bounded, quantizer
        most, fewest = worst_count(lambda value: quantizer.index(value, "clamp"), rows)  # noqa: B023
        assert guarantee.count == most if guarantee.exact else guarantee.count >= most, quantizer
        assert guarantee.smallest_cell == fewest if guarantee.exact else guarantee.smallest_cell <= fewest, quantizer


def mean(data: tuple[Fraction, ...]) -> Fraction:
    return sum(data, Fraction(0)) / len(data)


def variance(data: tuple[Fraction, ...]) -> Fraction:
    return mean(tuple(x * x for x in data)) - mean(data) ** 2


def median(data: tuple[Fraction, ...]) -> Fraction:
    return sorted(data)[(len(data) + 1) // 2 - 1]


def members(domain: nl.Codes | nl.Values) -> list[Fraction]:
    return list(domain.members) if isinstance(domain, nl.Values) else [Fraction(code) for code in range(domain.points)]
