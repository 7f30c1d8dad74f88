"""Which tables a question names."""

from __future__ import annotations

import sqlglot
from sqlglot import exp


def tables_named(text: object) -> frozenset[str]:
    """The names of all tables in a text, in lower case, without those of WITH. Empty if the text cannot be read.

    >>> sorted(tables_named("WITH h AS (SELECT * FROM homes) SELECT AVG(total) FROM h"))
    ['homes']
    """
    try:
        statements = sqlglot.parse(text, dialect="duckdb") if isinstance(text, str) else []
    except (sqlglot.errors.SqlglotError, RecursionError):
        return frozenset()
    found = [each for each in statements if each is not None]
    own = {each.alias.lower() for statement in found for each in statement.find_all(exp.CTE)}
    return frozenset(each.name.lower() for statement in found for each in statement.find_all(exp.Table)) - own
