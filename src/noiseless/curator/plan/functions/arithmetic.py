"""+, −, * and /, exact on rationals. They have no value if a part has none."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from noiseless.curator.plan.functions.function import ANYWHERE, Function, Kind, Row, Tree, Value, Write, any_absent
from noiseless.curator.plan.functions.leaves import NOTHING, ColumnOf, Constant
from noiseless.curator.plan.functions.span import Codes, Span, common
from noiseless.curator.plan.functions.term import Term, Writer, over, plus, ratio, times
from noiseless.curator.schema.scale import Scale
from noiseless.errors import QuestionError

if TYPE_CHECKING:
    from noiseless.curator.plan.condition import Condition


@dataclass(frozen=True, slots=True)
class Binary(Function):
    """A calculation with two numbers."""

    sign: ClassVar[str]
    left: Function
    right: Function

    @property
    def parts(self) -> tuple[Function, ...]:
        """The functions on both sides."""
        return self.left, self.right

    def value(self, row: Row) -> Value:
        """The result, or None if a side has no value."""
        left, right = self.left.value(row), self.right.value(row)
        if left is None or right is None:
            return None
        assert isinstance(left, Fraction)
        assert isinstance(right, Fraction)
        return self.of(left, right)

    @staticmethod
    @abstractmethod
    def of(left: Fraction, right: Fraction) -> Fraction | None:
        """The result for two numbers."""

    def absent(self) -> Condition:
        """Where a side has no value."""
        return any_absent(self)

    def tree(self, write: Write) -> Tree:
        """The sign and both sides."""
        return [self.sign, self.left.tree(write), self.right.tree(write)]

    def __str__(self) -> str:
        return f"({self.left} {self.sign} {self.right})"


@dataclass(frozen=True, slots=True)
class Plus(Binary):
    """A sum, also of a date and a number of days."""

    sign: ClassVar[str] = "+"

    @property
    def kind(self) -> Kind:
        """A date if one side is a date."""
        return "date" if "date" in (self.left.kind, self.right.kind) else "number"

    @staticmethod
    def of(left: Fraction, right: Fraction) -> Fraction:
        """The sum."""
        return left + right

    def given(self, keys: Mapping[str, int]) -> Function:
        """The sum of what is left."""
        return added(self.left.given(keys), self.right.given(keys))

    def span(self, codes: Codes = ANYWHERE) -> Span:
        """The bounds of the sum: bounds add up."""
        one, two = self.left.span(codes), self.right.span(codes)
        return Span(
            one.low + two.low,
            one.high + two.high,
            common(one.pitch, two.pitch),
            one.slack + two.slack,
            one.nullable or two.nullable,
            inside=one.inside and two.inside,
        )

    def term(self, writer: Writer) -> Term:
        """The sum."""
        return plus(writer, self.left.term(writer), self.right.term(writer))


@dataclass(frozen=True, slots=True)
class Minus(Binary):
    """A difference. Of two dates it is a number of days."""

    sign: ClassVar[str] = "-"

    @property
    def kind(self) -> Kind:
        """A date if days are taken from a date."""
        return "date" if self.left.kind == "date" and self.right.kind != "date" else "number"

    @staticmethod
    def of(left: Fraction, right: Fraction) -> Fraction:
        """The difference."""
        return left - right

    def given(self, keys: Mapping[str, int]) -> Function:
        """The difference of what is left."""
        return subtracted(self.left.given(keys), self.right.given(keys))

    def span(self, codes: Codes = ANYWHERE) -> Span:
        """The bounds of the sum of one side and the negated other side."""
        one, two = self.left.span(codes), self.right.span(codes)
        return Span(
            one.low - two.high,
            one.high - two.low,
            common(one.pitch, two.pitch),
            one.slack + two.slack,
            one.nullable or two.nullable,
            inside=one.inside and two.inside,
        )

    def term(self, writer: Writer) -> Term:
        """The difference."""
        return plus(writer, self.left.term(writer), self.right.term(writer).scaled(Fraction(-1)))


@dataclass(frozen=True, slots=True)
class Times(Binary):
    """A product. For factors a and b that are off by s and t, it is off by at most |a|·t + |b|·s + s·t."""

    sign: ClassVar[str] = "*"

    @staticmethod
    def of(left: Fraction, right: Fraction) -> Fraction:
        """The product."""
        return left * right

    def given(self, keys: Mapping[str, int]) -> Function:
        """The product of what is left."""
        return multiplied(self.left.given(keys), self.right.given(keys))

    def span(self, codes: Codes = ANYWHERE) -> Span:
        """The bounds: all products of ends. The grid is that of lk·q, rk·p and p·q."""
        one, two = self.left.span(codes), self.right.span(codes)
        corners = [a * b for a in (one.low, one.high) for b in (two.low, two.high)]
        low, high = min(corners), max(corners)
        if self.left == self.right:
            low = max(low, Fraction(0) if one.low <= 0 <= one.high else min(one.low**2, one.high**2))
        pitch = None
        if one.pitch is not None and two.pitch is not None:
            pitch = common(abs(one.low * two.pitch), abs(two.low * one.pitch), one.pitch * two.pitch)
        inside = one.inside and two.inside
        if pitch and low not in corners:  # a square
            low, least = low + (one.low**2 - low) % pitch, low
            inside = inside and low == least
        true_most = two.most if two.inside else two.most + two.slack
        slack = one.most * two.slack + true_most * one.slack
        first, second = one.share, two.share
        relative = None if first is None or second is None else (1 + first) * (1 + second) - 1
        return Span(
            low,
            high,
            pitch,
            slack,
            one.nullable or two.nullable,
            one.nonzero and two.nonzero,
            relative,
            inside,
        )

    def term(self, writer: Writer) -> Term:
        """The product."""
        return times(writer, self.left.term(writer), self.right.term(writer))


@dataclass(frozen=True, slots=True)
class Over(Binary):
    """A quotient. Refused where the divisor may be 0; NULLIF(divisor, 0) has no value there instead."""

    sign: ClassVar[str] = "/"

    @staticmethod
    def of(left: Fraction, right: Fraction) -> Fraction | None:
        """The quotient."""
        return left / right if right else None

    def given(self, keys: Mapping[str, int]) -> Function:
        """The quotient of what is left."""
        return divided(self.left.given(keys), self.right.given(keys))

    def span(self, codes: Codes = ANYWHERE) -> Span:
        """The bounds: all quotients of ends.

        Off by at most s/|b′| + |a|·t/|b·b′| for slacks s and t, and a true divisor b′.
        """
        one, two = self.left.span(codes), self.right.span(codes)
        least, true_least = two.least, two.true_least
        if least is None and two.nonzero:
            raise QuestionError(
                f"{self.right} may be as near to 0 as it likes, so {self} has no bounds; "
                f"round the divisor first, as in NULLIF(ROUND(…, 2), 0)"
            )
        if least is None:
            raise QuestionError(
                f"{self.right} may be 0, so {self} cannot be computed for every row; "
                f"divide by NULLIF({self.right}, 0), which leaves such rows out"
            )
        if true_least is None:
            raise QuestionError(
                f"{self.right} may be 0 before its columns are rounded to their steps, so {self} has no bounds; "
                f"divide by GREATEST({self.right}, …) with a number that is larger than the rounding"
            )
        ends = [end for end in (two.low, two.high, least, -least) if two.low <= end <= two.high and abs(end) >= least]
        corners = [a / b for a in (one.low, one.high) for b in ends]
        low, high = min(corners), max(corners)
        known = two.low == two.high
        slack = one.slack / true_least + one.most * two.slack / (least * true_least)
        return Span(
            low,
            high,
            one.pitch / abs(two.low) if known and one.pitch is not None else None,
            slack,
            one.nullable or two.nullable,
            one.nonzero,
            _relative(one.share, two.share),
            one.inside and two.inside and (two.low > 0 or two.high < 0),
        )

    def term(self, writer: Writer) -> Term:
        """The quotient, with a divisor above 0."""
        top, bottom, span = self.left.term(writer), self.right.term(writer), self.right.span()
        if span.low > 0:
            return over(writer, top, bottom)
        if span.high < 0:
            return over(writer, top.scaled(Fraction(-1)), bottom.scaled(Fraction(-1)))
        above, below = ratio(writer, bottom)  # bottom = above/below, of either sign, never 0 where it has a value
        size = writer.made(f"NULLIF(ABS({above.sql}), 0)", 1, max(1, abs(above.low), abs(above.high)))
        sign = writer.made(f"CASE WHEN {above.sql} < 0 THEN -1 ELSE 1 END", -1, 1)
        unit = Fraction(1)
        turned = times(writer, Term(Fraction(0), unit, writer.times(sign, below)), top)
        return over(writer, turned, Term(Fraction(0), unit, size))


def _relative(top: Fraction | None, bottom: Fraction | None) -> Fraction | None:
    """How far a quotient can be off, as a part of its size."""
    if top is None or bottom is None or bottom >= 1:
        return None
    return (1 + top) / (1 - bottom) - 1


def added(left: Function, right: Function) -> Function:
    """A sum; of constants, a constant. The order of its parts does not matter."""
    if isinstance(left, Constant) and isinstance(right, Constant):
        return _computed(Plus(left, right))
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Constant) and one.fixed == 0 and one.kind == "number":
            return other
    return NOTHING if NOTHING in (left, right) else Plus(*_in_order(left, right))


def subtracted(left: Function, right: Function) -> Function:
    """A difference; of constants, a constant."""
    if isinstance(left, Constant) and isinstance(right, Constant):
        return _computed(Minus(left, right))
    if isinstance(right, Constant) and right.fixed == 0 and right.kind == "number":
        return left
    return NOTHING if NOTHING in (left, right) else Minus(left, right)


def multiplied(left: Function, right: Function) -> Function:
    """A product; of constants, a constant. The order of its parts does not matter."""
    if isinstance(left, Constant) and isinstance(right, Constant):
        return _computed(Times(left, right))
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Constant) and one.fixed == 1:
            return other
    return NOTHING if NOTHING in (left, right) else Times(*_in_order(left, right))


def divided(left: Function, right: Function) -> Function:
    """A quotient. Dividing by a constant is multiplying."""
    if isinstance(right, Constant) and right.fixed is not None:
        if not right.number:
            raise QuestionError(f"{left} / 0 has no value; divide by another number")
        return multiplied(left, Constant(1 / right.number))
    return NOTHING if NOTHING in (left, right) else Over(left, right)


def negative(function: Function) -> Function:
    """The function with the other sign."""
    return multiplied(Constant(Fraction(-1)), function)


@dataclass(frozen=True, slots=True)
class Affine:
    """factor·column + shift, with a factor that is not 0."""

    column: ColumnOf
    factor: Fraction
    shift: Fraction


def affine(function: Function) -> Affine | None:
    """The column of numbers that a function shows in other units. None if it is not such a function."""
    match function:
        case ColumnOf(column=Scale()):
            return Affine(function, Fraction(1), Fraction(0))
        case Plus(Constant() as constant, part) | Plus(part, Constant() as constant):
            found = affine(part)
            return found and Affine(found.column, found.factor, found.shift + constant.number)
        case Minus(part, Constant() as constant):
            found = affine(part)
            return found and Affine(found.column, found.factor, found.shift - constant.number)
        case Minus(Constant() as constant, part):
            found = affine(part)
            return found and Affine(found.column, -found.factor, constant.number - found.shift)
        case Times(Constant() as constant, part) | Times(part, Constant() as constant) if constant.number:
            found = affine(part)
            return found and Affine(found.column, found.factor * constant.number, found.shift * constant.number)
    return None


def _in_order(left: Function, right: Function) -> tuple[Function, Function]:
    """The parts in a fixed order: constants first, then by their text. So equal functions are written alike."""
    first, second = sorted((left, right), key=lambda part: (not isinstance(part, Constant), str(part)))
    return first, second


def _computed(calculation: Binary) -> Constant:
    return Constant(calculation.value({}), calculation.kind)
