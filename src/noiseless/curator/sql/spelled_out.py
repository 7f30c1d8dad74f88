"""Short forms written out in the parse tree: GROUP BY ALL, rows in IN, conditions after ON, weeks and names of days."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from typing import Any

from sqlglot import exp

from noiseless.curator.schema.public_table import PublicTable
from noiseless.curator.sql.named_days import OF_DAYS, in_other_words, is_named_day
from noiseless.errors import QuestionError


def spelled_out(statement: Any, tables: Mapping[str, PublicTable], plain: bool = False) -> Any:
    """The same statement without these. `tables` are those that can be joined. A plain one has neither IN nor JOIN."""
    if plain and (statement.args.get("group") is None or not _is_short(statement.args["group"])):
        return statement
    if not any(map(_is_short, statement.find_all(exp.Group, exp.In, exp.Join, *OF_DAYS))):
        return statement
    found = statement.copy()
    for node in [each for each in found.find_all(*OF_DAYS) if is_named_day(each)]:
        node.replace(in_other_words(node))
    for node in list(found.find_all(exp.Group, exp.In)):
        if not _is_short(node):
            continue
        if isinstance(node, exp.Group):
            _all_keys(node)
        else:
            node.replace(exp.Is(this=any_row(node), expression=exp.true()))
    for join in list(found.find_all(exp.Join)):
        if _is_short(join):
            _moved(join, tables.get(join.this.name.lower()))
    return found


def _is_short(node: Any) -> bool:
    match node:
        case exp.Group():
            return bool(node.args.get("all"))
        case exp.In():
            return is_of_rows(node)
        case exp.Join():
            test = node.args.get("on")
            return test is not None and isinstance(test.unnest(), exp.And) and not node.args.get("side")
    return is_named_day(node)


def _all_keys(group: Any) -> None:
    """GROUP BY ALL: by everything in SELECT that is not made of many rows."""
    items = [each.unalias() for each in group.parent.expressions]
    keys = [each for each in items if each.find(exp.Column) and not each.find(exp.AggFunc, exp.Window)]
    if not keys:
        group.pop()
        return
    group.set("all", None)
    group.set("expressions", [each.copy() for each in keys])


def is_of_rows(node: Any) -> bool:
    """Whether it is IN with several columns."""
    return isinstance(node, exp.In) and isinstance(node.this, exp.Tuple) and not node.args.get("query")


def any_row(node: Any) -> exp.Paren:
    """(a, b) IN ((1, 2), (3, 4)): a = 1 AND b = 2, or the same of another row.

    With a missing value this is unknown, as in standard SQL; in DuckDB it is false.
    """
    columns, rows = node.this.expressions, node.expressions
    if not rows or any(not isinstance(row, exp.Tuple) or len(row.expressions) != len(columns) for row in rows):
        raise QuestionError(f"every row in IN needs {len(columns)} values, as in (a, b) IN ((1, 2), (3, 4))")
    return exp.Paren(this=reduce(_or, (_equal(columns, row.expressions) for row in rows)))


def _equal(columns: list[Any], values: list[Any]) -> exp.Paren:
    pairs = zip(columns, values, strict=True)
    return exp.Paren(this=reduce(_and, (exp.EQ(this=one.copy(), expression=two.copy()) for one, two in pairs)))


def _and(one: Any, two: Any) -> Any:
    return exp.And(this=one, expression=two)


def _or(one: Any, two: Any) -> Any:
    return exp.Or(this=one, expression=two)


def _moved(join: Any, table: PublicTable | None) -> None:
    """JOIN r ON x = r.key AND test: the test is a condition like those in WHERE."""
    select, parts = join.parent, list(join.args["on"].unnest().flatten())
    named = join.this.alias_or_name.lower()
    key = "" if table is None else table.key.lower()
    own = [each for each in parts if isinstance(each, exp.EQ) and _has_key(each, named, key)] or parts
    join.set("on", own[0].copy())
    rest = [exp.Paren(this=each.copy()) for each in parts if each is not own[0]]
    where = select.args.get("where")
    rest += [] if where is None else [exp.Paren(this=where.this.copy())]
    select.set("where", exp.Where(this=reduce(_and, rest)))


def _has_key(test: exp.EQ, named: str, key: str) -> bool:
    """Whether one side of a comparison is the key of the joined table."""
    sides = [side.unnest() for side in (test.this, test.expression)]
    columns = [side for side in sides if isinstance(side, exp.Column) and side.name.lower() == key]
    return any(each.table.lower() in ("", named) for each in columns)
