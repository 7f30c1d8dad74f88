"""Functions OVER the rows of a result. Where intervals overlap, all orders are possible."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace

from noiseless.curator.plan.after import Frame, Window
from noiseless.curator.question.after.cell import NOTHING, Cell, either, number
from noiseless.curator.question.after.gather import Member, gathered
from noiseless.curator.question.after.row import Ends, Ordered, Row

RANKS = ("RANK", "DENSE_RANK", "ROW_NUMBER")
BESIDE = ("LAG", "LEAD")
FIRST = "FIRST_VALUE"
ONE = number(1, 1, 1)


@dataclass(frozen=True, slots=True)
class Placed:
    """A row of a partition: how it is ordered, and the cells of the arguments.

    For functions that count places, rows that are equal in the order keep their places.
    """

    row: Row
    order: Ordered
    parts: tuple[Cell, ...]

    def member(self, sure: bool = True, shown: bool = True) -> Member:
        """The argument of another row. COUNT(*) has none."""
        return Member(self.parts[0] if self.parts else ONE, self.row.sure and sure, self.row.shown and shown)

    @property
    def itself(self) -> Member:
        """The argument of the row itself, which is there: only such rows are asked about."""
        return Member(self.parts[0] if self.parts else ONE)


@dataclass(frozen=True, slots=True)
class Position:
    """The place of a row in the order: the least, the most, and by the reported numbers."""

    least: int
    most: int
    value: int

    def before(self, other: Position) -> tuple[int, int, int]:
        """How many places it is before another: at least, at most, and by the reported numbers."""
        return other.least - self.most, other.most - self.least, other.value - self.value


def over(window: Window, rows: Sequence[Placed]) -> list[Cell]:
    """The value of a window for every row of one partition."""
    if window.function in RANKS:
        return [number(each.value, each.least, each.most) for each in _positions(window.function, rows)]
    if window.function in (*BESIDE, FIRST) or window.frame is not None:
        rows = [replace(each, order=each.order.at(each.row.place)) for each in rows]
        positions = _positions("ROW_NUMBER", rows)
        if window.function in BESIDE:
            return [_beside(window.function == "LEAD", place, positions, rows) for place in range(len(rows))]
        if window.function == FIRST:
            return [_first(place, positions, rows) for place in range(len(rows))]
        assert window.frame is not None
        return [_framed(window, window.frame, place, positions, rows) for place in range(len(rows))]
    if not window.order and all(each.row.sure for each in rows):
        return [gathered(window.function, [each.itself for each in rows])] * len(rows)
    return [_up_to(window.function, each, rows) for each in rows]


def _positions(function: str, rows: Sequence[Placed]) -> list[Position]:
    """1 and the number of rows, or of different values, that come before."""
    orders = [each.order.at(each.row.place) if function == "ROW_NUMBER" else each.order for each in rows]
    pairs = list(zip(rows, orders, strict=True))
    certain = sorted(order.latest for each, order in pairs if each.row.sure)
    possible = sorted(order.earliest for order in orders)
    reported = sorted(order.reported for each, order in pairs if each.row.shown)
    if function == "DENSE_RANK":
        certain = _apart([order for each, order in pairs if each.row.sure])
        points = {order.earliest for order in orders if order.earliest == order.latest}
        possible = sorted([*points, *(order.earliest for order in orders if order.earliest != order.latest)])
        reported = sorted(set(reported))
    return [
        Position(
            1 + bisect_left(certain, order.earliest),
            1 + bisect_left(possible, order.latest) - (order.earliest < order.latest),  # the row itself
            1 + bisect_left(reported, order.reported),
        )
        for order in orders
    ]


def _apart(orders: Sequence[Ordered]) -> list[Ends]:
    """The ends of the most orders that certainly differ from each other, taking those that end first."""
    found: list[Ends] = []
    for order in sorted(orders, key=lambda each: each.latest):
        if not found or found[-1] < order.earliest:
            found.append(order.latest)
    return found


def _up_to(function: str, own: Placed, rows: Sequence[Placed]) -> Cell:
    """The function over the rows that come before a row or beside it. Without an order, these are all rows."""
    members = []
    for each in rows:
        if each is own:
            members.append(own.itself)
        elif each.order.earliest <= own.order.latest:
            certain = each.order.latest <= own.order.earliest
            members.append(each.member(certain, each.order.reported <= own.order.reported))
    return gathered(function, members)


def _beside(ahead: bool, own: int, positions: Sequence[Position], rows: Sequence[Placed]) -> Cell:
    """The cell of the row that is some places before (LAG) or after (LEAD), and a default if there is none."""
    _, offset, otherwise = (*rows[own].parts, NOTHING)[:3]
    order, value, cells, fewest = rows[own].order, otherwise.value, list[Cell](), 0
    for place, each in enumerate(rows):
        one, two = (order, each.order) if ahead else (each.order, order)
        if place == own or one.earliest >= two.latest:
            continue
        fewest += each.row.sure and one.latest < two.earliest
        first, second = (own, place) if ahead else (place, own)
        least, most, reported = positions[first].before(positions[second])
        if least <= offset.value <= most:
            cells.append(each.parts[0])
        if each.row.shown and reported == offset.value:
            value = each.parts[0].value
    return either(value, cells if fewest >= offset.value else [*cells, otherwise])


def _first(own: int, positions: Sequence[Position], rows: Sequence[Placed]) -> Cell:
    """The cell of the row that comes first. The row itself is certainly there."""
    pairs = [(each, place == own) for place, each in enumerate(rows) if positions[place].least == 1]
    first = (place for place, each in enumerate(rows) if each.row.shown and positions[place].value == 1)
    reported = own if positions[own].value == 1 else next(first, own)
    certain = [each.row.sure or itself for each, itself in pairs]
    cells = [each.parts[0] for each, _ in pairs]
    return either(rows[reported].parts[0].value, cells if any(certain) else [*cells, rows[own].parts[0]])


def _framed(window: Window, frame: Frame, own: int, positions: Sequence[Position], rows: Sequence[Placed]) -> Cell:
    """The function over the rows from some places before to some places after."""
    members = []
    for place, each in enumerate(rows):
        if place == own:
            members += [each.itself] if _inside(frame, 0) else []
            continue
        least, most, reported = positions[place].before(positions[own])
        other, order = each.order, rows[own].order
        sides = []
        if other.earliest < order.latest:
            sides.append((max(least, 1), max(most, 1)))
        if order.earliest < other.latest:
            sides.append((min(least, -1), min(most, -1)))
        if any(_meets(frame, *side) for side in sides):
            certain = all(_inside(frame, end) for side in sides for end in side)
            members.append(each.member(certain, _inside(frame, reported)))
    return gathered(window.function, members)


def _inside(frame: Frame, distance: int) -> bool:
    """Whether a row at some distance, counted backward, is in the frame."""
    return (frame.before is None or distance <= frame.before) and (frame.after is None or -distance <= frame.after)


def _meets(frame: Frame, least: int, most: int) -> bool:
    """Whether a row at some distance between two may be in the frame."""
    low = least if frame.after is None else max(least, -frame.after)
    return low <= (most if frame.before is None else min(most, frame.before))
