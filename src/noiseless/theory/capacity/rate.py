"""Bits per use of a channel, kept as an integer or ratio and its root."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import total_ordering
from math import inf, nextafter

from noiseless.errors import NumberError
from noiseless.exact.number import written
from noiseless.exact.roots import integer_root
from noiseless.exact.rounding import bits_down, bits_nearest, bits_up


@total_ordering
@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Rate:
    """log2(count) / uses: `count` messages distinguished by `uses` uses of a channel.

    Kept in lowest terms, so that 4 messages in 2 uses are 2 in 1. Compared exactly, as powers: a^(1/j) ≤ b^(1/k) iff
    a^k ≤ b^j.

    >>> Rate(5, 2) < Rate(Fraction(5, 2), 1)
    True
    >>> Rate(5, 2), Rate(4, 2)
    (log2(5)/2 ≈ 1.161 bits, log2(2) = 1 bits)
    """

    count: Fraction
    uses: int

    def __post_init__(self) -> None:
        if not isinstance(self.count, (int, Fraction)) or self.count <= 0 or self.uses < 1:
            raise NumberError(
                f"count={self.count!r} or uses={self.uses!r} is not valid; give a positive int or Fraction, and at "
                f"least 1 use"
            )
        top, bottom, uses = Fraction(self.count).numerator, Fraction(self.count).denominator, self.uses
        for root in range(uses, 1, -1):
            roots = integer_root(top, root), integer_root(bottom, root)
            if uses % root == 0 and (roots[0] ** root, roots[1] ** root) == (top, bottom):
                (top, bottom), uses = roots, uses // root
                break
        object.__setattr__(self, "count", Fraction(top, bottom))
        object.__setattr__(self, "uses", uses)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Rate):
            return NotImplemented
        return (self.count, self.uses) == (other.count, other.uses)

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Rate):
            return NotImplemented
        return self.count**other.uses < other.count**self.uses

    def __hash__(self) -> int:
        return hash((Rate, self.count, self.uses))

    @property
    def bits(self) -> float:
        """Bits per use, to the nearest float."""
        return bits_nearest(self.count) / self.uses

    @property
    def bits_up(self) -> float:
        """Bits per use, rounded up."""
        return self._per_use(bits_up(self.count), inf)

    @property
    def bits_down(self) -> float:
        """Bits per use, rounded down."""
        return self._per_use(bits_down(self.count), -inf)

    def _per_use(self, bits: float, outward: float) -> float:
        return bits if self.uses == 1 else nextafter(bits / self.uses, outward)

    def __float__(self) -> float:
        return self.bits

    def __repr__(self) -> str:
        root = "" if self.uses == 1 else f"/{self.uses}"
        short = self.count.denominator < 10**6
        shown = (
            f"{float(self.count):.6f}…"
            if not short
            else str(self.count)
            if self.count < 10**9
            else written(int(self.count))
        )
        sign = "=" if self.bits_down == self.bits_up else "≈"
        return f"log2({shown}){root} {sign} {self.bits:.4g} bits"
