"""From values to codes: one expression, which is the definition.

A number is clamped to its bounds and becomes ⌊(x − low)/step + ½⌋, computed in IEEE doubles in this order, so that
every engine finds the same code. Null, NaN and ±∞ are missing. No value can make it fail: outside the bounds nothing is
computed, and neither below low + step/4, where the code is 0 as well and Postgres stops at quotients that underflow.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from noiseless.curator.schema.categories import Boolean, Category, Key
from noiseless.curator.schema.dates import EPOCH, Date
from noiseless.curator.schema.public import Public
from noiseless.curator.schema.scale import Scale
from noiseless.curator.schema.schema import Column, Private
from noiseless.errors import SchemaError
from noiseless.exact.rounding import float_down

if TYPE_CHECKING:
    import ibis.expr.datatypes as dt
    import ibis.expr.types as ir

LARGEST_DOUBLE = Fraction(sys.float_info.max)
INTEGERS = ((127, "int8"), (32767, "int16"), (2**31 - 1, "int32"), (2**63 - 1, "int64"))
UNKNOWN = -1
"""The code of a public value that is no declared key."""


def integer_type(top: int) -> str:
    """The smallest signed integer type, which every engine has.

    >>> integer_type(1500)
    'int16'
    """
    return next(name for largest, name in INTEGERS if top <= largest)


Double = Callable[[Any], Any]
"""How an engine makes doubles of numbers without failing."""


def plain_double(number: Any) -> Any:
    """A number as a double, where the engine can do no wrong."""
    return number.cast("float64")


def code(column: Column, source: ir.Value, texts: bool, double: Double = plain_double) -> ir.Value:
    """The code of a source column; null where a missing value is apart. `texts` says that it is a text to be read."""
    match column:
        case Scale():
            found: Any = _coded_number(column, source, texts, double)
        case Boolean():
            found = _coded_truth(column, source, texts)
        case Category():
            found = _coded_key(column.keys, source, texts, column.missing_code)
        case Public():
            found = _coded_key(column.keys, source, texts, UNKNOWN if column.other_code is None else column.other_code)
    return found.cast(integer_type(column.top))


def check_type(name: str, column: Column, given: dt.DataType, texts: bool) -> None:
    """Whether a column of the table can be what the schema says; types are public, values are not looked at."""
    match column:
        case Date():
            fits, wanted = given.is_date() or given.is_timestamp(), "dates"
        case Scale():
            fits, wanted = given.is_numeric(), "numbers"
        case Boolean():
            fits, wanted = given.is_boolean() or given.is_integer(), "truth values"
        case Category() | Public():
            fits, wanted = _keys_fit(column.keys, given)
    if not fits and not texts:
        raise SchemaError(f"column {name!r} holds {given} and was declared to hold {wanted}; correct the schema")


def _keys_fit(keys: tuple[Key, ...], given: dt.DataType) -> tuple[bool, str]:
    if not keys:
        return True, "anything"
    if isinstance(keys[0], str):  # databases write all other kinds variously
        plain = (given.is_string(), given.is_integer(), given.is_boolean(), given.is_date(), given.is_decimal())
        return any(plain) or given.is_uuid() or given.is_unknown(), "texts"
    return (given.is_boolean(), "truth values") if isinstance(keys[0], bool) else (given.is_numeric(), "whole numbers")


def grain(given: dt.DataType) -> Fraction | None:
    """What all values of a type are multiples of, if the type alone says so."""
    if given.is_integer() or given.is_date():
        return Fraction(1)
    if given.is_decimal() and given.scale is not None:
        return Fraction(1, 10 ** int(given.scale))
    return None


def counted(column: Private, source: ir.Value, texts: bool, double: Double = plain_double) -> Mapping[str, ir.Value]:
    """How many values are missing, clamped or unknown: for the custodian's eyes only."""
    import ibis

    match column:
        case Scale():
            sides = _sides(column, source, texts, double, column.low)
            present = ~sides.nan & (sides.below | sides.inside | sides.above)
            return {
                "missing": ibis.ifelse(present, 0, 1).sum(),
                "below": (~sides.nan & sides.below).sum(),
                "above": (~sides.nan & sides.above).sum(),
            }
        case Boolean():
            return {"missing": _coded_truth(Boolean("apart"), source, texts).isnull().sum()}
        case _:
            missing = source.isnull()
            unknown = _coded_key(column.keys, source, texts, UNKNOWN) == UNKNOWN
            return {"missing": missing.sum(), "unknown": (~missing & unknown).sum()}


