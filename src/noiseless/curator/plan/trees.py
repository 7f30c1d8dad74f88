"""Conditions and functions as nested lists, in values instead of codes, as certificates and schemas write them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Protocol

from noiseless.curator.plan.condition import Absent, Compared, Condition, Every, Missing, Not, Some, Within
from noiseless.curator.plan.functions.function import Function
from noiseless.curator.schema.categories import Key
from noiseless.curator.schema.dates import Date
from noiseless.curator.schema.scale import Scale
from noiseless.curator.schema.schema import Column

Tree = list[Any]


class Schema(Protocol):
    """A schema that knows all columns."""

    @property
    def columns(self) -> Mapping[str, Column]:
        """Every column by its name."""


def function_tree(function: Function, schema: Schema) -> Tree:
    """A function of a row: an operation and its parts, down to columns and constants."""
    return function.tree(lambda condition: condition_tree(condition, schema))


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
