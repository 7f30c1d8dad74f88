"""Parsers that bind operators as DuckDB, Postgres and Spark do.

To sqlglot, a - b % c is (a - b) % c, and a = b IS NULL is a = (b IS NULL). In all three databases % binds as strongly
as * and /, and IS more weakly than comparisons.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from sqlglot import Dialect, TokenType, exp
from sqlglot.parser import Parser

from noiseless.curator.sql.refusal import text_of
from noiseless.errors import QuestionError

COMPARISONS = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE)
WEAKER = (exp.Is, exp.NullSafeEQ, exp.NullSafeNEQ)


def statements(dialect: Dialect, tokens: list[Any], text: str) -> list[Any]:
    """The parse trees of the statements in a text, whose words are known.

    >>> text, duckdb = "SELECT a - b % c", Dialect.get_or_raise("duckdb")
    >>> statements(duckdb, duckdb.tokenize(text), text)[0].expressions[0].key
    'sub'
    """
    found = _exact(type(dialect).parser_class)(dialect=dialect).parse(tokens, text)
    if any(token.token_type == TokenType.IS for token in tokens):
        for each in found:
            _check_is(each)
    return found


@cache
def _exact(kind: Any) -> type[Parser]:
    """A parser of the same dialect that reads % as it reads *."""
    terms = {sign: node for sign, node in kind.TERM.items() if sign != TokenType.MOD}
    return type(kind.__name__, (kind,), {"TERM": terms, "FACTOR": {**kind.FACTOR, TokenType.MOD: exp.Mod}})


def _check_is(statement: Any) -> None:
    """Refuse IS on the right of a comparison: in SQL it is about the whole comparison."""
    for node in _comparisons(statement):
        right = node.expression.this if isinstance(node.expression, exp.Not) else node.expression
        if isinstance(right, WEAKER):
            raise QuestionError(
                f"IS in {text_of(node)!r} is about the whole comparison in SQL; put one of them in parentheses"
            )


def _comparisons(statement: Any) -> Iterator[Any]:
    return statement.find_all(*COMPARISONS) if statement is not None else iter(())
