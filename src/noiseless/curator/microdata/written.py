"""A plan as plain fields: what the ledger keeps and a certificate shows. Integers are written as text."""

from __future__ import annotations

from typing import Any

from noiseless.curator.microdata.columns import Cells, CopiedColumn, Groups
from noiseless.curator.microdata.cuts import CutCells
from noiseless.curator.microdata.plan import CopyPlan


def plan_fields(plan: CopyPlan) -> dict[str, Any]:
    """Two copies are the same if and only if their fields are. The ends of intervals follow from the cells."""
    columns = [column_fields(column) for column in plan.private]
    return {"columns": columns, "policies": [each.fields() for each in plan.policies]}


def column_fields(column: CopiedColumn) -> dict[str, Any]:
    """One column."""
    match column:
        case CutCells():
            starts = [str(first) for first in column.starts]
            means = {"values": [str(value) for value in column.middles()]} if column.halves else {}
            return {"column": column.name, "cells from": starts, **means, "answers": str(column.answers)}
        case Cells():
            return {"column": column.name, "cells of": str(column.width), "answers": str(column.answers)}
        case Groups():
            labels = [str(label) for label in column.labels]
            return {"column": column.name, "groups": labels, "answers": str(column.answers)}
        case _:
            return {"column": column.name, "public": True}
