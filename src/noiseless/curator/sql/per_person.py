"""Declared views with one row for each person: from expressions in a schema to measures and their columns."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import ceil
from typing import Any

from sqlglot import exp

from noiseless.curator.plan.condition import FALSE
from noiseless.curator.plan.functions.derived import Derived
from noiseless.curator.plan.functions.function import Function
from noiseless.curator.plan.functions.leaves import columns_in
from noiseless.curator.plan.person import Measure, PerPerson
from noiseless.curator.schema.plain import why_not
from noiseless.curator.schema.public import Public
from noiseless.curator.schema.scale import Integer, Real, Scale
from noiseless.curator.schema.schema import Schema
from noiseless.curator.sql.derive import parsed
from noiseless.curator.sql.functions import RowReader
from noiseless.errors import InputError, SchemaError
from noiseless.exact.number import exact_number

WAYS: dict[type, str] = {exp.Sum: "SUM", exp.Min: "MIN", exp.Max: "MAX", exp.Avg: "AVG", exp.Count: "COUNT"}
FIELDS = ("expression", "low", "high", "step")
EXACT = 1 << 53
"""Whole numbers below this are exact as doubles. Engines return what they computed as doubles."""


def per_person(name: str, declared: Any, base: Schema) -> PerPerson:
    """The view that a section of a schema declares."""
    if wrong := why_not(name):
        raise SchemaError(f"[per_person]: the name of a view {wrong}; use a plain text")
    where = f"[per_person.{name}]"
    if base.unit is None:
        raise SchemaError(f"{where} needs [unit]: which column says whose row it is, and how many rows a person has")
    if not isinstance(declared, Mapping) or not declared:
        raise SchemaError(f'{where} must list its columns; write total = "SUM(kwh)"')
    found = [_column(f"{where} {label}", str(label), said, base) for label, said in declared.items()]
    columns = {measure.label: column for measure, column in found}
    return PerPerson(name, base, tuple(measure for measure, _ in found), Schema(columns))


def _column(where: str, label: str, said: Any, base: Schema) -> tuple[Measure, Scale]:
    fields = {"expression": said} if isinstance(said, str) else said
    if not isinstance(fields, Mapping) or not isinstance(fields.get("expression"), str):
        raise SchemaError(f'{where} needs an expression; write {label} = "SUM(kwh)"')
    if unknown := [field for field in fields if field not in FIELDS]:
        raise SchemaError(f"{where} has an unknown field {unknown[0]!r}; use {', '.join(FIELDS)}")
    try:
        way, function = _read(parsed(str(fields["expression"])), RowReader(base, ""))
        column = None if function is None else _on_grid(function, base)
        measure = Measure(label, way, column, str(fields["expression"]))
        nullable = function is not None and way != "COUNT" and function.absent() != FALSE
        return measure, _declared(measure, fields, nullable, base.rows)
    except InputError as wrong:
        raise SchemaError(f"{where}: {wrong}") from None


def _read(node: Any, reader: RowReader) -> tuple[str, Function | None]:
    """What is computed over the rows of a person, and from which function of a row."""
    if isinstance(node, exp.Sub):
        one, two = _read(node.this, reader), _read(node.expression, reader)
        if (one[0], two[0]) == ("MAX", "MIN") and one[1] == two[1]:
            return "RANGE", one[1]
    way = WAYS.get(type(node))
    if way is None or any(value for field, value in node.args.items() if field not in ("this", "big_int")):
        raise SchemaError("a column of a person is COUNT, SUM, MIN, MAX or AVG of the rows, or MAX(x) - MIN(x)")
    if way == "COUNT" and isinstance(node.this, exp.Star):
        return way, None
    function = reader.number(node.this)
    if not any(not isinstance(each.column, Public) for each in columns_in(function)):
        raise SchemaError("it reads no private column; use one")
    return way, function


def _on_grid(function: Function, base: Schema) -> Derived:
    """The function as a column of whole steps: what is added up must be exact."""
    span = function.span()
    if span.pitch is None or span.slack or span.relative or not span.steps:
        raise SchemaError(
            f"the values of {function} lie on no grid, or only after rounding; round them, as in ROUND(x, 1), and "
            f"declare columns on_grid = true"
        )
    reads = tuple(sorted(function.reads & set(base.private)))
    return Derived(function, (span.low, span.high, span.pitch), Fraction(0), reads)


def _declared(measure: Measure, fields: Mapping[str, Any], nullable: bool, rows: int) -> Scale:
    """The column of the view: bounds and step as declared, otherwise such that all values fit."""
    low, high = measure.ends(rows)
    if measure.way == "COUNT":
        return Integer(low, high) if low < high else Integer(low, low + 1)
    given = {name: exact_number(fields[name], name) for name in ("low", "high", "step") if name in fields}
    step, first = given.get("step", measure.step), given.get("low", low)
    last = given["high"] if "high" in given else first + max(1, ceil((high - first) / step)) * step
    assert measure.column is not None
    start = measure.column.low if measure.way != "RANGE" else Fraction(0)
    aligned = ((start - first) / step).denominator == (measure.step / step).denominator == 1
    sizes = [abs(end) * start.denominator * measure.step.denominator for end in (low, high, first, last)]
    if max(sizes) >= EXACT:
        raise SchemaError(
            "its values have too many digits to be exact; use a larger step for the columns that it reads"
        )
    several = measure.way != "SUM" or (measure.column.low / step).denominator == 1
    on_grid = aligned and several and measure.way != "AVG"
    return Real(first, last, step, missing="apart" if nullable else None, on_grid=on_grid)
