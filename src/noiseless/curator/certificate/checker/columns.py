"""The schema, read independently: for every column its kind, its codes and what they stand for."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

from noiseless.curator.certificate.checker.numbers import EPOCH, day, rational
from noiseless.curator.certificate.checker.wrong import WrongCertificateError, require

MOST_ROWS = 10_000
LONGEST_SCHEMA = 20_000_000
LARGEST_EXPONENT = 4000
MOST_DOTS = 4
FIELDS = {
    "real": {"low", "high", "step", "missing", "on_grid"},
    "integer": {"low", "high", "step", "missing", "on_grid"},
    "date": {"low", "high", "step", "missing", "on_grid"},
    "boolean": {"missing"},
    "category": {"values", "missing", "other"},
    "public": {"keys", "other"},
    "derived": {"expression", "of", "low", "high", "step", "rounding", "values", "missing", "function"},
}
Key = str | int | bool


@dataclass(frozen=True, slots=True)
class Column:
    """A column with codes 0..top. For numbers, code c is low + step·c. For named values it is the place of the key."""

    kind: str
    top: int
    apart: bool = False
    own_missing: bool = False
    keys: tuple[Key, ...] = ()
    places: Mapping[Any, int] = field(default_factory=dict)
    low: Fraction = Fraction(0)
    step: Fraction = Fraction(1)
    on_grid: bool = True
    slack: Fraction | None = None
    """How far a function of the row can be from the truth."""

    @property
    def public(self) -> bool:
        """Whether everyone may know it."""
        return self.kind == "public"

    @property
    def scale(self) -> bool:
        """Whether it is ordered: numbers and dates."""
        return self.kind in ("real", "integer", "date")

    @property
    def values(self) -> int:
        """How many values a person can have."""
        return self.top + 1 + self.apart

    @property
    def high(self) -> Fraction:
        """The upper bound."""
        return self.low + self.step * self.top

    @property
    def rounding(self) -> Fraction:
        """How far a value can be from the number of its code: half a step, plus what doubles add."""
        if self.slack is not None:
            return self.slack
        if self.on_grid:
            return Fraction(0)
        doubles = abs(self.low) + abs(self.high) + (self.high - self.low) + self.step
        return self.step / 2 + Fraction(1, 1 << 50) * doubles

    def code_of(self, written: Any) -> int:
        """The code of a number or date on the grid."""
        place = ((days(day(written)) if self.kind == "date" else rational(written)) - self.low) / self.step
        require(place.denominator == 1 and 0 <= place <= self.top, "a value is off the grid or out of bounds")
        return int(place)

    def place_of(self, written: Any) -> int:
        """The code of a written key. Whole numbers are written as text."""
        require(isinstance(written, (str, bool)) and (written in self.places), "a value is not a declared key")
        return self.places[written]


@dataclass(frozen=True, slots=True)
class Schema:
    """All columns in order, and the most rows of one person."""

    columns: Mapping[str, Column]
    rows: int
    functions: Mapping[str, str] = field(default_factory=dict)
    """Of derived columns, the function of the others, as a text."""

    @property
    def public(self) -> dict[str, Column]:
        """The public columns that have keys."""
        return {name: column for name, column in self.columns.items() if column.public and column.keys}


def _check_simple(text: str) -> None:
    """Refuse TOML that curators do not write: names, texts in double quotes and lists only.

    Other TOML may take very long.
    """
    bare = re.sub(r'"(?:[^"\\\n]|\\.)*"', '""', text)
    require(not re.search(r"[{}']|\"\"\"", bare), "the schema has tables or texts that no curator writes")
    require(not re.search(r"\d{1000}", text), "the schema has a number that is too long")
    require(all(line.count(".") <= MOST_DOTS for line in bare.splitlines()), "the schema has names in names")


def read_schema(text: Any) -> Schema:
    """The schema in a text of TOML."""
    require(isinstance(text, str) and len(text) <= LONGEST_SCHEMA, "the schema is not a text, or too long")
    _check_simple(text)
    declared = tomllib.loads(text, parse_float=Decimal)
    require(set(declared) <= {"columns", "unit"}, "the schema has unknown parts")
    unit = declared.get("unit", {"rows": 1})
    rows = unit["rows"]
    require(type(rows) is int and 1 <= rows <= MOST_ROWS, "the number of rows of a person is impossible")
    columns = {name: _column(fields) for name, fields in declared["columns"].items()}
    require(any(not column.public for column in columns.values()), "the schema has no private column")
    if "unit" in declared:
        order = columns.get(unit["order_by"])
        require(set(unit) == {"column", "rows", "order_by"}, "[unit] has missing or unknown fields")
        require(order is not None and order.public and unit["column"] not in columns, "[unit] does not fit the columns")
    derived = {name: fields for name, fields in declared["columns"].items() if fields["kind"] == "derived"}
    return Schema(columns, rows, {name: fields["function"] for name, fields in derived.items()})


def _column(fields: Mapping[str, Any]) -> Column:
    kind, missing = fields["kind"], fields.get("missing")
    require(kind in FIELDS and set(fields) <= {"kind", *FIELDS[kind]}, "a column has an unknown kind")
    match kind:
        case "boolean":
            require(
                missing in (None, True, False, "apart") and type(missing) is not int, "a missing value is impossible"
            )
            return Column(kind, 1, missing == "apart", False, (False, True), {False: 0, True: 1})
        case "category":
            column = _named(kind, _with_other(fields["values"], fields.get("other")), missing, least=2)
            return replace(column, own_missing=missing is not None and missing not in fields["values"])
        case "public":
            return _named(kind, fields.get("keys", []), fields.get("other"), least=0)
        case "derived":
            return _derived(fields)
    low, high, step = _number(fields["low"], kind), _number(fields["high"], kind), _number(fields.get("step", 1), "")
    top = (high - low) / step if step > 0 else Fraction(0)
    require(top.denominator == 1 and top >= 1, "a step does not divide the range")
    require(kind == "real" or step.denominator == 1, "a step of a whole number or date is not whole")
    if missing is not None and missing != "apart":
        place = (_number(missing, kind) - low) / step
        require(place.denominator == 1 and 0 <= place <= top, "a missing value is impossible")
    grid = fields.get("on_grid", kind != "real" and step == 1)
    require(isinstance(grid, bool), "on_grid is neither true nor false")
    require(grid or kind == "real" or step > 1, "a whole number or a day with a step of 1 is on its grid")
    return Column(kind, int(top), missing == "apart", low=low, step=step, on_grid=grid)


def _derived(fields: Mapping[str, Any]) -> Column:
    """A derived column as a number, date, truth value or category that is computed from other columns."""
    known = {name: value for name, value in fields.items() if name not in ("kind", "expression", "function", "of")}
    require(
        all(isinstance(fields[name], str) for name in ("expression", "function", "of")), "an expression is not a text"
    )
    of, _, apart = fields["of"].partition(" ")
    require(apart in ("", "apart"), "a derived column is of an unknown kind")
    missing = {"missing": "apart"} if apart else {}
    match of:
        case "number" | "date":
            kind = "real" if of == "number" else "date"
            slack = _number(known.pop("rounding"), "")
            require(slack >= 0, "a rounding is below 0")
            return replace(_column({"kind": kind, "on_grid": True, **known, **missing}), slack=slack)
        case "boolean":
            return _column({"kind": of, **known, **missing})
        case "category" if not apart:
            return _column({"kind": of, **known})
    raise WrongCertificateError("a derived column is of an unknown kind")


def _with_other(listed: Any, other: Any) -> Any:
    """The values, followed by the value for everything else if it is a new one."""
    require(isinstance(listed, list), "keys are not a list")
    return listed if other is None or other in listed else [*listed, other]


def _named(kind: str, listed: Any, last: Any, least: int) -> Column:
    require(isinstance(listed, list), "keys are not a list")
    own = last is not None and last not in listed
    keys = (*listed, last) if own else tuple(listed)
    require(len({type(key) for key in keys}) <= 1, "keys are of several kinds")
    require(all(isinstance(key, (str, int)) for key in keys), "keys are neither texts nor whole numbers")
    places = {written_key(key): place for place, key in enumerate(keys)}
    require(len(places) == len(keys) >= least, "keys are named twice, or too few")
    return Column(kind, len(keys) - 1, False, own, keys, places)


def written_key(key: Key) -> str | bool:
    """A key as a certificate writes it."""
    return key if isinstance(key, (str, bool)) else str(key)


def _number(given: Any, kind: str) -> Fraction:
    """A number: whole numbers and decimals unchanged, other rationals and dates read from text."""
    if kind == "date":
        return days(given if type(given) is date else day(given))
    if isinstance(given, Decimal):
        require(given.is_finite() and abs(given.adjusted()) <= LARGEST_EXPONENT, "a number of the schema is too large")
        return Fraction(given)
    if type(given) is int:
        return Fraction(given)
    return rational(given)


def days(given: date) -> Fraction:
    """Days since 1970-01-01."""
    if isinstance(given, datetime):
        raise WrongCertificateError("a date has a time")
    return Fraction((given - EPOCH).days)


def date_of(number: int) -> date:
    """A day. Days outside the calendar become its first or last day."""
    first, last = (date.min - EPOCH).days, (date.max - EPOCH).days
    return EPOCH + timedelta(days=min(max(number, first), last))
