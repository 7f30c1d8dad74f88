"""The rows of every stage: which are kept, how they are ordered, and what is computed over them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any

from noiseless.curator.certificate.checker.numbers import day, rational, whole
from noiseless.curator.certificate.checker.stage_cells import (
    NOTHING,
    Cell,
    constant,
    gathered,
    one_of,
    operated,
    ranged,
    written,
)
from noiseless.curator.certificate.checker.stage_trees import BESIDE, FIRST, RANKS, Arranged, Gathered, Stage, Tree
from noiseless.curator.certificate.checker.wrong import require

MOST_ROWS = 1000
LAST = (1, 0)
"""The place of nothing, which comes last in every order."""
Place = tuple[Any, ...]
TRUE, ONE = constant(True), constant(1)


@dataclass(frozen=True, slots=True)
class Row:
    """Cells, the place among all rows, whether it is reported, and whether it is certainly there."""

    cells: Mapping[str, Cell]
    place: int
    shown: bool = True
    sure: bool = True


@dataclass(frozen=True, slots=True)
class Spot:
    """The place of a row in an order: the earliest, the latest, and the reported one."""

    first: Place
    last: Place
    reported: Place

    def before(self, other: Spot) -> bool:
        """Whether it can come before another."""
        return self.first < other.last

    def surely_before(self, other: Spot) -> bool:
        """Whether it certainly comes before another."""
        return self.last < other.first


Windows = list[dict[str, Cell]]
"""For every row, the values of functions over rows, by the texts of their trees."""


def staged(stages: Sequence[Stage], cells: Sequence[Mapping[str, Cell]]) -> list[dict[str, Any]]:
    """The rows of the answer as a certificate writes them, from those of the question about the table."""
    require(len(cells) <= MOST_ROWS, "a stage has too many rows")
    rows = [Row(each, place) for place, each in enumerate(cells)]
    for stage in stages:
        rows = _kept(stage.where, rows)
        rows = _arranged(stage, rows) if isinstance(stage, Arranged) else _groups(stage, rows)
        require(len(rows) <= MOST_ROWS, "a stage has too many rows")
    kinds = stages[-1].kinds
    return [{label: written(cell, kinds[label]) for label, cell in row.cells.items()} for row in rows if row.shown]


def _value(tree: Tree, row: Row, windows: Mapping[str, Cell]) -> Cell:
    name, *parts = tree
    match name:
        case "column":
            return row.cells[parts[0]]
        case "number":
            return constant(rational(parts[0]))
        case "date":
            return constant(day(parts[0]))
        case "text" | "truth":
            return constant(parts[0])
        case "null":
            return NOTHING
        case "over":
            return windows[repr(tree)]
    return operated(name, [_value(part, row, windows) for part in parts])


def _kept(test: Tree | None, rows: Sequence[Row]) -> list[Row]:
    if test is None:
        return list(rows)
    tested = [(row, _value(test, row, {})) for row in rows]
    return [
        replace(row, shown=row.shown and cell.value is True, sure=row.sure and cell.truths == {True})
        for row, cell in tested
        if True in cell.words
    ]


def _arranged(stage: Arranged, rows: Sequence[Row]) -> list[Row]:
    windows: Windows = [{} for _ in rows]
    for tree in [*(tree for _, tree in stage.outputs), *(tree for tree, _ in stage.order)]:
        for window in _windows_in(tree):
            _compute(window, rows, windows)
    spots = _settled(rows, _spots(stage.order, rows, windows))
    made = [
        replace(row, cells={label: _value(tree, row, known) for label, tree in stage.outputs})
        for row, known in zip(rows, windows, strict=True)
    ]
    places = sorted(range(len(rows)), key=lambda at: spots[at].reported) if stage.order else list(range(len(rows)))
    if stage.limit is None:
        return [made[at] for at in places]
    ends = sorted(spot.last for row, spot in zip(rows, spots, strict=True) if row.sure)
    starts = sorted(spot.first for spot in spots)
    found, shown = list[Row](), 0
    for at in places:
        row, spot = made[at], spots[at]
        shown += row.shown
        most = bisect_left(starts, spot.last) - spot.before(spot)
        if bisect_left(ends, spot.first) < stage.limit:
            among = row.shown and shown <= stage.limit
            found.append(replace(row, shown=among, sure=row.sure and most < stage.limit))
    return found


def _windows_in(tree: Any) -> Iterator[Tree]:
    """All functions over rows. Functions inside others come first."""
    if isinstance(tree, list):
        for part in tree:
            yield from _windows_in(part)
        if len(tree) == 6 and tree[0] == "over":
            yield tree


def _spots(order: Sequence[tuple[Tree, bool]], rows: Sequence[Row], windows: Windows) -> list[Spot]:
    columns = []
    for tree, falls in order:
        cells = [_value(tree, row, known) for row, known in zip(rows, windows, strict=True)]
        columns.append(_column(cells, -1 if falls else 1))
    return [Spot(*(tuple(column[at][end] for column in columns) for end in range(3))) for at in range(len(rows))]


def _settled(rows: Sequence[Row], spots: Sequence[Spot]) -> list[Spot]:
    """The places, extended so that rows that are equal keep their order."""
    return [
        Spot((*spot.first, row.place), (*spot.last, row.place), (*spot.reported, row.place))
        for row, spot in zip(rows, spots, strict=True)
    ]


def _column(cells: Sequence[Cell], way: int) -> list[tuple[Place, Place, Place]]:
    numbers = {word: place for place, word in enumerate(sorted({word for cell in cells for word in cell.words}))}
    found = []
    for cell in cells:
        ends: list[Any] = [numbers[word] for word in cell.words]
        value = cell.value
        if cell.number is not None:
            ends = [cell.number.low, cell.number.high]
        elif value is not None:
            value = numbers[value]
        ends = sorted(way * end for end in ends)
        first = (0, ends[0]) if ends else LAST
        last = (0, ends[-1]) if ends and not cell.empty else LAST
        found.append((first, last, LAST if value is None else (0, way * value)))
    return found


def _compute(window: Tree, rows: Sequence[Row], windows: Windows) -> None:
    """A function over rows, for all rows."""
    name, key = window[1], repr(window)
    if rows and key in windows[0]:
        return
    _, _, parts, partition, order, frame = window
    spots = _spots([(tree, way == "descending") for tree, way in order], rows, windows)
    groups: dict[tuple[Any, ...], list[int]] = {}
    for at, row in enumerate(rows):
        keys = tuple(_value(tree, row, windows[at]).value for tree in partition)
        groups.setdefault(keys, []).append(at)
    for members in groups.values():
        cells = [[_value(tree, rows[at], windows[at]) for tree in parts] for at in members]
        among = _Among([rows[at] for at in members], [spots[at] for at in members], cells)
        found = among.computed(name, frame)
        for at, cell in zip(members, found, strict=True):
            windows[at][key] = cell


@dataclass(frozen=True, slots=True)
class _Among:
    """The rows of a partition, with their spots and arguments."""

    rows: Sequence[Row]
    spots: Sequence[Spot]
    cells: Sequence[Sequence[Cell]]

    def computed(self, name: str, frame: Any) -> list[Cell]:
        everyone = range(len(self.rows))
        if name in RANKS:
            return [_counted(*rank) for rank in self._ranks(name)]
        if name in (*BESIDE, FIRST) or frame is not None:
            ranks, settled = self._ranks("row_number"), replace(self, spots=_settled(self.rows, self.spots))
            if name in BESIDE:
                return [settled._beside(name == "lead", at, ranks) for at in everyone]
            if name == FIRST:
                return [self._first(at, ranks) for at in everyone]
            before, after = (None if end is None else whole(end) for end in frame)
            return [gathered(name, settled._framed(at, before, after, ranks)) for at in everyone]
        if all(row.sure for row in self.rows) and all(not spot.first for spot in self.spots):
            return [gathered(name, [(self._argument(at), True, True) for at in everyone])] * len(self.rows)
        return [gathered(name, self._reached(at)) for at in everyone]

    def _argument(self, at: int) -> Cell:
        return self.cells[at][0] if self.cells[at] else ONE

    def _member(self, at: int, sure: bool, shown: bool) -> tuple[Cell, bool, bool]:
        return self._argument(at), sure and self.rows[at].sure, shown and self.rows[at].shown

    def _ranks(self, name: str) -> list[tuple[int, int, int]]:
        """For every row the least, the most and the reported number of its place."""
        spots = _settled(self.rows, self.spots) if name == "row_number" else self.spots
        rows = list(zip(self.rows, spots, strict=True))
        ends = sorted(spot.last for row, spot in rows if row.sure)
        starts = sorted(spot.first for spot in spots)
        reported = sorted(spot.reported for row, spot in rows if row.shown)
        if name == "dense_rank":
            ends = _apart(sorted((spot.last, spot.first) for row, spot in rows if row.sure))
            fixed = {spot.first for spot in spots if spot.first == spot.last}
            starts = sorted([*fixed, *(spot.first for spot in spots if spot.first != spot.last)])
            reported = sorted(set(reported))
        return [
            (
                1 + bisect_left(ends, spot.first),
                1 + bisect_left(starts, spot.last) - spot.before(spot),
                1 + bisect_left(reported, spot.reported),
            )
            for spot in spots
        ]

    def _reached(self, own: int) -> Iterator[tuple[Cell, bool, bool]]:
        """The rows that come before a row or beside it."""
        mine = self.spots[own]
        for at, spot in enumerate(self.spots):
            if at == own:
                yield self._argument(at), True, True
            elif spot.first <= mine.last:
                yield self._member(at, spot.last <= mine.first, spot.reported <= mine.reported)

    def _beside(self, ahead: bool, own: int, ranks: Sequence[tuple[int, int, int]]) -> Cell:
        spots, offset = self.spots, int(self.cells[own][1].value)
        otherwise = self.cells[own][2] if len(self.cells[own]) == 3 else NOTHING
        value, candidates, surely = otherwise.value, list[Cell](), 0
        for at in range(len(spots)):
            one, two = (own, at) if ahead else (at, own)
            if at == own or not spots[one].before(spots[two]):
                continue
            surely += self.rows[at].sure and spots[one].surely_before(spots[two])
            if ranks[two][0] - ranks[one][1] <= offset <= ranks[two][1] - ranks[one][0]:
                candidates.append(self.cells[at][0])
            if self.rows[at].shown and ranks[two][2] - ranks[one][2] == offset:
                value = self.cells[at][0].value
        return one_of(value, candidates if surely >= offset else [*candidates, otherwise])

    def _first(self, own: int, ranks: Sequence[tuple[int, int, int]]) -> Cell:
        """The cell of the first row: that of any row that can be first. The row itself is certainly there."""
        ahead = [at for at, (least, _, _) in enumerate(ranks) if least == 1]
        if not any(at == own or self.rows[at].sure for at in ahead):
            ahead.append(own)
        shown = [at for at, row in enumerate(self.rows) if row.shown and ranks[at][2] == 1]
        reported = own if ranks[own][2] == 1 or not shown else shown[0]
        return one_of(self.cells[reported][0].value, [self.cells[at][0] for at in ahead])

    def _framed(
        self, own: int, before: int | None, after: int | None, ranks: Sequence[tuple[int, int, int]]
    ) -> Iterator[tuple[Cell, bool, bool]]:
        """The rows from some places before to some after a row."""
        spots = self.spots

        def inside(ahead: int) -> bool:
            return (before is None or ahead <= before) and (after is None or ahead >= -after)

        for at, spot in enumerate(spots):
            if at == own:
                if inside(0):
                    yield self._argument(at), True, True
                continue
            least, most = ranks[own][0] - ranks[at][1], ranks[own][1] - ranks[at][0]
            ranges = [(max(1, least), max(1, most))] if spot.before(spots[own]) else []
            ranges += [(min(-1, least), min(-1, most))] if spots[own].before(spot) else []
            meets = [
                max(low, low if after is None else -after) <= min(high, high if before is None else before)
                for low, high in ranges
            ]
            if any(meets):
                sure = all(inside(end) for pair in ranges for end in pair)
                yield self._member(at, sure, inside(ranks[own][2] - ranks[at][2]))


def _counted(least: int, most: int, reported: int) -> Cell:
    return ranged(Fraction(reported), Fraction(least), Fraction(most), empty=False)


def _apart(ranges: Sequence[tuple[Place, Place]]) -> list[Place]:
    """The ends of the most ranges that certainly differ from each other, the earliest first."""
    found: list[Place] = []
    for last, first in ranges:
        if not found or found[-1] < first:
            found.append(last)
    return found


def _groups(stage: Gathered, rows: Sequence[Row]) -> list[Row]:
    groups: dict[tuple[Any, ...], list[Row]] = {} if stage.keys else {(): []}
    for row in rows:
        cells = [_value(tree, row, {}) for _, tree in stage.keys]
        values, certain = tuple(cell.value for cell in cells), all(cell.certain for cell in cells)
        for keys in product(*map(_possible, cells)):
            member = replace(row, shown=row.shown and keys == values, sure=row.sure and certain)
            groups.setdefault(keys, []).append(member)
    found = []
    for place, (keys, members) in enumerate(groups.items()):
        made = {label: constant(key) for (label, _), key in zip(stage.keys, keys, strict=True)}
        for label, function, tree, kept in stage.numbers:
            made[label] = gathered(function, _members(tree, kept, members))
        always = not stage.keys
        shown, sure = always or any(row.shown for row in members), always or any(row.sure for row in members)
        found.append(Row(made, place, shown, sure))
    return found


def _possible(cell: Cell) -> list[Any]:
    if cell.number is not None:
        return [cell.value]
    return [*sorted(cell.words), *([None] if cell.empty else [])]


def _members(tree: Tree | None, kept: Tree | None, rows: Sequence[Row]) -> Iterator[tuple[Cell, bool, bool]]:
    for row in rows:
        test = TRUE if kept is None else _value(kept, row, {})
        if True in test.words:
            cell = ONE if tree is None else _value(tree, row, {})
            yield cell, row.sure and test.truths == {True}, row.shown and test.value is True
