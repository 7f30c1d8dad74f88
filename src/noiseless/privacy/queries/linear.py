"""Weighted sums: Sum, Mean, Count, Identity and Linear."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from numpy.typing import NDArray

from noiseless.errors import DomainError
from noiseless.exact.number import Number, exact_number
from noiseless.exact.summation import exact_sum
from noiseless.privacy.domain import Codes, Domain, common_step, domain_of, is_evenly_spaced, members
from noiseless.privacy.quantizers.quantizer import Quantizer
from noiseless.privacy.queries.query import Query, Reach, people, smallest_piece, whole
from noiseless.privacy.queries.reachable import reach_by_trying
from noiseless.theory.ranges.interval import Interval


@dataclass(frozen=True)
class Linear:
    """f = Σ c_i·x_i with public weights c_i.

    On intervals, and on evenly spaced values with equal weights, the count is exact, because everybody else's data can
    put one person's reach anywhere in the range. Otherwise small cases are tried, and large ones are bounded by the
    grid.

    Source: NP Thm 8, corrected: docs/theorems.md#np-thm-8

    >>> Linear([1, 1, 2], low=0, high=1).sensitivity
    Fraction(2, 1)
    """

    weights: tuple[Fraction, ...]
    domain: Domain

    def __init__(
        self,
        weights: Sequence[Number],
        low: Number | None = None,
        high: Number | None = None,
        domain: Domain | None = None,
    ) -> None:
        exact = tuple(exact_number(weight, "weight") for weight in weights)
        if not any(exact):
            raise DomainError("all weights are zero, so the query is constant; give at least one nonzero weight")
        object.__setattr__(self, "weights", exact)
        object.__setattr__(self, "domain", domain_of(low, high, domain))

    @property
    def n(self) -> int:
        """How many people."""
        return len(self.weights)

    @property
    def low(self) -> Fraction:
        """The least value of the query."""
        return sum((min(w * self.domain.low, w * self.domain.high) for w in self.weights), Fraction(0))

    @property
    def high(self) -> Fraction:
        """The greatest value of the query."""
        return sum((max(w * self.domain.low, w * self.domain.high) for w in self.weights), Fraction(0))

    @property
    def sensitivity(self) -> Fraction:
        """The furthest that one person can move the query."""
        return max(map(abs, self.weights)) * (self.domain.high - self.domain.low)

    @property
    def pieces(self) -> int:
        """One: a weighted sum is monotone in each value."""
        return 1

    @property
    def step(self) -> Fraction | None:
        """The grid of the sums, if the values are finitely many."""
        if isinstance(self.domain, Interval):
            return None
        return common_step([weight * self.domain.step for weight in self.weights])

    def reach(self, quantizer: Quantizer) -> Reach:
        """How many bins one person can reach."""
        active = [abs(weight) for weight in self.weights if weight]
        if isinstance(self.domain, Interval) or (len(set(active)) == 1 and is_evenly_spaced(self.domain)):
            return evenly_spaced_reach(self, quantizer, len(active), self.domain)
        return tried_or_bounded(self, quantizer, Counter(weight for weight in self.weights if weight))

    def evaluate(self, values: NDArray[Any]) -> Fraction:
        """The exact weighted sum."""
        exact = (Fraction(value) for value in values.tolist())
        return sum((weight * value for weight, value in zip(self.weights, exact, strict=True)), Fraction(0))


@dataclass(frozen=True)
class EqualWeights:
    """f = c·Σ x_i: Linear with n equal weights, in closed form for any n."""

    n: int
    domain: Domain
    weight: Fraction = field(default=Fraction(1))

    def __post_init__(self) -> None:
        object.__setattr__(self, "n", people(self.n))

    @property
    def low(self) -> Fraction:
        """The least value of the query."""
        return self.n * self.weight * self.domain.low

    @property
    def high(self) -> Fraction:
        """The greatest value of the query."""
        return self.n * self.weight * self.domain.high

    @property
    def sensitivity(self) -> Fraction:
        """The furthest that one person can move the query."""
        return self.weight * (self.domain.high - self.domain.low)

    @property
    def pieces(self) -> int:
        """One: a sum is monotone in each value."""
        return 1

    @property
    def step(self) -> Fraction | None:
        """The grid of the sums, if the values are finitely many."""
        return None if isinstance(self.domain, Interval) else self.weight * self.domain.step

    def reach(self, quantizer: Quantizer) -> Reach:
        """How many bins one person can reach."""
        if isinstance(self.domain, Interval) or is_evenly_spaced(self.domain):
            return evenly_spaced_reach(self, quantizer, self.n, self.domain)
        return tried_or_bounded(self, quantizer, {self.weight: self.n})

    def evaluate(self, values: NDArray[Any]) -> Fraction:
        """The exact sum, times the weight."""
        return self.weight * exact_sum(values)


class Sum(EqualWeights):
    """Σ x_i.

    >>> query = Sum(n=300, low=0, high=60)
    >>> query.low, query.high, query.sensitivity
    (Fraction(0, 1), Fraction(18000, 1), Fraction(60, 1))
    """

    def __init__(
        self, n: int, low: Number | None = None, high: Number | None = None, domain: Domain | None = None
    ) -> None:
        super().__init__(n, domain_of(low, high, domain))


class Mean(EqualWeights):
    """Σ x_i / n.

    >>> query = Mean(n=300, low=0, high=60)
    >>> query.low, query.high, query.sensitivity
    (Fraction(0, 1), Fraction(60, 1), Fraction(1, 5))
    """

    def __init__(
        self, n: int, low: Number | None = None, high: Number | None = None, domain: Domain | None = None
    ) -> None:
        super().__init__(n, domain_of(low, high, domain), Fraction(1, people(n)))


class Count(EqualWeights):
    """The number of the n people with a private property: a sum of zeros and ones.

    >>> Count(n=1000).high
    Fraction(1000, 1)
    """

    def __init__(self, n: int) -> None:
        super().__init__(n, Codes(1))


class Identity(EqualWeights):
    """One person's own value, as in a local release.

    >>> Identity(low=0, high=250).sensitivity
    Fraction(250, 1)
    """

    def __init__(self, low: Number | None = None, high: Number | None = None, domain: Domain | None = None) -> None:
        super().__init__(1, domain_of(low, high, domain))


AnyLinear = Linear | EqualWeights


def weights_of(query: AnyLinear) -> Counter[Fraction]:
    """How many people have each weight."""
    return Counter({query.weight: query.n}) if isinstance(query, EqualWeights) else Counter(query.weights)


def evenly_spaced_reach(query: Query, quantizer: Quantizer, active: int, domain: Domain) -> Reach:
    """Exact: with the others fixed, a person fills a window of the range or its grid, and every such window occurs."""
    crossed = quantizer.cuts.densest(query.sensitivity, query.low, query.high, query.step)
    if not crossed:
        return Reach(1, True, whole(domain))
    if active > 1:
        # for some data of the others, a single value (the highest) is on the far side of an edge
        return Reach(crossed + 1, True, Fraction(0 if query.step is None else 1))
    return Reach(crossed + 1, True, smallest_piece(domain, quantizer, query.low, query.high, query.step))


def tried_or_bounded(query: AnyLinear, quantizer: Quantizer, people_with: Mapping[Fraction, int]) -> Reach:
    """Finite values without a common grid: all data of the others if there are few, otherwise a bound.

    `people_with` says how many people have each weight.
    """
    domain, step = query.domain, query.step
    assert step is not None
    assert not isinstance(domain, Interval)
    tried = reach_by_trying(quantizer, people_with, members(domain), step)
    if tried is not None:
        return tried
    crossed = max(
        quantizer.cuts.densest(abs(weight) * (domain.high - domain.low), query.low, query.high, step)
        for weight in people_with
    )
    return Reach(min(domain.points, crossed + 1), False, Fraction(1))
