"""From the rows of one stage to those of the next: kept, computed, gathered, ordered and limited."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

from noiseless.curator.plan.after import (
    Arranged,
    Call,
    Column,
    Expression,
    Gathered,
    Nothing,
    Order,
    Stage,
    Window,
    roots_of,
    windows_of,
)
from noiseless.curator.plan.plan import Constant
from noiseless.curator.question.after.calls import called
from noiseless.curator.question.after.cell import NOTHING, Cell, exactly
from noiseless.curator.question.after.gather import Member, gathered
from noiseless.curator.question.after.over import ONE, Placed, over
from noiseless.curator.question.after.row import Ordered, Row, ordered

Overs = Mapping[Window, Cell]
TRUE = exactly(True)


def staged(stage: Stage, rows: Sequence[Row]) -> list[Row]:
    """The rows of a stage, in the order in which they are shown. Those that are not shown may be there in truth."""
    kept = list(rows) if stage.where is None else _kept(stage.where, rows)
    if isinstance(stage, Gathered):
        return _gathered(stage, kept)
    overs = _overs(stage, kept)
    orders = [each.at(row.place) for row, each in zip(kept, _orders(stage.order, kept, overs), strict=True)]
    made = [replace(row, cells=_outputs(stage, row, over), higher=False) for row, over in zip(kept, overs, strict=True)]
    pairs = list(zip(made, orders, strict=True))
    if stage.order:
        pairs.sort(key=lambda pair: pair[1].reported)
    if stage.limit is not None:
        pairs = list(_limited(stage.limit, pairs))
    return list(_ranked(pairs)) if stage.order else [row for row, _ in pairs]


def _outputs(stage: Arranged, row: Row, overs: Overs) -> dict[str, Cell]:
    return {each.label: evaluate(each.expression, row, overs) for each in stage.outputs}


def evaluate(node: Expression, row: Row, overs: Overs) -> Cell:
    """The cell of an expression in one row."""
    match node:
        case Column(label):
            return row.cells[label]
        case Constant(value):
            return exactly(value)
        case Nothing():
            return NOTHING
        case Window():
            return overs[node]
        case Call(operation, parts):
            return called(operation, [evaluate(part, row, overs) for part in parts])


def _kept(test: Expression, rows: Sequence[Row]) -> list[Row]:
    """The rows that may meet a test."""
    found = []
    for row in rows:
        cell = evaluate(test, row, {})
        if True in cell.options:
            sure = cell.known and row.sure
            found.append(replace(row, shown=row.shown and cell.value is True, sure=sure))
    return found


def _overs(stage: Arranged, rows: Sequence[Row]) -> list[dict[Window, Cell]]:
    """The windows of all rows. Windows inside other windows come first."""
    found: list[dict[Window, Cell]] = [{} for _ in rows]
    for window in dict.fromkeys(each for root in roots_of(stage) for each in windows_of(root)):
        orders = _orders(window.order, rows, found)
        partitions: dict[tuple[Any, ...], list[int]] = {}
        placed: list[Placed] = []
        for at, (row, order, known) in enumerate(zip(rows, orders, found, strict=True)):
            keys = tuple(evaluate(part, row, known).value for part in window.partition)
            partitions.setdefault(keys, []).append(at)
            placed.append(Placed(row, order, tuple(evaluate(part, row, known) for part in window.parts)))
        for members in partitions.values():
            for at, cell in zip(members, over(window, [placed[at] for at in members]), strict=True):
                found[at][window] = cell
    return found


def _orders(order: Order, rows: Sequence[Row], overs: Sequence[Overs]) -> list[Ordered]:
    """How the rows are ordered."""
    pairs = list(zip(rows, overs, strict=True))
    columns = [[evaluate(expression, *pair) for pair in pairs] for expression, _ in order]
    return ordered(columns, [descending for _, descending in order], len(rows))


def _limited(limit: int, pairs: Sequence[tuple[Row, Ordered]]) -> Iterator[tuple[Row, Ordered]]:
    """The rows that may be among the first."""
    certain = sorted(order.latest for row, order in pairs if row.sure)
    possible = sorted(order.earliest for _, order in pairs)
    shown = 0
    for row, order in pairs:
        fewest = bisect_left(certain, order.earliest)
        most = bisect_left(possible, order.latest) - (order.earliest < order.latest)
        shown += row.shown
        if fewest < limit:
            yield replace(row, shown=row.shown and shown <= limit, sure=row.sure and most < limit), order


def _ranked(pairs: Sequence[tuple[Row, Ordered]]) -> Iterator[Row]:
    """The rows, with what is known of their order."""
    above: Ordered | None = None
    for row, order in pairs:
        yield replace(row, higher=row.shown and above is not None and order.earliest < above.latest)
        above = order if row.shown else above


def _gathered(stage: Gathered, rows: Sequence[Row]) -> list[Row]:
    """A row for every group that may exist, in the order of the first row that may belong to it."""
    groups: dict[tuple[Any, ...], list[Row]] = {} if stage.keys else {(): []}
    for row in rows:
        cells = [evaluate(each.expression, row, {}) for each in stage.keys]
        certain, reported = all(cell.known for cell in cells), tuple(cell.value for cell in cells)
        for keys in product(*map(_possible, cells)):
            member = replace(row, sure=row.sure and certain, shown=row.shown and keys == reported)
            groups.setdefault(keys, []).append(member)
    return [_group(stage, place, keys, members) for place, (keys, members) in enumerate(groups.items())]


def _group(stage: Gathered, place: int, keys: tuple[Any, ...], members: Sequence[Row]) -> Row:
    """The row of one group. Without keys there is always one group."""
    cells = {each.label: exactly(key) for each, key in zip(stage.keys, keys, strict=True)}
    numbers = {
        each.label: gathered(each.function, list(_members(each.of, each.kept, members))) for each in stage.numbers
    }
    shown, sure = (
        (not stage.keys or any(row.shown for row in members)),
        (not stage.keys or any(row.sure for row in members)),
    )
    return Row(cells | numbers, place, shown, sure)


def _possible(cell: Cell) -> list[Any]:
    """The keys that a row may have. Numbers that are grouped by are keys, and known."""
    if cell.form is not None:
        return [cell.value]
    return [*sorted(cell.options), *([None] if cell.empty else [])]


def _members(of: Expression | None, kept: Expression | None, rows: Sequence[Row]) -> Iterator[Member]:
    """The members of a group: what each row that a filter may keep contributes."""
    for row in rows:
        test = TRUE if kept is None else evaluate(kept, row, {})
        if True in test.options:
            cell = ONE if of is None else evaluate(of, row, {})
            yield Member(cell, row.sure and test.known, row.shown and test.value is True)
