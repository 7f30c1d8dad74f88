"""The variance of a column over the rows that a private condition selects."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar

from noiseless.curator.releases.addend import Addend
from noiseless.curator.releases.filtered_mean import FilteredMean
from noiseless.curator.releases.release import Need, Numbers, Released, Width, as_bins, pieces
from noiseless.curator.releases.reported import Reported
from noiseless.curator.releases.spread import far_of, middle_of, spread, turns_of_squares, variance_within
from noiseless.curator.releases.weights import Bound, Square
from noiseless.errors import BudgetError
from noiseless.exact.rounding import decimal_outward
from noiseless.exact.touched import touched
from noiseless.privacy.composition.questions import OtherQuestion


@dataclass(frozen=True, slots=True)
class FilteredVariance(FilteredMean):
    """Variances under a private condition: the exact number of rows, the sum of their codes in bins of w, and the sum
    of their squared distances from the middle c₀ of the range in bins of v = w·D, D = max(c₀, M − c₀).

    Guarantee: 2 + ⌈M/w⌉ + ⌈c₀²/v⌉ + ⌈(M − c₀)²/v⌉ joint answers, and at most M + 2: one if the row is left out. If it
    counts, as its code rises the sum rises through ⌈M/w⌉ ends of bins, and the squares fall and then rise. With r rows,
    of which i count, the bins of both sums multiply: 1 + r(⌈rM/w⌉ + 1)(⌈rD²/v⌉ + 1).
    Source: theory §6, rule A within a row that counts: docs/sql.md
    """

    kind: ClassVar[str] = "filtered variance"

    @property
    def centre(self) -> int:
        """c₀, the middle code."""
        return middle_of(self.column.top)

    @property
    def far(self) -> int:
        """D, the largest distance of a code from the centre."""
        return far_of(self.column.top)

    def answers(self, width: Width, rows: int = 1) -> int:
        """One if no row counts, and the bins of both sums if some do."""
        assert isinstance(width, int)
        top, wide = self.column.top, width * self.far
        if rows > 1:
            return 1 + rows * touched(rows * top, width) * touched(rows * self.far**2, wide)
        return min(2 + self._jumps(width), top + 2)

    def _jumps(self, width: int) -> int:
        """How often the bins of a row that counts change as its code rises."""
        return touched(self.column.top, width) - 1 + turns_of_squares(self.column.top, width * self.far)

    def stated(self, width: Width, rows: int = 1) -> str:
        """The rule, with its numbers."""
        assert isinstance(width, int)
        wide = width * self.far
        formula = "2 + ⌈M/w⌉ + ⌈c₀²/v⌉ + ⌈(M − c₀)²/v⌉" if rows == 1 else "1 + r(⌈rM/w⌉ + 1)(⌈rD²/v⌉ + 1)"
        each = "" if rows == 1 else f"r = {rows} and "
        return (
            f"the number of rows under a private condition, the sum of their codes in bins of w = {width}, and of "
            f"their squared distances from c₀ = {self.centre} in bins of v = {wide}: at most {formula} = "
            f"{self.answers(width, rows)} joint answers for {each}M = {self.column.top}"
        )

    def width_within(self, error: Fraction, function: str, people: int | None = None) -> int:
        """Always refused: a variance with an error is released in steps, and this is the form with bits."""
        raise BudgetError(
            f"error={decimal_outward(error, 9, up=True)} of a variance of {self.name!r} that is known in bins cannot "
            f"be had by refining it; ask the question again with error="
        )

    def error(self, width: Width, function: str, people: int | None = None) -> Fraction | None:
        """None: the error depends on private data."""
        return None

    def _booked(self, width: Width) -> OtherQuestion:
        """The condition may leave a person out, so no range of values shrinks."""
        assert isinstance(width, int)
        count = self.answers(width)
        if len(self.reads) > 1:
            return OtherQuestion(self.reads, count)
        return OtherQuestion(self.reads, count, pieces(self._jumps(width) + self.part.changes, count))

    def addends(self, width: Width) -> tuple[Addend, ...] | None:
        """A row adds its code. The changes of its square count too: it falls and then rises with the code."""
        assert isinstance(width, int)
        [added] = self._adds(width)
        return (replace(added, more=turns_of_squares(self.column.top, width * self.far)),)

    def bounds(self, width: Width, released: Released) -> Iterator[Bound]:
        """Bounds on the sum of codes, and on the sum of squared distances from the middle."""
        yield from FilteredMean.bounds(self, width, released)
        assert isinstance(width, int)
        yield Bound(Square(self.measured_column, self.centre), [as_bins(width * self.far).ends(released[2])])

    def needs(self, width: Width) -> tuple[Need, ...]:
        """The sums of codes and of their squares, and how many there are."""
        return ("squares", self.name), ("sum", self.name), ("count", self.name)

    def observe(self, width: Width, numbers: Numbers) -> Released:
        """The number of rows, and the bins of both sums."""
        assert isinstance(width, int)
        squares, total, people = (numbers[kind, self.name] for kind in ("squares", "sum", "count"))
        about = squares - 2 * self.centre * total + people * self.centre**2
        return people, total // width, about // (width * self.far)

    def report(self, width: Width, released: Released, function: str) -> Reported | None:
        """The range of the variance over all sums in the bins, widened by the rounding."""
        assert isinstance(width, int)
        people, *places = released
        if not people:
            return None
        most = people * self.column.top, people * self.far**2
        ends = [
            (place * wide, min(place * wide + wide - 1, last))
            for place, wide, last in zip(places, (width, width * self.far), most, strict=True)
        ]
        mean = Fraction(ends[0][0], people), Fraction(ends[0][1], people)
        variance = variance_within(ends[1], mean, (people, people), self.centre, self.column.top)
        return spread(variance, self.column, self.rounding, function, (people, people))
