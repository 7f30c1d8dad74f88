"""What every release can do."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Protocol, runtime_checkable

from noiseless.curator.plan.part import Part
from noiseless.curator.releases.reported import Reported
from noiseless.privacy.composition.questions import Single

Need = tuple[str, str | None] | tuple[str, str, int]
"""An integer wanted of the engine: count, sum, squares, min, max or tally of a column, a tally in bins of so many.

None in place of a column are the rows themselves."""
Numbers = Mapping[Need, Any]
Released = tuple[int, ...]
"""What leaves: the integers that everything shown is computed from."""


@runtime_checkable
class Release(Protocol):
    """A number about some rows that can be released in bins of a `width` to be chosen."""

    @property
    def part(self) -> Part:
        """The rows it is about."""

    @property
    def reads(self) -> tuple[str, ...]:
        """The private columns that it depends on."""

    @property
    def widest(self) -> int:
        """The width beyond which answers do not get fewer; 1 for a release that is always exact."""

    def answers(self, width: int, rows: int = 1) -> int:
        """The most answers that a person with so many rows among these can cause."""

    def stated(self, width: int, rows: int = 1) -> str:
        """The rule by which `answers` counts, with the numbers that were put in."""

    def width_within(self, error: Fraction, function: str) -> int:
        """The widest bins that promise this error; refused where none do, or where nobody can know."""

    def error(self, width: int, function: str) -> Fraction | None:
        """Half of the widest interval that can be reported; None where that depends on private data."""

    def question(self, width: int) -> Single:
        """How the ledger sees it, for one row per person."""

    def needs(self, width: int) -> tuple[Need, ...]:
        """The integers wanted of the engine."""

    def observe(self, width: int, numbers: Numbers) -> Released:
        """What is released, of the integers that the engine found."""

    def report(self, width: int, released: Released, function: str) -> Reported | None:
        """What is reported; None where there is nobody."""


def narrowest(release: Release, rows: int, wanted: int) -> int | None:
    """The smallest width with at most `wanted` answers, which never grow with the width; None if there is none."""
    low, high = 1, release.widest
    if release.answers(high, rows) > wanted:
        return None
    while low < high:
        middle = (low + high) // 2
        if release.answers(middle, rows) <= wanted:
            high = middle
        else:
            low = middle + 1
    return low


def pieces(jumps: int, count: int) -> int:
    """In how many monotone pieces `count` answers make at least so many jumps."""
    return max(1, -(-jumps // (count - 1))) if count > 1 else 1


def rounded_count(place: int, width: int, size: int) -> Reported:
    """A number of rows out of so many, in bins of a width: exact if that is 1.

    >>> rounded_count(7, 1, 10), rounded_count(1, 5, 10), rounded_count(2, 5, 11)
    (7 exactly, 7 in [5, 9], 10.5 in [10, 11])
    """
    first = place * width
    last = min(first + width - 1, size)
    return Reported(first if first == last else Fraction(first + last, 2), first, last)


def middle(low: Fraction, high: Fraction) -> Reported:
    """The interval with its midpoint."""
    return Reported((low + high) / 2, low, high)
