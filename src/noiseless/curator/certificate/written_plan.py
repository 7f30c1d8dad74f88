"""A plan as a certificate writes it: nested lists of columns and rationals, in values instead of codes."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from fractions import Fraction
from typing import Any

from noiseless.curator.plan.condition import (
    TRUE,
    Absent,
    Compared,
    Condition,
    Every,
    Missing,
    Not,
    Some,
    Within,
)
from noiseless.curator.plan.functions.function import Function
from noiseless.curator.plan.plan import (
    Aggregate,
    Arithmetic,
    Combination,
    Comparison,
    Constant,
    Expression,
    KeyOf,
    Plan,
    Test,
)
from noiseless.curator.schema.categories import Key
from noiseless.curator.schema.dates import Date
from noiseless.curator.schema.scale import Scale
from noiseless.curator.schema.schema import Schema

Tree = list[Any]


def written_plan(plan: Plan, schema: Schema) -> dict[str, Any]:
    """The whole plan."""
    directions = {False: "ascending", True: "descending"}
    return {
        "items": [[item.label, expression_tree(item.expression, schema)] for item in plan.items],
        "where": condition_tree(plan.where, schema),
        "keys": list(plan.keys),
        "category": plan.category,
        "having": None if plan.having is None else _test_tree(plan.having, schema),
        "order": [[expression_tree(expression, schema), directions[down]] for expression, down in plan.order],
        "limit": None if plan.limit is None else str(plan.limit),
    }


def expression_tree(expression: Expression, schema: Schema) -> Tree:
    """An expression: aggregates, keys, constants and arithmetic."""
    match expression:
        case Aggregate(filter=kept) if kept != TRUE:
            return ["filter", expression_tree(replace(expression, filter=TRUE), schema), condition_tree(kept, schema)]
        case Aggregate("COUNT", None, of=None):
            return ["count"]
        case Aggregate(function):
            kind, share = ("kth" if function == "ORDER" else function.lower()), [str(expression.share)]
            sides = [_about_tree(side, schema) for side in expression.sides]
            return [kind, *sides, *(share if function in ("ORDER", "PERCENTILE_CONT") else [])]
        case KeyOf(name):
            return ["key", name]
        case Arithmetic(operation, left, right):
            return [operation, expression_tree(left, schema), expression_tree(right, schema)]
        case Constant(bool(value)):
            return ["truth", value]
        case Constant(str(value)):
            return ["text", value]
        case Constant(date() as day):
            return ["date", day.isoformat()]
        case Constant(value):
            return ["number", str(value)]


def _about_tree(aggregate: Aggregate, schema: Schema) -> Tree:
    """A column, or a function of the row."""
    if aggregate.of is None:
        return ["column", aggregate.column]
    return ["function", function_tree(aggregate.of, schema)]


def function_tree(function: Function, schema: Schema) -> Tree:
    """A function of a row: an operation and its parts, down to columns and constants."""
    return function.tree(lambda condition: condition_tree(condition, schema))


def _test_tree(test: Test, schema: Schema) -> Tree:
    if isinstance(test, Comparison):
        return [test.operation, expression_tree(test.left, schema), expression_tree(test.right, schema)]
    assert isinstance(test, Combination)
    return [test.operation.lower(), *(_test_tree(part, schema) for part in test.parts)]


def condition_tree(condition: Condition, schema: Schema) -> Tree:
    """A condition on a row: ranges of numbers and dates, lists of keys."""
    match condition:
        case Within(name, ranges):
            column = schema.columns[name]
            if isinstance(column, Scale):
                return ["within", ["column", name], [[_value(column, end) for end in pair] for pair in ranges]]
            keys = [column.keys[code] for first, last in ranges for code in range(first, last + 1)]
            return ["in", ["column", name], [_constant(key) for key in keys]]
        case Missing(name):
            return ["missing", ["column", name]]
        case Not(part):
            return ["not", condition_tree(part, schema)]
        case Every(parts):
            return ["every", *(condition_tree(part, schema) for part in parts)]
        case Some(parts):
            return ["some", *(condition_tree(part, schema) for part in parts)]
        case Compared(sign, left, right):
            return ["compared", sign, function_tree(left, schema), function_tree(right, schema)]
        case Absent(function):
            return ["absent", function_tree(function, schema)]


def _constant(key: Key) -> Any:
    """Texts and booleans unchanged. A whole number is marked as a number."""
    return key if isinstance(key, (str, bool)) else ["number", str(key)]


def _value(column: Scale, code: int) -> str:
    number: Fraction = column.number(code)
    return column.show(number) if isinstance(column, Date) else str(number)


def written_key(key: Key) -> str | bool:
    """A key. Whole numbers are written as text, so that no reader rounds them."""
    return key if isinstance(key, (str, bool)) else str(key)
