"""Bins of integers: equal ones, or wide ones with a guard after each. Deliberately written a second time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from noiseless.curator.certificate.checker.numbers import whole
from noiseless.curator.certificate.checker.wrong import require


@dataclass(frozen=True, slots=True)
class Bins:
    """Bins of `wide` integers from `origin` on. If `guard` is above 0, even places are wide bins and odd places guards.

    >>> Bins(24, 8).ends(3), Bins(24, 8).place(55), Bins(24, origin=5).ends(-1)
    ((56, 63), 2, (-19, 4))
    """

    wide: int
    guard: int = 0
    origin: int = 0

    def place(self, number: int) -> int:
        """The place of the bin that holds a number."""
        if not self.guard:
            return (number - self.origin) // self.wide
        pair = number // (self.wide + self.guard)
        return 2 * pair + (number - pair * (self.wide + self.guard) >= self.wide)

    def ends(self, place: int) -> tuple[int, int]:
        """The first and the last number of a bin."""
        return self._first(place), self._first(place + 1) - 1

    def is_guard(self, place: int) -> bool:
        """Whether the bin is a guard."""
        return bool(self.guard) and place % 2 == 1

    def _first(self, place: int) -> int:
        if not self.guard:
            return self.origin + place * self.wide
        return (place + 1) // 2 * self.wide + place // 2 * self.guard


def read_bins(text: Any) -> Bins:
    """Bins, spelled 24, 24+8 or 24@5."""
    require(isinstance(text, str), "bins are not written as a text")
    sign = next((each for each in "+@" if each in text), "")
    if not sign:
        return Bins(whole(text))
    wide, more = (whole(part) for part in text.split(sign, 1))
    require(more >= 1, "bins with a guard or an origin of 0 are not written that way")
    return Bins(wide, guard=more) if sign == "+" else Bins(wide, origin=more)
