"""Counts of every value or every cell: each row is counted in one place."""

from __future__ import annotations

from abc import abstractmethod
from fractions import Fraction
from math import floor
from typing import ClassVar

from noiseless.curator.releases.release import Numbers, Release, Released, Width, rounded_count
from noiseless.curator.releases.reported import Reported
from noiseless.privacy.composition.several_rows import histogram_answers
from noiseless.privacy.composition.stable import stable_sum
from noiseless.privacy.quantizers.guarded import Bins


class Tally(Release):
    """Counts of several places. They are exact, unless a policy rounds counts; then they are in bins of w.

    Guarantee: D answers, one for each place; D + 1 under a private condition; with r rows the ways to distribute them.
    Source: theory §6, the integer model: docs/sql.md
    """

    __slots__ = ()
    is_count: ClassVar[bool] = True
    divides: ClassVar[bool] = True

    @property
    @abstractmethod
    def places(self) -> int:
        """D: in how many places a row can be counted."""

    @property
    def widest(self) -> int:
        """Always 1: counts are exact."""
        return 1

    def answers(self, width: Width, rows: int = 1) -> int:
        """The ways to distribute a person's rows over the places.

        Under a condition, not being counted is one more place.
        """
        return histogram_answers(rows, self.places + (not self.part.plain))

    def width_within(self, error: Fraction, function: str, people: int | None = None) -> int:
        """Always 1: it is exact."""
        return 1

    def error(self, width: Width, function: str, people: int | None = None) -> Fraction | None:
        """0, unless counts are rounded."""
        assert isinstance(width, int)
        return Fraction(width - 1, 2)

    def row_counts(self, width: Width, released: Released) -> tuple[Released, Width] | None:
        """How many rows are in each place."""
        return released, width

    @property
    def largest(self) -> int:
        """All rows."""
        return self.part.size

    def steady(self, width: int, finest: int, numbers: Numbers) -> Released | None:
        """What is released, if no count can leave its bin when one person's rows move between places.

        Otherwise None.
        """
        counts, bins, rows = self.observe(1, numbers), Bins(width), self.part.rows
        stable = all(stable_sum(count, bins, rows + 1, self.part.size) for count in counts)
        return tuple(map(bins.place, counts)) if stable else None

    def anything(self, function: str) -> Reported | None:
        """What is reported if only the range is known: from none to all rows."""
        return rounded_count(0, self.part.size + 1, self.part.size)

    def unsteady(self, width: int) -> Fraction | None:
        """The chance that it is not stable: each count is within R of an edge with chance 2R/w."""
        return min(Fraction(1), Fraction(2 * self.part.rows * self.places, width))

    def wide_within(self, error: Fraction, function: str) -> int:
        """2·error + 1 numbers of rows."""
        return min(self.part.size + 1, floor(2 * error) + 1)

    def report_after(self, place: int, width: Width, released: Released, function: str) -> Reported | None:
        """What is reported if its counts begin at a place.

        Nothing is copied: the cells of a table are reported one by one.
        """
        return self.report(width, released, str(int(function) + place))

    def report(self, width: Width, released: Released, function: str) -> Reported | None:
        """The count of one place, whose number is the `function`."""
        assert isinstance(width, int)
        return rounded_count(released[int(function)], width, self.part.size)