def _constant(number: Fraction) -> Any:
    """The double next to a number, the same for every engine's parser of decimals."""
    import ibis

    return ibis.literal(repr(float(number))).cast("float64")


@dataclass(frozen=True, slots=True)
class _Sides:
    """Where a value lies that is not NaN: none of below, inside and above holds for null and ±∞."""

    nan: Any
    below: Any
    inside: Any
    above: Any
    offset: Any
    """How far above low, where it is inside."""


def _sides(column: Scale, source: Any, texts: bool, double: Double, lowest: Fraction) -> _Sides:
    import ibis

    if isinstance(column, Date):
        far = source.type().is_timestamp() and (source.type().scale or 0) < 6  # reaches beyond a database's arithmetic
        day = source.try_cast("date") if texts or far else source.cast("date")
        low, high = (ibis.date(column.show(end)) for end in (column.low, column.high))
        days = day.delta(ibis.date(EPOCH.isoformat()), unit="day").cast("float64")
        return _Sides(ibis.literal(False), day < low, day.between(low, high), day > high, days - _constant(column.low))
    number = source.try_cast("float64") if texts else double(source)
    first, last = _constant(lowest), _constant(column.high)
    below = (number < first) & (number >= _constant(-LARGEST_DOUBLE))
    above = (number > last) & (number <= _constant(LARGEST_DOUBLE))
    nan = ibis.literal(False) if source.type().is_integer() else number.isnan()
    return _Sides(nan, below, number.between(first, last), above, number - _constant(column.low))


def _coded_number(column: Scale, source: Any, texts: bool, double: Double) -> Any:
    import ibis

    lowest = Fraction(float_down(column.low + column.step / 4))
    sides = _sides(column, source, texts, double, lowest)
    rounded = (sides.offset / _constant(column.step) + _constant(Fraction(1, 2))).floor().cast("int64")
    absent = ibis.null("int64") if column.missing_code is None else ibis.literal(column.missing_code, "int64")
    # every engine takes NaN to be above all numbers, so it is neither inside nor, being above the largest, above
    return ibis.cases((sides.inside, rounded), (sides.above, column.top), (sides.below, 0), else_=absent)


def _coded_truth(column: Boolean, source: Any, texts: bool) -> Any:
    import ibis

    truth = source.try_cast("boolean") if texts else source
    yes, no = (truth == 1, truth == 0) if truth.type().is_integer() else (truth, ~truth)
    absent = ibis.null("int64") if column.missing_code is None else ibis.literal(column.missing_code, "int64")
    return ibis.cases((source.isnull(), absent), (yes, 1), (no, 0), else_=absent)


def _coded_key(keys: tuple[Key, ...], source: Any, texts: bool, otherwise: int | None) -> Any:
    import ibis

    if isinstance(keys[0], str):
        value, wanted = source.cast("string"), list(keys)
    elif isinstance(keys[0], bool):
        value, wanted = (source.try_cast("boolean") if texts else source.cast("boolean")), list(keys)
    else:
        single = source.type().is_floating()  # a float of 32 bits must not be compared as one
        value = source.try_cast("int64") if texts else source.cast("float64") if single else source
        wanted = list(keys)
    last = ibis.literal(otherwise, "int64")
    return value.cases(*((key, place) for place, key in enumerate(wanted)), else_=last)
