"""How many rows have each value of a private column."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import ClassVar

from noiseless.curator.plan.part import Part
from noiseless.curator.releases.addend import Addend
from noiseless.curator.releases.release import Need, Numbers, Release, Released, Width, rounded_count
from noiseless.curator.releases.reported import Reported
from noiseless.curator.releases.written import Fields
from noiseless.curator.schema.schema import Private
from noiseless.privacy.composition.questions import ExactHistogram, OtherQuestion
from noiseless.privacy.composition.several_rows import histogram_answers
from noiseless.privacy.composition.stable import stable_sum
from noiseless.privacy.quantizers.guarded import Bins


@dataclass(frozen=True, slots=True)
class TallyOfCategory(Release):
    """COUNT(*) grouped by one private column. The counts are in the order of the declared values.

    They are exact, unless a policy rounds counts. Then they are in bins of w, with the same number of answers.

    Guarantee: D answers, one for each value; D + 1 under a private condition; with r rows the ways to distribute them.
    Source: theory §6, the integer model: docs/sql.md
    """

    kind: ClassVar[str] = "histogram"
    is_count: ClassVar[bool] = True
    part: Part
    name: str
    column: Private

    @property
    def reads(self) -> tuple[str, ...]:
        """The column and the columns of the condition."""
        return self.part.reads(self.name)

    @property
    def widest(self) -> int:
        """Always 1: counts are exact."""
        return 1

    def answers(self, width: Width, rows: int = 1) -> int:
        """Under a condition, not being counted is one more value."""
        return histogram_answers(rows, self.column.values + (not self.part.plain))

    def stated(self, width: Width, rows: int = 1) -> str:
        """The rule, with its numbers."""
        assert isinstance(width, int)
        values, count = self.column.values + (not self.part.plain), self.answers(width, rows)
        if rows == 1:
            return f"an exact histogram: one answer for each value that a person can have, {count}"
        return f"an exact histogram: one answer for each way to distribute {rows} rows over {values} values, {count}"

    def width_within(self, error: Fraction, function: str, people: int | None = None) -> int:
        """Always 1: it is exact."""
        return 1

    def error(self, width: Width, function: str, people: int | None = None) -> Fraction | None:
        """0, unless counts are rounded."""
        assert isinstance(width, int)
        return Fraction(width - 1, 2)

    def question(self, width: Width) -> ExactHistogram | OtherQuestion:
        """Everybody's value is known, given the others'. Under a condition no range of values shrinks."""
        assert isinstance(width, int)
        if self.part.plain:
            return ExactHistogram(self.name, self.column.values)
        return OtherQuestion(self.reads, self.answers(width))

    def addends(self, width: Width) -> tuple[Addend, ...]:
        """Its value: each has its own answer, like a sum in bins of one code."""
        values = self.column.values
        return (Addend(self.name, (self.name,), True, values - 1, 1, 1, values),)

    def _own_fields(self) -> Fields:
        return {"column": self.name}

    def needs(self, width: Width) -> tuple[Need, ...]:
        """The number of rows with every value."""
        return (("tally", self.name, 1),)

    def observe(self, width: Width, numbers: Numbers) -> Released:
        """The counts of all declared values, and of missing values if they are kept separate."""
        assert isinstance(width, int)
        tally = numbers["tally", self.name, 1]
        codes: list[int | None] = [*range(self.column.top + 1), *([None] if self.column.apart else [])]
        return tuple(tally.get(code, 0) // width for code in codes)

    @property
    def largest(self) -> int:
        """All rows."""
        return self.part.size

    def steady(self, width: int, finest: int, numbers: Numbers) -> Released | None:
        """No count may leave its bin if one person's rows move from any value to any other."""
        counts, bins, rows = self.observe(1, numbers), Bins(width), self.part.rows
        stable = all(stable_sum(count, bins, rows + 1, self.part.size) for count in counts)
        return tuple(map(bins.place, counts)) if stable else None

    def anything(self, function: str) -> Reported | None:
        """From none to all rows."""
        return rounded_count(0, self.part.size + 1, self.part.size)

    def unsteady(self, width: int) -> Fraction | None:
        """Each count is within R of an edge with chance 2R/w."""
        return min(Fraction(1), Fraction(2 * self.part.rows * self.column.values, width))

    def wide_within(self, error: Fraction, function: str) -> int:
        """2·error + 1 numbers of rows."""
        return min(self.part.size + 1, floor(2 * error) + 1)

    def report(self, width: Width, released: Released, function: str) -> Reported | None:
        """The count of one value, whose place is the `function`."""
        assert isinstance(width, int)
        return rounded_count(released[int(function)], width, self.part.size)
