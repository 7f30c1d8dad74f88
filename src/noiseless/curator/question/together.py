"""The numbers of a batch, in few statements: questions under the same condition share one.

Questions whose conditions name ranges of one column share its histogram: for each of its codes, how many rows have it,
and the sums of other columns over these. Adding up gives the numbers of any ranges.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from noiseless.curator.dataset.dataset import Dataset
from noiseless.curator.plan.condition import TRUE, Condition, Within
from noiseless.curator.plan.plan import Plan
from noiseless.curator.question.execute import Found, Statements, execute, homes_of, needs_of, observed
from noiseless.curator.question.question import Question
from noiseless.curator.question.widths import Widths
from noiseless.curator.releases.release import Need, Paid, Released
from noiseless.curator.schema.public import Public
from noiseless.curator.sources.codes import UNKNOWN

ADDED_UP = ("count", "sum")
"""The kinds of integers that can be added up, and stay below 2^63 over any rows."""
ROWS_EACH = 2000
"""A histogram pays if it has at most this number of rows for each condition."""
Rows = tuple[Condition, tuple[str, ...]]
"""Which rows count, and the public columns by which they are grouped."""


def execute_batch(asked: Sequence[tuple[Question, Widths]], dataset: Dataset) -> list[tuple[Paid, Released]]:
    """What is released for each question of a batch, for some of its widths."""
    plain = [pair for pair in asked if _is_plain(*pair)]
    others = [pair for pair in asked if not _is_plain(*pair)]
    released = [pair for each, widths in others for pair in execute(each.plan, each.lines, widths, dataset)]
    return [*_in_few_statements(plain, dataset), *released]


def _is_plain(question: Question, widths: Widths) -> bool:
    """Whether all its numbers are about the same rows. Private groups that each have their own bins are not."""
    if not question.plan.plain:
        return False
    homes = homes_of(question.lines)
    return all(homes[release][1] == TRUE for release in widths)


def _in_few_statements(asked: Sequence[tuple[Question, Widths]], dataset: Dataset) -> list[tuple[Paid, Released]]:
    rows = [_rows(each.plan) for each, _ in asked]
    needs = [needs_of(widths) for _, widths in asked]
    wanted: dict[Rows, dict[Need, None]] = {}
    for key, own in zip(rows, needs, strict=True):
        wanted.setdefault(key, {}).update(dict.fromkeys(own))
    found = _by_histogram(wanted, dataset)
    for key in [key for key in wanted if key not in found]:
        found[key] = Statements(Plan((), *key), dataset).numbers({TRUE: wanted[key]})[TRUE]
    each = zip(asked, rows, needs, strict=True)
    return [
        pair
        for (question, widths), key, own in each
        for pair in observed(homes_of(question.lines), widths, {TRUE: own}, {TRUE: found[key]})
    ]


def _rows(plan: Plan) -> Rows:
    return plan.where, plan.public_keys


def _by_histogram(wanted: dict[Rows, dict[Need, None]], dataset: Dataset) -> dict[Rows, Found]:
    members: dict[tuple[str, tuple[str, ...]], list[Rows]] = {}
    for where, groups in wanted:
        if isinstance(where, Within) and all(need[0] in ADDED_UP for need in wanted[where, groups]):
            members.setdefault((where.column, groups), []).append((where, groups))
    found: dict[Rows, Found] = {}
    for (column, groups), alike in members.items():
        most = min(dataset.rows, prod(_values(name, dataset) for name in {column, *groups}))
        if len(alike) > 1 and most <= ROWS_EACH * len(alike):
            found |= _added_up(column, groups, {rows: wanted[rows] for rows in alike}, dataset)
    return found


def _values(name: str, dataset: Dataset) -> int:
    column = dataset.schema.columns[name]
    return len(column.keys) if isinstance(column, Public) else dataset.schema.private[name].values


def _added_up(
    column: str, groups: tuple[str, ...], wanted: dict[Rows, dict[Need, None]], dataset: Dataset
) -> dict[Rows, Found]:
    """The numbers of all ranges, as differences of running totals."""
    import numpy as np

    needs = list(dict.fromkeys(need for own in wanted.values() for need in own))
    keys = [dataset.field(name) for name in groups]
    scalars = list(map(Statements(Plan(()), dataset).scalar, needs))
    given = dataset.engine.grouped(keys, scalars, "", [dataset.field(column)])
    rows = sorted(row for row in given if row[len(keys)] not in (None, UNKNOWN))  # a code that no range holds
    names = list(dict.fromkeys(row[: len(keys)] for row in rows))
    stride = 1 + max((row[len(keys)] for row in rows), default=0)
    start = {name: place * stride for place, name in enumerate(names)}
    place = np.array([start[row[: len(keys)]] + row[len(keys)] for row in rows], np.int64)
    starts = stride * np.arange(len(names))
    totals = {
        need: np.cumsum([0, *(int(row[len(keys) + 1 + at] or 0) for row in rows)], dtype=np.int64)
        for at, need in enumerate(needs)
    }
    found: dict[Rows, Found] = {}
    for (where, _), asked in wanted.items():
        assert isinstance(where, Within)
        inside = [(first, min(last, stride - 1)) for first, last in where.ranges if first < stride]
        ends = [(np.searchsorted(place, starts + a), np.searchsorted(place, starts + b, "right")) for a, b in inside]
        sums = {
            need: sum((totals[need][b] - totals[need][a] for a, b in ends), np.zeros_like(starts)).tolist()
            for need in asked
        }
        each = zip(names, zip(*sums.values(), strict=True), strict=True)
        found[where, groups] = {name: dict(zip(sums, numbers, strict=True)) for name, numbers in each}
    return found
