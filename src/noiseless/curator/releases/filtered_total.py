"""The sum of a column over the rows that a private condition selects."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import ClassVar

from noiseless.curator.releases.addend import Addend
from noiseless.curator.releases.of_column import OfColumn
from noiseless.curator.releases.release import (
    Need,
    Numbers,
    Released,
    Width,
    as_bins,
    guarded_question,
    guarded_words,
    middle,
    pieces,
)
from noiseless.curator.releases.reported import Reported
from noiseless.curator.releases.total import narrowest_sum, no_smaller, stated_sum
from noiseless.curator.releases.weights import Bound, Line
from noiseless.errors import BudgetError
from noiseless.exact.touched import touched
from noiseless.privacy.composition.guarded import GuardedOther
from noiseless.privacy.composition.questions import OtherQuestion
from noiseless.privacy.quantizers.guarded import Bins


@dataclass(frozen=True, slots=True)
class FilteredTotal(OfColumn):
    """SUM under a private condition: every row adds 0 or a number of low..high.

    In units of step/b, where b is the denominator of low/step, contributions are the integers {0} ∪ {a + bc}.

    Guarantee: ⌈M'/w⌉ + 1 answers, M' = max(high, 0) − min(low, 0) in units. In guarded bins 2.
    Source: theory §6, the integer model, and §11: docs/sql.md
    """

    kind: ClassVar[str] = "filtered total"

    @property
    def units(self) -> tuple[int, int]:
        """a and b: the units of low, and of a step."""
        start = self.column.low / self.column.step
        return start.numerator, start.denominator

    @property
    def ends(self) -> tuple[int, int]:
        """The least and the most that one row can add, in units."""
        low, each = self.units
        return min(low, 0), max(low + each * self.column.top, 0)

    @property
    def widest(self) -> int:
        """One bin for everything."""
        least, most = self.ends
        return self.part.size * (most - least) + 1

    def answers(self, width: Width, rows: int = 1) -> int:
        """A person's total moves through at most rows·M' + 1 values."""
        (least, most), bins = self.ends, as_bins(width)
        met = 2 if bins.guard else touched(rows * (most - least), bins.wide)
        return min(met, bins.place(self.part.size * (most - least)) + 1)

    def narrowest(self, rows: int, wanted: int) -> int | None:
        """The smallest width with at most `wanted` answers, by a formula."""
        least, most = self.ends
        return narrowest_sum(rows * (most - least), self.part.size * (most - least), wanted)

    def window(self, rows: int = 1) -> int | None:
        """A person's total has at most rows·M' + 1 values."""
        least, most = self.ends
        return rows * (most - least) + 1

    def stated(self, width: Width, rows: int = 1) -> str:
        """The rule, with its numbers."""
        least, most = self.ends
        if isinstance(width, Bins):
            return guarded_words("a sum under a private condition", width, rows * (most - least) + 1)
        assert isinstance(width, int)
        words = stated_sum("M'", most - least, width, rows, self.part.size, self.answers(width, rows))
        return f"a sum under a private condition in bins of w = {width}: {words}, where 0 is a contribution too"

    def width_within(self, error: Fraction, function: str, people: int | None = None) -> int:
        """(w − 1)/2 units, plus the rounding of every row that may count."""
        left = error - self.part.size * self.rounding
        if left < 0:
            raise BudgetError(no_smaller(self.name, error, self.error(1, function)))
        return min(self.widest, floor(2 * left / self._unit) + 1)

    def error(self, width: Width, function: str, people: int | None = None) -> Fraction | None:
        """(w − 1)/2 units plus the rounding, and never more than half of the range."""
        least, most = self.ends
        half = min(as_bins(width).widest - 1, self.part.size * (most - least)) * self._unit / 2
        return half + self.part.size * self.rounding

    def _booked(self, width: Width) -> OtherQuestion | GuardedOther:
        """The condition may leave a person out, so no range of values shrinks."""
        if isinstance(width, Bins):
            return guarded_question(self, width)
        assert isinstance(width, int)
        count = self.answers(width)
        if len(self.reads) > 1:
            return OtherQuestion(self.reads, count)
        jumps = touched(self.units[1] * self.column.top, width) - 1 + self.part.changes
        return OtherQuestion(self.reads, count, pieces(jumps, count))

    def addends(self, width: Width) -> tuple[Addend, ...]:
        """A row adds its code in units, after a constant."""
        return self._adds(width, self.units[1])

    def bounds(self, width: Width, released: Released) -> Iterator[Bound]:
        """Bounds on the sum in units over the rows that count."""
        low, each = self.units
        first, last = as_bins(width).ends(released[0])
        least = self.part.size * self.ends[0]
        line = Line(self.measured_column, each, low)
        yield Bound(line, [(first + least, last + least)], scale=self.column.step / each)

    def needs(self, width: Width) -> tuple[Need, ...]:
        """The sum of codes, and how many there are."""
        return ("sum", self.name), ("count", self.name)

    def integer(self, numbers: Numbers) -> int:
        """The sum in units, counted from the least possible sum."""
        low, each = self.units
        total = low * numbers["count", self.name] + each * numbers["sum", self.name]
        return int(total - self.part.size * self.ends[0])

    def report(self, width: Width, released: Released, function: str) -> Reported | None:
        """The ends of the bin as numbers, widened by the rounding, within what the declared bounds allow."""
        people, (least, most) = self.part.size, self.ends
        first, last = (end + people * least for end in as_bins(width).ends(released[0]))
        last = min(last, people * most)
        slack = people * self.rounding
        low, high = (
            max(first * self._unit - slack, people * least * self._unit),
            min(last * self._unit + slack, people * most * self._unit),
        )
        return middle(low, high)

    @property
    def _unit(self) -> Fraction:
        return self.column.step / self.units[1]
