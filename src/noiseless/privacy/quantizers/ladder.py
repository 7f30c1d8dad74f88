"""Bins of several widths, from fine to coarse. A report uses the finest ones in which nobody's data alone decide.

Source: theory §11, finest stable level: docs/pay_by_the_answer.md
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from noiseless.errors import DomainError

WRITTEN = re.compile(r"([1-9][0-9]{,999})((?:/[1-9][0-9]{,999}){,15})/\*")
MOST_WIDTHS = 16


@dataclass(frozen=True, slots=True)
class Ladder:
    """Levels of equal bins from 0 on, one level for each width. The last level is one bin for everything.

    Every width divides the next, so that coarser bins have no new edges.

    >>> ladder = Ladder((1, 4, 16))
    >>> ladder.levels, ladder
    (4, Ladder 1/4/16/*)
    """

    widths: tuple[int, ...]

    def __post_init__(self) -> None:
        widths = tuple(self.widths)
        whole = all(type(width) is int and width >= 1 for width in widths)
        rising = whole and all(fine < coarse and coarse % fine == 0 for fine, coarse in pairwise(widths))
        if not 1 <= len(widths) <= MOST_WIDTHS or not rising:
            raise DomainError(
                f"a ladder needs 1 to {MOST_WIDTHS} whole widths, each a multiple of the one before; use (1, 4, 16)"
            )
        object.__setattr__(self, "widths", widths)

    def __repr__(self) -> str:
        return f"Ladder {self}"

    def __str__(self) -> str:
        return "/".join([*map(str, self.widths), "*"])

    @property
    def levels(self) -> int:
        """How many levels there are, with the constant one."""
        return len(self.widths) + 1

    @property
    def finest(self) -> int:
        """The width of the first level."""
        return self.widths[0]

    def is_loud(self, level: int) -> bool:
        """Whether a level is coarser than the first, and so dearer."""
        return level > 0


def ladder_of(text: str) -> Ladder:
    """The ladder that a ledger or a certificate names.

    >>> ladder_of("1/4/16/*")
    Ladder 1/4/16/*
    """
    if WRITTEN.fullmatch(text) is None:
        raise DomainError(f"{text[:40]!r} does not name a ladder; write it as 1/4/16/*")
    return Ladder(tuple(map(int, text.split("/")[:-1])))
