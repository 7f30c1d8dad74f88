"""A function as an integer expression that every engine computes alike.

A term stands for start + pitch·k, where k is a whole number that SQL computes from codes, or for a quotient of two such
terms. The bounds of every k are known, so that no engine's integers overflow: within 31 bits they are INTEGER, which
divides fastest, within 63 bits BIGINT, within 38 digits the engine's widest integers, and beyond that the question is
refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Protocol

from noiseless.curator.plan.functions.span import common
from noiseless.errors import QuestionError

SMALL, BIG, WIDEST = 1 << 31, 1 << 63, 10**38
LONGEST = 1_000_000
"""The most characters of a function in SQL."""


class Dialect(Protocol):
    """How an engine writes whole numbers."""

    wide: str
    """Its type for whole numbers of 38 digits."""
    double: str
    """Its type for doubles."""

    def quotient(self, top: str, bottom: str, wide: bool) -> str:
        """The whole part of a quotient. The top is not below 0, and the bottom above 0."""

    def element(self, numbers: Sequence[int | None], place: str) -> str:
        """The number at a place, counted from 0."""

    def calendar(self, part: str, days: str) -> str:
        """The year, month and so on of a number of days since 1970-01-01."""


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number that SQL computes, between two bounds. It may be absent even if both bounds are equal."""

    sql: str
    low: int
    high: int
    fixed: int | None = None
    """Its value if it is a constant."""


