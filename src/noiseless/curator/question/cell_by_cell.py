"""Private groups cell by cell: the condition that a row is in a cell, so that every number of a cell has its own bins.

With `error=`, or with less than one bit, a number of a cell is a number under this condition. In guarded bins, most of
them then cost little, and the cells are signatures: one row is in one cell, so D cells have D answers, not 2^D.

Source: theory §11, histograms: docs/pay_by_the_answer.md
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, product
from math import prod

from noiseless.curator.plan.compare import compared
from noiseless.curator.plan.condition import Condition, Missing, Within, every, some
from noiseless.curator.plan.functions.leaves import ColumnOf, Constant, columns_in
from noiseless.curator.plan.functions.place import MOST_TRIED
from noiseless.curator.plan.group import Group, Shown, group
from noiseless.curator.plan.plan import Plan
from noiseless.curator.question.classes import LISTED
from noiseless.curator.schema.schema import Schema

MOST_CELLS = 200
"""With more cells than this, numbers in guarded bins would nearly always be loud."""


def cells_one_by_one(plan: Plan, schema: Schema) -> list[tuple[dict[str, Shown], Condition]] | None:
    """The keys of every cell of private groups, and the condition that a row is in it. None if cells are too many."""
    groups = plan.groups
    if plan.category is not None:
        groups = (group(plan.category, ColumnOf(plan.category, schema.private[plan.category])),)
    few = all(_is_simple(each) for each in groups)
    if schema.rows > 1 or not few or not 2 <= prod(len(each.values) for each in groups) <= MOST_CELLS:
        return None
    labels, found = [each.label for each in groups], []
    for values in product(*(_values(each) for each in groups)):
        keys = dict(zip(labels, (key for key, _ in values), strict=True))
        found.append((keys, every([condition for _, condition in values])))
    return found


def _is_simple(given: Group) -> bool:
    """Whether conditions on its values have classes of rows that can be listed."""
    columns = columns_in(given.function)
    return prod(each.top + 1 + each.apart for each in columns) <= (MOST_TRIED if len(columns) == 1 else LISTED)


def _values(given: Group) -> Iterator[tuple[Shown, Condition]]:
    """The values of a group as they are shown, each with the condition that a row has it."""
    columns, function = columns_in(given.function), given.function
    if len(columns) > 1:
        for key, value in zip(given.keys, given.values, strict=True):
            has = function.absent() if value is None else compared("=", function, Constant(value, function.kind))
            yield key, has
        return
    [column] = columns
    codes = [function.value({column.name: code}) for code in range(column.top + 1)]
    met: dict[object, list[tuple[int, int]]] = {}
    for value, run in groupby(range(len(codes)), key=lambda code: codes[code]):
        first, *rest = run
        met.setdefault(value, []).append((first, [first, *rest][-1]))
    for key, value in zip(given.keys, given.values, strict=True):
        parts: list[Condition] = [Within(column.name, tuple(met[value]))] if value in met else []
        parts += [Missing(column.name)] if column.apart and function.value({column.name: None}) == value else []
        yield key, some(parts)
