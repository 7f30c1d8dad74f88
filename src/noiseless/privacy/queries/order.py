"""Order statistics: the k-th smallest value, the minimum, the maximum, a quantile."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noiseless.errors import DomainError
from noiseless.exact.number import Number, exact_number
from noiseless.privacy.domain import Domain, Values, domain_of, is_evenly_spaced
from noiseless.privacy.quantizers.quantizer import Quantizer
from noiseless.privacy.queries.query import Reach, people, smallest_piece, whole
from noiseless.theory.ranges.interval import Interval

BASIS = "one person can move an order statistic through its whole range: docs/queries.md"


@dataclass(frozen=True)
class OrderStatistic:
    """The k-th smallest of n values.

    If k−1 of the others are at the low end and the rest at the high end, it is the one person's own value. So one
    person can move it through the whole range, and the count is the number of bins that the domain meets.
    """

    n: int
    k: int
    domain: Domain

    @property
    def low(self) -> Fraction:
        """The least value of the query."""
        return self.domain.low

    @property
    def high(self) -> Fraction:
        """The greatest value of the query."""
        return self.domain.high

    @property
    def sensitivity(self) -> Fraction:
        """The whole range."""
        return self.domain.high - self.domain.low

    @property
    def pieces(self) -> int:
        """One: it never falls when a value rises."""
        return 1

    @property
    def step(self) -> Fraction | None:
        """The grid of the values, if they are finitely many."""
        return None if isinstance(self.domain, Interval) else self.domain.step

    def reach(self, quantizer: Quantizer) -> Reach:
        """Exact: every bin that holds a value."""
        if isinstance(self.domain, Values) and not is_evenly_spaced(self.domain):
            bins = [quantizer.index(member, "clamp") for member in self.domain.members]
            sizes = np.unique(bins, return_counts=True)[1]
            return Reach(len(sizes), True, Fraction(int(sizes.min())), BASIS)
        crossed = quantizer.cuts.within(self.low, self.high, self.step)
        if not crossed:
            return Reach(1, True, whole(self.domain))
        smallest = smallest_piece(self.domain, quantizer, self.low, self.high, self.step)
        return Reach(crossed + 1, True, smallest, BASIS)

    def evaluate(self, values: NDArray[Any]) -> Fraction:
        """The k-th smallest value, as it is stored."""
        return Fraction(sorted(values.tolist())[self.k - 1])


class Min(OrderStatistic):
    """The least value.

    >>> Min(n=10, low=0, high=1).sensitivity
    Fraction(1, 1)
    """

    def __init__(
        self, n: int, low: Number | None = None, high: Number | None = None, domain: Domain | None = None
    ) -> None:
        super().__init__(people(n), 1, domain_of(low, high, domain))


class Max(OrderStatistic):
    """The greatest value.

    >>> Max(n=10, low=0, high=1).k
    10
    """

    def __init__(
        self, n: int, low: Number | None = None, high: Number | None = None, domain: Domain | None = None
    ) -> None:
        super().__init__(people(n), people(n), domain_of(low, high, domain))


class Quantile(OrderStatistic):
    """The k-th smallest value, k = ⌈p·n⌉; p = 1/2 is the median.

    >>> Quantile(n=10, p="0.5", low=0, high=1).k
    5
    """

    def __init__(
        self,
        n: int,
        p: Number,
        low: Number | None = None,
        high: Number | None = None,
        domain: Domain | None = None,
    ) -> None:
        share = exact_number(p, "p")
        if not 0 < share <= 1:
            raise DomainError(
                f"p={p} is not above 0 and at most 1; use p=0.5 for the median, and Min for the smallest value"
            )
        super().__init__(people(n), ceil(share * people(n)), domain_of(low, high, domain))
