"""The best policy of finitely many points, which may split points of one value."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any

from noiseless.errors import BudgetError, DomainError, InputError, TooLargeError
from noiseless.exact.number import Number, exact_number
from noiseless.privacy.domain import members
from noiseless.privacy.mechanisms.records import within_domain
from noiseless.privacy.optimal.best_of_atoms import furthest_of
from noiseless.privacy.optimal.measured import Measured
from noiseless.privacy.optimal.partition import best_cuts, smallest_of
from noiseless.privacy.optimal.spread_of import Asked, spread_of
from noiseless.privacy.quantizers.containers import unpack
from noiseless.privacy.queries.linear import EqualWeights, Linear, weights_of
from noiseless.theory.ranges.interval import Interval
from noiseless.theory.spread.atoms import MOST_ADDITIONS, Atoms, sums_of


@dataclass(frozen=True)
class OptimalPartition(Measured):
    """All points in the order of their values, those of one value in any fixed order, cut into cells.

    The report of a cell is the middle of its values, within the error of all of them.
    """

    asked: Asked
    error: Fraction
    atoms: Atoms
    cuts: tuple[int, ...]

    @property
    def cells(self) -> list[int]:
        """The number of points of each cell."""
        return [right - left for left, right in pairwise(self.cuts)]

    @property
    def reports(self) -> list[Fraction]:
        """The report of each cell."""
        starts = self.atoms.starts
        ends = [(bisect_right(starts, left) - 1, bisect_left(starts, right) - 1) for left, right in pairwise(self.cuts)]
        return [(self.atoms.values[first] + self.atoms.values[last]) / 2 for first, last in ends]

    @property
    def smallest(self) -> Fraction:
        """The share of all points in the smallest cell."""
        return Fraction(smallest_of(list(self.cuts)), self.cuts[-1])

    @property
    def quality(self) -> Fraction:
        """The papers' γ."""
        return 1 / self.error

    def apply(self, data: Any) -> Fraction:
        """The report for the data of the n people. Among data of the same value, the order is lexicographic."""
        query = self.asked
        if not isinstance(query, (EqualWeights, Linear)):
            raise InputError("this partition cannot be applied to data; use a weighted sum of people's data")
        values = [Fraction(value) for value in within_domain(query, unpack(data)[0], "raise").tolist()]
        if len(values) != query.n:
            raise DomainError(
                f"the query was declared for n={query.n} people, and the data have another number; give one value for "
                f"each"
            )
        place = self.atoms.starts[bisect_left(self.atoms.values, _value(query, values))] + self._before(values)
        return self.reports[bisect_right(self.cuts, place) - 1]

    @cached_property
    def _rest(self) -> tuple[dict[int, int], ...]:
        """For each person, the number of ways to each sum of the people after them, in steps."""
        contributions = self._contributions
        if len(self.atoms.values) * len(contributions) ** 2 > MOST_ADDITIONS:
            raise TooLargeError(
                f"{len(contributions)} people are too many to split points of one value; use optimal_quantizer"
            )
        return tuple(sums_of(contributions[first + 1 :]) for first in range(len(contributions)))

    @cached_property
    def _contributions(self) -> list[list[int]]:
        query = self.asked
        assert isinstance(query, (EqualWeights, Linear))
        assert not isinstance(query.domain, Interval)
        assert query.step is not None
        values = members(query.domain)
        weights = query.weights if isinstance(query, Linear) else list(weights_of(query).elements())
        return [[int(weight * (value - values[0]) / query.step) for value in values] for weight in weights]

    def _before(self, values: list[Fraction]) -> int:
        """How many points of the same value come before these data, in lexicographic order."""
        query = self.asked
        assert isinstance(query, (EqualWeights, Linear))
        assert not isinstance(query.domain, Interval)
        places = [members(query.domain).index(value) for value in values]
        left = sum(numbers[place] for numbers, place in zip(self._contributions, places, strict=True))
        found = 0
        for numbers, place, rest in zip(self._contributions, places, self._rest, strict=True):
            found += sum(rest.get(left - number, 0) for number in numbers[:place])
            left -= numbers[place]
        return found


def _value(query: EqualWeights | Linear, values: list[Fraction]) -> Fraction:
    weights = query.weights if isinstance(query, Linear) else [query.weight] * query.n
    return sum((weight * value for weight, value in zip(weights, values, strict=True)), Fraction(0))


def optimal_partition(query: Asked, *, error: Number) -> OptimalPartition:
    """A policy of finitely many points with this error whose smallest cell is as large as possible.

    A quantizer keeps points of one value together. If a value has many points, a policy that splits them can do better.

    Guarantee: exact up to 2^50 points; beyond, the smallest cell is at most 2^-50 of its size below the best.
    Source: TIFS Thm IV.3 (16): docs/theorems.md#tifs-thm-iv-3

    >>> optimal_partition({0: 1, 1: 2, 2: 1}, error="1/2").cells
    [2, 2]
    """
    allowed, spread = exact_number(error, "error"), spread_of(query)
    if allowed <= 0:
        raise BudgetError(
            f"error={error} is not above 0, and without error the answer is the query itself; use a positive error"
        )
    if not isinstance(spread, Atoms):
        raise InputError("values that fill an interval have no points to split; use optimal_quantizer")
    cuts, _ = best_cuts(spread.starts, furthest_of(spread, 2 * allowed), split=True)
    return OptimalPartition(query, allowed, spread, tuple(cuts))
