"""A plan as plain fields: what the ledger keeps and a certificate shows. Integers are written as text."""

from __future__ import annotations

from typing import Any

from noiseless.curator.microdata.plan import CopyPlan


def plan_fields(plan: CopyPlan) -> dict[str, Any]:
    """The fields of a copy.

    Two copies are the same if and only if their fields are. Ends of intervals follow from cells.
    """
    columns = [column.fields() for column in plan.private]
    return {"columns": columns, "policies": [each.fields() for each in plan.policies]}
