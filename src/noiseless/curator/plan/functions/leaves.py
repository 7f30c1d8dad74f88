"""Columns and constants, from which all functions are made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from fractions import Fraction
from math import floor
from typing import TYPE_CHECKING

from noiseless.curator.plan.functions.function import ANYWHERE, Function, Kind, Row, Tree, Value, Write, all_parts
from noiseless.curator.plan.functions.span import Codes, Span, common, constant
from noiseless.curator.plan.functions.term import Term, Writer, fixed
from noiseless.curator.schema.categories import Key
from noiseless.curator.schema.dates import EPOCH, Date
from noiseless.curator.schema.plain import name_text
from noiseless.curator.schema.scale import Scale
from noiseless.curator.schema.schema import Column

if TYPE_CHECKING:
    from noiseless.curator.plan.condition import Condition


@dataclass(frozen=True, slots=True)
class ColumnOf(Function):
    """The value of a column: the number or date that its code stands for, or a declared key."""

    name: str
    column: Column = field(compare=False, repr=False)

    @property
    def kind(self) -> Kind:
        """A number, a date, a text or a truth value."""
        if isinstance(self.column, Scale):
            return "date" if isinstance(self.column, Date) else "number"
        key = self.column.keys[0]
        return "truth" if isinstance(key, bool) else "text" if isinstance(key, str) else "number"

    @property
    def parts(self) -> tuple[Function, ...]:
        """None."""
        return ()

    @property
    def reads(self) -> frozenset[str]:
        """The column."""
        return frozenset({self.name})

    @property
    def top(self) -> int:
        """The largest code."""
        return self.column.top

    @property
    def apart(self) -> bool:
        """Whether missing values have no code."""
        return bool(getattr(self.column, "apart", False))

    def given(self, keys: Mapping[str, int]) -> Function:
        """A constant, if the column is known."""
        return Constant(self.of(keys[self.name]), self.kind) if self.name in keys else self

    def of(self, code: int | None) -> Value:
        """The value that a code stands for."""
        if code is None:
            return None
        if isinstance(self.column, Scale):
            return self.column.number(code)
        key = self.column.keys[code]
        return key if isinstance(key, (str, bool)) else Fraction(key)

    def value(self, row: Row) -> Value:
        """The value that its code stands for."""
        return self.of(row[self.name])

    def span(self, codes: Codes = ANYWHERE) -> Span:
        """The declared bounds, or all keys that are numbers."""
        first, last = codes.get(self.name, (0, self.top))
        first, last = (first, min(last, self.top)) if first <= self.top else (0, self.top)  # else it is never reached
        if isinstance(self.column, Scale):
            column = self.column
            low, high, every = column.number(first), column.number(last), (first, last) == (0, self.top)
            return Span(low, high, column.step, column.rounding, column.apart, inside=every)
        numbers = [Fraction(key) for key in self.column.keys[first : last + 1]]
        low = min(numbers)
        pitch = common(Fraction(0), *(number - low for number in numbers))
        return Span(low, max(numbers), pitch, nullable=self.apart)

    def term(self, writer: Writer) -> Term:
        """The code, or the key at its place."""
        code = writer.code(self.name, self.top)
        if isinstance(self.column, Scale):
            return Term(self.column.low, self.column.step, code)
        numbers = [int(key) for key in self.column.keys]
        distances = {one - two for one, two in zip(numbers[1:], numbers, strict=False)}
        if len(distances) == 1:
            return Term(Fraction(numbers[0]), Fraction(distances.pop()), code)
        text = writer.dialect.element(numbers, writer(self.name))
        return Term(Fraction(0), Fraction(1), writer.made(text, min(numbers), max(numbers)))

    def absent(self) -> Condition:
        """Where missing values have no code."""
        from noiseless.curator.plan.condition import FALSE, Missing

        return Missing(self.name) if self.apart else FALSE

    def tree(self, write: Write) -> Tree:
        """The name of the column."""
        return ["column", self.name]

    def __str__(self) -> str:
        return name_text(self.name)


@dataclass(frozen=True, slots=True)
class Constant(Function):
    """A constant. Dates are numbers of days."""

    fixed: Value
    of_kind: Kind = "number"

    @property
    def kind(self) -> Kind:
        """The given kind."""
        return self.of_kind

    @property
    def parts(self) -> tuple[Function, ...]:
        """None."""
        return ()

    def given(self, keys: Mapping[str, int]) -> Function:
        """Itself."""
        return self

    def value(self, row: Row) -> Value:
        """Always the same."""
        return self.fixed

    @property
    def number(self) -> Fraction:
        """The constant as a number. Without a value, any number stands for it."""
        return self.fixed if isinstance(self.fixed, Fraction) else Fraction(bool(self.fixed))

    def span(self, codes: Codes = ANYWHERE) -> Span:
        """Both bounds are the constant."""
        known = constant(self.number)
        return known if self.fixed is not None else Span(known.low, known.high, known.pitch, nullable=True)

    def term(self, writer: Writer) -> Term:
        """The number."""
        if self.fixed is None:
            return Term(Fraction(0), Fraction(1), writer.made("NULL", 0, 0))
        return fixed(writer, self.number)

    def absent(self) -> Condition:
        """Always or never."""
        from noiseless.curator.plan.condition import FALSE, TRUE

        return TRUE if self.fixed is None else FALSE

    def tree(self, write: Write) -> Tree:
        """Its kind and its value."""
        if self.fixed is None:
            return ["null"]
        if self.kind == "truth":
            return ["truth", self.fixed]
        if self.kind == "date":
            return ["date", day_text(self.number)]
        return [self.kind, str(self.fixed)]

    def __str__(self) -> str:
        if self.fixed is None:
            return "NULL"
        if isinstance(self.fixed, bool):
            return str(self.fixed).upper()
        if isinstance(self.fixed, str):
            return "'{}'".format(self.fixed.replace("'", "''"))
        return f"DATE '{day_text(self.fixed)}'" if self.kind == "date" else number_text(self.fixed)


NOTHING = Constant(None)


def columns_in(*functions: Function) -> tuple[ColumnOf, ...]:
    """The columns that functions read, each once, also in conditions of CASE."""
    found: dict[str, ColumnOf] = {}
    for function in functions:
        for part in all_parts(function):
            if isinstance(part, ColumnOf):
                found[part.name] = part
            found |= {each.name: each for each in getattr(part, "columns", ())}
    return tuple(found.values())


def day_text(days: Fraction) -> str:
    """A day in ISO 8601."""
    return (EPOCH + timedelta(days=floor(days))).isoformat()


def number_text(number: Fraction) -> str:
    """A decimal if there is a short one, otherwise a quotient in parentheses.

    >>> number_text(Fraction(5, 2)), number_text(Fraction(-1, 3)), number_text(Fraction(1000))
    ('2.5', '(-1/3)', '1000')
    """
    for digits in range(13):
        scaled = number * 10**digits
        if scaled.denominator == 1:
            text = f"{abs(int(scaled)):0{digits + 1}d}"
            sign = "-" if number < 0 else ""
            return sign + (f"{text[:-digits]}.{text[-digits:]}" if digits else text)
    return f"({number})"


def key_of(value: Value) -> Key | None:
    """A value as a declared key would be written."""
    return int(value) if isinstance(value, Fraction) and value.denominator == 1 else value  # type: ignore[return-value]
