"""Variances of a column over each cell of private groups, beside the counts and the sums."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar

from noiseless.curator.releases.addend import Addend
from noiseless.curator.releases.cell_sums import CellSums
from noiseless.curator.releases.release import Need, Numbers, Released, Width, as_bins
from noiseless.curator.releases.reported import Reported
from noiseless.curator.releases.spread import SPREADS, far_of, middle_of, spread, turns_of_squares, variance_within
from noiseless.curator.releases.weights import Bound, Measured, Square
from noiseless.errors import CompositionError
from noiseless.exact.touched import touched


@dataclass(frozen=True, slots=True)
class CellSpreads(CellSums):
    """Variances grouped by private columns.

    Released for every cell: how many rows count, the sum of their codes in bins of w, and the sum of their squared
    distances from the middle c₀ of the range in bins of v = w·D₀, where D₀ = max(c₀, M − c₀).

    Guarantee: D·(1 + ⌈M/w⌉ + ⌈c₀²/v⌉ + ⌈(M − c₀)²/v⌉) joint answers, and at most D·(M + 1): a cell, and the changes as
    the code of a row in it rises, which the squares make down and up again. One more if a person may not count at all.
    Source: theory §12, and §6, rule A within a row that counts: docs/sql.md
    """

    kind: ClassVar[str] = "variances of groups"

    def answers(self, width: Width, rows: int = 1) -> int:
        """The count for one row per person. Tables of people with several rows are refused."""
        if rows > 1:
            raise CompositionError("variances by private groups need one row per person; ask for AVG instead")
        return CellSums.answers(self, width)

    @property
    def widest(self) -> int:
        """Two bins for one value."""
        return self.column.top

    def _in_a_cell(self, width: Width) -> int:
        """How many pairs of bins one value can lead to in its cell."""
        assert isinstance(width, int)
        top = self.column.top
        return min(touched(top, width) + turns_of_squares(top, width * far_of(top)), top + 1)

    def stated(self, width: Width, rows: int = 1) -> str:
        """The rule, with its numbers."""
        assert isinstance(width, int)
        top = self.column.top
        more = " + 1 for not counting" if not self.part.plain else ""
        return (
            f"the exact count of every private group, its sum of codes in bins of w = {width}, and the sum of their "
            f"squared distances from c₀ = {middle_of(top)} in bins of v = {width * far_of(top)}: at most "
            f"D(1 + ⌈M/w⌉ + ⌈c₀²/v⌉ + ⌈(M − c₀)²/v⌉){more} = {self.answers(width)} joint answers for "
            f"D = {self.cells} and M = {top}"
        )

    def bounds(self, width: Width, released: Released) -> Iterator[Bound]:
        """Bounds on the sum of codes and on the sum of squares of every cell."""
        yield from CellSums.bounds(self, width, released)
        assert isinstance(width, int)
        top, places = self.column.top, released[2 * self.cells :]
        ends = [as_bins(width * far_of(top)).ends(place) for place in places]
        yield Bound(Square(Measured(self.of, self.column), middle_of(top)), ends)

    @property
    def in_words(self) -> str:
        """A table of variances, in words."""
        return "a table of variances by private groups"

    def addends(self, width: Width) -> tuple[Addend, ...]:
        """A row adds its code. The changes of its square count, too."""
        assert isinstance(width, int)
        [added] = CellSums.addends(self, width)
        return (replace(added, more=turns_of_squares(added.top, width * far_of(added.top))),)

    def needs(self, width: Width) -> tuple[Need, ...]:
        """For every cell, the number of values, their sum and the sum of their squares."""
        return (("squares of", self.groups.name, self.of),)

    def observe(self, width: Width, numbers: Numbers) -> Released:
        """The counts of all cells, the bins of their sums, then the bins of the sums of squares about the middle."""
        assert isinstance(width, int)
        found = numbers["squares of", self.groups.name, self.of]
        each = [found.get(cell, (0, 0, 0)) for cell in range(self.cells)]
        centre, wide = middle_of(self.column.top), width * far_of(self.column.top)
        squares = (square - 2 * centre * total + count * centre**2 for count, total, square in each)
        return (
            *(count for count, _, _ in each),
            *(total // width for _, total, _ in each),
            *(square // wide for square in squares),
        )

    def report(self, width: Width, released: Released, function: str) -> Reported | None:
        """A number of one cell, such as "VAR_POP 3": its range over all sums in the bins, widened by the rounding."""
        assert isinstance(width, int)
        word, _, cell = function.partition(" ")
        if word not in SPREADS:
            return CellSums.report(self, width, released, function)
        count, place = released[int(cell)], released[2 * self.cells + int(cell)]
        if not count:
            return None
        top = self.column.top
        wide, most = width * far_of(top), count * far_of(top) ** 2
        first, last = self._sum(width, released, int(cell))
        squares = place * wide, min(place * wide + wide - 1, most)
        mean = Fraction(first, count), Fraction(last, count)
        variance = variance_within(squares, mean, (count, count), middle_of(top), top)
        return spread(variance, self.column, self.rounding, word, (count, count))
