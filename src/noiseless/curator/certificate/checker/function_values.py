"""The exact value of a function for the codes of one row."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from fractions import Fraction
from math import ceil, floor
from typing import Any

from noiseless.curator.certificate.checker.curves import nearest
from noiseless.curator.certificate.checker.functions import Columns, Function, Row, Value, key_at
from noiseless.curator.certificate.checker.numbers import EPOCH
from noiseless.curator.certificate.checker.wrong import require

FIRST, LAST = (date.min - EPOCH).days, (date.max - EPOCH).days
MOST_BITS = 20_000
HALF = Fraction(1, 2)


def value_of(function: Function, row: Row, columns: Columns) -> Value:
    """The value, or None."""
    match function.op:
        case "column":
            return key_at(columns[function.name], row[function.name])
        case "constant":
            return function.value
        case "case":
            return value_of(_chosen(function, row, columns), row, columns)
    values: list[Any] = [value_of(part, row, columns) for part in function.parts]
    if function.op in ("least", "greatest"):
        known = [value for value in values if value is not None]
        return (min if function.op == "least" else max)(known) if known else None
    return None if None in values else computed(function, values)


def _chosen(function: Function, row: Row, columns: Columns) -> Function:
    from noiseless.curator.certificate.checker.conditions import holds_for

    for test, part in zip(function.tests, function.parts, strict=False):
        if holds_for(test, row, columns):
            return part
    return function.parts[-1]


def computed(function: Function, values: list[Any]) -> Value:
    """The value for values of its parts, all known."""
    op, fixed = function.op, function.fixed
    if op in TEXTS:
        return TEXTS[op](*values)  # type: ignore[no-any-return]
    if op in ("extract", "date_trunc"):
        return calendar(op, fixed[0], values[0])
    if op in ROUND:
        return ROUND[op](values[0] / fixed[0]) * fixed[0]  # type: ignore[no-any-return]
    match op:
        case "+":
            return _short(values[0] + values[1])
        case "-":
            return _short(values[0] - values[1])
        case "*":
            return _short(values[0] * values[1])
        case "/":
            return _short(values[0] / values[1]) if values[1] else None
        case "abs":
            return abs(values[0])  # type: ignore[no-any-return]
        case "mod":
            return values[0] - towards_zero(values[0] / fixed[0]) * fixed[0]  # type: ignore[no-any-return]
    exponent = fixed[0] if len(fixed) == 2 else Fraction(0)
    return nearest(op, exponent, values[0], fixed[-1]) * fixed[-1]  # type: ignore[no-any-return]


def _short(number: Fraction) -> Fraction:
    """Refuse numbers longer than in any honest certificate before they are multiplied again."""
    size = abs(number.numerator).bit_length() + number.denominator.bit_length()
    require(size <= MOST_BITS, "a function calculates with numbers that are too long")
    return number


def towards_zero(number: Fraction) -> int:
    """The whole part."""
    return floor(number) if number >= 0 else ceil(number)


def _to_nearest(number: Fraction) -> int:
    """The nearest whole number; halves away from 0."""
    return floor(number + HALF) if number >= 0 else -floor(HALF - number)


ROUND: dict[str, Callable[[Fraction], int]] = {
    "floor": floor,
    "ceil": ceil,
    "trunc": towards_zero,
    "round": _to_nearest,
}


def calendar(op: str, what: str, given: Fraction) -> Fraction:
    """A part of a date, or with `date_trunc` the first day of its year, quarter, month or week (from Monday on)."""
    require(FIRST <= given < LAST + 1, "a date is outside the calendar")
    found = EPOCH + timedelta(days=floor(given))
    if op == "extract":
        parts = {
            "year": found.year,
            "quarter": (found.month + 2) // 3,
            "month": found.month,
            "day": found.day,
            "doy": (found - date(found.year, 1, 1)).days + 1,
            "dow": found.isoweekday() % 7,
            "isodow": found.isoweekday(),
        }
        return Fraction(parts[what])
    back = {
        "year": (found - date(found.year, 1, 1)).days,
        "quarter": (found - date(found.year, (found.month - 1) // 3 * 3 + 1, 1)).days,
        "month": found.day - 1,
        "week": found.weekday(),
        "day": 0,
    }
    return Fraction((found - EPOCH).days - back[what])


def _substring(text: str, start: Fraction, length: Fraction | None = None) -> str:
    """The characters from a place on, counted from 1, or from the end if the place is negative."""
    first = int(start) - 1 if start > 0 else len(text) + int(start) if start < 0 else -1
    last = len(text) if length is None else first + max(int(length), 0)
    return text[max(first, 0) : max(last, 0)]


def _right(text: str, length: Fraction) -> str:
    """The last characters. If the number is negative, all but this number of characters at the beginning."""
    if length < 0:
        return text[-int(length) :]
    return text[max(len(text) - int(length), 0) :]


TEXTS: dict[str, Callable[..., Any]] = {
    "lower": lambda text: text.lower(),
    "upper": lambda text: text.upper(),
    "trim": lambda text: text.strip(" "),
    "ltrim": lambda text: text.lstrip(" "),
    "rtrim": lambda text: text.rstrip(" "),
    "length": lambda text: Fraction(len(text)),
    "substring": _substring,
    "left": lambda text, length: text[: int(length)],
    "right": _right,
    "replace": lambda text, old, new: text.replace(old, new) if old else text,
    "concat": lambda *texts: "".join(texts),
}
