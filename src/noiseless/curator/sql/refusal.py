"""Refusals of everything outside the grammar."""

from __future__ import annotations

import re
from typing import Any

from sqlglot import ErrorLevel, exp

from noiseless.errors import QuestionError

SUPPORTED = (
    "supported are COUNT, SUM, AVG, variances, MIN, MAX, MEDIAN, quantiles, CORR and the like of columns and functions "
    "of a row, with FILTER, WHERE, GROUP BY, HAVING, ORDER BY and LIMIT (docs/sql.md)"
)
HARMLESS = {"big_int", "typed", "safe"}
"""Parts that the parser adds to a node without changing its meaning."""
NAMES = {
    "joins": "JOIN",
    "with_": "WITH",
    "with": "WITH",
    "laterals": "LATERAL",
    "windows": "WINDOW",
    "sample": "TABLESAMPLE",
    "db": "a table of another database",
    "totals": "WITH TOTALS",
    "grouping_sets": "GROUPING SETS",
    "symmetric": "BETWEEN SYMMETRIC",
    "query": "a subquery",
    "expression": "another argument",
    "expressions": "more than one argument",
}

OTHERWISE = {"Subquery": "a subquery", "Select": "a subquery", "Window": "OVER", "GroupConcat": "STRING_AGG"}
"""Names of constructs that the parser calls or writes differently."""
CALL, WORD = re.compile(r"[A-Za-z_]\w*(?=\()"), re.compile(r"(?<=[a-z])(?=[A-Z])")


def unsupported_error(construct: str) -> QuestionError:
    """The error for a construct that is not supported."""
    return QuestionError(f"{construct} is not supported; {SUPPORTED}")


def text_of(node: Any) -> str:
    """A node nearly as the analyst wrote it."""
    return str(node.sql(dialect="duckdb", unsupported_level=ErrorLevel.IGNORE))[:60] if node is not None else ""


def unknown_error(node: Any) -> QuestionError:
    """The error for a node of the parse tree that is not allowed in its place."""
    if isinstance(node, exp.Star):
        return QuestionError("'*' lists single rows, which are never shown; ask for numbers such as COUNT(*) by name")
    kind, text = type(node).__name__, text_of(node)
    name = OTHERWISE.get(kind) or (called.group() if (called := CALL.match(text)) else WORD.sub(" ", kind))
    return unsupported_error(f"{name if kind in ('Subquery', 'Select') else name.upper()} in {text!r}")


def argument(node: Any, name: str) -> Any:
    """A part that a node must have. The parser accepts some nodes without it."""
    found = node.args.get(name)
    if found is None or isinstance(found, (list, str)):
        raise unknown_error(node)
    return found


def only(node: Any, *known: str) -> None:
    """Refuse a node with parts outside the grammar."""
    for name, value in node.args.items():
        if value not in (None, False, []) and name not in known and name not in HARMLESS:
            where = f" in {text_of(node)!r}" if name in ("expression", "expressions") else ""
            raise unsupported_error(NAMES.get(name, name.strip("_").replace("_", " ").upper()) + where)
