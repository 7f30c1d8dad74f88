"""SQL of Postgres and Spark, as the SQL of DuckDB that means the same.

What would mean something else there is refused or written in another way: division of whole numbers, days of the week,
CAST to whole numbers and decimals, patterns with backslashes, DATEDIFF in months. Empty values come last in every
dialect.
"""

from __future__ import annotations

import re
from typing import Any

from sqlglot import Dialect, ErrorLevel, UnsupportedError, exp

from noiseless.curator.schema.scale import Integer, Real
from noiseless.curator.schema.schema import Schema
from noiseless.curator.sql.constants import limit_of
from noiseless.curator.sql.functions import WHOLE
from noiseless.curator.sql.mode import in_one_way
from noiseless.curator.sql.read import parsed
from noiseless.curator.sql.refusal import text_of
from noiseless.curator.sql.spelled_out import any_row, is_of_rows
from noiseless.errors import QuestionError, UnknownVariableError
from noiseless.exact.number import shown

DIALECTS = ("duckdb", "postgres", "spark")
WEEKDAYS = ("dow", "dayofweek", "dow_iso", "dayofweek_iso", "weekday")
SIGNED = (exp.Add, exp.Sub, exp.Mul, exp.Mod, exp.Neg, exp.Paren, exp.Abs)
"""Operations whose result is whole if all parts are."""


def in_duckdb(text: Any, dialect: str, schema: Schema) -> Any:
    """The question in DuckDB's SQL.

    >>> import noiseless as nl
    >>> schema = nl.Schema(age=nl.Integer(0, 120), region=nl.Public())
    >>> in_duckdb("SELECT `region`, COUNT(*) FROM people GROUP BY `region`", "spark", schema)
    'SELECT "region", COUNT(*) FROM people GROUP BY "region"'
    """
    if dialect not in DIALECTS:
        raise QuestionError(f"dialect={shown(dialect)} is not known; use {', '.join(DIALECTS)}")
    if dialect == "duckdb" or not isinstance(text, str):
        return text
    statement = parsed(text, Dialect.get_or_raise(dialect))
    for node in list(statement.walk()):
        if isinstance(node, exp.Fetch):
            limit_of(node)  # refused here, because WITH TIES would be dropped
        _check_escapes(node)
        if is_of_rows(node):
            node.replace(any_row(node))
        if dialect == "postgres":
            _as_in_postgres(node, schema)
        else:
            _as_in_spark(node)
    return written(statement, plain="NULLS" not in re.split(r"\W+", text.upper()))


def written(statement: Any, plain: bool = False) -> str:
    """A statement as text that reads as the same statement.

    If `plain`, ORDER BY does not name where empty values come.
    """
    statement = in_one_way(statement)
    for node in list(statement.find_all(exp.WithinGroup)):
        ranked, order = node.this, node.expression
        one = isinstance(order, exp.Order) and len(order.expressions) == 1 and not order.expressions[0].args.get("desc")
        if one and isinstance(ranked, (exp.PercentileCont, exp.PercentileDisc)):
            kind = exp.PercentileCont if isinstance(ranked, exp.PercentileCont) else exp.Quantile
            share = "expression" if kind is exp.PercentileCont else "quantile"
            node.replace(kind(**{"this": order.expressions[0].this, share: ranked.this}))
    for node in statement.find_all(exp.Ordered) if plain else ():
        node.set("nulls_first", False)
    try:
        return str(statement.sql(dialect="duckdb", unsupported_level=ErrorLevel.RAISE))
    except UnsupportedError as wrong:
        raise QuestionError(f"not everything has a translation into DuckDB's SQL: {wrong}; write it in that") from None


def _as_in_postgres(node: Any, schema: Schema) -> None:
    """Write what Postgres means: 7 / 2 is 3 there, and NUMERIC has any number of digits.

    Refused if that is not sure.
    """
    if isinstance(node, exp.Cast) and node.to.is_type("decimal") and not node.to.expressions:
        node.set("to", exp.DataType.build("double"))
    sides = [node.this, node.expression] if isinstance(node, exp.Div) else []
    if sides and all(_is_sure(each, schema) for each in sides):
        node.replace(whole := exp.Trunc())
        whole.set("this", node)
    elif sides and all(_may_be_whole(each, schema) for each in sides):
        raise QuestionError(
            f"{text_of(node)!r} may divide whole numbers, which Postgres makes whole; write 1.0 * before it"
        )


