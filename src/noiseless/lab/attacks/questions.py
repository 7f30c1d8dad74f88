"""What can be learned by asking a curator: averaging, differencing, bisection, against what was charged.

The adversary knows the others' data as well as they like; they are after one person, alone in a public cell, the worst
case. What was learned is how much fewer values of theirs remain possible, in bits; it never passes what was charged.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import log2

from noiseless.curator.curator import Curator
from noiseless.curator.releases.release import Reported
from noiseless.curator.schema.scale import Scale
from noiseless.errors import BudgetExceededError, InputError
from noiseless.exact.number import Number
from noiseless.lab.attacks.curve import Curve, Point


@dataclass
class _Target:
    """One person's value of a column: the codes that are still possible."""

    curator: Curator
    column: str
    where: str
    low: int
    high: int

    @classmethod
    def of(cls, curator: Curator, column: str, where: str) -> _Target:
        declared = curator.schema.private.get(column)
        if not isinstance(declared, Scale) or declared.apart:
            raise InputError(f"{column!r} must be a private column of numbers, without missing values apart")
        return cls(curator, column, where, 0, declared.top)

    @property
    def scale(self) -> Scale:
        declared = self.curator.schema.private[self.column]
        assert isinstance(declared, Scale)
        return declared

    @property
    def learned(self) -> float:
        """Bits: all values over those that remain."""
        return log2(self.scale.top + 1) - log2(self.high - self.low + 1)

    def point(self, questions: int, spent: int) -> Point:
        charged = log2(spent)
        return Point({"questions": questions, "charged": charged}, self.learned, 0.0, charged)

    def number(self, code: int) -> str:
        return self.scale.show(self.scale.number(code))

    def narrow(self, found: Reported, people: int = 1) -> None:
        """From a mean of so many people who are alike but for the target: the codes that its interval allows."""
        column = self.scale
        low, high = (Fraction(end) * people for end in (found.lower, found.upper))
        slack = Fraction(1, 2)
        self.low = max(self.low, -(-(column.position(low) - slack) // 1))
        self.high = min(self.high, (column.position(high) + slack) // 1)


def bisection(curator: Curator, column: str, where: str, most: int = 64) -> Curve:
    """COUNT(column ≥ t) with t halving what is left, for as long as the budget lasts: the best that can be done."""
    target = _Target.of(curator, column, where)
    before, points = curator.sequence.spent(), []
    for asked in range(1, most + 1):
        if target.low == target.high:
            break
        middle = (target.low + target.high + 1) // 2
        sql = f"SELECT COUNT(*) FROM {curator.name} WHERE {where} AND {column} >= {target.number(middle)}"
        try:
            above = curator.ask(sql).rows[0].value
        except BudgetExceededError:
            break
        target.low, target.high = (middle, target.high) if above else (target.low, middle - 1)
        points.append(target.point(asked, curator.sequence.spent() // before))
    return _curve("bisection", points, curator)


def averaging(curator: Curator, column: str, where: str, bits: Number = 1, most: int = 20) -> Curve:
    """The same mean again and again: with noise it would become exact, here it is the same answer, and free."""
    target = _Target.of(curator, column, where)
    before, points = curator.sequence.spent(), []
    for asked in range(1, most + 1):
        blanks = " " * asked
        found = curator.ask(f"SELECT AVG({column}) FROM {curator.name}{blanks}WHERE {where}", bits=bits).rows[0]
        target.narrow(Reported(found.value, found.lower, found.upper))
        points.append(target.point(asked, curator.sequence.spent() // before))
    return _curve("averaging", points, curator)


def differencing(curator: Curator, column: str, where: str, bits: Number = 1, most: int = 20) -> Curve:
    """The mean in ever narrower bins: each costs, until the budget is gone."""
    target = _Target.of(curator, column, where)
    before, points = curator.sequence.spent(), []
    for asked in range(1, most + 1):
        sql = f"SELECT AVG({column}) FROM {curator.name} WHERE {where}"
        try:
            found = curator.ask(sql, bits=asked * Fraction(bits)).rows[0]
        except BudgetExceededError:
            break
        target.narrow(Reported(found.value, found.lower, found.upper))
        points.append(target.point(asked, curator.sequence.spent() // before))
    return _curve("differencing", points, curator)


def _curve(name: str, points: list[Point], curator: Curator) -> Curve:
    return Curve(name, "learned, bits", tuple(points), f"table {curator.name}")
