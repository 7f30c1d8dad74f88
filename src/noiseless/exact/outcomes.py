"""The integer that every guarantee is."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral

from noiseless.errors import CountError
from noiseless.exact.number import written
from noiseless.exact.rounding import bits_up


@dataclass(frozen=True, slots=True, order=True, repr=False)
class Outcomes:
    """How many different answers one person's data can switch between.

    Outcomes multiply when releases are combined and nothing more is known about them.

    Source: NP Def 1, docs/theorems.md#np-def-1

    >>> Outcomes(4) * Outcomes(2)
    Outcomes(count=8)
    >>> Outcomes(4).bits
    2.0
    """

    count: int

    def __post_init__(self) -> None:
        if isinstance(self.count, bool) or not isinstance(self.count, Integral):
            raise CountError(f"count={self.count!r} must be an integer; a number of answers is never rounded")
        if self.count < 1:
            raise CountError(f"count={written(int(self.count))} must be at least 1: a constant has one answer")
        object.__setattr__(self, "count", int(self.count))

    def __mul__(self, other: object) -> Outcomes:
        if not isinstance(other, Outcomes):
            return NotImplemented
        return Outcomes(self.count * other.count)

    @property
    def bits(self) -> float:
        """The size for display, log2(count), rounded up: never smaller than what may leak."""
        return bits_up(self.count)

    def __repr__(self) -> str:
        return f"Outcomes(count={written(self.count)})"
