"""WEEK, DAYNAME and MONTHNAME of a date, in terms of other functions of dates."""

from __future__ import annotations

from functools import cache
from typing import Any

from sqlglot import exp, parse_one

from noiseless.curator.sql.labels import LABEL
from noiseless.curator.sql.refusal import only, text_of

NAMES = {
    "Dayname": ("isodow", "Monday Tuesday Wednesday Thursday Friday Saturday Sunday"),
    "Monthname": (
        "month",
        "January February March April May June July August September October November December",
    ),
}
WEEKS = (exp.Week, exp.WeekOfYear)
THURSDAY = "FLOOR((EXTRACT(doy FROM DATE_TRUNC('week', x) + INTERVAL 3 DAY) - 1) / 7) + 1"
"""The number of a week is that of its Thursday, as DuckDB and ISO 8601 count."""
OF_DAYS = (exp.Dayname, exp.Monthname, *WEEKS, exp.Extract)


def is_named_day(node: Any) -> bool:
    """Whether it is one of these functions."""
    return isinstance(node, OF_DAYS[:-1]) or (isinstance(node, exp.Extract) and node.name.lower() == "week")


def in_other_words(node: Any) -> Any:
    """The function in terms of others. A missing date has no week and no name."""
    only(node, "this", *(["expression"] if isinstance(node, exp.Extract) else []))
    day = node.expression if isinstance(node, exp.Extract) else node.this
    found = exp.Paren(this=_written(type(node).__name__).copy())
    for column in list(found.find_all(exp.Column)):
        column.replace(day.copy())
    found.meta[LABEL] = text_of(node)
    return found


@cache
def _written(kind: str) -> Any:
    """The function of a column x."""
    if kind not in NAMES:
        return parse_one(THURSDAY, dialect="duckdb")
    part, names = NAMES[kind]
    cases = " ".join(f"WHEN {number} THEN '{name}'" for number, name in enumerate(names.split(), start=1))
    return parse_one(f"CASE EXTRACT({part} FROM x) {cases} END", dialect="duckdb")
