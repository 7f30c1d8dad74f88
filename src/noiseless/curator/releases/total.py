"""The sum of a column over rows that are all known to count."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import floor

from noiseless.curator.plan.part import Part
from noiseless.curator.releases.release import Need, Numbers, Released, middle
from noiseless.curator.releases.reported import Reported
from noiseless.curator.schema.scale import Scale
from noiseless.errors import BudgetError
from noiseless.exact.rounding import decimal_outward
from noiseless.exact.touched import touched
from noiseless.privacy.composition.questions import PlainSum


@dataclass(frozen=True, slots=True)
class Total:
    """SUM and AVG without a private condition: the sum of n codes in bins of w.

    Guarantee: min(⌈M/w⌉ + 1, ⌊nM/w⌋ + 1) answers, exactly.
    Source: theory §6, the integer model: docs/sql.md
    """

    part: Part
    name: str
    column: Scale
    rounding: Fraction

    @property
    def reads(self) -> tuple[str, ...]:
        """The column itself."""
        return (self.name,)

    @property
    def widest(self) -> int:
        """One bin for everything."""
        return self.part.size * self.column.top + 1

    def answers(self, width: int, rows: int = 1) -> int:
        """A person's total moves through rows·M + 1 values."""
        return min(touched(rows * self.column.top, width), self.part.size * self.column.top // width + 1)

    def stated(self, width: int, rows: int = 1) -> str:
        """The rule, with its numbers."""
        top, people, count = self.column.top, self.part.size, self.answers(width, rows)
        return f"a sum of codes in bins of w = {width}: {stated_sum('M', top, width, rows, people, count)}"

    def width_within(self, error: Fraction, function: str) -> int:
        """(w − 1)/2 codes, and the rounding of every value, over n for a mean."""
        people = self.part.size
        left = (error if function == "SUM" else error * people) - people * self.rounding
        if left < 0:
            raise BudgetError(no_smaller(self.name, error, self.error(1, function)))
        return min(self.widest, floor(2 * left / self.column.step) + 1)

    def error(self, width: int, function: str) -> Fraction | None:
        """As above, and never more than half of the range."""
        people, column = self.part.size, self.column
        half = min((width - 1) * column.step / 2, people * column.span / 2) + people * self.rounding
        return half if function == "SUM" else half / people

    def question(self, width: int) -> PlainSum:
        """A sum that everybody's value is in."""
        return PlainSum(self.name, width, self.part.size, self.column.top)

    def needs(self, width: int) -> tuple[Need, ...]:
        """The sum of codes."""
        return (("sum", self.name),)

    def observe(self, width: int, numbers: Numbers) -> Released:
        """The bin of the sum."""
        return (numbers["sum", self.name] // width,)

    def report(self, width: int, released: Released, function: str) -> Reported | None:
        """The numbers of the bin, widened by the rounding, within what the bounds allow."""
        people, column = self.part.size, self.column
        first, last = released[0] * width, min(released[0] * width + width - 1, people * column.top)
        low = max(people * column.low + column.step * first - people * self.rounding, people * column.low)
        high = min(people * column.low + column.step * last + people * self.rounding, people * column.high)
        return middle(low, high) if function == "SUM" else middle(low / people, high / people)


def stated_sum(name: str, top: int, width: int, rows: int, people: int, count: int) -> str:
    """How many answers a sum of contributions of 0 to `top` has: by what a person moves, or as many as there are.

    >>> stated_sum("M", 1500, 24, 1, 1000, 64)
    'at most ⌈M/w⌉ + 1 = 64 answers for M = 1500'
    """
    if count < touched(rows * top, width):
        return f"as many answers as bins, ⌊n{name}/w⌋ + 1 = {count}, for n = {people} and {name} = {top}"
    if rows == 1:
        return f"at most ⌈{name}/w⌉ + 1 = {count} answers for {name} = {top}"
    return f"at most ⌈r{name}/w⌉ + 1 = {count} answers for r = {rows} rows and {name} = {top}"


def no_smaller(name: str, error: Fraction, least: Fraction | None) -> str:
    """The words for an error below what rounding to steps leaves."""
    return (
        f"error={decimal_outward(error, 9, up=True)} cannot be had for {name!r}: rounding to steps alone leaves "
        f"{decimal_outward(least or error, 9, up=True)}; ask for an error of at least that"
    )
