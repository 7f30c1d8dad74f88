"""From values to codes: one expression defines the code of a value.

A number is clamped to its bounds and becomes ⌊(x − low)/step + ½⌋, computed in IEEE doubles in this order, so that
every engine finds the same code. Null, NaN and ±∞ are missing. No value can make it fail. Nothing is computed outside
the bounds, nor below low + step/4: the code is 0 there anyway, and Postgres fails on quotients that underflow.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

from noiseless.curator.schema.categories import Boolean, Category, Key
from noiseless.curator.schema.dates import EPOCH, Date
from noiseless.curator.schema.public import Public
from noiseless.curator.schema.scale import Scale
from noiseless.curator.schema.schema import Column, Private
from noiseless.curator.sources.keys import Double, comparisons, counted_truth, in_turn
from noiseless.errors import SchemaError
from noiseless.exact.rounding import float_down

if TYPE_CHECKING:
    import ibis.expr.datatypes as dt
    import ibis.expr.types as ir

LARGEST_DOUBLE = Fraction(sys.float_info.max)
INTEGERS = ((127, "int8"), (32767, "int16"), (2**31 - 1, "int32"), (2**63 - 1, "int64"))
UNKNOWN = -1
"""The code of a public value that is not a declared key."""


def integer_type(top: int) -> str:
    """The smallest signed integer type for codes up to `top`; every engine has it.

    >>> integer_type(1500)
    'int16'
    """
    return next(name for largest, name in INTEGERS if top <= largest)


def plain_double(number: Any) -> Any:
    """A number as a double, for engines whose cast never fails."""
    return number.cast("float64")


def code(column: Column, source: ir.Value, texts: bool, double: Double = plain_double, place: Any = None) -> ir.Value:
    """The code of a source column; null for a missing value kept separate. `texts` marks a text to be parsed.

    `place` is the place of the key, for columns of many keys, which are looked up.
    """
    return coded(column, source, texts, double, place, integer_type(column.top))


def coded(column: Column, source: ir.Value, texts: bool, double: Double, place: Any, smallest: str) -> Any:
    """The code, in the smallest type that holds all codes."""
    match column:
        case Scale():
            found: Any = _coded_number(column, source, texts, double, "int64" if smallest == "int64" else "int32")
        case Boolean():
            found = _coded_truth(column, source, texts)
        case Category():
            found = _coded_category(column, source, texts, double, place)
        case Public():
            other = UNKNOWN if column.other_code is None else column.other_code
            found = _coded_key(column.keys, source, texts, double, other, place)
    return found.cast(smallest)


def check_type(name: str, column: Column, given: dt.DataType, texts: bool) -> None:
    """Refuse a column of a file or database that cannot hold what the schema declares.

    Whole numbers, decimals, doubles and truth values are interchangeable, because one person's value may decide which
    type a column has: a missing value, for example, turns whole numbers into doubles.
    """
    number = given.is_numeric() or given.is_boolean()
    match column:
        case Date():
            fits, wanted = given.is_date() or given.is_timestamp(), "dates"
        case Scale():
            fits, wanted = number, "numbers"
        case Boolean():
            fits, wanted = number, "truth values"
        case Category() | Public():
            fits, wanted = _keys_fit(column.keys, given, number)
    if not fits and not texts:
        raise SchemaError(f"column {name!r} holds {given}, but the schema declares {wanted}; correct the schema")


def _keys_fit(keys: tuple[Key, ...], given: dt.DataType, number: bool) -> tuple[bool, str]:
    if not keys:
        return True, "anything"
    if isinstance(keys[0], str):  # databases name all other types differently
        return number or given.is_string() or given.is_date() or given.is_uuid() or given.is_unknown(), "texts"
    return number, "truth values" if isinstance(keys[0], bool) else "whole numbers"


def counted(
    column: Private, source: ir.Value, texts: bool, double: Double = plain_double, place: Any = None
) -> Mapping[str, ir.Value]:
    """How many values are missing, clamped or not declared. For the custodian only."""
    return {what: found.sum() for what, found in _unusual(column, source, texts, double, place).items()}


def flag(column: Private, source: ir.Value, texts: bool, double: Double, place: Any = None) -> ir.Value:
    """The kind of an unusual value: its number in `kinds_counted`. 0 for any other value."""
    import ibis

    found = _unusual(column, source, texts, double, place).values()
    return ibis.cases(*((holds, number) for number, holds in enumerate(found, 1)), else_=0).cast("int8")


def kinds_counted(column: Private) -> tuple[str, ...]:
    """The kinds of unusual values that `counted` counts in a column."""
    match column:
        case Scale():
            return "missing", "below", "above"
        case Boolean():
            return ("missing",)
        case _:
            return "missing", "unknown"


def _unusual(column: Private, source: ir.Value, texts: bool, double: Double, place: Any) -> dict[str, Any]:
    """Whether a value is missing, clamped or not declared. At most one of these is true; others are false or null."""
    import ibis

    found: tuple[Any, ...]
    match column:
        case Scale():
            sides = _sides(column, source, texts, double, column.low)
            present = ~sides.nan & (sides.below | sides.inside | sides.above)
            found = ibis.ifelse(present, False, True), ~sides.nan & sides.below, ~sides.nan & sides.above
        case Boolean():
            found = (_coded_truth(Boolean("apart"), source, texts).isnull(),)
        case _:
            missing = _absent(source, texts, double)
            found = missing, ~missing & (_coded_key(column.keys, source, texts, double, UNKNOWN, place) == UNKNOWN)
    return dict(zip(kinds_counted(column), found, strict=True))


def _constant(number: Fraction) -> Any:
    """The nearest double to a number, the same for every engine's parser of decimals."""
    import ibis

    return ibis.literal(repr(float(number))).cast("float64")


