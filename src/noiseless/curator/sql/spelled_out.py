"""Short forms written out in the parse tree: GROUP BY ALL, rows in IN, conditions after ON, EXISTS, names of days."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from typing import Any

from sqlglot import exp

from noiseless.curator.schema.public_table import PublicTable
from noiseless.curator.schema.schema import Schema
from noiseless.curator.sql.labels import LABEL
from noiseless.curator.sql.named_days import OF_DAYS, in_other_words, is_named_day
from noiseless.curator.sql.refusal import only, text_of, unsupported_error
from noiseless.curator.sql.written_days import days_written
from noiseless.errors import QuestionError

ANY, ALL = exp.LogicalOr, exp.LogicalAnd
SHORT = (exp.Group, exp.In, exp.Join, exp.Exists, exp.TimeToStr, ANY, ALL, *OF_DAYS)


def spelled_out(statement: Any, tables: Mapping[str, PublicTable], schema: Schema, plain: bool = False) -> Any:
    """The same statement without short forms. `tables` can be joined. A plain statement has neither IN nor JOIN."""
    if plain and (statement.args.get("group") is None or not _is_short(statement.args["group"])):
        return statement
    if not any(map(_is_short, statement.find_all(*SHORT))):
        return statement
    found = statement.copy()
    for node in list(found.find_all(exp.TimeToStr, ANY, ALL, exp.Exists, *OF_DAYS)):
        if _is_short(node):
            node.replace(_in_other_words(node, tables, schema))
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
        case exp.Exists() | exp.TimeToStr() | exp.LogicalOr() | exp.LogicalAnd():
            return True
    return is_named_day(node)


def _in_other_words(node: Any, tables: Mapping[str, PublicTable], schema: Schema) -> Any:
    match node:
        case exp.TimeToStr():
            return days_written(node, schema)
        case exp.LogicalOr() | exp.LogicalAnd():
            return _of_all_rows(node)
        case exp.Exists():
            return _is_listed(node, tables)
    return in_other_words(node)


def _of_all_rows(node: Any) -> exp.Paren:
    """BOOL_OR and BOOL_AND: rows that decide are counted first. NULL if the test is unknown in all rows."""
    only(node, "this")
    if isinstance(node.parent, (exp.Filter, exp.Window)):
        raise unsupported_error("BOOL_OR and BOOL_AND with FILTER or OVER")
    test = exp.Paren(this=node.this.copy())
    true, false = _if_some(test, True), _if_some(exp.Not(this=test.copy()), False)
    found = exp.Paren(this=exp.Case(ifs=[true, false] if isinstance(node, ANY) else [false, true]))
    found.meta[LABEL] = text_of(node)
    return found


def _if_some(test: Any, value: bool) -> exp.If:
    """WHEN some rows meet a test THEN a truth value."""
    counted = exp.Filter(this=exp.Count(this=exp.Star()), expression=exp.Where(this=test))
    return exp.If(this=exp.GT(this=counted, expression=exp.Literal.number(0)), true=exp.Boolean(this=value))


def _is_listed(node: Any, tables: Mapping[str, PublicTable]) -> exp.Is:
    """EXISTS (SELECT … FROM r WHERE r.a = x AND test): x IN (SELECT a FROM r WHERE test). It is never unknown."""
    select = node.this
    source = select.args.get("from_") if isinstance(select, exp.Select) else None
    table = tables.get(source.this.name.lower()) if source is not None and isinstance(source.this, exp.Table) else None
    if source is None or table is None:
        raise unsupported_error("EXISTS with anything but a subquery about one public table")
    only(select, "expressions", "from_", "where", "distinct")
    called, where = source.this.alias_or_name.lower(), select.args.get("where")
    parts = [] if where is None else list(where.this.unnest().flatten())
    parts = parts if where is None or isinstance(where.this.unnest(), exp.And) else [where.this]
    for place, part in enumerate(parts):
        for one, two in (
            ((part.this, part.expression), (part.expression, part.this)) if isinstance(part, exp.EQ) else ()
        ):
            if _is_of(one, called, table) and _is_outside(two, called, table):
                listed = exp.Select(expressions=[one.copy()], from_=source.copy())
                if rest := [exp.Paren(this=each.copy()) for each in parts[:place] + parts[place + 1 :]]:
                    listed.set("where", exp.Where(this=reduce(_and, rest)))
                within = exp.In(this=two.copy(), query=exp.Subquery(this=listed))
                return exp.Is(this=exp.Paren(this=within), expression=exp.true())
    raise QuestionError(
        f"EXISTS about {table.name!r} needs a condition such as {called}.{table.key} = a column outside"
    )


def _is_outside(node: Any, called: str, table: PublicTable) -> bool:
    """Whether a node is about the table of the question."""
    columns = list(node.find_all(exp.Column))
    return bool(columns) and not any(_is_of(each, called, table) for each in columns)


def _is_of(node: Any, called: str, table: PublicTable) -> bool:
    """Whether a node is a column of a public table in a subquery. A name by itself is looked up inside first."""
    if not isinstance(node, exp.Column):
        return False
    return node.table.lower() == called or (not node.table and table.has(node.name))


def _all_keys(group: Any) -> None:
    """GROUP BY ALL: group by everything in SELECT that is not made of many rows."""
    items = [each.unalias() for each in group.parent.expressions]
    keys = [each for each in items if each.find(exp.Column) and not each.find(exp.AggFunc, exp.Window)]
    if not keys:
        group.pop()
        return
    group.set("all", None)
    group.set("expressions", [each.copy() for each in keys])


def is_of_rows(node: Any) -> bool:
    """Whether a node is IN with several columns."""
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
