"""The k-th smallest value of a column."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor
from typing import ClassVar

from noiseless.curator.plan.part import Part
from noiseless.curator.releases.release import Need, Numbers, Release, Released, pieces
from noiseless.curator.releases.reported import Reported
from noiseless.curator.releases.total import no_smaller
from noiseless.curator.releases.written import Fields
from noiseless.curator.schema.scale import Scale
from noiseless.errors import BudgetError
from noiseless.privacy.composition.questions import KthSmallest, OtherQuestion

NOBODY = -1
"""Stands for the bin if no rows meet the condition."""


@dataclass(frozen=True, slots=True)
class OrderStatistic(Release):
    """MIN, MAX, MEDIAN and QUANTILE: the k-th smallest code, k = ⌈p·n⌉ and at least 1, in bins of w.

    Guarantee: one answer for each bin, and one more under a private condition, which may leave zero rows.
    Source: theory §6, the integer model: docs/sql.md
    """

    kind: ClassVar[str] = "order statistic"
    part: Part
    name: str
    column: Scale = field(hash=False)
    rounding: Fraction = field(hash=False)
    share: Fraction

    @property
    def reads(self) -> tuple[str, ...]:
        """The column and the columns of the condition."""
        return self.part.reads(self.name)

    @property
    def widest(self) -> int:
        """One bin for everything."""
        return self.column.top + 1

    def bins(self, width: int) -> int:
        """How many bins there are."""
        return self.column.top // width + 1

    def answers(self, width: int, rows: int = 1) -> int:
        """One person can move it across the whole range."""
        return self.bins(width) + (not self.part.plain)

    def stated(self, width: int, rows: int = 1) -> str:
        """The rule, with its numbers."""
        nobody = "" if self.part.plain else ", and one more for zero rows under a private condition"
        return (
            f"an order statistic in bins of w = {width}: one answer for each bin, ⌊M/w⌋ + 1 = {self.bins(width)} for "
            f"M = {self.column.top}{nobody}"
        )

    def width_within(self, error: Fraction, function: str, people: int | None = None) -> int:
        """(w − 1)/2 codes, plus the rounding of one value."""
        if error < self.rounding:
            raise BudgetError(no_smaller(self.name, error, self.rounding))
        return min(self.widest, floor(2 * (error - self.rounding) / self.column.step) + 1)

    def error(self, width: int, function: str, people: int | None = None) -> Fraction | None:
        """As above, and never more than half of the range plus the rounding."""
        return min((width - 1) * self.column.step, self.column.span) / 2 + self.rounding

    def question(self, width: int) -> KthSmallest | OtherQuestion:
        """It never falls when a value rises. A condition adds its truth changes."""
        count = self.answers(width)
        if self.part.plain:
            return KthSmallest(self.name, width, count)
        if len(self.reads) > 1:
            return OtherQuestion(self.reads, count)
        return OtherQuestion(self.reads, count, pieces(count - 2 + self.part.changes, count))

    def _own_fields(self) -> Fields:
        return {"column": self.name, "share": str(self.share)}

    def needs(self, width: int) -> tuple[Need, ...]:
        """The smallest or largest code, or the number of codes in every bin."""
        if self.share in (0, 1):
            return ("max" if self.share else "min", self.name), ("count", self.name)
        return (("tally", self.name, width),)

    def observe(self, width: int, numbers: Numbers) -> Released:
        """The bin of the k-th smallest: the first bin up to which there are k codes."""
        if self.share in (0, 1):
            code = numbers["max" if self.share else "min", self.name]
            return (code // width if numbers["count", self.name] else NOBODY,)
        tally = sorted((code, count) for code, count in numbers["tally", self.name, width].items() if code is not None)
        rank = ceil(self.share * sum(count for _, count in tally))
        for code, count in tally:
            rank -= count
            if rank <= 0:
                return (code // width,)
        return (NOBODY,)

    def report(self, width: int, released: Released, function: str) -> Reported | None:
        """The numbers of the bin, widened by the rounding, within the bounds."""
        if released[0] == NOBODY:
            return None
        column, first = self.column, released[0] * width
        low = max(column.number(first) - self.rounding, column.low)
        high = min(column.number(min(first + width - 1, column.top)) + self.rounding, column.high)
        value = column.present((low + high) / 2, high)[0]
        return Reported(value, *column.present(low, high))
