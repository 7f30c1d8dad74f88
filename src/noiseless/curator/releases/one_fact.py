"""How many values of a column are there: one fact, whether asked by COUNT(x), x IS NOT NULL or x IS NULL.

How many rows there are is public, so each of them follows from any other, and it is paid for once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from noiseless.curator.schema.categories import Category
from noiseless.curator.schema.schema import Schema


def one_fact(family: Mapping[str, Any], schema: Schema) -> tuple[Mapping[str, Any], bool]:
    """The fields of a release as the fact that it tells, and whether it tells how many are missing instead."""
    if family.get("kind") != "head count":
        return family, False
    fact = {name: value for name, value in family.items() if name != "counted"}
    match family["condition"]:
        case ["missing", name]:
            present = [["0", str(schema.private[name].top)]]
        case ["within", name, [[first, _]]] if _is_missing(schema, name, first):  # the last code
            present = [["0", str(int(first) - 1)]]
        case _:
            return fact, False
    return {**fact, "condition": ["within", name, present]}, True


def _is_missing(schema: Schema, name: str, code: str) -> bool:
    """Whether a code stands for missing values of a category."""
    column = schema.columns.get(name)
    return isinstance(column, Category) and column.own_missing and code == str(column.top)
