"""What the editor completes and highlights: columns, declared values and the SQL functions that are supported."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from noiseless.curator.schema.schema import Schema
from noiseless.curator.sql.example import written

STATISTICS = (
    *("COUNT", "SUM", "AVG", "MEDIAN", "MIN", "MAX", "QUANTILE", "QUANTILE_CONT", "STDDEV_POP", "STDDEV_SAMP"),
    *("VAR_POP", "VAR_SAMP", "CORR", "COVAR_POP", "COVAR_SAMP", "REGR_SLOPE", "REGR_INTERCEPT", "REGR_R2"),
)
OF_A_ROW = (
    *(
        "ABS",
        "SIGN",
        "ROUND",
        "FLOOR",
        "CEIL",
        "TRUNC",
        "SQRT",
        "LN",
        "LOG",
        "EXP",
        "POWER",
        "MOD",
        "GREATEST",
        "LEAST",
    ),
    *("COALESCE", "NULLIF", "IF", "CAST", "YEAR", "MONTH", "DAY", "DATE_TRUNC", "DATE_DIFF", "EXTRACT"),
    *("LOWER", "UPPER", "TRIM", "SUBSTR", "LEFT", "RIGHT", "REPLACE", "CONCAT", "LENGTH", "STARTS_WITH", "CONTAINS"),
)
KEYWORDS = (
    *("SELECT", "FROM", "WHERE", "GROUP BY", "HAVING", "ORDER BY", "LIMIT", "AS", "AND", "OR", "NOT", "IN", "BETWEEN"),
    *("LIKE", "IS NULL", "IS NOT NULL", "CASE", "WHEN", "THEN", "ELSE", "END", "DISTINCT", "JOIN", "ON", "WITH"),
    *("DESC", "ASC", "TRUE", "FALSE", "NULL", "UNION ALL"),
)
MOST_VALUES = 50
"""If a column has more declared values than this, the editor does not complete them."""
MOST_CHOICES = 500


def values_of(schema: Schema) -> list[str]:
    """The declared values of all columns that have few, each once, for choosing."""
    found = (str(key) for column in schema.columns.values() for key in _few(getattr(column, "keys", ())))
    return list(dict.fromkeys(found))[:MOST_CHOICES]


def words_of(schema: Schema, views: Mapping[str, Iterable[str]]) -> str:
    """The words as JSON. Everything in it is public. Views come with the names of their columns."""
    columns: list[dict[str, Any]] = [{"word": written(name), "of": "column"} for name in schema.columns]
    for view, names in views.items():
        columns += [{"word": written(view), "of": "view"}, *({"word": written(name), "of": view} for name in names)]
    values = [
        {"word": "'" + key.replace("'", "''") + "'", "of": name}
        for name, column in schema.columns.items()
        for key in _few(getattr(column, "keys", ()))
        if isinstance(key, str)
    ]
    functions = [{"word": name, "of": "statistic"} for name in STATISTICS]
    functions += [{"word": name, "of": "function"} for name in OF_A_ROW]
    return json.dumps([*columns, *functions, *({"word": each, "of": "SQL"} for each in KEYWORDS), *values])


def _few(keys: Any) -> Any:
    return keys if len(keys) <= MOST_VALUES else ()
