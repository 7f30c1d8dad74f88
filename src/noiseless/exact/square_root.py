"""The square root of an exact number, kept as the number."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import total_ordering
from math import isqrt

from noiseless.errors import NumberError
from noiseless.exact.enclosure import Enclosure

DIGITS = 64
"""Binary digits beyond those of a float."""


@total_ordering
@dataclass(frozen=True, slots=True, repr=False, eq=False)
class SquareRoot:
    """A distance, known by its square: compared exactly, written as a decimal.

    >>> SquareRoot(Fraction(1, 4)), SquareRoot(Fraction(2)) > SquareRoot(Fraction(1))
    (1/2, True)
    >>> SquareRoot(Fraction(2))
    √2 ≈ 1.41421
    """

    squared: Fraction

    def __post_init__(self) -> None:
        if not isinstance(self.squared, Fraction) or self.squared < 0:
            raise NumberError(f"squared={self.squared!r} is not valid; give a Fraction of at least 0")

    @property
    def enclosure(self) -> Enclosure:
        """Two rationals that enclose it; equal if the root is rational."""
        top, bottom = self.squared.as_integer_ratio()
        shift = 2 * DIGITS + 2 * max(0, bottom.bit_length() - top.bit_length())
        whole = isqrt(top * bottom << shift)
        low = Fraction(whole, bottom << shift // 2)
        return Enclosure(low, low if low**2 == self.squared else Fraction(whole + 1, bottom << shift // 2))

    def __float__(self) -> float:
        return float(self.enclosure)

    def __eq__(self, other: object) -> bool:
        return self.squared == other.squared if isinstance(other, SquareRoot) else NotImplemented

    def __lt__(self, other: object) -> bool:
        return self.squared < other.squared if isinstance(other, SquareRoot) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.squared)

    def __repr__(self) -> str:
        found = self.enclosure
        if found.exact:
            return str(found.lower)
        square = str(self.squared) if self.squared.denominator == 1 else f"({self.squared})"
        return f"√{square} ≈ {float(self):.6g}" if len(square) < 40 else f"≈ {float(self):.6g}"
