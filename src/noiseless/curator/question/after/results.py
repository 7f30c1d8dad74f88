"""From released numbers to the rows of the last stage."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from noiseless.curator.plan.after import Arranged
from noiseless.curator.plan.group import Shown
from noiseless.curator.plan.plan import Aggregate, Arithmetic, Constant, Expression, KeyOf, Plan
from noiseless.curator.question.after.calls import called
from noiseless.curator.question.after.cell import Cell, exactly, of_reported, shown
from noiseless.curator.question.after.row import Row
from noiseless.curator.question.after.stages import staged
from noiseless.curator.question.subtotals import with_subtotals
from noiseless.curator.releases.reported import Reported

MOST_ROWS = 1000
"""The most rows of a result that stages compute with: each is compared with all others."""
Numbers = Mapping[Aggregate, Reported | None]
Keys = Mapping[str, Shown]


def results(plan: Plan, lines: Sequence[tuple[Keys, Numbers]]) -> list[Row]:
    """The rows of the last stage, shown or not."""
    lines = with_subtotals(plan, lines) if plan.levels else lines
    rows = [Row(_cells(plan, *line), place) for place, line in enumerate(lines)]
    for stage in plan.stages:
        rows = staged(stage, rows)
    return rows


def fields_of(plan: Plan, rows: Sequence[Row]) -> list[dict[str, Any]]:
    """What the answer shows."""
    last = plan.stages[-1]
    assert isinstance(last, Arranged)
    return [
        {each.label: shown(row.cells[each.label], each.kind, each.is_number) for each in last.outputs}
        for row in rows
        if row.shown
    ]


def _cells(plan: Plan, keys: Keys, numbers: Numbers) -> dict[str, Cell]:
    """The cells of a line. A number that is used twice is one unknown."""
    released = cache(lambda aggregate: of_reported(numbers[aggregate]))
    return {item.label: _cell(item.expression, keys, released) for item in plan.items}


def _cell(expression: Expression, keys: Keys, released: Callable[[Aggregate], Cell]) -> Cell:
    match expression:
        case Aggregate():
            return released(expression)
        case KeyOf(name):
            return exactly(keys[name])
        case Constant(value):
            return exactly(value)
        case Arithmetic(operation, left, right):
            return called(operation, [_cell(left, keys, released), _cell(right, keys, released)])
