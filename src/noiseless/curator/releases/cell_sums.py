"""Sums of a column over each cell of private groups, beside the counts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import floor
from typing import ClassVar

from noiseless.curator.plan.condition import Condition
from noiseless.curator.plan.functions.derived import Derived
from noiseless.curator.releases.addend import Addend
from noiseless.curator.releases.cross_table import OfCells
from noiseless.curator.releases.meaning import Meaning
from noiseless.curator.releases.release import Need, Numbers, Released, Width, as_bins, middle
from noiseless.curator.releases.reported import Reported
from noiseless.curator.releases.total import no_smaller
from noiseless.curator.releases.weights import Bound, Line, Measured
from noiseless.curator.releases.written import Fields
from noiseless.curator.schema.scale import Scale
from noiseless.errors import BudgetError
from noiseless.exact.rounding import decimal_outward
from noiseless.exact.touched import touched
from noiseless.privacy.composition.questions import OtherQuestion
from noiseless.privacy.composition.several_rows import cell_sum_answers


@dataclass(frozen=True, slots=True)
class CellSums(OfCells):
    """SUM and AVG grouped by private columns: for every cell, a count of rows and the sum of their codes in bins of w.

    Guarantee: D·(⌈M/w⌉ + 1) joint answers: a cell, and the bins that one value can move its sum through. One more if a
    person may not count at all, under a private condition or with a missing value. With r rows, over all ways to divide
    them among the cells, the sum of the products of ⌈r_i·M/w⌉ + 1.
    Source: theory §12; for several rows, decision 28: docs/sql.md
    """

    kind: ClassVar[str] = "sums of groups"
    shows_counts: ClassVar[bool] = True
    divides: ClassVar[bool] = True
    of: str
    column: Scale = field(hash=False)
    rounding: Fraction = field(hash=False)

    @property
    def reads(self) -> tuple[str, ...]:
        """The columns of the groups, of the sum and of the condition."""
        return self.part.reads(*self.groups.reads, *self.column.sources(self.of))

    @property
    def computed(self) -> tuple[Derived, ...]:
        """The number of the cell, and the column if it is computed for the question."""
        return self.groups, *self.measured

    @property
    def measured(self) -> tuple[Derived, ...]:
        """The column, if it is computed for the question."""
        return (self.column,) if isinstance(self.column, Derived) else ()

    def _of_cell(self, word: str, inside: Condition) -> Meaning:
        """What a number of one cell means: a count, or a function of the column."""
        if word == "COUNT":
            return Meaning("COUNT", inside)
        return Meaning(word, inside, Measured(self.of, self.column), self.rounding)

    def row_counts(self, width: Width, released: Released) -> tuple[Released, Width] | None:
        """Exactly how many rows are in each cell."""
        return released[: self.cells], 1

    def bounds(self, width: Width, released: Released) -> Iterator[Bound]:
        """Bounds on the sum of codes of every cell."""
        bins, of = as_bins(width), Measured(self.of, self.column)
        yield Bound(Line(of), [bins.ends(place) for place in released[self.cells : 2 * self.cells]])

    @property
    def widest(self) -> int:
        """Two bins for all values of a person. Wider bins would reveal only the counts."""
        return max(1, min(self.part.rows, self.part.size) * self.column.top)

    def answers(self, width: Width, rows: int = 1) -> int:
        """A person's rows can be in any cell and move its sum through some bins, or they may not count at all."""
        if rows == 1:
            return self.cells * self._in_a_cell(width) + (not self.part.plain)
        assert isinstance(width, int)
        top, most = self.column.top, self.part.size * self.column.top // width + 1
        each = cell_sum_answers(top, width, most, max(rows, self.part.rows), self.cells, not self.part.plain)
        return each[rows]

    def _in_a_cell(self, width: Width) -> int:
        """How many bins of the sum one value can lead to in its cell."""
        assert isinstance(width, int)
        return min(touched(self.column.top, width), self.part.size * self.column.top // width + 1)

    def stated(self, width: Width, rows: int = 1) -> str:
        """The rule, with its numbers."""
        more = " + 1 for not counting" if not self.part.plain else ""
        if rows > 1:
            return (
                f"the exact count of every private group and its sum of codes in bins of w = {width}: over all ways to "
                f"divide {rows} rows among D = {self.cells} groups{' or none' if more else ''}, the products of "
                f"⌈rM/w⌉ + 1 for M = {self.column.top} add up to {self.answers(width, rows)} joint answers"
            )
        return (
            f"the exact count of every private group and its sum of codes in bins of w = {width}: at most "
            f"D(⌈M/w⌉ + 1){more} = {self.answers(width)} joint answers for D = {self.cells} and M = {self.column.top}"
        )

    @property
    def in_words(self) -> str:
        """A table of sums, in words."""
        return "a table of sums by private groups"

    def width_within(self, error: Fraction, function: str, people: int | None = None) -> int:
        """The widest bins for a sum, as if all rows were in one cell.

        Means need the counts of cells, which are private.
        """
        word = _parts(function)[0]
        if word == "COUNT":
            return self.widest
        if word != "SUM":
            raise BudgetError(
                f"error={decimal_outward(error, 9, up=True)} of {word}({self.of}) depends on how many rows each group "
                f"has, which is private; give bits= instead"
            )
        left = error - self.part.size * self.rounding
        if left < 0:
            raise BudgetError(no_smaller(self.of, error, self.error(1, function)))
        return min(self.widest, floor(2 * left / self.column.step) + 1)

    def error(self, width: Width, function: str, people: int | None = None) -> Fraction | None:
        """0 for counts, the error of a sum, and None for numbers that depend on private counts."""
        assert isinstance(width, int)
        match _parts(function)[0]:
            case "SUM":
                return (width - 1) * self.column.step / 2 + self.part.size * self.rounding
            case "COUNT":
                return Fraction(0)
        return None

    def question(self, width: Width) -> OtherQuestion:
        """How the ledger books it. A cell holds several values, so no range of values shrinks."""
        count = self.answers(width)
        return OtherQuestion(self.reads, count, self._pieces(count))

    def addends(self, width: Width) -> tuple[Addend, ...]:
        """A row adds its code to the sum of its cell."""
        assert isinstance(width, int)
        reads, most = self.column.sources(self.of), self.part.size * self.column.top // width + 1
        return (Addend(self.of, reads, self.column.own, self.column.top, 1, width, most),)

    def _own_fields(self) -> Fields:
        return {**OfCells._own_fields(self), "column": self.of, **self.column.grid}

    def needs(self, width: Width) -> tuple[Need, ...]:
        """For every cell, the number of values and their sum."""
        return (("tally of", self.groups.name, self.of),)

    def observe(self, width: Width, numbers: Numbers) -> Released:
        """The counts of all cells, then the bins of their sums."""
        assert isinstance(width, int)
        found = numbers["tally of", self.groups.name, self.of]
        pairs = [found.get(cell, (0, 0)) for cell in range(self.cells)]
        return *(count for count, _ in pairs), *(total // width for _, total in pairs)

    def report(self, width: Width, released: Released, function: str) -> Reported | None:
        """A number of one cell, such as "AVG 3": the bin of its sum, divided by its count for a mean."""
        word, cell = _parts(function)
        count = released[cell]
        if word == "COUNT":
            return Reported(count, count, count)
        if not count:
            return Reported(0, 0, 0) if word == "SUM" else None
        column, (first, last) = self.column, self._sum(width, released, cell)
        low = max(column.number(Fraction(first, count)) - self.rounding, column.low)
        high = min(column.number(Fraction(last, count)) + self.rounding, column.high)
        return middle(low, high) if word == "AVG" else middle(low * count, high * count)

    def _sum(self, width: Width, released: Released, cell: int) -> tuple[int, int]:
        """The least and the most that the sum of the codes of a cell can be."""
        assert isinstance(width, int)
        count, place = released[cell], released[self.cells + cell]
        return place * width, min(place * width + width - 1, count * self.column.top)


def _parts(function: str) -> tuple[str, int]:
    """The name of the function and the number of the cell in a text such as "AVG 3"."""
    word, cell = function.split(" ")
    return word, int(cell)
