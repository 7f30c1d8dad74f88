"""Functions of one row at random: their SQL, and what they mean, in plain Python over the values of a row.

The meaning shares no code with the curator. Values are the true ones, clamped but off the grid; conditions are decided
on the values of the codes, as everywhere.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Context, Decimal
from fractions import Fraction
from math import ceil, floor
from typing import Any

from hypothesis import strategies as st

import noiseless as nl

EPOCH = date(1970, 1, 1)
EXACTLY = Context(prec=50)
SCHEMA = nl.Schema(
    n=nl.Integer(-3, 5),
    m=nl.Integer(0, 4, missing="apart"),
    r=nl.Real(-1, 2, step="0.5"),
    p=nl.Real("0.5", 3, step="0.25", on_grid=True),
    q=nl.Real(1, 4, step=1, missing="apart"),
    d=nl.Date("2023-12-28", "2024-03-02", missing="apart"),
    e=nl.Date("2024-01-30", "2024-03-05", step=7),
    s=nl.Category("no", "Yes", "ü%", missing="no", other="no"),
    i=nl.Category(1, 5, 7, missing=1, other=1),
    b=nl.Boolean(missing="apart"),
    f=nl.Boolean(missing=False),
    g=nl.Public("n", "south"),
    k=nl.Public(2, 3, 7),
    j=nl.Public(0, 1),
)
NUMBERS = [*"nmrpqik", "j"]
Value = Fraction | str | bool | None


@dataclass(frozen=True)
class Row:
    """The true values of a row, and the values of its codes."""

    true: dict[str, Value]
    coded: dict[str, Value]


@dataclass(frozen=True)
class Meant:
    """SQL and its meaning. `rough`: it contains roots and so on, rounded to a step that the curator chooses."""

    sql: str
    of: Callable[[Row], Any]
    rough: bool = False


def on_codes(row: Row) -> Row:
    return Row(row.coded, row.coded)


def known(values: list, compute: Callable[..., Any]) -> Any:
    """SQL: nothing if an argument is missing."""
    return None if any(value is None for value in values) else compute(*values)


def half_away(x: Fraction, unit: Fraction) -> Fraction:
    size = floor(abs(x) / unit + Fraction(1, 2)) * unit
    return size if x >= 0 else -size


def toward_zero(x: Fraction, unit: Fraction) -> Fraction:
    return (floor(x / unit) if x >= 0 else ceil(x / unit)) * unit


def day(x: Fraction) -> date:
    return EPOCH + timedelta(days=floor(x))


def real(way: str) -> Callable[[Fraction], Fraction]:
    def found(x: Fraction) -> Fraction:
        given = EXACTLY.divide(Decimal(x.numerator), Decimal(x.denominator))
        return Fraction(getattr(given, way)(EXACTLY))

    return found


PARTS: dict[str, Callable[[date], int]] = {
    "YEAR": lambda day: day.year,
    "QUARTER": lambda day: (day.month - 1) // 3 + 1,
    "MONTH": lambda day: day.month,
    "DAY": lambda day: day.day,
    "DOY": lambda day: (day - date(day.year, 1, 1)).days + 1,
    "DOW": lambda day: (day.weekday() + 1) % 7,
    "ISODOW": lambda day: day.weekday() + 1,
}
STARTS: dict[str, Callable[[date], date]] = {
    "year": lambda day: date(day.year, 1, 1),
    "quarter": lambda day: date(day.year, (day.month - 1) // 3 * 3 + 1, 1),
    "month": lambda day: date(day.year, day.month, 1),
    "week": lambda day: day - timedelta(days=day.weekday()),
    "day": lambda day: day,
}
SIGNS: dict[str, Callable[[Any, Any], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "=": lambda a, b: a == b,
    "<>": lambda a, b: a != b,
}


def column(name: str) -> Meant:
    return Meant(name, lambda row: row.true[name])


def literal(value: Fraction) -> Meant:
    return Meant(f"{float(value):g}" if value >= 0 else f"(-{float(-value):g})", lambda row: value)


def call(sql: str, compute: Callable[..., Any], *parts: Meant, rough: bool = False) -> Meant:
    """A function of parts, without a value where one of them has none."""
    return Meant(
        sql.format(*(part.sql for part in parts)),
        lambda row: known([part.of(row) for part in parts], compute),
        rough or any(part.rough for part in parts),
    )


CONSTANTS = st.sampled_from([Fraction(x) for x in ("0", "1", "2", "-1", "3", "0.5", "-2.5", "0.1", "10", "0.25")])


@st.composite
def numbers(draw: Any, depth: int = 3, rough: bool = True) -> Meant:  # noqa: C901 (one case for each kind)
    """A function that is a number."""
    if not depth or draw(st.integers(0, 5)) == 0:
        return draw(st.sampled_from(NUMBERS).map(column) | CONSTANTS.map(literal))

    def part() -> Meant:
        return draw(numbers(depth - 1, rough))

    signs = ["+", "+", "-", "-", "*", "*", "/", "/"]
    kinds = [*signs, "abs", "neg", "least", "coalesce", "nullif", "case", "round", "mod", "dates", "text", "truth"]
    kind = draw(st.sampled_from([*kinds, *(["curve", "curve"] if rough else [])]))
    match kind:
        case "+":
            return call("({} + {})", lambda a, b: a + b, part(), part())
        case "-":
            return call("({} - {})", lambda a, b: a - b, part(), part())
        case "*":
            return call("({} * {})", lambda a, b: a * b, part(), part())
        case "/":
            way = draw(st.sampled_from(["{} / {}", "{} / NULLIF({}, 0)"]))
            top, bottom = part(), part()
            return Meant(
                f"({way.format(top.sql, bottom.sql)})",
                lambda row: _over(top.of(row), bottom.of(row), bottom.of(on_codes(row))),
                top.rough or bottom.rough,
            )
        case "abs":
            return call("ABS({})", abs, part())
        case "neg":
            return call("(-{})", lambda a: -a, part())
        case "least":
            parts, way = [part() for _ in range(draw(st.integers(2, 3)))], draw(st.sampled_from(["LEAST", "GREATEST"]))
            choose = min if way == "LEAST" else max
            return Meant(
                f"{way}({', '.join(each.sql for each in parts)})",
                lambda row: choose((x for each in parts if (x := each.of(row)) is not None), default=None),
                any(each.rough for each in parts),
            )
        case "coalesce":
            first, last = part(), part()
            return Meant(
                f"COALESCE({first.sql}, {last.sql})",
                lambda row: last.of(row) if first.of(on_codes(row)) is None else first.of(row),
                first.rough or last.rough,
            )
        case "nullif":
            first, last = draw(numbers(depth - 1, False)), draw(numbers(depth - 1, False))
            return Meant(
                f"NULLIF({first.sql}, {last.sql})",
                lambda row: None if _equal(first, last, on_codes(row)) else first.of(row),
            )
        case "case":
            test, yes = draw(conditions(depth - 1)), part()
            no = part() if draw(st.booleans()) else Meant("NULL", lambda row: None)
            return Meant(
                f"CASE WHEN {test.sql} THEN {yes.sql} ELSE {no.sql} END",
                lambda row: yes.of(row) if test.of(on_codes(row)) is True else no.of(row),
                yes.rough or no.rough,
            )
        case "round":
            digits = draw(st.sampled_from([0, 0, 1, 2, -1]))
            unit = Fraction(10) ** -digits
            way, compute = draw(
                st.sampled_from(
                    [
                        (f"ROUND({{}}, {digits})", lambda x: half_away(x, unit)),
                        (f"TRUNC({{}}, {digits})", lambda x: toward_zero(x, unit)),
                        ("FLOOR({})", lambda x: Fraction(floor(x))),
                        ("CEIL({})", lambda x: Fraction(ceil(x))),
                        ("CAST({} AS INTEGER)", lambda x: half_away(x, Fraction(1))),
                    ]
                )
            )
            return call(way, compute, part())
        case "mod":
            by = draw(st.sampled_from([Fraction(2), Fraction(3), Fraction(-3), Fraction("0.5"), Fraction(7)]))
            return call(f"MOD({{}}, {literal(by).sql})", lambda x: x - toward_zero(x, abs(by)), part())
        case "dates":
            return draw(of_dates())
        case "text":
            text = draw(texts())
            return Meant(f"LENGTH({text.sql})", lambda row: known([text.of(row)], lambda t: Fraction(len(t))))
        case "truth":
            test = draw(conditions(depth - 1))
            return Meant(
                f"CAST(({test.sql}) AS INTEGER)", lambda row: known([test.of(on_codes(row))], lambda t: Fraction(t))
            )
    return draw(curves(depth))


@st.composite
def curves(draw: Any, depth: int) -> Meant:
    part = draw(numbers(depth - 1))
    way = draw(st.sampled_from(["SQRT(ABS({}))", "SQRT({})", "LN({})", "LN(GREATEST({}, 0.5))", "EXP({})", "LOG({})"]))
    compute: Callable[[Fraction], Fraction] = {
        "SQRT(ABS({}))": lambda x: real("sqrt")(abs(x)),
        "SQRT({})": real("sqrt"),
        "LN({})": real("ln"),
        "LN(GREATEST({}, 0.5))": lambda x: real("ln")(max(x, Fraction(1, 2))),
        "EXP({})": real("exp"),
        "LOG({})": real("log10"),
    }[way]
    if way == "LN(GREATEST({}, 0.5))":  # GREATEST leaves missing values out
        return Meant(
            way.format(part.sql), lambda row: compute(Fraction(1, 2) if (x := part.of(row)) is None else x), True
        )
    return call(way, compute, part, rough=True)


def _over(top: Value, bottom: Value, coded: Value) -> Any:
    return None if None in (top, bottom) or coded == 0 else math.inf if bottom == 0 else top / bottom


def _equal(first: Meant, last: Meant, row: Row) -> bool:
    one, two = first.of(row), last.of(row)
    return one is not None and two is not None and bool(one == two)


@st.composite
def days(draw: Any) -> Meant:
    """A function that is a date."""
    kind = draw(st.sampled_from(["d", "e", "literal", "start", "plus"]))
    if kind in "de":
        return column(kind)
    if kind == "literal":
        given = draw(st.dates(date(2023, 12, 1), date(2024, 4, 1)))
        return Meant(f"DATE '{given}'", lambda row: Fraction((given - EPOCH).days))
    inner = draw(days())
    if kind == "plus":
        by = draw(st.integers(-40, 40))
        return call(f"({{}} + INTERVAL {by} DAY)" if by >= 0 else f"({{}} - {-by})", lambda x: x + by, inner)
    unit = draw(st.sampled_from(sorted(STARTS)))
    return call(f"DATE_TRUNC('{unit}', {{}})", lambda x: Fraction((STARTS[unit](day(x)) - EPOCH).days), inner)


@st.composite
def of_dates(draw: Any) -> Meant:
    if draw(st.booleans()):
        return call("({} - {})", lambda a, b: a - b, draw(days()), draw(days()))
    part = draw(st.sampled_from(sorted(PARTS)))
    return call(f"EXTRACT({part} FROM {{}})", lambda x: Fraction(PARTS[part](day(x))), draw(days()))


@st.composite
def texts(draw: Any, depth: int = 2) -> Meant:
    """A function that is a text, of one column."""
    if not depth or draw(st.booleans()):
        return column(draw(st.sampled_from("sg")))
    inner = draw(texts(depth - 1))
    ways: list[tuple[str, Callable[[str], str]]] = [
        ("LOWER({})", str.lower),
        ("UPPER({})", str.upper),
        ("SUBSTR({}, 2)", lambda t: t[1:]),
        ("LEFT({}, 2)", lambda t: t[:2]),
        ("RIGHT({}, 1)", lambda t: t[-1:]),
        ("({} || 's')", lambda t: t + "s"),
        ("REPLACE({}, 's', 'no')", lambda t: t.replace("s", "no")),
        ("TRIM({})", lambda t: t.strip(" ")),
    ]
    way, compute = draw(st.sampled_from(ways))
    return call(way, compute, inner)


@st.composite
def conditions(draw: Any, depth: int = 2) -> Meant:
    """A condition: true, false or unknown."""
    kinds = ["numbers", "numbers", "dates", "text", "null", "flag", "distinct"]
    kind = draw(st.sampled_from([*kinds, *(["and", "or", "not"] if depth else [])]))
    sign = draw(st.sampled_from(sorted(SIGNS)))
    below = max(depth - 1, 0)
    match kind:
        case "and" | "or":
            return _joined(kind.upper(), draw(conditions(below)), draw(conditions(below)))
        case "not":
            return call("NOT ({})", lambda t: not t, draw(conditions(below)))
        case "numbers":
            return call(f"{{}} {sign} {{}}", SIGNS[sign], draw(numbers(below, False)), draw(numbers(below, False)))
        case "dates":
            return call(f"{{}} {sign} {{}}", SIGNS[sign], draw(days()), draw(days()))
        case "text":
            pattern, fits = draw(
                st.sampled_from(
                    [
                        ("{} LIKE '%o%'", lambda t: "o" in t),
                        ("{} = 'no'", lambda t: t == "no"),
                        ("{} ILIKE 'y_s'", lambda t: t.lower() == "yes"),
                        ("{} <> 'south'", lambda t: t != "south"),
                    ]
                )
            )
            text = draw(texts())
            return (
                call(pattern, fits, text) if text.sql not in "sg" or "LIKE" in pattern else call("f", bool, column("f"))
            )
        case "null":
            part = draw(numbers(below, False))
            return Meant(f"({part.sql} + 0 * n) IS NULL", lambda row: part.of(row) is None)
        case "flag":
            name = draw(st.sampled_from("bf"))
            return Meant(name, lambda row: row.true[name])
    one, two = draw(numbers(below, False)), draw(numbers(below, False))
    return Meant(f"{one.sql} IS DISTINCT FROM {two.sql}", lambda row: one.of(row) != two.of(row))


def _joined(word: str, left: Meant, right: Meant) -> Meant:
    decisive = word == "OR"

    def of(row: Row) -> bool | None:
        truths = [left.of(row), right.of(row)]
        return decisive if decisive in truths else None if None in truths else not decisive

    return Meant(f"({left.sql}) {word} ({right.sql})", of)


@st.composite
def rows(draw: Any) -> tuple[Row, dict[str, int | None]]:
    """A row of true values, and its codes."""
    true: dict[str, Value] = {}
    coded: dict[str, Value] = {}
    codes: dict[str, int | None] = {}
    for name, declared in SCHEMA.columns.items():
        if getattr(declared, "apart", False) and draw(st.integers(0, 3)) == 0:
            true[name] = coded[name] = codes[name] = None
            continue
        if hasattr(declared, "keys"):
            codes[name] = code = draw(st.integers(0, len(declared.keys) - 1))
            key = declared.keys[code]
            true[name] = coded[name] = key if isinstance(key, (str, bool)) else Fraction(key)
            continue
        parts = 1 if declared.on_grid else 7 if isinstance(declared, nl.Date) else 4
        place = Fraction(draw(st.integers(0, declared.top * parts)), parts)
        codes[name] = code = floor(place + Fraction(1, 2))
        true[name], coded[name] = declared.low + declared.step * place, declared.low + declared.step * code
    return Row(true, coded), codes
