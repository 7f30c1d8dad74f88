"""Conditions, cells and fields as a ledger writes them. Integers are written as text, so that no reader rounds them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from noiseless.curator.plan.condition import Absent, Compared, Condition, Every, Missing, Not, Some, Within

Fields = Mapping[str, Any]
CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def condition_fields(condition: Condition) -> list[Any]:
    """A condition as nested lists."""
    match condition:
        case Within():
            return ["within", condition.column, [[str(first), str(last)] for first, last in condition.ranges]]
        case Missing():
            return ["missing", condition.column]
        case Not():
            return ["not", condition_fields(condition.part)]
        case Every():
            return ["every", *map(condition_fields, condition.parts)]
        case Some():
            return ["some", *map(condition_fields, condition.parts)]
        case Compared():
            sides = (side.tree(condition_fields) for side in (condition.left, condition.right))
            return ["compared", condition.sign, *sides]
        case Absent():
            return ["absent", condition.function.tree(condition_fields)]


def topic_of(family: Fields) -> str:
    """What a release is about: its kind, column and share, without its rows.

    >>> topic_of({"kind": "order statistic", "column": "age", "share": "1/2", "condition": ["every"]})
    'order statistic age 1/2'
    """
    return " ".join(str(family[name]) for name in ("kind", "column", "share") if name in family)


def canonical(fields: Any) -> str:
    """Some fields as text, in the only form that ledgers have."""
    return CANONICAL.encode(fields)


def spans(cells: Iterable[int]) -> str:
    """Numbers as ranges.

    >>> spans([7, 0, 1, 2, 3])
    '0-3,7'
    """
    given = sorted(cells)
    if len(given) == 1:
        return str(given[0])
    found: list[list[int]] = []
    for cell in given:
        if found and cell == found[-1][1] + 1:
            found[-1][1] = cell
        else:
            found.append([cell, cell])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in found)


def numbers_in(text: str) -> list[int]:
    """The numbers that `spans` wrote.

    >>> numbers_in("0-3,7")
    [0, 1, 2, 3, 7]
    """
    found: list[int] = []
    for span in text.split(",") if text else ():
        first, _, last = span.partition("-")
        found += range(int(first), int(last or first) + 1)
    return found