def _is_sure(node: Any, schema: Schema) -> bool:
    """Whether a node is certainly a whole number in Postgres. SUM of whole numbers may be NUMERIC, which is not."""
    if isinstance(node, SIGNED):
        return all(_is_sure(each, schema) for each in (node.this, node.expression) if each)
    if isinstance(node, exp.Filter):
        return _is_sure(node.this, schema)
    if isinstance(node, exp.Column):
        known = next((each for name, each in schema.columns.items() if name.lower() == node.name.lower()), None)
        return isinstance(known, Integer)
    return isinstance(node, exp.Count) or (isinstance(node, exp.Literal) and _may_be_whole(node, schema))


def _check_escapes(node: Any) -> None:
    """In Postgres and Spark, a backslash in a pattern makes the next character an ordinary one."""
    if isinstance(node, (exp.Like, exp.ILike)) and "\\" in str(getattr(node.expression, "this", "")):
        raise QuestionError(
            f"{text_of(node)!r} has a backslash, which DuckDB takes as it is; ask in the dialect duckdb, or test with "
            f"STARTS_WITH or CONTAINS"
        )


def _may_be_whole(node: Any, schema: Schema) -> bool:
    if isinstance(node, exp.Filter):
        return _may_be_whole(node.this, schema)
    if isinstance(node, SIGNED):
        return all(_may_be_whole(each, schema) for each in (node.this, node.expression) if each)
    if isinstance(node, exp.Literal):
        return not node.is_string and node.this.isdigit()
    if isinstance(node, exp.Column):
        return _is_whole(node.name, schema)
    if isinstance(node, exp.Cast):
        return str(node.to.sql(dialect="duckdb")).lower() in WHOLE
    if isinstance(node, (exp.Avg, exp.Round, exp.Sqrt, exp.Ln, exp.Exp, exp.Log, exp.Pow)):
        return False
    if isinstance(node, exp.Window):
        return _may_be_whole(node.this, schema)
    if isinstance(node, exp.Sum) and isinstance(node.this, exp.Count):
        return False  # SUM of a BIGINT is NUMERIC
    if isinstance(node, (exp.Sum, exp.Min, exp.Max)):
        return _may_be_whole(node.this, schema)
    return True


def _is_whole(name: str, schema: Schema) -> bool:
    """Whether a column may hold whole numbers. Names from subqueries may mean anything."""
    try:
        _, column = schema.find(name)
    except UnknownVariableError:
        return True
    return not isinstance(column, Real)


def _as_in_spark(node: Any) -> None:
    """Rewrite what Spark reads in another way than DuckDB, or refuse it."""
    day = isinstance(node, exp.Extract) and node.this.name.lower() in WEEKDAYS
    named = isinstance(node, exp.Anonymous) and node.name.lower() in WEEKDAYS
    if day or named or isinstance(node, (exp.DayOfWeek, exp.DayOfWeekIso)):
        raise QuestionError(
            f"{text_of(node)!r} counts the days of the week from another day in Spark; ask in the dialect duckdb, "
            f"where Sunday is 0"
        )
    if isinstance(node, (exp.Dayname, exp.Monthname)):
        raise QuestionError(f"{text_of(node)!r} is a short name in Spark; ask in the dialect duckdb, where it is long")
    if isinstance(node, exp.DateDiff) and (unit := str(getattr(node.args.get("unit"), "name", "day")).lower()) != "day":
        raise QuestionError(
            f"{text_of(node)!r} counts whole units in Spark, and not how many {unit}s begin; ask for "
            f"DATEDIFF(b, a), in days, or for YEAR(b) - YEAR(a)"
        )
    if isinstance(node, exp.Quantile):  # PERCENTILE, which lies between two values
        node.replace(exp.PercentileCont(this=node.this, expression=node.args["quantile"]))
    elif isinstance(node, exp.Cast):
        whole = str(node.to.sql(dialect="duckdb")).lower() in WHOLE
        if node.to.is_type("decimal") and not node.to.expressions:
            node.set("to", exp.DataType.build("decimal(10, 0)"))
        node.replace(exp.Trunc(this=node.this) if whole else exp.Cast(this=node.this, to=node.to))
