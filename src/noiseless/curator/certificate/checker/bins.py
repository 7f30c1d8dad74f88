"""Bins of integers: equal ones, wide ones with a guard after each, or of several widths, deliberately written again."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from noiseless.curator.certificate.checker.numbers import whole
from noiseless.curator.certificate.checker.wrong import require

MOST_WIDTHS = 16
LONGEST = 20_000


@dataclass(frozen=True, slots=True)
class Bins:
    """Bins of `wide` integers from `origin` on. If `guard` is above 0, even places are wide bins and odd places guards.

    >>> Bins(24, 8).ends(3), Bins(24, 8).place(55), Bins(24, origin=5).ends(-1)
    ((56, 63), 2, (-19, 4))
    """

    wide: int
    guard: int = 0
    origin: int = 0
    centre: int | None = None
    """The centre of a sum, if its bins name one."""

    @property
    def weighed(self) -> bool:
        """Whether an answer is charged by the bin that came out."""
        return self.guard > 0

    def place(self, number: int) -> int:
        """The place of the bin that holds a number."""
        if not self.guard:
            return (number - self.origin) // self.wide
        pair = number // (self.wide + self.guard)
        return 2 * pair + (number - pair * (self.wide + self.guard) >= self.wide)

    def ends(self, place: int) -> tuple[int, int]:
        """The first and the last number of a bin."""
        return self._first(place), self._first(place + 1) - 1

    def is_loud(self, place: int) -> bool:
        """Whether the bin is a guard, which is dear."""
        return bool(self.guard) and place % 2 == 1

    def _first(self, place: int) -> int:
        if not self.guard:
            return self.origin + place * self.wide
        return (place + 1) // 2 * self.wide + place // 2 * self.guard


@dataclass(frozen=True, slots=True)
class Ladder:
    """Equal bins of several widths, from fine to coarse, and then one bin for everything.

    A number is given in the finest bins that nobody's data alone decided. Its place is that level.
    """

    widths: tuple[int, ...]

    @property
    def weighed(self) -> bool:
        """Always: an answer is charged by its level."""
        return True

    @property
    def levels(self) -> int:
        """How many levels there are."""
        return len(self.widths) + 1

    def is_loud(self, level: int) -> bool:
        """Whether a level is coarser than the first, which is dear."""
        return level > 0


def read_bins(text: Any) -> Bins | Ladder:
    """Bins, spelled 24, 24+8, 24@5, 24+8~3 or 1/4/16/*."""
    require(isinstance(text, str), "bins are not written as a text")
    if text.endswith("/*"):
        return _ladder(text)
    rest, tilde, about = text.partition("~")
    centre = whole(about) if tilde else None
    require(centre is None or centre >= 0, "a centre is not a code")
    sign = next((each for each in "+@" if each in rest), "")
    if not sign:
        return Bins(whole(rest), centre=centre)
    wide, more = (whole(part) for part in rest.split(sign, 1))
    require(more >= 1, "bins with a guard or an origin of 0 are not written that way")
    return Bins(wide, guard=more, centre=centre) if sign == "+" else Bins(wide, origin=more, centre=centre)


def _ladder(text: str) -> Ladder:
    require(len(text) <= LONGEST, "a ladder is too long")
    widths = tuple(map(whole, text.split("/")[:-1]))
    require(1 <= len(widths) <= MOST_WIDTHS and widths[0] >= 1, "a ladder has an impossible number of levels")
    rising = all(fine < coarse and coarse % fine == 0 for fine, coarse in pairwise(widths))
    require(rising, "the bins of a ladder do not fit into each other")
    return Ladder(widths)
