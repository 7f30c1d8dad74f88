"""Bits per use of a channel, kept as an integer or ratio and its root."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import total_ordering
from math import inf, nextafter

from noiseless.exact.rounding import bits_down, bits_nearest, bits_up


@total_ordering
@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Rate:
    """log2(count) / uses: `count` messages told apart by `uses` uses of a channel.

    Compared exactly, as powers: a^(1/j) ≤ b^(1/k) iff a^k ≤ b^j.

    >>> Rate(Fraction(5), 2) < Rate(Fraction(5, 2), 1)
    True
    >>> Rate(Fraction(5), 2)
    log2(5)/2 = 1.161 bits
    """

    count: Fraction
    uses: int

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Rate):
            return NotImplemented
        return self.count**other.uses == other.count**self.uses

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Rate):
            return NotImplemented
        return self.count**other.uses < other.count**self.uses

    def __hash__(self) -> int:
        return hash((Rate, bits_nearest(self.count) / self.uses))

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
        shown = self.count if self.count.denominator < 10**6 else f"{float(self.count):.6f}…"
        return f"log2({shown}){root} = {self.bits:.4g} bits"