@dataclass(frozen=True, slots=True)
class _Sides:
    """Whether a value that is not NaN is below, inside or above the bounds; null and ±∞ are none of these."""

    nan: Any
    below: Any
    inside: Any
    above: Any
    offset: Any
    """How far the value is above low, where it is inside the bounds."""


def _sides(column: Scale, source: Any, texts: bool, double: Double, lowest: Fraction) -> _Sides:
    import ibis

    if isinstance(column, Date):
        far = source.type().is_timestamp() and (source.type().scale or 0) < 6  # too large for a database's arithmetic
        day = source.try_cast("date") if texts or far else source.cast("date")
        low, high = (ibis.date(column.show(end)) for end in (column.low, column.high))
        days = day.delta(ibis.date(EPOCH.isoformat()), unit="day").cast("float64")
        return _Sides(ibis.literal(False), day < low, day.between(low, high), day > high, days - _constant(column.low))
    number = source.try_cast("float64") if texts else double(counted_truth(source))
    first, last = _constant(lowest), _constant(column.high)
    below = (number < first) & (number >= _constant(-LARGEST_DOUBLE))
    above = (number > last) & (number <= _constant(LARGEST_DOUBLE))
    nan = ibis.literal(False) if source.type().is_integer() else number.isnan()
    return _Sides(nan, below, number.between(first, last), above, number - _constant(column.low))


def lowest_inside(column: Scale) -> Fraction:
    """A number below which the code is always 0, so that the quotient does not matter."""
    return Fraction(float_down(column.low + column.step / 4))


def coded_double(column: Scale, source: Any, texts: bool, double: Double) -> Any:
    """The code as a double: sums of doubles are faster, and exact as long as they stay below 2^53."""
    return _coded_number(column, source, texts, double, "float64")


def _coded_number(column: Scale, source: Any, texts: bool, double: Double, kind: str) -> Any:
    import ibis

    sides = _sides(column, source, texts, double, lowest_inside(column))
    rounded = _floor()(sides.offset / _constant(column.step) + _constant(Fraction(1, 2))).cast(kind)
    top, zero, absent = (_code(number, kind) for number in (column.top, 0, column.missing_code))
    # every engine orders NaN above all numbers: it is not inside, and being above the largest it is not `above`
    return ibis.cases((sides.inside, rounded), (sides.above, top), (sides.below, zero), else_=absent)


def _code(number: int | None, kind: str) -> Any:
    import ibis

    if number is None:
        return ibis.null("float64" if kind == "float64" else "int64")
    return _constant(Fraction(number)) if kind == "float64" else ibis.literal(number, "int64")


@cache
def _floor() -> Any:
    """The database's own FLOOR. Ibis would convert to 64 bits and back."""
    import ibis

    def floor(number: float) -> float:
        raise NotImplementedError  # every database provides it

    return ibis.udf.scalar.builtin(floor)


def _coded_truth(column: Boolean, source: Any, texts: bool) -> Any:
    import ibis

    yes, no = _truths(source, texts)
    absent = ibis.null("int64") if column.missing_code is None else ibis.literal(column.missing_code, "int64")
    return ibis.cases((source.isnull(), absent), (yes, 1), (no, 0), else_=absent)


def _truths(source: Any, texts: bool) -> tuple[Any, Any]:
    """Whether a value is true, and whether it is false; the numbers 1 and 0 count as such."""
    truth = source.try_cast("boolean") if texts else source
    return (truth, ~truth) if truth.type().is_boolean() else (truth == 1, truth == 0)


def _coded_category(column: Category, source: Any, texts: bool, double: Double, place: Any) -> Any:
    import ibis

    if column.other_code in (None, column.missing_code):
        return _coded_key(column.keys, source, texts, double, column.missing_code, place)
    known = _coded_key(column.keys, source, texts, double, column.other_code, place)
    return ibis.cases((_absent(source, texts, double), ibis.literal(column.missing_code, "int64")), else_=known)


def _absent(source: Any, texts: bool, double: Double) -> Any:
    """Whether a value is missing. NaN is missing too, and not every engine treats it as null."""
    number = not texts and (source.type().is_floating() or source.type().is_decimal())
    return source.isnull() | double(source).isnan() if number else source.isnull()


def _coded_key(
    keys: tuple[Key, ...], source: Any, texts: bool, double: Double, otherwise: int | None, place: Any
) -> Any:
    """The place of a key, looked up already if there are many."""
    import ibis

    last = ibis.literal(otherwise, "int64")
    if place is not None:
        return place.fill_null(last)
    if isinstance(keys[0], bool):
        both = zip(_truths(source, texts), (True, False), strict=True)
        return ibis.cases(*((holds, keys.index(key)) for holds, key in both if key in keys), else_=last)
    return in_turn(comparisons(keys, source, texts, double), last)
