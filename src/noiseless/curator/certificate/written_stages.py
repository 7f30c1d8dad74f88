"""Stages as a certificate writes them: nested lists of columns, constants, operations and functions over rows."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from typing import Any

from noiseless.curator.plan.after import (
    Arranged,
    Call,
    Column,
    Expression,
    Nothing,
    Order,
    Output,
    Stage,
    Window,
)
from noiseless.curator.plan.plan import Constant
from noiseless.curator.plan.trees import Tree

DIRECTIONS = {False: "ascending", True: "descending"}


def written_stage(stage: Stage) -> dict[str, Any]:
    """One stage."""
    where = None if stage.where is None else stage_tree(stage.where)
    if isinstance(stage, Arranged):
        limit = None if stage.limit is None else str(stage.limit)
        return {"outputs": _outputs(stage.outputs), "where": where, "order": _order(stage.order), "limit": limit}
    numbers = [
        [
            each.label,
            each.function.lower(),
            *(None if part is None else stage_tree(part) for part in (each.of, each.kept)),
        ]
        for each in stage.numbers
    ]
    return {"keys": _outputs(stage.keys), "numbers": numbers, "where": where}


def _outputs(outputs: tuple[Output, ...]) -> Tree:
    return [[each.label, stage_tree(each.expression)] for each in outputs]


def _order(order: Order) -> Tree:
    return [[stage_tree(expression), DIRECTIONS[falls]] for expression, falls in order]


def constant_tree(value: Fraction | str | int | date) -> Tree:
    """A constant, with what it is."""
    match value:
        case bool():
            return ["truth", value]
        case str():
            return ["text", value]
        case date():
            return ["date", value.isoformat()]
        case _:
            return ["number", str(value)]


def stage_tree(node: Expression) -> Tree:
    """An expression of a stage."""
    match node:
        case Column(label):
            return ["column", label]
        case Nothing():
            return ["null"]
        case Constant(value):
            return constant_tree(value)
        case Call(operation, parts):
            return [operation.lower().replace(" ", "_"), *map(stage_tree, parts)]
        case Window(function, parts, partition, order, frame):
            ends = None if frame is None else [_end(frame.before), _end(frame.after)]
            lists = [[stage_tree(part) for part in each] for each in (parts, partition)]
            return ["over", function.lower(), *lists, _order(order), ends]


def _end(rows: int | None) -> str | None:
    return None if rows is None else str(rows)
