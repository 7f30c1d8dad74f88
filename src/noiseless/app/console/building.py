"""Writes SQL from the choices in a form: functions of columns, groups with buckets, and conditions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from noiseless.curator.schema.categories import Boolean
from noiseless.curator.schema.dates import Date
from noiseless.curator.schema.scale import Scale
from noiseless.curator.schema.schema import Schema
from noiseless.curator.sql.example import written
from noiseless.errors import QuestionError

FUNCTIONS = {
    "COUNT": "how many",
    "AVG": "mean",
    "SUM": "sum",
    "MEDIAN": "median",
    "MIN": "least",
    "MAX": "greatest",
    "STDDEV_POP": "standard deviation",
}
"""The functions that can be chosen, with their names on the page."""
SIGNS = {
    ">=": "at least",
    ">": "more than",
    "=": "is",
    "<>": "is not",
    "<": "less than",
    "<=": "at most",
    "IS NULL": "is missing",
    "IS NOT NULL": "is not missing",
}
"""The comparisons, with their names on the page."""
SPANS = ("year", "quarter", "month", "week")
MOST = 12
"""The most functions, groups or conditions of a form."""
NUMBER = re.compile(r"[+-]?\d{1,40}(\.\d{1,40})?")
BLANK = (("COUNT", ""), ("", ""), ("", ">=", ""))
"""An empty function, group and condition, for the next choice."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """What a form says: functions with their columns, groups with the widths of their buckets, and conditions."""

    functions: tuple[tuple[str, str], ...] = ()
    groups: tuple[tuple[str, str], ...] = ()
    conditions: tuple[tuple[str, str, str], ...] = ()

    @classmethod
    def of(cls, given: Mapping[str, Sequence[str]]) -> Chosen:
        """The choices in the fields of a form, without blank rows."""
        functions = list(zip_longest(given.get("function", ()), given.get("column", ()), fillvalue=""))
        groups = list(zip_longest(given.get("group", ()), given.get("width", ()), fillvalue=""))
        tests = (given.get(name, ()) for name in ("where", "sign", "value"))
        conditions = list(zip_longest(*tests, fillvalue=""))
        if max(len(functions), len(groups), len(conditions)) > MOST + 1:
            raise QuestionError(f"the form has more than {MOST} functions, groups or conditions; write the rest as SQL")
        first = functions[0] if functions else BLANK[0]
        return cls(
            (first, *(each for each in functions[1:] if each[0])),
            tuple(each for each in groups if each[0]),
            tuple((name, sign, value) for name, sign, value in conditions if name),
        )

    @property
    def rows(self) -> tuple[list[Any], list[Any], list[Any]]:
        """What the form shows: everything that was chosen, and one more row of each kind to choose."""
        functions = [*self.functions, ("", "")] if self.functions else [BLANK[0], ("", "")]
        return functions, [*self.groups, BLANK[1]], [*self.conditions, BLANK[2]]


def built(chosen: Chosen, schema: Schema, table: str) -> str:
    """The question of a form. Refused if it names anything that the form does not offer."""
    keys = [_bucket(_known(name, schema), width.strip(), schema) for name, width in chosen.groups]
    numbers = [_function(name, column, schema) for name, column in chosen.functions]
    tests = [_condition(_known(name, schema), sign, value.strip(), schema) for name, sign, value in chosen.conditions]
    parts = [f"SELECT {', '.join([*keys, *numbers])}", f"FROM {written(table)}"]
    parts += [f"WHERE {' AND '.join(tests)}"] if tests else []
    parts += [f"GROUP BY {', '.join(keys)}"] if keys else []
    return "\n".join(parts)


def _known(name: str, schema: Schema) -> str:
    if name not in schema.columns:
        raise QuestionError(f"column {name[:40]!r} does not exist; choose one of {', '.join(schema.columns)}")
    return name


def _function(name: str, column: str, schema: Schema) -> str:
    if name not in FUNCTIONS:
        raise QuestionError(f"the form does not have this function; choose one of {', '.join(FUNCTIONS)}")
    if not column and name != "COUNT":
        raise QuestionError(f"{name} needs a column; choose one beside it")
    return f"{name}({written(_known(column, schema)) if column else '*'})"


def _bucket(name: str, width: str, schema: Schema) -> str:
    """A column, or the beginning of the bucket that it is in."""
    column, shown = schema.columns[name], written(name)
    if not width:
        return shown
    if isinstance(column, Date):
        if width.lower() not in SPANS:
            raise QuestionError(f"the width {width[:40]!r} is not a span of time; use one of {', '.join(SPANS)}")
        return f"DATE_TRUNC('{width.lower()}', {shown})"
    if not isinstance(column, Scale) or not NUMBER.fullmatch(width) or float(width) <= 0:
        raise QuestionError(
            f"buckets of {name!r} cannot be {width[:40]!r} wide; for a column of numbers, give a number above 0"
        )
    return f"FLOOR({shown} / {width}) * {width}"


def _condition(name: str, sign: str, value: str, schema: Schema) -> str:
    if sign not in SIGNS:
        raise QuestionError(f"the form does not have this comparison; choose one of {', '.join(SIGNS)}")
    if sign.endswith("NULL"):
        return f"{written(name)} {sign}"
    return f"{written(name)} {sign} {_value(name, schema.columns[name], value)}"


def _value(name: str, column: Any, value: str) -> str:
    """A value as SQL writes it: a number for a column of numbers, and a text for all others."""
    whole = getattr(column, "keys", None) and isinstance(column.keys[0], int)
    if (isinstance(column, Scale) and not isinstance(column, Date)) or (whole and not isinstance(column, Boolean)):
        if not NUMBER.fullmatch(value):
            raise QuestionError(
                f"{name!r} is compared with {value[:40]!r}, which is not a number; write one such as 50"
            )
        return value
    if isinstance(column, Boolean):
        if value.lower() not in ("true", "false"):
            raise QuestionError(f"{name!r} is compared with {value[:40]!r}; write true or false")
        return value.lower()
    return "'" + value.replace("'", "''") + "'"
