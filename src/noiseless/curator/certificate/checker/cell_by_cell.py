"""Private groups cell by cell: the keys of every cell, and the condition that a row is in it.

A row meets exactly one of these conditions, because a group has one of its listed values. So numbers of a cell are
numbers under its condition, and are counted as such.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import Any

from noiseless.curator.certificate.checker.columns import Column
from noiseless.curator.certificate.checker.comparisons import absent, compared
from noiseless.curator.certificate.checker.conditions import Condition, joined, runs_of
from noiseless.curator.certificate.checker.function_values import value_of
from noiseless.curator.certificate.checker.functions import Columns, column_of, constant, key_at
from noiseless.curator.certificate.checker.groups import MOST_TRIED, Group, cells_of
from noiseless.curator.certificate.checker.wrong import require

MOST_CELLS = 1000


def cells_one_by_one(
    groups: Sequence[Group], category: str | None, columns: Columns
) -> Iterator[tuple[dict[str, Any], Condition]]:
    """The keys of every cell and the condition that a row is in it, in the order of the lines."""
    if category is not None:
        column = columns[category]
        values = tuple(key_at(column, code) for code in _codes(column))
        groups = [Group(category, column_of(category, column), values)]
    require(cells_of(groups) <= MOST_CELLS, "there are too many groups to take them one by one")
    conditions = [_conditions(each, columns) for each in groups]
    for keys, tests in zip(product(*(each.keys for each in groups)), product(*conditions), strict=True):
        labels = [each.label for each in groups]
        yield dict(zip(labels, keys, strict=True)), joined("every", tests)


def _conditions(group: Group, columns: Columns) -> list[Condition]:
    """The conditions that the function has each of its values. All codes are tried if it reads one column."""
    function, names = group.function, sorted(group.function.reads)
    require(prod(columns[name].values for name in names) <= MOST_TRIED, "a group has too many rows to try")
    if len(names) > 1:
        return [
            absent(function, columns)
            if value is None
            else compared("=", function, constant(value, function.kind), columns)
            for value in group.values
        ]
    [name] = names
    met: dict[Any, list[int | None]] = {value: [] for value in group.values}
    for code in _codes(columns[name]):
        met[value_of(function, {name: code}, columns)].append(code)
    return [_is_one_of(name, codes) for codes in met.values()]


def _is_one_of(name: str, codes: Sequence[int | None]) -> Condition:
    """The condition that a column has one of some codes."""
    ranges = runs_of(code for code in codes if code is not None)
    tests: list[Condition] = [("within", name, ranges)] if ranges else []
    return joined("some", [*tests, *([("missing", name)] if None in codes else [])])


def _codes(column: Column) -> list[int | None]:
    return [*range(column.top + 1), *([None] if column.apart else [])]
