"""Bounds on the calculations of stages, checked before anything is charged.

Sums over rows have many denominators, and are rounded outward if these are too long. So a sum of many rows is as long
as its longest number, and a little more.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from noiseless.curator.plan.after import Arranged, Call, Column, Expression, Stage, Window, parts_of, roots_of
from noiseless.curator.plan.plan import Constant, Plan
from noiseless.curator.schema.schema import Schema
from noiseless.curator.sql.size import MOST_NODES, Size, combined_size, sizes_of
from noiseless.errors import QuestionError

OF_A_COUNT = Size(64, 1)
MORE = 64
"""More bits than the number of rows has."""
ROUNDED = 1100
"""More bits than a denominator has after rounding, and than ROUND adds."""
ARITHMETIC = ("+", "-", "*", "/")
SUMS = ("SUM", "AVG", "MEDIAN")


def check_stages(plan: Plan, schema: Schema) -> None:
    """Refuse stages whose calculations would take too long."""
    columns, nodes = sizes_of(plan, schema), 0
    for stage in plan.stages:
        nodes += sum(_size(root, columns).nodes for root in roots_of(stage))
        if nodes > MOST_NODES:
            raise QuestionError(f"the question has more than {MOST_NODES} calculations; ask in parts")
        columns = _columns(stage, columns)


def _columns(stage: Stage, columns: Mapping[str, Size]) -> dict[str, Size]:
    if isinstance(stage, Arranged):
        return {each.label: _once(_size(each.expression, columns)) for each in stage.outputs}
    found = {each.label: _once(_size(each.expression, columns)) for each in stage.keys}
    for each in stage.numbers:
        found[each.label] = OF_A_COUNT if each.of is None else _gathered(each.function, _size(each.of, columns))
    return found


def _once(size: Size) -> Size:
    """The size of a use of a column. The column is calculated only once."""
    return Size(size.top, size.bottom)


def _gathered(function: str, size: Size) -> Size:
    if function == "COUNT":
        return OF_A_COUNT
    if function not in SUMS or (size.bottom == 1 and function == "SUM"):
        return Size(size.top + MORE, size.bottom)
    return Size(size.top + ROUNDED, ROUNDED)


def _size(node: Expression, columns: Mapping[str, Size]) -> Size:
    sizes = [_size(part, columns) for part in parts_of(node)]
    nodes = 1 + sum(each.nodes for each in sizes)
    match node:
        case Column(label):
            return columns[label]
        case Constant(value) if isinstance(value, Fraction):
            return Size(abs(value.numerator).bit_length(), value.denominator.bit_length())
        case Call(operation) if operation in ARITHMETIC:
            return combined_size(operation, *sizes)
        case Call() | Window() if sizes:
            size = Size(max(each.top for each in sizes) + MORE, max(each.bottom for each in sizes), nodes)
            if isinstance(node, Window) and node.parts:
                found = _gathered(node.function, size)
                return Size(found.top, found.bottom, nodes)
            return size
    return Size(64, 1, nodes)
