"""GROUP BY and DISTINCT: public columns, and private columns and functions of the row."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from sqlglot import exp

from noiseless.curator.plan.functions.function import Function
from noiseless.curator.plan.functions.leaves import ColumnOf, columns_in
from noiseless.curator.plan.group import Group, check_cells, group, number_of_cells
from noiseless.curator.plan.plan import Aggregate, Combination, Comparison, Constant, Test
from noiseless.curator.schema.public import Public
from noiseless.curator.schema.schema import Schema
from noiseless.curator.sql.constants import column_name, constant
from noiseless.curator.sql.functions import RowReader
from noiseless.curator.sql.grouping_sets import check_different, levels_of
from noiseless.curator.sql.refusal import only, text_of
from noiseless.errors import QuestionError

Levels = tuple[tuple[str, ...], ...]
"""The labels of every level of ROLLUP, CUBE or GROUPING SETS."""
OF_GROUPS = ("COUNT", "SUM", "AVG", "VAR_POP", "VAR_SAMP", "STDDEV_POP", "STDDEV_SAMP")
"""The functions that have a proven count by private groups."""


@dataclass(frozen=True, slots=True)
class Grouping:
    """What rows are grouped by."""

    labels: tuple[str, ...] = ()
    """In order."""
    groups: tuple[Group, ...] = ()
    """The private columns and functions among them."""
    public: tuple[Group, ...] = ()
    """Functions of public columns."""
    levels: Levels = ()
    """The labels of each level, if there are several."""
    written: tuple[Any, ...] = ()
    """The expressions of all levels, if there are several."""

    @property
    def functions(self) -> tuple[Group, ...]:
        """All expressions except public columns."""
        return *self.groups, *self.public


def grouping(select: exp.Select, schema: Schema, table: str) -> Grouping:
    """What rows are grouped by."""
    levels: list[Any] | None = None
    clause, distinct = select.args.get("group"), select.args.get("distinct")
    if distinct is not None:
        only(distinct)
        if clause is not None:
            raise QuestionError("SELECT DISTINCT with GROUP BY is not supported; leave out DISTINCT")
        nodes = [each.unalias() for each in select.expressions]
    elif clause is None:
        return Grouping()
    elif (levels := levels_of(clause)) is None:
        nodes = clause.expressions
    else:
        nodes = [node for level in levels for node in level]
    meant = [_named(node, select, schema, table) for node in nodes]
    functions = [_function(node, schema, table) for node in meant]
    named = list(map(_label, nodes, functions))
    if levels is not None:
        return replace(_of_levels(levels, named, functions), written=tuple(meant))
    if len(set(named)) < len(named):
        raise QuestionError("GROUP BY names a column or an expression twice; remove one")
    return _grouped(named, functions)


def _label(node: Any, function: Function) -> str:
    """The label of an expression: the name of a column, or else the text of the expression."""
    if isinstance(function, ColumnOf):
        return function.name
    return str(node.this) if isinstance(node, exp.Var) else str(function)


def _of_levels(levels: list[Any], named: list[str], functions: list[Function]) -> Grouping:
    """What several levels are grouped by: each expression once, in the order of the text."""
    rest = iter(named)
    found = [tuple(dict.fromkeys(next(rest) for _ in level)) for level in levels]
    check_different(found)
    each = dict(zip(named, functions, strict=True))
    return replace(_grouped(list(each), list(each.values())), levels=tuple(found))


def _grouped(labels: list[str], functions: list[Function]) -> Grouping:
    pairs = [pair for pair in zip(labels, functions, strict=True) if not _is_public_column(pair[1])]
    groups = {
        public: tuple(group(*pair) for pair in pairs if _is_public(pair[1]) == public) for public in (False, True)
    }
    check_cells(number_of_cells(groups[False]))
    return Grouping(tuple(labels), groups[False], groups[True])


def check_numbers(asked: Iterable[Aggregate]) -> None:
    """Refuse numbers that have no proven count by private groups."""
    if wrong := [each.function for each in asked if each.function not in OF_GROUPS]:
        names = {"ORDER": "a quantile", "COUNT_DISTINCT": "COUNT(DISTINCT …)"}
        name = names.get(wrong[0], wrong[0])
        raise QuestionError(
            f"{name} by private groups is not possible, because everybody in a group could change it and the group "
            f"itself; ask for COUNT, SUM, AVG and variances, or group by public columns only"
        )


def not_empty(test: Test | None) -> Test:
    """DISTINCT lists the groups that have rows: this follows from their counts."""
    counted = Comparison(">", Aggregate("COUNT"), Constant(Fraction(0)))
    return counted if test is None else Combination("AND", (counted, test))


def _is_public_column(function: Function) -> bool:
    return isinstance(function, ColumnOf) and _is_public(function)


def _is_public(function: Function) -> bool:
    return all(isinstance(each.column, Public) for each in columns_in(function))


def _function(node: Any, schema: Schema, table: str) -> Function:
    """What to group by: a column or an expression."""
    function = RowReader(schema, table).function(node)
    if not columns_in(function):
        raise QuestionError(f"GROUP BY {text_of(node)!r} is the same for all rows; name a column in it")
    return function


def _named(node: Any, select: exp.Select, schema: Schema, table: str) -> Any:
    """The expression behind an alias or a position."""
    listed = [(each.alias, each.unalias()) for each in select.expressions]
    if isinstance(node, exp.Literal) and not node.is_string:
        place = constant(node)
        if isinstance(place, (str, bool)) or place.denominator != 1 or not 1 <= place <= len(listed):
            raise QuestionError(
                f"GROUP BY {text_of(node)} is not a position in SELECT; use 1 to {len(listed)}, or a name"
            )
        return listed[int(place) - 1][1]
    if isinstance(node, exp.Column) and not node.table:
        name = column_name(node, table)
        if name.lower() not in (known.lower() for known in schema.columns):
            return next((inner for alias, inner in listed if alias.lower() == name.lower()), node)
    return node
