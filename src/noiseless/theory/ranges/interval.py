"""A closed interval with exact ends."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from noiseless.errors import RangeError
from noiseless.exact.number import Number, exact_number


@dataclass(frozen=True, slots=True, repr=False)
class Interval:
    """All numbers from `low` to `high`, both included. Ends are given as decimals, integers or fractions.

    >>> Interval("0.1", 1)
    [1/10, 1]
    >>> 0.5 in Interval(0, 1)
    True
    """

    low: Fraction
    high: Fraction

    def __post_init__(self) -> None:
        object.__setattr__(self, "low", exact_number(self.low, "low"))
        object.__setattr__(self, "high", exact_number(self.high, "high"))
        if self.low > self.high:
            raise RangeError(f"low={self.low} is above high={self.high}; give the smaller bound first")

    @property
    def span(self) -> Fraction:
        """The length."""
        return self.high - self.low

    def __contains__(self, number: Number) -> bool:
        return self.low <= exact_number(number) <= self.high

    def __repr__(self) -> str:
        return f"[{self.low}, {self.high}]"
