"""Constants in a question."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from sqlglot import exp

from noiseless.curator.sql.refusal import only, unknown_error
from noiseless.curator.sql.size import check_constant
from noiseless.errors import NumberError, QuestionError
from noiseless.exact.number import exact_number

Literal = str | Fraction | bool


def constant(node: Any) -> Literal:
    """A number, exactly as written, a text, a truth value, or a date as text."""
    match node:
        case exp.Paren():
            return constant(node.this)
        case exp.Literal() if node.is_string:
            return str(node.this)
        case exp.Literal():
            return _number(str(node.this))
        case exp.Boolean():
            return bool(node.this)
        case exp.Neg():
            number = constant(node.this)
            if not isinstance(number, Fraction):
                raise QuestionError(f"-{node.this.sql(dialect='duckdb')} is not a number; put - before numbers only")
            return -number
        case exp.Cast() if node.to.is_type("date"):
            only(node, "this", "to")
            return constant(node.this)
        case exp.Null():
            raise QuestionError("a comparison with NULL is never true; write IS NULL or IS NOT NULL")
        case exp.Column():
            raise QuestionError(
                f"{node.sql(dialect='duckdb')[:60]} is a column, and a constant is needed here; compare with a constant"
            )
        case _:
            raise unknown_error(node)


def _number(written: str) -> Fraction:
    try:
        return check_constant(exact_number(written), written)
    except NumberError:
        pass
    raise QuestionError(f"{written[:30]!r} is not a number, or its exponent is too large; write a shorter number")


def limit_of(clause: Any) -> int | None:
    """The number of LIMIT or FETCH FIRST."""
    if clause is None:
        return None
    if isinstance(clause, exp.Fetch):
        return _fetched(clause)
    if not isinstance(clause, exp.Limit):
        raise unknown_error(clause)
    only(clause, "expression")
    return _rows(clause.expression)


def _fetched(clause: exp.Fetch) -> int:
    """The number of FETCH FIRST … ROWS ONLY, which is LIMIT in standard SQL."""
    only(clause, "direction", "count", "limit_options")
    if (options := clause.args.get("limit_options")) is not None:
        only(options, "rows")
    return 1 if clause.args.get("count") is None else _rows(clause.args["count"])


def _rows(node: Any) -> int:
    number = constant(node)
    if isinstance(number, (str, bool)) or number.denominator != 1 or number < 0:
        raise QuestionError("LIMIT must be a whole number; use 0 or more")
    return int(number)


def is_constant(node: Any) -> bool:
    """Whether a node is a constant rather than a column or a calculation."""
    while isinstance(node, (exp.Paren, exp.Neg, exp.Cast)):
        node = node.this
    return isinstance(node, (exp.Literal, exp.Boolean, exp.Null))


def is_column(node: Any) -> bool:
    """Whether a node is a column by itself."""
    return isinstance(node.unnest() if isinstance(node, exp.Paren) else node, exp.Column)


def column_name(node: Any, table: str) -> str:
    """The name of a column; it may be qualified by the table."""
    node = node.unnest() if isinstance(node, exp.Paren) else node
    if not isinstance(node, exp.Column) or isinstance(node.this, exp.Star):
        raise unknown_error(node)
    only(node, "this", "table")
    if node.table and node.table.lower() != table.lower():
        raise QuestionError(f"{node.table!r} is not the table of this question; use {table!r}")
    return str(node.name)
