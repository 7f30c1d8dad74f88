"""UNION ALL: several SELECTs with one answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from noiseless.curator.certificate.checker.columns import Column
from noiseless.curator.certificate.checker.numbers import whole
from noiseless.curator.certificate.checker.plans import Plan, read_plan
from noiseless.curator.certificate.checker.rows import Keys, Numbers, finish, in_writing, value_of
from noiseless.curator.certificate.checker.wrong import elements, pairs, require

MOST_SELECTS = 100


@dataclass(frozen=True, slots=True)
class Union:
    """The plans of the SELECTs, and the columns by which all rows are ordered. A single SELECT is a union of one."""

    selects: tuple[Plan, ...]
    order: Sequence[tuple[str, bool]] = ()
    limit: int | None = None

    @property
    def grouped_by(self) -> frozenset[str]:
        """The columns that it groups by, or that conditions and functions read."""
        return frozenset[str]().union(*(plan.grouped_by for plan in self.selects))

    @property
    def some(self) -> bool:
        """Whether rows may be left out."""
        return self.limit is not None or any(plan.some for plan in self.selects)


def read_union(plan: Any, columns: Mapping[str, Column]) -> Union:
    """Read all plans. They have the same labels, and every label is of one kind."""
    if not isinstance(plan, dict) or "united" not in plan:
        return Union((read_plan(plan, columns),))
    require(set(plan) == {"united", "order", "limit"}, "fields of a union are missing or unknown")
    plans = tuple(read_plan(each, columns) for each in elements(plan["united"]))
    require(not any(each.stages for each in plans), "a SELECT of a union has stages")
    require(1 <= len(plans) <= MOST_SELECTS, "a union has no SELECT, or too many")
    labels = [label for label, _ in plans[0].items]
    require(all([label for label, _ in each.items] == labels for each in plans), "columns of a union have other labels")
    order = []
    for tree, direction in pairs(plan["order"]):
        require(len(elements(tree)) == 2 and tree[0] == "key" and tree[1] in labels, "a union is ordered by no column")
        require(direction in ("ascending", "descending"), "an order has no direction")
        order.append((tree[1], direction == "descending"))
    limit = None if plan["limit"] is None else whole(plan["limit"])
    require(limit is None or limit >= 0, "a limit is below 0")
    return Union(plans, order, limit)


def finish_union(union: Union, selects: Iterable[Sequence[tuple[Keys, Numbers]]]) -> list[dict[str, Any]]:
    """The rows of the answer as a certificate writes them."""
    rows = [row for plan, own in zip(union.selects, selects, strict=True) for row in finish(plan, own)]
    for label, descending in reversed(union.order):
        empty = [row for row in rows if value_of(row[label]) is None]
        there = [row for row in rows if value_of(row[label]) is not None]
        rows = sorted(there, key=lambda row: value_of(row[label]), reverse=descending) + empty
    return [{label: in_writing(cell) for label, cell in row.items()} for row in rows[: union.limit]]
