"""The k-th smallest value of a column."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import ClassVar

from noiseless.curator.releases.meaning import Meaning
from noiseless.curator.releases.of_column import OfColumn
from noiseless.curator.releases.release import Need, Numbers, Released, Width, as_bins, pieces
from noiseless.curator.releases.reported import Reported
from noiseless.curator.releases.total import no_smaller
from noiseless.curator.releases.weights import Bound, UpTo
from noiseless.curator.releases.written import Fields
from noiseless.curator.schema.schema import Schema
from noiseless.errors import BudgetError
from noiseless.privacy.composition.questions import KthSmallest, OtherQuestion

NOBODY = -1
"""Released instead of a bin if no rows meet the condition."""


@dataclass(frozen=True, slots=True)
class OrderStatistic(OfColumn):
    """MIN, MAX, MEDIAN and QUANTILE: the k-th smallest code, k = ⌈p·n⌉ and at least 1, in bins of w.

    Guarantee: one answer for each bin, and one more under a private condition, which may leave zero rows.
    Source: theory §6, the integer model: docs/sql.md
    """

    kind: ClassVar[str] = "order statistic"
    prefers_level: ClassVar[bool] = True
    share: Fraction

    @property
    def widest(self) -> int:
        """One bin for everything."""
        return self.column.top + 1

    def bins(self, width: Width) -> int:
        """How many bins there are."""
        assert isinstance(width, int)
        return self.column.top // width + 1

    def answers(self, width: Width, rows: int = 1) -> int:
        """One person can move it across the whole range."""
        assert isinstance(width, int)
        return self.bins(width) + (not self.part.plain)

    def stated(self, width: Width, rows: int = 1) -> str:
        """The rule, with its numbers."""
        assert isinstance(width, int)
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

    def error(self, width: Width, function: str, people: int | None = None) -> Fraction | None:
        """(w − 1)/2 codes plus the rounding, and never more than half of the range plus the rounding."""
        assert isinstance(width, int)
        return min((width - 1) * self.column.step, self.column.span) / 2 + self.rounding

    def _booked(self, width: Width) -> KthSmallest | OtherQuestion:
        """How the ledger books it. It never falls when a value rises. A condition adds its truth changes."""
        assert isinstance(width, int)
        count = self.answers(width)
        if self.part.plain:
            return KthSmallest(self.name, width, count)
        if len(self.reads) > 1:
            return OtherQuestion(self.reads, count)
        return OtherQuestion(self.reads, count, pieces(count - 2 + self.part.changes, count))

    def _own_fields(self) -> Fields:
        return {"column": self.name, "share": str(self.share), **self.column.grid}

    @property
    def _apart(self) -> Hashable:
        return self.name, id(self.column), self.share

    def meaning(self, function: str, schema: Schema) -> Meaning:
        """What the number means: its share says which of the sorted values it is."""
        return Meaning(function, self.part.condition, self.measured_column, self.rounding, self.share)

    def row_counts(self, width: Width, released: Released) -> tuple[Released, Width] | None:
        """Zero rows, if no row met the condition. Otherwise it states no number of rows."""
        return ((0,), 1) if released[0] == NOBODY else None

    def bounds(self, width: Width, released: Released) -> Iterator[Bound]:
        """With m rows and k = ⌈pm/q⌉: at least k rows are up to the last code, and fewer than k below the first."""
        least, most = (0, -1) if self.share else (1, 0)
        return self._ranked(*as_bins(width).ends(released[0]), least, most) if released[0] != NOBODY else iter(())

    def _ranked(self, first: int, last: int, least: int, most: int) -> Iterator[Bound]:
        """Bounds on q·(rows up to a code) − p·m: at least `least` at the last code, at most `most` before the first."""
        (p, q), of = self.share.as_integer_ratio(), self.measured_column
        yield Bound(UpTo(of, last, q - p, -p), [(least, None)], 0, Fraction(1, q))
        yield Bound(UpTo(of, first - 1, q - p, -p), [(None, most)], 1, Fraction(1, q))

    def needs(self, width: Width) -> tuple[Need, ...]:
        """The smallest or largest code, or the number of codes in every bin."""
        assert isinstance(width, int)
        if self.share in (0, 1):
            return ("max" if self.share else "min", self.name), ("count", self.name)
        return (("tally", self.name, width),)

    def observe(self, width: Width, numbers: Numbers) -> Released:
        """The bin of the k-th smallest: the first bin with k codes in it and the bins before it."""
        assert isinstance(width, int)
        if self.share in (0, 1):
            code = numbers["max" if self.share else "min", self.name]
            return (code // width if numbers["count", self.name] else NOBODY,)
        tally = self._tally(numbers, width)
        people = sum(count for _, count in tally)
        return (code_at(tally, self._rank(people)) // width if people else NOBODY,)

    def _tally(self, numbers: Numbers, width: int) -> list[tuple[int, int]]:
        """The first code of every bin, with its number of codes."""
        return sorted((code, count) for code, count in numbers["tally", self.name, width].items() if code is not None)

    def _rank(self, people: int) -> int:
        return max(1, ceil(self.share * people))

    def steady_needs(self, finest: int) -> tuple[Need, ...]:
        """The number of codes in every bin."""
        return (("tally", self.name, finest),)

    def steady(self, width: int, finest: int, numbers: Numbers) -> Released | None:
        """The k-th smallest and the codes R places before and after it must be in one bin: see `stable_kth`."""
        tally, rows, top = self._tally(numbers, finest), self.part.rows, self.column.top
        people = sum(count for _, count in tally)
        if not people or (not self.part.plain and people <= rows):
            return None
        rank = self._rank(people)
        below, above = rank - rows, rank + rows
        codes = {
            code_at(tally, rank),
            0 if below < 1 else code_at(tally, below),
            top if above > people else code_at(tally, above),
        }
        places = {code // width for code in codes}
        return tuple(places) if len(places) == 1 else None

    def unsteady(self, width: int) -> Fraction | None:
        """Codes R places away are 2R·D/m codes apart if codes may lie anywhere, half of the rows if some are left out.

        Extremes are stable only where more than R people sit at the end of the range, which says nothing in advance.
        """
        if self.share in (0, 1):
            return Fraction(1)
        people = Fraction(self.part.size, 1 if self.part.plain else 2)
        return min(Fraction(1), 2 * self.part.rows * (self.column.top + 1) / (people * width))

    def report(self, width: Width, released: Released, function: str) -> Reported | None:
        """The ends of the bin as numbers, widened by the rounding, within the declared bounds."""
        assert isinstance(width, int)
        if released[0] == NOBODY:
            return None
        column, first = self.column, released[0] * width
        low = max(column.number(first) - self.rounding, column.low)
        high = min(column.number(min(first + width - 1, column.top)) + self.rounding, column.high)
        value = column.present((low + high) / 2, high)[0]
        return Reported(value, *column.present(low, high))


def code_at(tally: list[tuple[int, int]], rank: int) -> int:
    """The code at a rank, counted from 1 and at most the number of codes."""
    for code, count in tally:
        rank -= count
        if rank <= 0:
            return code
    raise AssertionError("a rank beyond the last code")
