"""Bins of integers, from an origin on: equal bins, or wide bins with guards between them.

A guard is a narrower bin between two wide ones. If one person moves a number within a window of V consecutive integers,
and wide bins and guards all have at least V − 1 integers, the window meets at most one wide bin and at most one guard.
So the wide bin that comes out is almost always certain in advance, and the ledger charges little for it.

Source: theory §11, guarded bins: docs/pay_by_the_answer.md
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from noiseless.errors import DomainError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WRITTEN = re.compile(r"([1-9][0-9]{,999})(?:\+([1-9][0-9]{,999}))?(?:@([1-9][0-9]{,999}))?(?:~(0|[1-9][0-9]{,999}))?")


@dataclass(frozen=True, slots=True)
class Bins:
    """Bins of `wide` integers from `origin` on. If `guard` is above 0, a guard of that many lies after each.

    With guards, even places are wide bins and odd places are guards. A sum may be taken about a `centre`, which is
    named here because it is as public as the bins, and chosen with them.

    >>> bins = Bins(wide=10, guard=3)
    >>> [bins.place(number) for number in (9, 10, 12, 13)], bins.ends(1), bins
    ([0, 1, 1, 2], (10, 12), Bins 10+3)
    """

    wide: int
    guard: int = 0
    origin: int = 0
    centre: int | None = None

    def __post_init__(self) -> None:
        centre = 0 if self.centre is None else self.centre
        whole = all(type(number) is int for number in (self.wide, self.guard, self.origin, centre))
        if not whole or self.wide < 1 or min(self.guard, self.origin, centre) < 0:
            raise DomainError(
                f"bins of {self.wide!r} with guards of {self.guard!r} from {self.origin!r} on about {centre!r} are not "
                f"valid; use integers, at least 1 for the bins and at least 0 for guards, origin and centre"
            )

    def __repr__(self) -> str:
        return f"Bins {self}"

    def __str__(self) -> str:
        guard, origin = f"+{self.guard}" if self.guard else "", f"@{self.origin}" if self.origin else ""
        centre = "" if self.centre is None else f"~{self.centre}"
        return f"{self.wide}{guard}{origin}{centre}"

    @property
    def widest(self) -> int:
        """The number of integers in the largest bin."""
        return max(self.wide, self.guard)

    def place(self, number: int) -> int:
        """The bin that a number is in."""
        period, rest = divmod(number - self.origin, self.wide + self.guard)
        return 2 * period + (rest >= self.wide) if self.guard else period

    def places(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """For each of many numbers, the bin that it is in.

        >>> import numpy as np
        >>> Bins(10, 3).places(np.array([9, 10, 12, 13])).tolist()
        [0, 1, 1, 2]
        """
        period, rest = divmod(numbers - self.origin, self.wide + self.guard)
        return 2 * period + (rest >= self.wide) if self.guard else period

    def ends(self, place: int) -> tuple[int, int]:
        """The first and the last number of a bin."""
        period, odd = divmod(place, 2) if self.guard else (place, 0)
        first = self.origin + period * (self.wide + self.guard) + odd * self.wide
        return first, first + self.width(place) - 1

    def width(self, place: int) -> int:
        """How many numbers a bin has."""
        return self.guard if self.is_guard(place) else self.wide

    def is_guard(self, place: int) -> bool:
        """Whether a bin is a guard."""
        return self.guard > 0 and place % 2 == 1

    def is_loud(self, place: int) -> bool:
        """Whether an answer in a bin is dear: a guard."""
        return self.is_guard(place)

    def keeps(self, window: int) -> bool:
        """Whether `window` consecutive numbers always meet at most one wide bin and at most one guard."""
        return self.guard > 0 and min(self.wide, self.guard) >= window - 1

    def splits(self, coarser: Bins) -> bool:
        """Whether every edge of some coarser equal bins is an edge of these."""
        aligned = (coarser.origin - self.origin) % self.wide == 0
        return not self.guard and not coarser.guard and coarser.wide % self.wide == 0 and aligned


def bins_of(text: str) -> Bins:
    """The bins that a ledger or a certificate names.

    >>> bins_of("24"), bins_of("24+8"), bins_of("24@5"), bins_of("24+8~3")
    (Bins 24, Bins 24+8, Bins 24@5, Bins 24+8~3)
    """
    found = WRITTEN.fullmatch(text)
    if found is None:
        raise DomainError(f"{text[:40]!r} does not name bins; write them as 24, 24+8 or 24@5")
    *numbers, centre = found.groups()
    wide, guard, origin = (int(number or 0) for number in numbers)
    return Bins(wide, guard, origin, None if centre is None else int(centre))
