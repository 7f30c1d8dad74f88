"""Groups by a function of the row, with a list of values, and a proof that it can have no others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

from noiseless.curator.certificate.checker.bounds import bounds_of
from noiseless.curator.certificate.checker.columns import Column, date_of
from noiseless.curator.certificate.checker.comparisons import absent
from noiseless.curator.certificate.checker.conditions import FALSE, read_condition
from noiseless.curator.certificate.checker.function_trees import Reader
from noiseless.curator.certificate.checker.function_values import value_of
from noiseless.curator.certificate.checker.functions import Columns, Function, Row, Value, is_constant, key_at
from noiseless.curator.certificate.checker.wrong import elements, require

MOST_TRIED, MOST_DAYS = 20_000, 100_000
MOST_CELLS = 1_000_000


@dataclass(frozen=True, slots=True)
class Group:
    """A label, a function of the row, and all values that it can have, in the order of the lines."""

    label: str
    function: Function
    values: tuple[Value, ...]

    @property
    def column(self) -> str | None:
        """The column, if it is one."""
        return self.function.name if self.function.op == "column" else None

    @property
    def keys(self) -> list[Any]:
        """The values as the answer has them."""
        return [_key(value, self.function.kind) for value in self.values]


def _key(value: Value, kind: str) -> Value | date:
    return date_of(int(value)) if kind == "date" and isinstance(value, Fraction) else value


def read_groups(given: Any, columns: Mapping[str, Column], public: bool = False) -> tuple[Group, ...]:
    """Labels, functions and values. A column has all of its values, in the order of codes.

    Functions of public groups read public columns alone, and at least one.
    """
    groups = []
    for label, tree, listed in map(_triple, elements(given)):
        function = Reader(columns, read_condition).read(tree)
        private = any(not columns[name].public for name in function.reads)
        require(private != public and bool(function.reads), "a private group is public, or a public one private")
        require(not public or function.op != "column", "a public column is named as a function")
        if function.op == "column":
            require(listed is None, "the values of a column are listed")
            require(columns[function.name].values <= MOST_CELLS, "there are too many groups")
            keys = (key_at(columns[function.name], code) for code in _codes(function.name, columns))
            groups.append(Group(label, function, tuple(keys)))
            continue
        leaves = [Reader(columns, read_condition).read(each) for each in elements(listed)]
        require(all(is_constant(leaf) for leaf in leaves), "a value of a group is not a constant")
        require(all(leaf.value is None or leaf.kind == function.kind for leaf in leaves), "a value has another kind")
        values = tuple(leaf.value for leaf in leaves)
        require(0 < len(set(values)) == len(values), "a group has a value twice, or none")
        check_covered(function, set(values), columns)
        groups.append(Group(label, function, values))
    require(cells_of(groups) <= MOST_CELLS, "there are too many groups")
    return tuple(groups)


def _triple(given: Any) -> tuple[str, Any, Any]:
    require(isinstance(given, list) and len(given) == 3 and isinstance(given[0], str), "a group is not a triple")
    return given[0], given[1], given[2]


def cells_of(groups: Iterable[Group]) -> int:
    """The number of cells in which rows are counted."""
    return prod(len(each.values) for each in groups)


def check_covered(function: Function, values: set[Value], columns: Columns) -> None:
    """Refuse a function that may have a value that is not listed: then a person could be in none of the groups."""
    names = sorted(function.reads)
    most = MOST_DAYS if function.kind == "date" else MOST_TRIED
    if prod(columns[name].top + 1 + columns[name].apart for name in names) <= most:
        found = {value_of(function, row, columns) for row in _rows(names, columns)}
        require(found <= values, "a group is missing: a function has a value that is not listed")
    elif function.op == "case":
        for part in function.parts:
            check_covered(part, values, columns)
    elif function.op == "constant":
        require(function.value in values, "a group is missing: a constant is not listed")
    else:
        _check_bounded(function, values, columns)


def _check_bounded(function: Function, values: set[Value], columns: Columns) -> None:
    require(function.kind in ("number", "date"), "a function of texts has too many values to check")
    bounds = bounds_of(function, columns)
    require(bounds.pitch is not None, "a function of a group lies on no grid")
    steps = int((bounds.high - bounds.low) / bounds.pitch) if bounds.pitch else 0
    require(steps < MOST_CELLS, "there are too many groups")
    listed = all(bounds.low + step * (bounds.pitch or 0) in values for step in range(steps + 1))
    known = None in values or absent(function, columns) == FALSE
    require(listed and known, "a group is missing: a function can have a value that is not listed")


def _rows(names: list[str], columns: Columns) -> Iterator[Row]:
    for codes in product(*(_codes(name, columns) for name in names)):
        yield dict(zip(names, codes, strict=True))


def _codes(name: str, columns: Columns) -> list[int | None]:
    column = columns[name]
    return [*range(column.top + 1), *([None] if column.apart else [])]


def columns_of(groups: Iterable[Group]) -> frozenset[str]:
    """The columns that the groups read."""
    return frozenset().union(*(each.function.reads for each in groups))
