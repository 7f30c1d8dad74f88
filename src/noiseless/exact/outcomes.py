"""The integer behind every guarantee."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral

from noiseless.errors import CountError
from noiseless.exact.number import written
from noiseless.exact.rounding import bits_up


@dataclass(frozen=True, slots=True, order=True, repr=False)
class Outcomes:
    """The number of different answers that one person's data can cause.

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
            raise CountError(f"count={self.count!r} is not an integer; give the exact number of answers")
        if self.count < 1:
            raise CountError(f"count={written(int(self.count))} is below 1; use 1 for a constant")
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
