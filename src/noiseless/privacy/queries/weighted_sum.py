"""A weighted sum of people whose domains differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any

from numpy.typing import NDArray

from noiseless.errors import DomainError
from noiseless.exact.number import Number, exact_number
from noiseless.privacy.domain import Domain, common_step, is_evenly_spaced, members
from noiseless.privacy.quantizers.quantizer import Quantizer
from noiseless.privacy.queries.linear import evenly_spaced_reach
from noiseless.privacy.queries.own_domains import OwnDomains, domains_of, most_exposed
from noiseless.privacy.queries.query import Reach, whole
from noiseless.privacy.queries.reachable import TRIED, few_sums, reach_of_each
from noiseless.theory.ranges.interval import Interval

Person = tuple[Fraction, Domain]
"""A weight and a domain."""


@dataclass(frozen=True)
class WeightedSum(OwnDomains):
    """f = Σ c_i·x_i where each person has their own domain: an interval, codes or a finite set.

    Person i moves the sum by S_i = |c_i| times the length of the domain, and the sensitivity is the largest S_i.

    Guarantee: exact if all domains are intervals, or even grids with one common step c_i·step_i (the others' sums then
    put the window of the person with the largest S_i anywhere in the range), and for finite domains with few sums,
    which are tried. Where intervals and finite sets mix it is exact if the person with the most answers has an interval
    and the others' sums fill one: if the other intervals together are as long as every gap in the other sets.
    Elsewhere it is the bound of the counting lemma.
    Source: NP Thm 8, corrected: docs/theorems.md#np-thm-8

    >>> query = WeightedSum([Interval(0, 10), Interval(0, 4)], weights=[1, 2])
    >>> query.high, query.sensitivity
    (Fraction(18, 1), Fraction(10, 1))
    """

    weights: tuple[Fraction, ...]

    def __init__(self, domains: Iterable[Domain], weights: Sequence[Number] | None = None) -> None:
        object.__setattr__(self, "domains", domains_of(domains))
        given = [1] * self.n if weights is None else weights if isinstance(weights, Iterable) else [weights]
        object.__setattr__(self, "weights", tuple(exact_number(weight, "weight") for weight in given))
        if len(self.weights) != self.n:
            raise DomainError(
                f"there are {self.n} domains and {len(self.weights)} weights; give one weight for each person"
            )
        if not any(self.weights):
            raise DomainError("all weights are zero, so the query is constant; give at least one nonzero weight")

    @cached_property
    def active(self) -> Counter[Person]:
        """How many people have each nonzero weight and domain."""
        return Counter(person for person in zip(self.weights, self.domains, strict=True) if person[0])

    @cached_property
    def low(self) -> Fraction:
        """The least value of the query."""
        ends = (number * min(w * d.low, w * d.high) for (w, d), number in self.active.items())
        return sum(ends, Fraction(0))

    @cached_property
    def high(self) -> Fraction:
        """The greatest value of the query."""
        ends = (number * max(w * d.low, w * d.high) for (w, d), number in self.active.items())
        return sum(ends, Fraction(0))

    @cached_property
    def sensitivity(self) -> Fraction:
        """The furthest that one person can move the query."""
        return max(map(_span, self.active))

    @property
    def pieces(self) -> int:
        """One: a weighted sum is monotone in each value."""
        return 1

    @cached_property
    def step(self) -> Fraction | None:
        """The grid of the sums, if no person's values fill an interval."""
        finite = [abs(weight) * domain.step for weight, domain in self.active if not isinstance(domain, Interval)]
        return common_step(finite) if len(finite) == len(self.active) else None

    def reach(self, quantizer: Quantizer) -> Reach:
        """How many bins one person can reach."""
        if all(isinstance(domain, Interval) for _, domain in self.active) or self._on_one_grid:
            _, domain = most_exposed((Fraction(self.step is not None), domain) for _, domain in self.active)
            found = evenly_spaced_reach(self, quantizer, self.active.total(), domain)
            return Reach(found.count, found.exact, found.smallest_cell, domain=domain)
        return self._tried(quantizer) or self._bounded(quantizer)

    @property
    def _on_one_grid(self) -> bool:
        return self.step is not None and all(
            not isinstance(domain, Interval) and is_evenly_spaced(domain) and abs(weight) * domain.step == self.step
            for weight, domain in self.active
        )

    def _tried(self, quantizer: Quantizer) -> Reach | None:
        if self.step is None:
            return None
        steps = {(w, d): [int(w * (value - d.low) / self.step) for value in _members(d)] for w, d in self.active}
        if not few_sums(self.active, steps):
            return None
        origin = sum((number * w * d.low for (w, d), number in self.active.items()), Fraction(0))
        found = reach_of_each(quantizer, self.active, steps, origin, self.step)
        if found is None:
            return None
        cell, domain = most_exposed((Fraction(cell), domain) for (_, domain), (_, cell) in found.items())
        return Reach(max(count for count, _ in found.values()), True, cell, TRIED, domain)

    def _bounded(self, quantizer: Quantizer) -> Reach:
        counts = {person: self._count_of(person, quantizer) for person in self.active}
        count = max(counts.values())
        intervals = [person for person in self.active if isinstance(person[1], Interval)]
        attained = any(counts[person] == count and self._others_fill(person) for person in intervals)
        cells = ((Fraction(not isinstance(domain, Interval)), domain) for _, domain in self.active)
        if count == 1:
            cells = ((whole(domain), domain) for _, domain in self.active)
        cell, domain = most_exposed(cells)
        return Reach(count, attained or count == 1, cell, domain=domain)

    def _count_of(self, person: Person, quantizer: Quantizer) -> int:
        crossed = quantizer.cuts.densest(_span(person), self.low, self.high, self.step)
        domain = person[1]
        return crossed + 1 if isinstance(domain, Interval) else min(domain.points, crossed + 1)

    def _others_fill(self, person: Person) -> bool:
        """Whether the sums of the others certainly fill an interval."""
        others = list((self.active - Counter([person])).elements())
        length = sum((_span(other) for other in others if isinstance(other[1], Interval)), Fraction(0))
        return all(_widest_gap(weight, domain) <= length for weight, domain in others)

    def evaluate(self, values: NDArray[Any]) -> Fraction:
        """The exact weighted sum."""
        exact = (Fraction(value) for value in values.tolist())
        return sum((weight * value for weight, value in zip(self.weights, exact, strict=True)), Fraction(0))


def _span(person: Person) -> Fraction:
    weight, domain = person
    return abs(weight) * (domain.high - domain.low)


def _members(domain: Domain) -> tuple[Fraction, ...]:
    assert not isinstance(domain, Interval)
    return members(domain)


def _widest_gap(weight: Fraction, domain: Domain) -> Fraction:
    if isinstance(domain, Interval):
        return Fraction(0)
    return abs(weight) * max(right - left for left, right in pairwise(members(domain)))
