"""Derived columns: from an expression in a schema to a column with a function."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import ceil, floor, prod
from typing import Any

from sqlglot import Dialect, exp
from sqlglot.errors import SqlglotError

from noiseless.curator.plan.compare import compared
from noiseless.curator.plan.condition import FALSE
from noiseless.curator.plan.functions.choice import Choice, choice
from noiseless.curator.plan.functions.derived import grid_of
from noiseless.curator.plan.functions.function import Function, Value
from noiseless.curator.plan.functions.leaves import NOTHING, ColumnOf, Constant, columns_in
from noiseless.curator.plan.functions.span import Span
from noiseless.curator.plan.trees import function_tree
from noiseless.curator.schema.dates import days
from noiseless.curator.schema.derived import (
    Derived,
    DerivedCategory,
    DerivedColumn,
    DerivedDate,
    DerivedNumber,
    DerivedTruth,
    is_derived,
)
from noiseless.curator.schema.public import Public
from noiseless.curator.schema.schema import Schema
from noiseless.curator.sql.functions import RowReader
from noiseless.curator.sql.parsers import statements
from noiseless.errors import InputError, SchemaError
from noiseless.exact.number import exact_number

DUCKDB = Dialect.get_or_raise("duckdb")
MOST_STEPS = 10**12
MOST_VALUES, MOST_TRIED = 1000, 100_000
Grid = tuple[Fraction, Fraction, Fraction]


def derive(name: str, declared: Derived, known: Schema) -> DerivedColumn:
    """The column that an expression over known columns declares."""
    try:
        return _column(declared, RowReader(known, name).function(parsed(declared.expression)))
    except InputError as wrong:
        raise SchemaError(f"derived column {name!r}: {wrong}") from None


def parsed(text: str) -> Any:
    """The parse tree of one expression."""
    try:
        words = f"SELECT {text}"
        found = statements(DUCKDB, DUCKDB.tokenize(words), words)
    except (SqlglotError, RecursionError):
        found = []
    select = found[0] if len(found) == 1 else None
    if isinstance(select, exp.Select) and {name for name, value in select.args.items() if value} == {"expressions"}:
        [*rest, last] = select.expressions
        if not rest:
            return last
    raise SchemaError(f"{text[:60]!r} is not one expression in SQL; write it such as 'weight / height'")


def _column(declared: Derived, function: Function) -> DerivedColumn:
    read = columns_in(function)
    if derived := [each.name for each in read if is_derived(each.column)]:
        raise SchemaError(f"it reads {derived[0]!r}, which is derived too; write out the expression of that column")
    if all(isinstance(each.column, Public) for each in read):
        raise SchemaError("it reads no private column; compute it in questions, with GROUP BY or CASE")
    apart = function.absent() != FALSE
    if function.kind in ("text", "truth"):
        if declared.step is not None or declared.low is not None or declared.high is not None:
            raise SchemaError(f"it is a {function.kind}, which has no step, low or high; remove them")
        if function.kind == "truth":
            return DerivedTruth(declared.expression, _truth_code(function), apart)
        return _category(declared, function, apart)
    if declared.missing is not None:
        raise SchemaError(
            "missing= is for texts; a number or date has none where a column has none, or write COALESCE(…, 0)"
        )
    grid, slack = _grid(declared, function.span(), date=function.kind == "date")
    made = DerivedDate if function.kind == "date" else DerivedNumber
    return made(declared.expression, function, grid, slack, apart)


def _grid(declared: Derived, span: Span, date: bool) -> tuple[Grid, Fraction]:
    """Bounds and step as declared, otherwise such that all values fit."""
    read = days if date else exact_number
    low, high = (None if end is None else read(end) for end in (declared.low, declared.high))
    if declared.step is None:
        (first, last, step), _ = grid_of(span, MOST_STEPS)
    else:
        step = exact_number(declared.step, "step")
        if step <= 0:
            raise SchemaError(f"step={declared.step} is not above 0; use a positive step")
        first, last = floor(span.low / step) * step, ceil(span.high / step) * step
        if span.pitch is not None and (span.pitch / step).denominator == 1:
            first, last = span.low, span.high  # the values lie on a grid of this step, wherever it starts
    low, high = first if low is None else low, last if high is None else high
    if low >= high:
        high = low + step
    high = low + ceil((high - low) / step) * step
    exact = span.pitch is not None and ((span.low - low) / step).denominator == (span.pitch / step).denominator == 1
    slack = min([span.slack, *([] if span.relative is None else [span.relative * max(abs(low), abs(high))])]) + (
        0 if exact else step / 2
    )
    return (low, high, step), slack


def _truth_code(function: Function) -> Function:
    """The function of the code of a truth value: 1 for true and 0 for false."""
    if isinstance(function, Choice):
        cases = [(test, _truth_code(value)) for test, value in function.cases]
        return choice(cases, _truth_code(function.otherwise), function.columns)
    if isinstance(function, Constant):
        return NOTHING if function.fixed is None else Constant(Fraction(bool(function.fixed)))
    true = compared("=", function, Constant(True, "truth"))
    columns = columns_in(function)
    return choice([(function.absent(), NOTHING), (true, Constant(Fraction(1)))], Constant(Fraction(0)), columns)


def _category(declared: Derived, function: Function, apart: bool) -> DerivedCategory:
    if apart and declared.missing is None:
        raise SchemaError("it has no value for some rows; add ELSE, or missing = 'unknown' or another value for them")
    values = tuple(dict.fromkeys(_texts(function)))
    if not 2 <= len(values) + (declared.missing is not None and declared.missing not in values) <= MOST_VALUES:
        raise SchemaError(f"it has {len(values)} different values; a derived category needs 2 to {MOST_VALUES}")
    made = DerivedCategory(declared.expression, function, values, declared.missing)
    places = {key: Constant(Fraction(place)) for place, key in enumerate(made.keys)}
    absent = places[made.missing] if declared.missing is not None else NOTHING
    return DerivedCategory(declared.expression, _place(function, places, absent), values, declared.missing)


def _texts(function: Function) -> Iterator[str]:
    """All texts that a function can be, in the order in which they are named."""
    match function:
        case Choice():
            for part in function.parts:
                yield from _texts(part)
        case Constant():
            if function.fixed is not None:
                yield str(function.fixed)
        case _:
            yield from (str(value) for _, value in _tried(function) if value is not None)


def _tried(function: Function) -> Iterator[tuple[dict[str, int | None], Value]]:
    columns = columns_in(function)
    if prod(each.top + 1 for each in columns) > MOST_TRIED:
        raise SchemaError(f"{function} combines too many values; use fewer columns")
    for codes in product(*(_codes(each) for each in columns)):
        row = dict(zip((each.name for each in columns), codes, strict=True))
        yield row, function.value(row)


def _codes(column: ColumnOf) -> list[int | None]:
    return [*range(column.top + 1), *([None] if column.apart else [])]


def _place(function: Function, places: dict[Any, Constant], absent: Function) -> Function:
    """The function that gives the place of the value among the keys."""
    if isinstance(function, Choice):
        cases = [(test, _place(value, places, absent)) for test, value in function.cases]
        return choice(cases, _place(function.otherwise, places, absent), function.columns)
    if isinstance(function, Constant):
        return absent if function.fixed is None else places[function.fixed]
    columns = columns_in(function)
    cases = [(compared("=", function, Constant(key, "text")), place) for key, place in places.items()]
    return choice([(function.absent(), absent), *cases], NOTHING, columns)


def written(function: Function, schema: Schema) -> str:
    """The function as a certificate writes it, in one text."""
    return json.dumps(function_tree(function, schema), ensure_ascii=False, separators=(",", ":"))
