"""FLOOR, CEIL, TRUNC, ROUND and MOD. They jump, so a small slack of the number can move them by a whole unit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING

from noiseless.curator.plan.functions.function import ANYWHERE, Function, Row, Tree, Value, Write, any_absent
from noiseless.curator.plan.functions.leaves import NOTHING, Constant, number_text
from noiseless.curator.plan.functions.span import Codes, Span, common
from noiseless.curator.plan.functions.term import Term, Writer, rounded
from noiseless.errors import QuestionError

if TYPE_CHECKING:
    from noiseless.curator.plan.condition import Condition


@dataclass(frozen=True, slots=True)
class Rounded(Function):
    """A number rounded to a multiple of a unit: down, up, towards 0, or to the nearest, halves away from 0."""

    way: str
    part: Function
    unit: Fraction = Fraction(1)

    @property
    def parts(self) -> tuple[Function, ...]:
        """The number."""
        return (self.part,)

    def given(self, keys: Mapping[str, int]) -> Function:
        """The function of what remains."""
        return rounded_to(self.way, self.part.given(keys), self.unit)

    def value(self, row: Row) -> Value:
        """A multiple of the unit."""
        value = self.part.value(row)
        return None if value is None else self.of(value)  # type: ignore[arg-type]

    def of(self, number: Fraction) -> Fraction:
        """The number rounded."""
        units = number / self.unit
        match self.way:
            case "FLOOR":
                return floor(units) * self.unit
            case "CEIL":
                return ceil(units) * self.unit
            case "TRUNC":
                return (floor(units) if units >= 0 else ceil(units)) * self.unit
        return (floor(units + Fraction(1, 2)) if units >= 0 else ceil(units - Fraction(1, 2))) * self.unit

    def span(self, codes: Codes = ANYWHERE) -> Span:
        """Rounding keeps the order."""
        part = self.part.span(codes)
        low, high = self.of(part.low), self.of(part.high)
        moved = (floor(part.slack / self.unit) + 1) * self.unit if part.slack else Fraction(0)
        pitch = self.unit
        if part.pitch is not None and common(part.pitch, part.low, self.unit) == self.unit:
            pitch = common(part.pitch, self.unit) or self.unit  # it is on the grid already
        return Span(low, high, pitch if low < high else Fraction(0), moved, part.nullable, inside=part.inside)

    def term(self, writer: Writer) -> Term:
        """The rounded number. Only whole numbers from 0 are divided, because every engine divides these alike."""
        term, span = self.part.term(writer), self.part.span()
        if self.way in ("FLOOR", "CEIL"):
            return self._towards(writer, term, up=self.way == "CEIL")
        half = Fraction(1, 2) if self.way == "ROUND" else Fraction(0)
        above = rounded(writer, term, Fraction(0), self.unit, half)
        below = rounded(writer, term.scaled(Fraction(-1)), Fraction(0), self.unit, half)
        if span.low >= 0:
            return Term(Fraction(0), self.unit, above)
        turned = writer.times(writer.whole(-1), below)
        if span.high <= 0:
            return Term(Fraction(0), self.unit, turned)
        found = writer.chosen([(f"{above.sql} >= 0 AND {below.sql} <= 0", above)], turned)
        return Term(Fraction(0), self.unit, found)

    def _towards(self, writer: Writer, term: Term, up: bool) -> Term:
        sign = Fraction(-1 if up else 1)
        found = rounded(writer, term.scaled(sign), Fraction(0), self.unit, Fraction(0))
        return Term(Fraction(0), sign * self.unit, found)

    def absent(self) -> Condition:
        """Where the number has no value."""
        return any_absent(self)

    def tree(self, write: Write) -> Tree:
        """The way, the number and the unit."""
        return [self.way.lower(), self.part.tree(write), str(self.unit)]

    def __str__(self) -> str:
        digits = next((n for n in range(-20, 21) if Fraction(10) ** -n == self.unit), 0)
        if self.way in ("ROUND", "TRUNC") and digits:
            return f"{self.way}({self.part}, {digits})"
        return f"{self.way}({self.part})"


@dataclass(frozen=True, slots=True)
class Modulo(Function):
    """The remainder of dividing by a constant towards 0, with the sign of the number."""

    part: Function
    by: Fraction

    @property
    def parts(self) -> tuple[Function, ...]:
        """The number."""
        return (self.part,)

    def given(self, keys: Mapping[str, int]) -> Function:
        """The function of what remains."""
        return modulo(self.part.given(keys), Constant(self.by))

    def value(self, row: Row) -> Value:
        """The number minus a multiple of the divisor."""
        value = self.part.value(row)
        return None if value is None else value - Rounded("TRUNC", self.part, self.by).of(value)  # type: ignore

    def span(self, codes: Codes = ANYWHERE) -> Span:
        """Smaller than the divisor, with the sign of the number."""
        part = self.part.span(codes)
        first, last = part.true
        if -self.by < first and last < self.by:
            return part
        pitch = None if part.pitch is None else common(part.pitch, self.by, part.low)
        room = self.by if part.slack else self.by - (pitch or 0)
        low, high = (-room if first < 0 else Fraction(0)), (room if last > 0 else Fraction(0))
        slack = high - low if part.slack else Fraction(0)
        return Span(low, high, pitch, slack, part.nullable)

    def term(self, writer: Writer) -> Term:
        """The number minus that multiple."""
        from noiseless.curator.plan.functions.term import plus

        multiple = Rounded("TRUNC", self.part, self.by).term(writer)
        return plus(writer, self.part.term(writer), multiple.scaled(Fraction(-1)))

    def absent(self) -> Condition:
        """Where the number has no value."""
        return any_absent(self)

    def tree(self, write: Write) -> Tree:
        """The number and the divisor."""
        return ["mod", self.part.tree(write), str(self.by)]

    def __str__(self) -> str:
        return f"MOD({self.part}, {number_text(self.by)})"


def rounded_to(way: str, part: Function, unit: Fraction) -> Function:
    """A rounded number. A number that is already on the grid stays as it is."""
    if isinstance(part, Constant):
        return NOTHING if part.fixed is None else Constant(Rounded(way, part, unit).of(part.number))
    span = part.span()
    if (
        not span.slack
        and span.pitch is not None
        and (span.low / unit).denominator == (span.pitch / unit).denominator == 1
    ):
        return part
    return Rounded(way, part, unit)


def modulo(part: Function, by: Function) -> Function:
    """MOD with a constant divisor."""
    if not isinstance(by, Constant) or not by.number:
        raise QuestionError(f"MOD({part}, {by}) needs a divisor that is a number other than 0, such as 10")
    whole = Modulo(part, abs(by.number))
    if isinstance(part, Constant):
        return Constant(whole.value({}))
    return whole
