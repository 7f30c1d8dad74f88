"""A quantile between two neighbouring values of a column."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import ClassVar

from noiseless.curator.releases.order_statistic import NOBODY, OrderStatistic, code_at
from noiseless.curator.releases.release import Need, Numbers, Released, Width, as_bins, pieces
from noiseless.curator.releases.reported import Reported
from noiseless.curator.releases.total import no_smaller
from noiseless.curator.releases.weights import Bound
from noiseless.errors import BudgetError
from noiseless.privacy.composition.questions import OtherQuestion


@dataclass(frozen=True, slots=True)
class InterpolatedQuantile(OrderStatistic):
    """PERCENTILE_CONT and QUANTILE_CONT: x_(k) + f·(x_(k+1) − x_(k)) at place p(n − 1) = k + f, counted from 0.

    With p = a/b it is a whole number of 1/b of a code, from 0 to M·b, in bins of w.

    Guarantee: one answer for each bin, and one more under a private condition, which may leave zero rows.
    Source: theory §6, the integer model, and §11, interpolated medians: docs/sql.md
    """

    kind: ClassVar[str] = "interpolated quantile"

    @property
    def parts(self) -> int:
        """b: the number of parts that a code is divided into."""
        return self.share.denominator

    @property
    def widest(self) -> int:
        """One bin for everything."""
        return self.column.top * self.parts + 1

    def bins(self, width: Width) -> int:
        """How many bins there are."""
        assert isinstance(width, int)
        return self.largest // width + 1

    def stated(self, width: Width, rows: int = 1) -> str:
        """The rule, with its numbers."""
        assert isinstance(width, int)
        nobody = "" if self.part.plain else ", and one more for zero rows under a private condition"
        return (
            f"an interpolated quantile in 1/b of a code, in bins of w = {width}: one answer for each bin, ⌊M·b/w⌋ + 1 "
            f"= {self.bins(width)} for M = {self.column.top} and b = {self.parts}{nobody}"
        )

    def width_within(self, error: Fraction, function: str, people: int | None = None) -> int:
        """(w − 1)/2 parts of a code, plus the rounding of one value."""
        if error < self.rounding:
            raise BudgetError(no_smaller(self.name, error, self.rounding))
        return min(self.widest, floor(2 * (error - self.rounding) / self._unit) + 1)

    def error(self, width: Width, function: str, people: int | None = None) -> Fraction | None:
        """(w − 1)/2 parts of a code plus the rounding, and never more than half of the range plus the rounding."""
        assert isinstance(width, int)
        return min((width - 1) * self._unit, self.column.span) / 2 + self.rounding

    def _booked(self, width: Width) -> OtherQuestion:
        """How the ledger books it. It never falls when a value rises. A condition adds its truth changes."""
        count = self.answers(width)
        if self.part.plain or len(self.reads) > 1:
            return OtherQuestion(self.reads, count)
        return OtherQuestion(self.reads, count, pieces(count - 2 + self.part.changes, count))

    def bounds(self, width: Width, released: Released) -> Iterator[Bound]:
        """At place p(m − 1)/q, more than p(m − 1)/q rows are up to the last code, and fewer than p(m − 1)/q + 1 are
        below the first.
        """
        if released[0] == NOBODY:
            return iter(())
        first, last = as_bins(width).ends(released[0])
        p = self.share.numerator
        return self._ranked(-(-first // self.parts), last // self.parts, 1 - p, self.parts - p - 1)

    def needs(self, width: Width) -> tuple[Need, ...]:
        """How often every code occurs."""
        return (("tally", self.name, 1),)

    def observe(self, width: Width, numbers: Numbers) -> Released:
        """The bin of the quantile."""
        assert isinstance(width, int)
        tally = self._tally(numbers, 1)
        return (self._at(tally) // width if tally else NOBODY,)

    def _at(self, tally: list[tuple[int, int]], moved: int = 0) -> int:
        """The number `moved` places after the quantile, in parts of a code: 0 before the first, M after the last."""
        people = sum(count for _, count in tally)
        below, part = divmod(self.share.numerator * (people - 1), self.parts)
        both = []
        for rank in (below + moved + 1, below + moved + 2):
            outside = 0 if rank < 1 else self.column.top
            both.append(code_at(tally, rank) if 1 <= rank <= people else outside)
        return (self.parts - part) * both[0] + part * both[1]

    def steady_needs(self, finest: int) -> tuple[Need, ...]:
        """How often every code occurs, whatever the bins are."""
        return self.needs(finest)

    def steady(self, width: int, finest: int, numbers: Numbers) -> Released | None:
        """The quantile and the numbers R places before and after it must be in one bin.

        If j of R rows leave and i come, place h = p(n − 1) becomes h + p(i − j), and the number at a place t is at
        least the earlier one at t − i and at most that at t + j. So it stays between those at h − R and h + R, which
        read one value more than a k-th smallest does.
        """
        tally, rows = self._tally(numbers, 1), self.part.rows
        people = sum(count for _, count in tally)
        if not people or (not self.part.plain and people <= rows):
            return None
        places = {self._at(tally, moved) // width for moved in (-rows, 0, rows)}
        return tuple(places) if len(places) == 1 else None

    def unsteady(self, width: int) -> Fraction | None:
        """The chance that it is not stable: that of a k-th smallest, in parts of a code."""
        people = Fraction(self.part.size, 1 if self.part.plain else 2)
        return min(Fraction(1), 2 * self.part.rows * self.widest / (people * width))

    def report(self, width: Width, released: Released, function: str) -> Reported | None:
        """The ends of the bin as numbers, widened by the rounding, within the declared bounds."""
        assert isinstance(width, int)
        if released[0] == NOBODY:
            return None
        column, first = self.column, released[0] * width
        last = min(first + width - 1, self.largest)
        low = max(column.number(Fraction(first, self.parts)) - self.rounding, column.low)
        high = min(column.number(Fraction(last, self.parts)) + self.rounding, column.high)
        return Reported((low + high) / 2, low, high)

    @property
    def _unit(self) -> Fraction:
        return self.column.step / self.parts