@dataclass(slots=True)
class Writer:
    """Writes whole numbers in the SQL of one engine, and notes how large they can become."""

    dialect: Dialect
    field: Callable[[str], str]
    """The name of a column in the table of codes."""
    wide: bool = False
    small: bool = False
    most: int = 0

    def __call__(self, name: str) -> str:
        """The name of a column in the table of codes."""
        return self.field(name)

    def code(self, name: str, top: int) -> Whole:
        """The code of a column, as an integer in which all that follows fits."""
        return self.made(self.field(name), 0, top)

    def whole(self, value: int) -> Whole:
        """A constant."""
        found = self._noted(str(value) if value >= 0 else f"({value})", value, value)
        return Whole(found.sql, value, value, value)

    def plus(self, *parts: Whole) -> Whole:
        """A sum."""
        fixed = sum(part.fixed for part in parts if part.fixed is not None)
        moving = [part for part in parts if part.fixed is None]
        if not moving:
            return self.whole(fixed)
        low, high = fixed + sum(part.low for part in moving), fixed + sum(part.high for part in moving)
        for each in moving:  # no partial sum is larger than the sum of all sizes
            self._noted("", -sum(map(_size, parts)), each.high)
        texts = [part.sql for part in moving] + ([str(fixed) if fixed > 0 else f"({fixed})"] if fixed else [])
        return self._noted(texts[0] if len(texts) == 1 else f"({' + '.join(texts)})", low, high)

    def times(self, one: Whole, two: Whole) -> Whole:
        """A product. 0 times an absent value is absent."""
        if one.fixed is not None and two.fixed is not None:
            return self.whole(one.fixed * two.fixed)
        for first, second in ((one, two), (two, one)):
            if first.fixed == 1:
                return second
        corners = [a * b for a in (one.low, one.high) for b in (two.low, two.high)]
        return self._noted(f"({one.sql} * {two.sql})", min(corners), max(corners))

    def divided(self, top: Whole, bottom: Whole) -> Whole:
        """The whole part of a quotient, rounded down. The bottom is above 0, or null."""
        if bottom.fixed == 1:
            return top
        least, most = max(bottom.low, 1), max(bottom.high, 1)
        low, high = min(top.low // least, top.low // most), max(top.high // least, top.high // most)
        shift = max(0, -low)
        moved = self.plus(top, self.times(self.whole(shift), bottom)) if shift else top
        found = Whole(self.dialect.quotient(moved.sql, bottom.sql, self.wide), low + shift, high + shift)
        return self.plus(found, self.whole(-shift)) if shift else self._noted(found.sql, low, high)

    def chosen(self, cases: Sequence[tuple[str, Whole | None]], otherwise: Whole | None) -> Whole:
        """CASE; None stands for no value."""
        given = [each for each in (*(value for _, value in cases), otherwise) if each is not None]
        texts = [f"WHEN {test} THEN {_or_null(value)}" for test, value in cases]
        text = f"CASE {' '.join(texts)} ELSE {_or_null(otherwise)} END"
        return self.made(text, min(each.low for each in given), max(each.high for each in given))

    def extreme(self, function: str, parts: Sequence[Whole]) -> Whole:
        """LEAST or GREATEST, which leave missing values out on every engine."""
        text = f"{function}({', '.join(part.sql for part in parts)})"
        return self._noted(text, min(part.low for part in parts), max(part.high for part in parts))

    def made(self, text: str, low: int, high: int) -> Whole:
        """Any other SQL, with its bounds, as an integer type that holds all that follows. Constants may be shorter."""
        kind = self.dialect.wide if self.wide else "INTEGER" if self.small else "BIGINT"
        return self._noted(f"CAST({text} AS {kind})", low, high)

    def _noted(self, text: str, low: int, high: int) -> Whole:
        self.most = max(self.most, abs(low), abs(high))
        if len(text) > LONGEST:
            raise QuestionError("a function of the question becomes too long in SQL; nest fewer quotients and CASEs")
        return Whole(text, low, high)


def _size(part: Whole) -> int:
    return max(abs(part.low), abs(part.high))


def _or_null(value: Whole | None) -> str:
    return "NULL" if value is None else value.sql


@dataclass(frozen=True, slots=True)
class Term:
    """start + pitch·k, divided by another term if `under` is given, which is above 0 or null."""

    start: Fraction
    pitch: Fraction
    k: Whole
    under: Term | None = None

    def whole(self, writer: Writer, start: Fraction, pitch: Fraction) -> Whole:
        """(value − start)/pitch, which is whole: k on another grid."""
        assert self.under is None
        shift, times = (self.start - start) / pitch, self.pitch / pitch
        return writer.plus(writer.times(writer.whole(_as_int(times)), self.k), writer.whole(_as_int(shift)))

    def scaled(self, factor: Fraction) -> Term:
        """The term times a constant."""
        return Term(self.start * factor, self.pitch * factor, self.k, self.under)

    def shifted(self, writer: Writer, by: Fraction) -> Term:
        """The term plus a constant."""
        if self.under is None:
            return Term(self.start + by, self.pitch, self.k)
        return over(writer, plus(writer, self.top, self.under.scaled(by)), self.under)

    @property
    def top(self) -> Term:
        """The numerator."""
        return Term(self.start, self.pitch, self.k)


def _as_int(number: Fraction) -> int:
    assert number.denominator == 1
    return number.numerator


def fixed(writer: Writer, value: Fraction) -> Term:
    """A constant."""
    return Term(value, Fraction(0), writer.whole(0))


def plus(writer: Writer, one: Term, two: Term) -> Term:
    """A sum of two terms."""
    if one.under is not None or two.under is not None:
        below, above = _under(writer, one), _under(writer, two)
        return over(
            writer,
            plus(writer, times(writer, one.top, above), times(writer, two.top, below)),
            times(writer, below, above),
        )
    pitch = common(abs(one.pitch), abs(two.pitch)) or Fraction(1)
    parts = [writer.times(writer.whole(_as_int(each.pitch / pitch)), each.k) for each in (one, two)]
    return Term(one.start + two.start, pitch, writer.plus(*parts))


def times(writer: Writer, one: Term, two: Term) -> Term:
    """A product of two terms: (s + pk)(t + qm) = st + sq·m + tp·k + pq·km."""
    if one.under is not None or two.under is not None:
        top, below = times(writer, one.top, two.top), times(writer, _under(writer, one), _under(writer, two))
        return over(writer, top, below)
    one, two = _from_zero(writer, one), _from_zero(writer, two)
    parts = [one.start * two.pitch, two.start * one.pitch, one.pitch * two.pitch]
    pitch = common(*map(abs, parts)) or Fraction(1)
    first, second, both = (writer.whole(_as_int(part / pitch)) for part in parts)
    if not both.fixed:
        whole = writer.plus(writer.times(first, two.k), writer.times(second, one.k))
    else:  # this part is absent where a factor is absent, so parts that add nothing can be left out
        added = [writer.times(factor, k) for factor, k in ((first, two.k), (second, one.k)) if factor.fixed]
        whole = writer.plus(*added, writer.times(both, writer.times(one.k, two.k)))
    return Term(one.start * two.start, pitch, whole)


def _from_zero(writer: Writer, term: Term) -> Term:
    """The same term as a multiple of its pitch, if it is one: products of these are shorter."""
    if not term.pitch or (term.start / term.pitch).denominator != 1:
        return term
    return Term(Fraction(0), term.pitch, writer.plus(term.k, writer.whole(_as_int(term.start / term.pitch))))


def over(writer: Writer, top: Term, bottom: Term) -> Term:
    """A quotient. The bottom is above 0."""
    if bottom.under is not None:
        top, bottom = times(writer, top, _under(writer, bottom)), bottom.top
    if top.under is not None:
        top, bottom = top.top, times(writer, _under(writer, top), bottom)
    if bottom.k.fixed is not None:
        return top.scaled(1 / (bottom.start + bottom.pitch * bottom.k.fixed))
    return Term(top.start, top.pitch, top.k, bottom)


def _under(writer: Writer, term: Term) -> Term:
    return fixed(writer, Fraction(1)) if term.under is None else term.under


def ratio(writer: Writer, term: Term) -> tuple[Whole, Whole]:
    """A term as a quotient of two whole numbers; the second is above 0."""
    below = term.under
    numbers = [term.start, term.pitch, *([below.start, below.pitch] if below else [])]
    unit = lcm(*(number.denominator for number in numbers))

    def whole(each: Term) -> Whole:
        parts = writer.times(writer.whole(_as_int(each.pitch * unit)), each.k), writer.whole(_as_int(each.start * unit))
        return writer.plus(*parts)

    return whole(term.top), writer.whole(unit) if below is None else whole(below)


def rounded(writer: Writer, term: Term, low: Fraction, step: Fraction, half: Fraction = Fraction(1, 2)) -> Whole:
    """⌊(value − low)/step + half⌋, for a half of at least 0 and below 1."""
    if term.under is None:
        shift, per = (term.start - low) / step, term.pitch / step
        if shift.denominator == per.denominator == 1:
            return term.whole(writer, low, step)
    top, bottom = ratio(writer, term.shifted(writer, half * step - low).scaled(1 / step))
    return writer.divided(top, bottom)


def in_smallest(dialect: Dialect, field: Callable[[str], str], write: Callable[[Writer], str], what: str) -> str:
    """What `write` writes, in the smallest integers that hold everything. Refused if 38 digits do not."""
    for small, wide, bound in ((True, False, SMALL), (False, False, BIG), (False, True, WIDEST)):
        writer = Writer(dialect, field, wide, small)
        text = write(writer)
        if writer.most < bound:
            return text
    raise QuestionError(
        f"{what[:60]!r} needs whole numbers of more than 38 digits; use fewer factors, or round parts with ROUND"
    )
