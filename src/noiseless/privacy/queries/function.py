"""Any function of few people with finite domains, by trying all data."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise, product
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noiseless.errors import DomainError, TooLargeError
from noiseless.exact.number import Number, exact_number
from noiseless.privacy.domain import Domain, common_step, members
from noiseless.privacy.quantizers.quantizer import Quantizer
from noiseless.privacy.queries.own_domains import OwnDomains, domains_of, most_exposed
from noiseless.privacy.queries.query import Reach
from noiseless.privacy.queries.reachable import most_and_fewest
from noiseless.theory.coding import Integers
from noiseless.theory.ranges.interval import Interval

MOST_DATASETS = 1 << 18


@dataclass(frozen=True)
class Function(OwnDomains):
    """A function of one number per person, each from their own finite domain.

    It is called with one exact number (a Fraction) per person, on all ∏|domain| datasets, once. Its range, sensitivity,
    grid and every count come from this table, so they are exact.

    Guarantee: exact.
    Source: NP Def 1, Thm 8: docs/theorems.md#np-thm-8

    >>> from noiseless.privacy.domain import Codes, Values
    >>> query = Function(lambda x, y: x * y, [Codes(3), Values([0, 5])])
    >>> query.high, query.sensitivity, query.reach(Quantizer(0, 20, levels=4)).count
    (Fraction(15, 1), Fraction(15, 1), 4)
    """

    function: Callable[..., Number]

    def __init__(self, function: Callable[..., Number], domains: Iterable[Domain]) -> None:
        object.__setattr__(self, "domains", domains_of(domains))
        object.__setattr__(self, "function", function)
        if not callable(function):
            raise DomainError(f"function={function!r} is not a function; give one that takes a number for each person")
        if any(isinstance(domain, Interval) for domain in self.domains):
            raise DomainError(
                "a function of an interval cannot be tried on all data; use Codes or Values, or declare its bounds "
                "and its sensitivity with Bounded"
            )
        if prod(self.shape) > MOST_DATASETS:
            raise TooLargeError(
                f"there are {prod(self.shape)} datasets, more than {MOST_DATASETS} to try; coarsen the domains, or "
                f"declare the function's bounds and its sensitivity with Bounded"
            )

    @property
    def _members(self) -> list[tuple[Fraction, ...]]:
        return [members(domain) for domain in self.domains if not isinstance(domain, Interval)]

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of values of each person."""
        return tuple(domain.points for domain in self.domains if not isinstance(domain, Interval))

    @cached_property
    def _table(self) -> tuple[list[Fraction], Integers]:
        """The different values in order, and the place of each dataset's value among them."""
        found = [exact_number(self.function(*data), "the function's value") for data in product(*self._members)]
        different = sorted(set(found))
        place = {value: number for number, value in enumerate(different)}
        return different, np.array([place[value] for value in found]).reshape(self.shape)

    def rows(self, table: Integers | None = None) -> list[tuple[Integers, Domain]]:
        """For each person, the entries of a table of all data as the person varies and the others' data are fixed."""
        table = self._table[1] if table is None else table
        return [
            (np.moveaxis(table, person, -1).reshape(-1, table.shape[person]), domain)
            for person, domain in enumerate(self.domains)
        ]

    def bins(self, quantizer: Quantizer) -> Integers:
        """The bin of every dataset, in a table of all data."""
        return np.array([quantizer.index(value, "clamp") for value in self._table[0]])[self._table[1]]

    @property
    def low(self) -> Fraction:
        """The least value of the query."""
        return self._table[0][0]

    @property
    def high(self) -> Fraction:
        """The greatest value of the query."""
        return self._table[0][-1]

    @cached_property
    def sensitivity(self) -> Fraction:
        """The furthest that one person can move the query."""
        values = self._table[0]
        ends = [np.stack([rows.min(axis=1), rows.max(axis=1)], axis=1) for rows, _ in self.rows()]
        different: list[list[int]] = np.unique(np.concatenate(ends), axis=0).tolist()
        return max(values[high] - values[low] for low, high in different)

    @cached_property
    def pieces(self) -> int:
        """The most monotone pieces as one person's value rises."""
        return max(_turns(row) for rows, _ in self.rows() for row in np.unique(rows, axis=0))

    @cached_property
    def step(self) -> Fraction:
        """The grid of the values."""
        return common_step([value - self.low for value in self._table[0]]) or Fraction(1)

    def reach(self, quantizer: Quantizer) -> Reach:
        """How many bins one person can reach."""
        return self.reach_of(self.bins(quantizer))

    def reach_of(self, answers: Integers) -> Reach:
        """How many answers one person can cause, from a table of the answers on all data."""
        found = [(*most_and_fewest(rows), domain) for rows, domain in self.rows(answers)]
        cell, domain = most_exposed((Fraction(cell), domain) for _, cell, domain in found)
        basis = f"all {prod(self.shape)} datasets were tried: docs/theorems.md#np-def-1"
        return Reach(max(count for count, _, _ in found), True, cell, basis, domain)

    def evaluate(self, values: NDArray[Any]) -> Fraction:
        """The value for these data, from the table: what was tried is what is answered."""
        places = (own.index(Fraction(value)) for own, value in zip(self._members, values.tolist(), strict=True))
        different, table = self._table
        return different[int(table[tuple(places)])]


def _turns(row: Integers) -> int:
    signs = [int(b > a) for a, b in pairwise(row.tolist()) if a != b]
    return 1 + sum(a != b for a, b in pairwise(signs))
