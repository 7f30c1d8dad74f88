"""The population variance."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from numpy.typing import NDArray

from noiseless.exact.number import Number
from noiseless.privacy.domain import Domain, domain_of
from noiseless.privacy.quantizers.quantizer import Quantizer
from noiseless.privacy.queries.query import Reach, people, whole
from noiseless.theory.ranges.interval import Interval


@dataclass(frozen=True)
class Variance:
    """Σx²/n − (Σx/n)², in steps of the integer nΣc² − (Σc)² where values are codes c.

    It falls and then rises in one person's value: two monotone pieces. The largest value is ⌊n²/4⌋·M²/n², with half the
    people at each end. One person moves it by at most (n−1)·M²/n², when all the others are at one end.

    >>> query = Variance(n=4, low=0, high=2)
    >>> query.high, query.sensitivity
    (Fraction(1, 1), Fraction(3, 4))
    """

    n: int
    domain: Domain

    def __init__(
        self, n: int, low: Number | None = None, high: Number | None = None, domain: Domain | None = None
    ) -> None:
        object.__setattr__(self, "n", people(n))
        object.__setattr__(self, "domain", domain_of(low, high, domain))

    @property
    def low(self) -> Fraction:
        """0: nothing varies."""
        return Fraction(0)

    @property
    def high(self) -> Fraction:
        """Half the people at either end."""
        return Fraction(self.n**2 // 4, self.n**2) * self._square

    @property
    def sensitivity(self) -> Fraction:
        """The furthest that one person can move the query."""
        return Fraction(self.n - 1, self.n**2) * self._square

    @property
    def _square(self) -> Fraction:
        return (self.domain.high - self.domain.low) ** 2

    @property
    def pieces(self) -> int:
        """Two: down towards the mean of the others, then up."""
        return 2

    @property
    def step(self) -> Fraction | None:
        """The grid of the variances, if the values are finitely many."""
        return None if isinstance(self.domain, Interval) else self.domain.step**2 / self.n**2

    def reach(self, quantizer: Quantizer) -> Reach:
        """An upper bound. It may not be attained, because the longest window cannot always lie at the worst place."""
        if self.n == 1:
            return Reach(1, True, whole(self.domain))
        crossed = quantizer.cuts.densest(self.sensitivity, self.low, self.high, self.step)
        points = crossed + 1 if isinstance(self.domain, Interval) else self.domain.points
        smallest = Fraction(0) if isinstance(self.domain, Interval) else Fraction(1)
        return Reach(min(points, crossed + 1), not crossed, smallest if crossed else whole(self.domain))

    def evaluate(self, values: NDArray[Any]) -> Fraction:
        """The exact variance."""
        exact = [Fraction(value) for value in values.tolist()]
        total = sum(exact, Fraction(0))
        return (self.n * sum((value * value for value in exact), Fraction(0)) - total * total) / self.n**2
