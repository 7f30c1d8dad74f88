"""The spread of the k-th smallest of n values: exact, a sum of binomial terms."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import comb

from noiseless.exact.number import Number, exact_number


@dataclass(frozen=True, slots=True)
class OrderSpread:
    """The k-th smallest of n numbers between low and high. Its density has one peak, at (k−1)/(n−1) of the range.

    >>> OrderSpread(n=2, k=2, low=Fraction(0), high=Fraction(1)).share_below("1/2")
    Fraction(1, 4)
    """

    n: int
    k: int
    low: Fraction
    high: Fraction

    def share_below(self, value: Number) -> Fraction:
        """F(t) = Σ over j ≥ k of C(n, j) sʲ (1−s)ⁿ⁻ʲ, with s the share of the range below t."""
        share = (exact_number(value, "value") - self.low) / (self.high - self.low)
        if share <= 0 or share >= 1:
            return Fraction(int(share >= 1))
        top, bottom = share.as_integer_ratio()
        return Fraction(at_least(self.n, self.k, top, bottom - top), bottom**self.n)


def at_least(n: int, k: int, inside: int, outside: int) -> int:
    """The number of ways in which at least k of n values are among `inside` of `inside` + `outside` possible ones."""
    fewer = 2 * k <= n
    ways: int = sum(comb(n, j) * inside**j * outside ** (n - j) for j in (range(k) if fewer else range(k, n + 1)))
    return (inside + outside) ** n - ways if fewer else ways
