"""The cross table behind a batch: one GROUP BY whose cells, added up, give every question of the batch.

Numbers and dates are cut where a condition of the batch may change, and grouped by whole values only if a question
groups by them. It is a question like any other, so its price is that of any other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import prod

from noiseless.curator.dataset.dataset import Dataset
from noiseless.curator.plan.condition import (
    Condition,
    Missing,
    Within,
    columns_read,
    functions_of,
    is_simple,
    parts_of,
)
from noiseless.curator.plan.plan import Aggregate, Plan
from noiseless.curator.schema.dates import Date
from noiseless.curator.schema.scale import Scale
from noiseless.curator.sql.example import written
from noiseless.errors import QuestionError

MOST_CELLS = 10_000
"""Larger cross tables are not offered: nobody reads them, and a preview should be quick."""


@dataclass(slots=True)
class Axis:
    """How the cross table divides a column: at these codes, by whole values, or only into present and missing."""

    cuts: set[int] = field(default_factory=set)
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Crossing:
    """The question for a cross table, how many private cells it has, and what it divides them by, in words."""

    text: str
    cells: int
    division: str


def crossing(plans: Sequence[Plan], dataset: Dataset, means: bool) -> Crossing:
    """The cross table that gives every number of some questions. Refused with the reason if there is none.

    `means` says that means are asked as such, and not as sums and counts.
    """
    axes: dict[str, Axis] = {}
    numbers = dict.fromkeys(number for plan in plans for number in _numbers(plan, dataset, means))
    for plan in plans:
        _divide_by_groups(axes, plan)
        for condition in (plan.where, *(each.filter for each in plan.aggregates())):
            _divide(axes, condition)
        for each in plan.aggregates():  # COUNT(x) counts the rows that have a value
            if each.column in dataset.schema.private and dataset.schema.private[each.column].apart:
                axes.setdefault(each.column, Axis())
    public = [name for name in dataset.schema.public if name in axes]
    private = [name for name in dataset.schema.private if name in axes]
    if not private:
        raise QuestionError("the questions have no private conditions or groups")
    cells = prod(_pieces(name, axes[name], dataset) for name in private)
    if cells > MOST_CELLS:
        raise QuestionError(f"it would have {cells} cells")
    keys = [(written(name), written(name)) for name in public]
    keys += [_key(name, axes[name], dataset) for name in private]
    listed = [key if key == label else f"{key} AS {label}" for key, label in keys]
    select, groups = ", ".join([*listed, *numbers]), ", ".join(label for _, label in keys)
    text = f"SELECT {select} FROM {written(dataset.name)} GROUP BY {groups}"
    return Crossing(text, cells, " × ".join(f"{name} ({_pieces(name, axes[name], dataset)})" for name in private))


def _numbers(plan: Plan, dataset: Dataset, means: bool) -> Iterable[str]:
    """What the cross table must show of every cell for the numbers of a question."""
    yield "COUNT(*)"
    for each in plan.aggregates():
        if each.function == "COUNT" and each.of is None:
            continue
        if each.function not in ("SUM", "AVG") or each.column is None:
            raise QuestionError(f"{_named(each)} does not follow from counts and sums of cells")
        if dataset.schema.rows > 1:
            raise QuestionError("with several rows per person, sums by private groups have no proven count")
        column = written(each.column)
        yield f"{each.function if means else 'SUM'}({column})"


def _named(aggregate: Aggregate) -> str:
    of = aggregate.column or ("…" if aggregate.of is not None else "*")
    return f"{'a quantile' if aggregate.function == 'ORDER' else aggregate.function} of {of}"


def _divide_by_groups(axes: dict[str, Axis], plan: Plan) -> None:
    for each in plan.groups:
        if each.column is None:
            raise QuestionError(f"a question groups by {each.function}, which is not a column")
    private = [each.column for each in plan.groups if each.column is not None]
    for name in (*plan.public_keys, *([] if plan.category is None else [plan.category]), *private):
        axes.setdefault(name, Axis()).whole = True


def _divide(axes: dict[str, Axis], condition: Condition) -> None:
    """Cut the columns of a condition where it may change."""
    if not is_simple(condition):
        compared = " and ".join(map(str, functions_of(condition))) or ", ".join(sorted(columns_read(condition)))
        raise QuestionError(f"a condition compares functions of a row: {compared}")
    match condition:
        case Within():
            axis = axes.setdefault(condition.column, Axis())
            axis.cuts |= {edge for first, last in condition.ranges for edge in (first, last + 1)}
        case Missing():
            axes.setdefault(condition.column, Axis())
        case _:
            for part in parts_of(condition):
                _divide(axes, part)


def _cuts(name: str, axis: Axis, dataset: Dataset) -> list[int]:
    return sorted(cut for cut in axis.cuts if 0 < cut <= dataset.schema.private[name].top)


def _pieces(name: str, axis: Axis, dataset: Dataset) -> int:
    column = dataset.schema.private[name]
    if axis.whole or not isinstance(column, Scale):
        return column.values
    return len(_cuts(name, axis, dataset)) + 1 + column.apart


def _key(name: str, axis: Axis, dataset: Dataset) -> tuple[str, str]:
    """A private GROUP BY expression and its label."""
    column, own = dataset.schema.private[name], written(name)
    if axis.whole or not isinstance(column, Scale):
        return own, own
    shown = [column.show(column.number(cut)) for cut in _cuts(name, axis, dataset)]
    ends = [f"DATE '{each}'" if isinstance(column, Date) else each for each in shown]
    names = [f"under {shown[0]}", *(f"{low} to under {high}" for low, high in pairwise(shown))] if shown else []
    cases = [f"WHEN {own} IS NULL THEN 'missing'"] if column.apart else []
    cases += [f"WHEN {own} < {end} THEN '{words}'" for end, words in zip(ends, names, strict=True)]
    rest = f"{shown[-1]} and over" if shown else "known"
    return f"CASE {' '.join(cases)} ELSE '{rest}' END", written(_free(f"{name}_group", dataset))


def _free(label: str, dataset: Dataset) -> str:
    """A label that no column has."""
    taken = {name.lower() for name in dataset.schema.columns}
    return label if label.lower() not in taken else _free(f"{label}_", dataset)
