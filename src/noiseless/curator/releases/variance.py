"""The variance of a column over rows that are all known to count."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import ClassVar

from noiseless.curator.releases.of_column import OfColumn
from noiseless.curator.releases.release import (
    Need,
    Numbers,
    Released,
    Width,
    as_bins,
    guarded_question,
    guarded_words,
)
from noiseless.curator.releases.reported import Reported
from noiseless.curator.releases.spread import PRECISION, SAMPLES, own_error, root, sample_error, spread
from noiseless.curator.releases.total import no_smaller
from noiseless.errors import BudgetError
from noiseless.privacy.composition.guarded import GuardedOther
from noiseless.privacy.composition.questions import VarianceSum
from noiseless.privacy.composition.several_rows import variance_answers, variance_moved
from noiseless.privacy.quantizers.guarded import Bins


@dataclass(frozen=True, slots=True)
class Variance(OfColumn):
    """VAR_POP, STDDEV_POP, VAR_SAMP and STDDEV_SAMP: the integer nΣc² − (Σc)² in bins of w.

    Guarantee: at most ⌈(n−1)M²/w⌉ + 1 answers, and no more than there are bins. In guarded bins 2.
    Source: theory §6, the integer model, and §11: docs/sql.md
    """

    kind: ClassVar[str] = "variance"

    @property
    def largest(self) -> int:
        """Half of the codes are 0 and half are M."""
        return self.part.size**2 // 4 * self.column.top**2

    @property
    def widest(self) -> int:
        """One bin for everything."""
        return self.largest + 1

    def answers(self, width: Width, rows: int = 1) -> int:
        """The person's rows move it by at most r(n−r)M²."""
        bins = as_bins(width)
        moved = 2 if bins.guard else variance_answers(self.column.top, bins.wide, rows, self.part.size)
        return min(moved, bins.place(self.largest) + 1)

    def window(self, rows: int = 1) -> int | None:
        """The person's rows move it by at most r(n−r)M²."""
        return variance_moved(self.column.top, rows, self.part.size) + 1

    def stated(self, width: Width, rows: int = 1) -> str:
        """The rule, with its numbers."""
        people, top, count = self.part.size, self.column.top, self.answers(width, rows)
        if isinstance(width, Bins):
            return guarded_words("a variance", width, variance_moved(top, rows, people) + 1)
        assert isinstance(width, int)
        if count < variance_answers(top, width, rows, people):
            return f"a variance in bins of w = {width}: one answer for each bin, {count}"
        parts = "(n−1)" if rows == 1 < people else "r(n−r)" if 2 * rows <= people else "⌊n²/4⌋"
        given = f"n = {people} and M = {top}" if rows == 1 else f"n = {people}, r = {rows} rows and M = {top}"
        return f"a variance in bins of w = {width}: at most ⌈{parts}M²/w⌉ + 1 = {count} answers for {given}"

    def width_within(self, error: Fraction, function: str, people: int | None = None) -> int:
        """The widest bins whose worst interval is at most twice the error."""
        rows, step = self.part.size, self.column.step
        asked, (error, kind) = error, own_error(error, function, rows)
        slack = self._slack(kind)
        if error < slack:
            raise BudgetError(no_smaller(self.name, asked, sample_error(slack, function, rows)))
        if kind == "VAR_POP":
            width = floor(2 * (error - slack) * rows**2 / step**2) + 1
        else:
            width = floor((2 * (error - slack) * rows / step) ** 2) + 1
        return min(self.widest, width)

    def error(self, width: Width, function: str, people: int | None = None) -> Fraction | None:
        """Half a bin for a variance. A standard deviation is least certain near 0."""
        rows, step = self.part.size, self.column.step
        kind = SAMPLES.get(function, function)
        bin_of_variance = min(as_bins(width).widest - 1, self.largest) * step**2 / rows**2
        half = bin_of_variance / 2 if kind == "VAR_POP" else root(bin_of_variance, up=True) / 2
        return sample_error(half + self._slack(kind), function, rows)

    def _booked(self, width: Width) -> VarianceSum | GuardedOther:
        """How the ledger books it.

        As a value rises, the variance falls until the value meets the mean, and then rises.
        """
        if isinstance(width, Bins):
            return guarded_question(self, width)
        assert isinstance(width, int)
        return VarianceSum(self.name, width, self.part.size, self.column.top, self.answers(width))

    def needs(self, width: Width) -> tuple[Need, ...]:
        """The sum of codes and the sum of their squares."""
        return ("sum", self.name), ("squares", self.name)

    def integer(self, numbers: Numbers) -> int:
        """nΣc² − (Σc)²."""
        total, squares = numbers["sum", self.name], numbers["squares", self.name]
        return int(self.part.size * squares - total**2)

    def report(self, width: Width, released: Released, function: str) -> Reported | None:
        """The variance at the ends of the bin, or its root, widened by the rounding."""
        people = self.part.size
        first, last = as_bins(width).ends(released[0])
        ends = Fraction(first, people**2), Fraction(min(last, self.largest), people**2)
        return spread(ends, self.column, self.rounding, function, (people, people))

    def _slack(self, function: str) -> Fraction:
        """What the rounding of values and square roots adds to half an interval, at a deviation of half the span."""
        rounded = self.rounding + Fraction(2, PRECISION) if self.rounding or function != "VAR_POP" else Fraction(0)
        return 2 * rounded * (self.column.span / 2) if function == "VAR_POP" else rounded
