"""Releases as plain fields: what the ledger keeps; a certificate shows the kinds only, since the rest follows.

Integers are written as text, so that no reader rounds them. Two releases are the same exactly if their fields are.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from noiseless.curator.plan.condition import Condition, Every, Missing, Not, Some, Within
from noiseless.curator.plan.part import Part
from noiseless.curator.releases.filtered_mean import FilteredMean
from noiseless.curator.releases.filtered_total import FilteredTotal
from noiseless.curator.releases.head_count import HeadCount
from noiseless.curator.releases.histogram import TallyOfCategory
from noiseless.curator.releases.order_statistic import OrderStatistic
from noiseless.curator.releases.release import Release
from noiseless.curator.releases.spread import Spread
from noiseless.curator.releases.total import Total

KINDS: dict[type, str] = {
    Total: "total",
    FilteredTotal: "filtered total",
    FilteredMean: "filtered mean",
    HeadCount: "head count",
    TallyOfCategory: "histogram",
    OrderStatistic: "order statistic",
    Spread: "variance",
}
Fields = dict[str, Any]


def fields_of(release: Release) -> Fields:
    """A release without the width of its bins."""
    fields: Fields = {"kind": KINDS[type(release)], **part_fields(release.part)}
    match release:
        case HeadCount():
            fields["counted"] = release.counted
        case OrderStatistic():
            fields |= {"column": release.name, "share": str(release.share)}
        case Total() | FilteredTotal() | FilteredMean() | TallyOfCategory() | Spread():
            fields["column"] = release.name
    return fields


def part_fields(part: Part) -> Fields:
    """The rows of a release."""
    return {
        "cells": spans(part.cells),
        "rows": str(part.size),
        "condition": condition_fields(part.condition),
        "reads": list(part.columns),
        "changes": str(part.changes),
        "whole": part.whole,
    }


def family_fields(release: Release) -> Fields:
    """What a release has in common with the same one of other rows; what is left out follows from the cells."""
    return {name: value for name, value in fields_of(release).items() if name not in ("cells", "rows", "whole")}


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


def canonical(fields: Any) -> str:
    """The one text of some fields."""
    return json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def spans(cells: Iterable[int]) -> str:
    """Numbers as ranges.

    >>> spans([7, 0, 1, 2, 3])
    '0-3,7'
    """
    found: list[list[int]] = []
    for cell in sorted(cells):
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
