"""IN (SELECT … FROM a public table …): a list of constants, found without the private table.

The rows of the public table are the codes of a column that numbers them, so that conditions and functions mean the same
as everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlglot import exp

from noiseless.curator.plan.condition import TRUE, holds_for
from noiseless.curator.plan.functions.leaves import ColumnOf, Constant
from noiseless.curator.schema.public_table import PublicTable
from noiseless.curator.schema.scale import Integer
from noiseless.curator.schema.schema import Schema
from noiseless.curator.sql.conditions import condition
from noiseless.curator.sql.functions import FUNCTION, RowReader
from noiseless.curator.sql.joins import Joined, Names
from noiseless.curator.sql.refusal import only, text_of
from noiseless.errors import QuestionError

MOST_VALUES = 1000
ROW = "the row of a public table"


@dataclass(frozen=True, slots=True)
class Listed:
    """A SELECT without subqueries about public tables, and which tables these were."""

    select: exp.Select
    tables: tuple[tuple[str, str], ...] = ()
    """Their names, and the SHA-256 of the content of each."""


def with_lists(select: exp.Select, tables: Mapping[str, PublicTable]) -> Listed:
    """Put the values of public tables in the place of the subqueries that list them."""
    if not tables or not any(_table(node, tables) for node in select.find_all(exp.In)):
        return Listed(select)
    select, used = select.copy(), dict[str, str]()
    for node in list(select.find_all(exp.In)):
        table = _table(node, tables)
        if table is not None:
            only(node, "this", "query")
            values = _values(node.args["query"].this, table)
            node.replace(exp.In(this=node.this.copy(), expressions=values))
            used[table.name] = table.digest
    return Listed(select, tuple(sorted(used.items())))


def _table(node: exp.In, tables: Mapping[str, PublicTable]) -> PublicTable | None:
    """The public table that the subquery of IN is about."""
    query = node.args.get("query")
    source = query.this.args.get("from_") if isinstance(query, exp.Subquery) else None
    if source is None or not isinstance(source.this, exp.Table) or source.this.args.get("db") is not None:
        return None
    return tables.get(source.this.name.lower())


def _values(query: Any, table: PublicTable) -> list[exp.Var]:
    """What a SELECT lists, each value once, as constants."""
    only(query, "expressions", "from_", "where", "distinct")
    source = query.args["from_"].this
    only(source, "this", "alias")
    if len(query.expressions) != 1:
        raise QuestionError(f"{text_of(query)!r} in a condition needs exactly one column; select one")
    rows = len(next(iter(table.columns.values())).cells)
    numbered = ColumnOf(ROW, Integer(0, max(1, rows - 1)))
    places = tuple(row if row < rows else None for row in range(numbered.top + 1))
    schema = Schema({ROW: Integer(0, numbered.top)})
    called = source.alias_or_name.lower()
    names = Names(schema, called, [Joined(called, table, numbered, places, inner=True, same=None, using=False)])
    item, where = query.expressions[0].unalias(), query.args.get("where")
    function = RowReader(schema, called).function(names.within(item))
    kept = TRUE if where is None else condition(names.within(where.this), schema, called)
    found = dict.fromkeys(function.value({ROW: row}) for row in range(rows) if holds_for(kept, {ROW: row}))
    if None in found:
        raise QuestionError(
            f"{text_of(item)} has missing values in {table.name!r}, with which nothing can be compared; add WHERE "
            f"{text_of(item)} IS NOT NULL to the subquery"
        )
    if len(found) > MOST_VALUES:
        raise QuestionError(f"the subquery lists {len(found)} values, and at most {MOST_VALUES} are compared; use JOIN")
    return [_constant(Constant(value, function.kind)) for value in found]


def _constant(value: Constant) -> exp.Var:
    node = exp.Var(this=str(value))
    node.meta[FUNCTION] = value
    return node
