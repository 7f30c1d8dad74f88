"""The mean of a column over the rows that a private condition selects."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import ClassVar

from noiseless.curator.plan.condition import Within
from noiseless.curator.releases.addend import Addend
from noiseless.curator.releases.head_count import HeadCount
from noiseless.curator.releases.of_column import OfColumn
from noiseless.curator.releases.release import Need, Numbers, Release, Released, Width, as_bins, middle, pieces
from noiseless.curator.releases.reported import Reported
from noiseless.curator.releases.total import no_smaller
from noiseless.curator.releases.weights import Bound, Line
from noiseless.curator.releases.written import Fields
from noiseless.errors import BudgetError
from noiseless.exact.floor_sum import floor_sum
from noiseless.exact.rounding import decimal_outward
from noiseless.exact.touched import touched
from noiseless.privacy.composition.questions import OtherQuestion


@dataclass(frozen=True, slots=True)
class FilteredMean(OfColumn):
    """AVG under a private condition: the exact number of rows that count, and the sum of their codes in bins of w.

    Guarantee: ⌈M/w⌉ + 2 joint answers: no contribution, or one more row with a code of 0..M. With r rows, of which i
    count, the sum meets ⌈iM/w⌉ + 1 bins, for i = 0, …, r.
    Source: theory §6, the integer model: docs/sql.md
    """

    kind: ClassVar[str] = "filtered mean"

    @property
    def widest(self) -> int:
        """Two bins for one person's sum. Wider bins would reveal only the number of people."""
        return self.part.rows * self.column.top

    def answers(self, width: Width, rows: int = 1) -> int:
        """1 + Σ (⌈iM/w⌉ + 1): no row counts, or i rows count and move the sum."""
        assert isinstance(width, int)
        top = self.column.top
        if rows == 1:
            return touched(top, width) + 1
        return 1 + rows + floor_sum(rows, width, slope=top, offset=top + width - 1)

    def narrowest(self, rows: int, wanted: int) -> int | None:
        """The smallest width with at most `wanted` answers, by a formula for one row per person."""
        if rows > 1:
            return super(FilteredMean, self).narrowest(rows, wanted)
        return -(-self.column.top // (wanted - 2)) if wanted > 2 else None

    def stated(self, width: Width, rows: int = 1) -> str:
        """The rule, with its numbers."""
        assert isinstance(width, int)
        formula, each = ("⌈M/w⌉ + 2", "") if rows == 1 else ("1 + Σ (⌈iM/w⌉ + 1)", f"i = 1, …, {rows} and ")
        return (
            f"the number of rows under a private condition, and the sum of their codes in bins of w = {width}: at most "
            f"{formula} = {self.answers(width, rows)} joint answers for {each}M = {self.column.top}"
        )

    def width_within(self, error: Fraction, function: str, people: int | None = None) -> int:
        """The widest bins that keep the error of a mean of `people` rows. Refused if that number is not known."""
        if people is None:
            whose = "values there are" if self.of_all_values else "rows the condition keeps"
            raise BudgetError(
                f"error={decimal_outward(error, 9, up=True)} of AVG({self.name}) depends on how many {whose}, which is "
                f"private: ask COUNT({self.name}) first, or in the same question (the count is then released first), "
                f"or give bits= instead"
            )
        if not people:
            return self.widest
        left = people * (error - self.rounding)
        if left < 0:
            raise BudgetError(no_smaller(self.name, error, self.error(1, function, people)))
        return min(self.widest, floor(2 * left / self.column.step) + 1)

    @property
    def of_all_values(self) -> bool:
        """Whether all rows with a value count."""
        return self.part.condition == Within(self.name, ((0, self.column.top),))

    def error(self, width: Width, function: str, people: int | None = None) -> Fraction | None:
        """Half of the widest interval, once the number of rows that count is known."""
        assert isinstance(width, int)
        if people is None:
            return None
        if not people:
            return Fraction(0)
        half = min((width - 1) * self.column.step / (2 * people), self.column.span / 2)
        return half + self.rounding

    @property
    def row_count(self) -> Release | None:
        """The number of rows, which is released together with the sum."""
        return HeadCount(self.part, None)

    @classmethod
    def implied_family(cls, family: Fields) -> Fields | None:
        """A count under the same condition."""
        return {"kind": HeadCount.kind, **{name: family[name] for name in ("condition", "reads", "changes")}}

    def _booked(self, width: Width) -> OtherQuestion:
        """The condition may leave a person out, so no range of values shrinks."""
        assert isinstance(width, int)
        count = self.answers(width)
        if len(self.reads) > 1:
            return OtherQuestion(self.reads, count)
        return OtherQuestion(self.reads, count, pieces(touched(self.column.top, width) - 1 + self.part.changes, count))

    def addends(self, width: Width) -> tuple[Addend, ...] | None:
        """A row adds its code. The number of rows follows from who counts."""
        return self._adds(width)

    def row_counts(self, width: Width, released: Released) -> tuple[Released, Width] | None:
        """Exactly how many rows count."""
        return released[:1], 1

    def bounds(self, width: Width, released: Released) -> Iterator[Bound]:
        """Bounds on the sum of codes over the rows that count."""
        yield Bound(Line(self.measured_column), [as_bins(width).ends(released[1])])

    def needs(self, width: Width) -> tuple[Need, ...]:
        """The sum of codes, and how many there are."""
        return ("sum", self.name), ("count", self.name)

    def observe(self, width: Width, numbers: Numbers) -> Released:
        """The number of rows, and the bin of their sum."""
        assert isinstance(width, int)
        return numbers["count", self.name], numbers["sum", self.name] // width

    def report(self, width: Width, released: Released, function: str) -> Reported | None:
        """The ends of the bin divided by the number of rows, widened by the rounding, within the declared bounds."""
        assert isinstance(width, int)
        people, place = released
        if not people:
            return None
        column = self.column
        first, last = place * width, min(place * width + width - 1, people * column.top)
        low = max(column.number(Fraction(first, people)) - self.rounding, column.low)
        return middle(low, min(column.number(Fraction(last, people)) + self.rounding, column.high))
