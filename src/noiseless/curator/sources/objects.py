"""Python objects as texts that an engine parses, for dataframe columns without a plain type.

Each object is written independently of the others, just as an engine would read it from a column of its type.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Rational, Real
from typing import Any

from noiseless.curator.schema.categories import Boolean, Key
from noiseless.curator.schema.dates import Date
from noiseless.curator.schema.public import Public
from noiseless.curator.schema.scale import Scale
from noiseless.curator.schema.schema import Column
from noiseless.curator.sources.keys import PLAIN_NUMBER

BEYOND = 10**308


def texts_of(values: Iterable[Any], column: Column | None) -> list[str | None]:
    """Each value of a declared column as a text; None where it is missing or unreadable."""
    read = _reader(column)
    return [_text(value, read) for value in values]


def _reader(column: Column | None) -> Callable[[Any], str | None]:
    match column:
        case Date():
            return _day
        case Scale():
            return _number
        case Boolean():
            return _truth
        case Public() if isinstance(column.keys[0], bool):
            return _truth
        case _:
            keys = () if column is None else column.keys
            return lambda value: _key(value, keys)


def _text(value: Any, read: Callable[[Any], str | None]) -> str | None:
    """An object that raises an error when it is read counts as missing."""
    try:
        if value is None or type(value).__name__ == "NAType" or bool(value != value):
            return None
        if isinstance(value, (bytes, bytearray)):  # pyarrow accepts these as texts too
            value = bytes(value).decode(errors="backslashreplace")
        text = value if isinstance(value, str) else read(value)
        return None if text is None else text.encode(errors="backslashreplace").decode()
    except Exception:
        return None


def _number(value: Any) -> str | None:
    """A number as its nearest double; beyond all doubles, a number above every bound."""
    if isinstance(value, complex):
        return repr(value.real) if value.imag == 0 else None
    if not isinstance(value, (Decimal, Real)) and not hasattr(value, "__float__"):
        return None
    if isinstance(value, Decimal) and not value.is_finite():
        return None
    if isinstance(value, (Decimal, Rational)) and not -BEYOND < value < BEYOND:  # type: ignore[operator]
        return repr(float(BEYOND if value > 0 else -BEYOND))  # type: ignore[operator]
    return repr(float(value))


def _truth(value: Any) -> str | None:
    return {"1.0": "true", "0.0": "false"}.get(_number(value) or "")


def _day(value: Any) -> str | None:
    """The day of a time, in UTC if it has a zone."""
    if type(value).__name__ == "datetime64":
        value = value.astype("datetime64[us]").item()
    if isinstance(value, datetime):
        return (value.astimezone(UTC) if value.tzinfo else value).date().isoformat()
    return value.isoformat() if isinstance(value, date) else None


def _key(value: Any, keys: tuple[Key, ...]) -> str | None:
    """A number as the key written as that number, as in an engine; a day as its date."""
    if type(value).__name__ in ("bool", "bool_"):
        return str(bool(value)).lower() if isinstance(keys[0], str) else str(int(value))
    if isinstance(value, (Decimal, Real)):
        number: Any = int(value) if isinstance(value, Integral) else float(value)
        same = (str(key) for key in keys if re.fullmatch(PLAIN_NUMBER, str(key)) and _same(key, number))
        return next(same, repr(number))
    return _day(value) or str(value)


def _same(key: Key, number: int | float) -> bool:
    exact = Fraction(str(key))
    return exact == number if isinstance(number, int) else float(exact) == number
