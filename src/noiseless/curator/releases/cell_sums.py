"""Sums of a column over each cell of private groups, beside the counts."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import floor
from typing import ClassVar

from noiseless.curator.plan.functions.derived import Derived
from noiseless.curator.releases.cross_table import OfCells
from noiseless.curator.releases.release import Need, Numbers, Released, Width, middle
from noiseless.curator.releases.reported import Reported
from noiseless.curator.releases.total import no_smaller
from noiseless.curator.releases.written import Fields
from noiseless.curator.schema.scale import Scale
from noiseless.errors import BudgetError, CompositionError
from noiseless.exact.rounding import decimal_outward
from noiseless.exact.touched import touched
from noiseless.privacy.composition.questions import OtherQuestion


@dataclass(frozen=True, slots=True)
class CellSums(OfCells):
    """SUM and AVG grouped by private columns: of every cell, how many values it has and their sum in bins of w.

    If `all_rows`, values may be missing, and the number of all rows of every cell is released too.

    Guarantee: D·(⌈M/w⌉ + 1) joint answers: a cell, and the bins that one value can move its sum through. One more if a
    person may not count at all: under a private condition, or with a missing value unless `all_rows`. Then a missing
    value is counted in its cell, which makes D more. One row per person only.
    Source: theory §12: docs/sql.md
    """

    kind: ClassVar[str] = "sums of groups"
    shows_counts: ClassVar[bool] = True
    of: str
    column: Scale = field(hash=False)
    rounding: Fraction = field(hash=False)
    all_rows: bool = False

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

    @property
    def widest(self) -> int:
        """Two bins for one value. Wider bins would reveal only the counts."""
        return self.column.top

    def answers(self, width: Width, rows: int = 1) -> int:
        """For every cell the bins of its sum, and being counted without a value; or not counting at all."""
        assert isinstance(width, int)
        if rows > 1:
            raise CompositionError("sums by private groups are counted for one row per person only; ask for COUNT(*)")
        bins = min(touched(self.column.top, width), self.part.size * self.column.top // width + 1)
        return self.cells * (bins + self.all_rows) + (not self.part.plain)

    def stated(self, width: Width, rows: int = 1) -> str:
        """The rule, with its numbers."""
        assert isinstance(width, int)
        more = " + D for a missing value" if self.all_rows else ""
        more += " + 1 for not counting" if not self.part.plain else ""
        return (
            f"the exact count of every private group and its sum of codes in bins of w = {width}: at most "
            f"D(⌈M/w⌉ + 1){more} = {self.answers(width)} joint answers for D = {self.cells} and M = {self.column.top}"
        )

    @property
    def in_words(self) -> str:
        """In the singular."""
        return "a table of sums by private groups"

    def width_within(self, error: Fraction, function: str, people: int | None = None) -> int:
        """For a sum as if all rows were in one cell. A mean depends on how many are in its cell, which is private."""
        word = _parts(function)[0]
        if word == "AVG":
            raise BudgetError(
                f"error={decimal_outward(error, 9, up=True)} of AVG({self.of}) depends on how many rows each group "
                f"has, which is private; give bits= instead"
            )
        if word != "SUM":
            return self.widest
        left = error - self.part.size * self.rounding
        if left < 0:
            raise BudgetError(no_smaller(self.of, error, self.error(1, function)))
        return min(self.widest, floor(2 * left / self.column.step) + 1)

    def error(self, width: Width, function: str, people: int | None = None) -> Fraction | None:
        """0 for counts. None for a mean, which depends on private counts."""
        assert isinstance(width, int)
        match _parts(function)[0]:
            case "SUM":
                return (width - 1) * self.column.step / 2 + self.part.size * self.rounding
            case "AVG":
                return None
        return Fraction(0)

    def question(self, width: Width) -> OtherQuestion:
        """Cells hold several values, so no range of values shrinks."""
        count = self.answers(width)
        return OtherQuestion(self.reads, count, self._pieces(count))

    def _own_fields(self) -> Fields:
        own = OfCells._own_fields(self)
        return {**own, "column": self.of, **self.column.grid, "all_rows": self.all_rows}

    def needs(self, width: Width) -> tuple[Need, ...]:
        """The numbers of values and their sums, and perhaps the numbers of rows, in every cell."""
        rows: tuple[Need, ...] = (("tally", self.groups.name, 1),) if self.all_rows else ()
        return ("tally of", self.groups.name, self.of), *rows

    def observe(self, width: Width, numbers: Numbers) -> Released:
        """The counts of all cells, then the bins of their sums, then the numbers of rows if values may be missing."""
        assert isinstance(width, int)
        found = numbers["tally of", self.groups.name, self.of]
        pairs = [found.get(cell, (0, 0)) for cell in range(self.cells)]
        rows = numbers["tally", self.groups.name, 1] if self.all_rows else {}
        all_rows = [rows.get(cell, 0) for cell in range(self.cells)] if self.all_rows else []
        return *(count for count, _ in pairs), *(total // width for _, total in pairs), *all_rows

    def report(self, width: Width, released: Released, function: str) -> Reported | None:
        """A number of one cell, such as "AVG 3": the bin of its sum, divided by its count for a mean."""
        assert isinstance(width, int)
        word, cell = _parts(function)
        count, place = released[cell], released[self.cells + cell]
        if word in ("COUNT", "ROWS"):
            number = released[2 * self.cells + cell] if word == "ROWS" and self.all_rows else count
            return Reported(number, number, number)
        if not count:
            return None if word == "AVG" else Reported(0, 0, 0)
        column = self.column
        first, last = place * width, min(place * width + width - 1, count * column.top)
        low = max(column.number(Fraction(first, count)) - self.rounding, column.low)
        high = min(column.number(Fraction(last, count)) + self.rounding, column.high)
        return middle(low, high) if word == "AVG" else middle(low * count, high * count)


def _parts(function: str) -> tuple[str, int]:
    """The function and the number of the cell."""
    word, cell = function.split(" ")
    return word, int(cell)
