"""A question put together by choosing: a function of a column, groups, and one condition. It is written as SQL."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from noiseless.curator.schema.schema import Schema
from noiseless.curator.sources.quoting import identifier
from noiseless.errors import QuestionError

FUNCTIONS = ("COUNT", "AVG", "SUM", "MEDIAN", "MIN", "MAX", "STDDEV_POP")
SIGNS = ("=", "<>", "<", "<=", ">", ">=")
EMPTY = {"function": "COUNT", "column": "", "group": "", "where": "", "sign": ">=", "value": ""}


@dataclass(frozen=True, slots=True)
class Built:
    """The SQL, and what was chosen."""

    sql: str
    chosen: Mapping[str, str]


def built(given: Mapping[str, str], schema: Schema, table: str) -> Built:
    """The question of a form. Refused if it names anything but what the form offers."""
    chosen = {name: given.get(name, usual) for name, usual in EMPTY.items()}
    for name in ("column", "group", "where"):
        if chosen[name] and chosen[name] not in schema.columns:
            columns = ", ".join(schema.columns)
            raise QuestionError(f"column {chosen[name][:40]!r} does not exist; choose one of {columns}")
    if chosen["function"] not in FUNCTIONS or chosen["sign"] not in SIGNS:
        raise QuestionError(f"the form has no such function or comparison; choose {', '.join(FUNCTIONS)}")
    of = identifier(chosen["column"]) if chosen["column"] else "*"
    if of == "*" and chosen["function"] != "COUNT":
        raise QuestionError(f"{chosen['function']} needs a column; choose one beside it")
    group = identifier(chosen["group"]) if chosen["group"] else ""
    parts = [f"SELECT {f'{group}, ' if group else ''}{chosen['function']}({of})", f"FROM {identifier(table)}"]
    if chosen["where"] and chosen["value"]:
        parts.append(f"WHERE {identifier(chosen['where'])} {chosen['sign']} {_written(chosen['value'])}")
    if group:
        parts.append(f"GROUP BY {group}")
    return Built("\n".join(parts), chosen)


def _written(value: str) -> str:
    """A number as it is, and anything else as a text."""
    try:
        float(value)
    except ValueError:
        return "'" + value.replace("'", "''") + "'"
    return value.strip()
