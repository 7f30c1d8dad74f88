"""The sum of a column over rows that are all known to count."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import floor, lcm
from typing import ClassVar

from noiseless.curator.releases.addend import Addend
from noiseless.curator.releases.of_column import OfColumn
from noiseless.curator.releases.release import (
    Integers,
    Need,
    Numbers,
    Release,
    Released,
    Width,
    as_bins,
    guarded_words,
    is_guarded,
)
from noiseless.curator.releases.reported import Reported
from noiseless.curator.releases.weights import Bound, Line
from noiseless.curator.releases.written import Fields
from noiseless.errors import BudgetError
from noiseless.exact.rounding import decimal_outward
from noiseless.exact.touched import touched
from noiseless.privacy.composition.guarded import GuardedSum
from noiseless.privacy.composition.questions import Counted, OtherQuestion, PlainSum
from noiseless.privacy.quantizers.guarded import Bins

FIVE_BITS = 32
LARGEST = 1 << 62
"""Bins of this width and more are not computed in arrays."""


@dataclass(frozen=True, slots=True)
class Total(OfColumn):
    """SUM and AVG without a private condition: the sum of n codes in bins of w.

    Guarantee: min(⌈M/w⌉ + 1, ⌊nM/w⌋ + 1) answers, exactly. In guarded bins 2, a wide one and a guard.
    Source: theory §6, the integer model, and §11: docs/sql.md
    """

    kind: ClassVar[str] = "total"
    refinable: ClassVar[bool] = True

    @property
    def widest(self) -> int:
        """One bin for everything."""
        return self.part.size * self.column.top + 1

    def answers(self, width: Width, rows: int = 1) -> int:
        """A person's total moves through rows·M + 1 values."""
        bins = as_bins(width)
        met = 2 if bins.guard else touched(rows * self.column.top, bins.wide)
        return min(met, self._places(bins))

    def narrowest(self, rows: int, wanted: int) -> int | None:
        """The smallest width with at most `wanted` answers, by a formula."""
        return narrowest_sum(rows * self.column.top, self.part.size * self.column.top, wanted)

    def _places(self, bins: Bins) -> int:
        """The number of all bins."""
        return bins.place(self.part.size * self.column.top) - bins.place(0) + 1

    def window(self, rows: int = 1) -> int | None:
        """A person's total has rows·M + 1 values."""
        return rows * self.column.top + 1

    def stated(self, width: Width, rows: int = 1) -> str:
        """The rule, with its numbers."""
        top, people, count = self.column.top, self.part.size, self.answers(width, rows)
        if isinstance(width, Bins):
            if width.guard:
                return guarded_words("a sum of codes", width, rows * top + 1)
            width = width.wide
        assert isinstance(width, int)
        return f"a sum of codes in bins of w = {width}: {stated_sum('M', top, width, rows, people, count)}"

    @property
    def attained(self) -> bool:
        """Whether values at both ends of the range can reach the count."""
        return self.column.full

    def group_bound(self, width: Width, rows: int) -> tuple[Fraction, Fraction] | None:
        """A person moves the sum by at most rows·M codes."""
        return None if is_guarded(width) else (Fraction(rows * self.column.top), Fraction(as_bins(width).wide))

    def levels(self, width: Width) -> int | None:
        """The bins of all sums."""
        return self._places(as_bins(width))

    def rounded_width(self, width: int, up: bool) -> int:
        """A width with five significant bits: at most 6 % coarser than necessary, and easily halved.

        >>> from noiseless.curator.plan.part import Part
        >>> from noiseless.curator.schema.scale import Integer
        >>> total = Total(Part((0,), 10), "age", Integer(0, 1000), Fraction(0))
        >>> total.rounded_width(1000, up=True), total.rounded_width(1000, up=False), total.rounded_width(31, up=True)
        (1024, 992, 31)
        """
        shift = width.bit_length() - FIVE_BITS.bit_length() + 1
        if shift <= 0:
            return width
        return min(-(-width >> shift) << shift, self.widest) if up else width >> shift << shift

    def refined(self, known: int) -> Release:
        """This total in narrower bins: only the parts of the known bin are new."""
        from noiseless.curator.releases.refined import RefinedTotal

        return RefinedTotal(self, known)

    def question_of_everybody(self, width: Width, rows: int) -> Counted:
        """How the account of everybody books it. That account knows how many rows a person has."""
        return self.question(width)

    def width_within(self, error: Fraction, function: str, people: int | None = None) -> int:
        """(w − 1)/2 codes, plus the rounding of every value, divided by n for a mean."""
        people = self.part.size
        left = (error if function == "SUM" else error * people) - people * self.rounding
        if left < 0:
            raise BudgetError(no_smaller(self.name, error, self.error(1, function)))
        return min(self.widest, floor(2 * left / self.column.step) + 1)

    def error(self, width: Width, function: str, people: int | None = None) -> Fraction | None:
        """(w − 1)/2 codes plus the rounding, and never more than half of the range."""
        people, (unit, _, step, span, rounding) = self.part.size, self._whole_numbers()
        half = min((as_bins(width).widest - 1) * step, people * span) + 2 * people * rounding
        return Fraction(half, 2 * unit * (1 if function == "SUM" else people))

    def _whole_numbers(self) -> tuple[int, int, int, int, int]:
        """A common denominator, and the lowest value, the step, the span and the rounding as multiples of one over it.

        A question about thousands of groups spends its time on these few sums, which are faster in whole numbers.
        """
        numbers = self.column.low, self.column.step, self.column.high, self.rounding
        unit = lcm(*[number.denominator for number in numbers])
        low, step, high, rounding = [number.numerator * (unit // number.denominator) for number in numbers]
        return unit, low, step, high - low, rounding

    def _booked(self, width: Width) -> PlainSum | GuardedSum | OtherQuestion:
        """How the ledger books it: a sum of everybody's values, or only a count if bins do not begin at 0."""
        if isinstance(width, int):
            return PlainSum(self.name, width, self.part.size, self.column.top)
        assert isinstance(width, Bins)
        if width.guard:
            return GuardedSum(self.name, width, self.part.size, self.column.top)
        return OtherQuestion((self.name,), self.answers(width))

    @classmethod
    def window_of(cls, family: Fields, top: int) -> int:
        """The window: one row moves the sum by its code."""
        return top + 1

    @classmethod
    def narrowed(cls, family: Fields) -> str:
        """The column: everybody's value is in the sum."""
        return str(family["column"])

    def needs(self, width: Width) -> tuple[Need, ...]:
        """The sum of codes."""
        return (("sum", self.name),)

    def observe_all(self, width: Width, numbers: Mapping[Need, Integers]) -> Integers:
        """The bins of the sums of codes."""
        bins = as_bins(width)
        if bins.wide + bins.guard >= LARGEST:
            return super(Total, self).observe_all(width, numbers)
        return bins.places(numbers["sum", self.name]).reshape(1, -1)

    def addends(self, width: Width) -> tuple[Addend, ...]:
        """A row adds its code."""
        return self._adds(width)

    def bounds(self, width: Width, released: Released) -> Iterator[Bound]:
        """The sum of codes."""
        yield Bound(Line(self.measured_column), [as_bins(width).ends(released[0])])

    def integer(self, numbers: Numbers) -> int:
        """The sum of codes."""
        return int(numbers["sum", self.name])

    def report(self, width: Width, released: Released, function: str) -> Reported | None:
        """The ends of the bin as numbers, widened by the rounding, within what the declared bounds allow."""
        people, (unit, low, step, span, rounding) = self.part.size, self._whole_numbers()
        first, last = as_bins(width).ends(released[0])
        first, last = max(first, 0), min(last, people * self.column.top)
        lower = people * low + max(step * first - people * rounding, 0)
        upper = people * low + min(step * last + people * rounding, people * span)
        each = unit if function == "SUM" else unit * people
        return Reported(Fraction(lower + upper, 2 * each), Fraction(lower, each), Fraction(upper, each))


def stated_sum(name: str, top: int, width: int, rows: int, people: int, count: int) -> str:
    """How many answers a sum of contributions of 0 to `top` has: what one person can move, or the number of all bins.

    >>> stated_sum("M", 1500, 24, 1, 1000, 64)
    'at most ⌈M/w⌉ + 1 = 64 answers for M = 1500'
    """
    if count < touched(rows * top, width):
        return f"one answer for each bin, ⌊n{name}/w⌋ + 1 = {count}, for n = {people} and {name} = {top}"
    if rows == 1:
        return f"at most ⌈{name}/w⌉ + 1 = {count} answers for {name} = {top}"
    return f"at most ⌈r{name}/w⌉ + 1 = {count} answers for r = {rows} rows and {name} = {top}"


def narrowest_sum(moved: int, largest: int, wanted: int) -> int | None:
    """The smallest w with min(⌈moved/w⌉ + 1, ⌊largest/w⌋ + 1) ≤ wanted, for a sum of at most `largest`.

    >>> narrowest_sum(1500, 15000, 4), narrowest_sum(1500, 1500, 4), narrowest_sum(1500, 15000, 1)
    (500, 376, 15001)
    """
    if wanted < 1:
        return None
    by_bins = largest // wanted + 1
    return by_bins if wanted == 1 else max(1, min(by_bins, -(-moved // (wanted - 1))))


def no_smaller(name: str, error: Fraction, least: Fraction | None) -> str:
    """The message for an error that is smaller than the rounding to steps."""
    return (
        f"error={decimal_outward(error, 9, up=True)} cannot be had for {name!r}: rounding to steps alone leaves "
        f"{decimal_outward(least or error, 9, up=True)}; ask for an error of at least that"
    )
