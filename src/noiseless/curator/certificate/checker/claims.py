"""Claims about one number as sums over rows that must not be above 0, and the check of their proofs.

With u(c) the most and l(c) the least that a value of the code c can be, for rows that count:

    COUNT ≤ U  if Σ 1 ≤ U                     SUM ≤ U  if Σ u ≤ U
    AVG ≤ U    if Σ (u − U) ≤ 0               k-th smallest ≤ v, k = ⌈p·m⌉,  if Σ (p − [x ≤ v]) ≤ 0
                                              k-th smallest ≥ v              if Σ ([x < v] − p) < 0

and likewise from below. There certainly is a number if Σ 1 ≥ 1.

Source: theory §13
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from noiseless.curator.certificate.checker.columns import Column
from noiseless.curator.certificate.checker.derive import Asked
from noiseless.curator.certificate.checker.entailed import Base, Multiples, World
from noiseless.curator.certificate.checker.forms import MISSING, Form, Segment, up_to
from noiseless.curator.certificate.checker.numbers import rational
from noiseless.curator.certificate.checker.wrong import require

Proof = tuple[Base, Multiples]


@dataclass(frozen=True, slots=True)
class Claim:
    """A number of a question, in the units of its column."""

    world: World
    function: str
    asked: Asked

    @property
    def rows(self) -> Form:
        """The form that adds 1 for each row that counts."""
        release, groups = self.asked.release, self.asked.release.groups
        cells, condition = frozenset(release.part.cells), release.part.condition
        if groups is not None:
            places = _place([each.values for each in groups.groups], self.asked.place)
            return Form(cells, condition, groups=groups.groups, place=places)
        if release.kind == "histogram":
            column = self.world.columns[str(release.name)]
            value = self.asked.place if self.asked.place <= column.top else MISSING
            return Form(cells, condition, release.name, value=value)
        return Form(cells, condition)

    @property
    def column(self) -> Column:
        """The column or the function that it is about."""
        name = self.asked.release.name
        require(name is not None, "a number is about no column")
        return self.world.columns[name or ""]

    def exists(self, proof: Proof) -> bool:
        """Whether there certainly is a number."""
        return self.world.most([(Fraction(-1), self.rows)], *proof) < 0

    def is_none(self, proof: Proof) -> bool:
        """Whether there certainly is none."""
        return self.world.most([(Fraction(1), self.rows)], *proof) < 1

    def at_most(self, most: Fraction, proof: Proof) -> bool:
        """Whether the number is at most this."""
        match self.function:
            case "count":
                return floor(self.world.most([(Fraction(1), self.rows)], *proof)) <= most
            case "sum":
                found = self.world.most([(Fraction(1), self._with(self._highest()))], *proof)
                return floor(found / self._unit) * self._unit <= most if self._unit else found <= most
            case "avg":
                return self.world.most([(Fraction(1), self._with(self._highest(most)))], *proof) <= 0
            case "kth":
                return self._order_at_most(most, proof)
        return False

    def at_least(self, least: Fraction, proof: Proof) -> bool:
        """Whether the number is at least this."""
        match self.function:
            case "count":
                return ceil(-self.world.most([(Fraction(-1), self.rows)], *proof)) >= least
            case "sum":
                found = -self.world.most([(Fraction(-1), self._with(self._lowest()))], *proof)
                return ceil(found / self._unit) * self._unit >= least if self._unit else found >= least
            case "avg":
                return self.world.most([(Fraction(-1), self._with(self._lowest(least)))], *proof) <= 0
            case "kth":
                return self._order_at_least(least, proof)
        return False

    def _with(self, segments: tuple[Segment, ...]) -> Form:
        rows = self.rows
        return Form(rows.cells, rows.condition, self.asked.release.name, segments, rows.groups, rows.place)

    @property
    def _unit(self) -> Fraction:
        """A number that divides all sums of values on the grid. 0 for values that may be off the grid."""
        column = self.column
        return Fraction(0) if column.rounding else column.step / (column.low / column.step).denominator

    def _highest(self, less: Fraction = Fraction(0)) -> tuple[Segment, ...]:
        """The most that a value of each code can be, minus a number. Values do not exceed the upper bound."""
        column = self.column
        if not column.rounding:
            return ((None, column.step, column.low - less),)
        last = floor((column.high - column.low - column.rounding) / column.step)
        return (last, column.step, column.low + column.rounding - less), (None, Fraction(0), column.high - less)

    def _lowest(self, less: Fraction = Fraction(0)) -> tuple[Segment, ...]:
        """The least that a value of each code can be, minus a number. Values are not below the lower bound."""
        column = self.column
        if not column.rounding:
            return ((None, column.step, column.low - less),)
        first = ceil(column.rounding / column.step)
        return (first - 1, Fraction(0), column.low - less), (None, column.step, column.low - column.rounding - less)

    def _order_at_most(self, most: Fraction, proof: Proof) -> bool:
        """Whether it has at most the last code whose values are certainly within the bound.

        The first of all rows has, if one row certainly has, or if no other row counts.
        """
        column, share = self.column, rational(self.asked.release.share)
        code = column.top if most >= column.high else floor((most - column.low - column.rounding) / column.step)
        if not 0 <= code < column.top:
            return code >= column.top
        if share:
            return self._adds_up(up_to(code, share - 1, share), proof) <= 0
        some = self._adds_up(up_to(code, Fraction(-1), Fraction(0)), proof) < 0
        return some or self._adds_up(up_to(code, Fraction(0), Fraction(1)), proof) <= 0

    def _order_at_least(self, least: Fraction, proof: Proof) -> bool:
        """Whether it has at least the first code whose values are certainly within the bound.

        A little is added to every row, so that tables in which no row counts cannot refute the proof.
        """
        column, share = self.column, rational(self.asked.release.share)
        code = 0 if least <= column.low else ceil((least - column.low + column.rounding) / column.step)
        if not 0 < code <= column.top:
            return code <= 0
        little = Fraction(1, max(1, share.denominator * self.asked.release.part.rows)) if share else Fraction(0)
        return self._adds_up(up_to(code - 1, 1 - share + little, little - share), proof) <= 0

    def _adds_up(self, segments: tuple[Segment, ...], proof: Proof) -> Fraction:
        return self.world.most([(Fraction(1), self._with(segments))], *proof)


def _place(values: Sequence[Sequence[object]], place: int) -> tuple[object, ...]:
    """The values of a cell of private groups, by its place among all."""
    found: list[object] = []
    for each in reversed(values):
        place, own = divmod(place, len(each))
        found.append(each[own])
    return tuple(reversed(found))
