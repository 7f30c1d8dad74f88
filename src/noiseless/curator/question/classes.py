"""Classes of rows that conditions cannot tell apart, and the conditions' truth in each.

Every column is cut where a condition may change; missing values are one more piece. A class is a combination of
pieces. Where functions of a row are compared, their columns are cut at every code if these have few combinations.
Otherwise the comparison may come out in any way, whatever the row is: this only adds classes.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import product
from math import prod
from operator import and_, or_
from typing import NamedTuple

from noiseless.curator.plan.condition import (
    Absent,
    Compared,
    Condition,
    Every,
    Missing,
    Not,
    Some,
    Within,
    columns_read,
    holds_for,
    may_be_unknown,
    parts_of,
)

MOST_CLASSES = 100_000
"""If there were more classes of rows than this, none are listed."""
MOST_TRUTHS = 5_000_000
"""If the classes times the conditions were more than this, none are listed."""
LISTED = 4096
"""Columns of compared functions are cut at every code if they have at most this number of combinations."""
OPPOSITE = {">=": "<", ">": "<=", "<>": "="}
Truth = tuple[int, int]
"""The classes where a condition is true, and where it is false: integers with a bit for each class."""


class Column(NamedTuple):
    """A column with codes from 0 to `top`."""

    name: str
    top: int
    apart: bool = False
    public: bool = False

    @property
    def values(self) -> int:
        """How many values a row can have."""
        return self.top + 1 + self.apart


class Codes(NamedTuple):
    """How far the largest of some codes is from the smallest, and how many there are."""

    span: int
    number: int


@dataclass(frozen=True, slots=True)
class Axis:
    """The pieces of a column, from each of `ends` to before the next, and missing values if they are kept separate.

    Or what a comparison can be: true in the first piece, false in the second, unknown in the last.
    """

    of: str | Condition
    ends: tuple[int, ...]
    apart: bool
    public: bool = False

    @property
    def present(self) -> int:
        """The number of pieces of codes."""
        return len(self.ends) - 1

    @property
    def pieces(self) -> int:
        """The number of all pieces."""
        return self.present + self.apart

    def run(self, first: int, last: int) -> tuple[int, int]:
        """The pieces that hold the codes from first to last: from one to before another."""
        return bisect_left(self.ends, first, 0, self.present), bisect_right(self.ends, last, 0, self.present)

    def codes(self, pieces: set[int]) -> Codes:
        """The codes of some pieces. A missing value is like a code after the last."""
        ends = (*self.ends, self.ends[-1] + 1)
        number = sum(ends[piece + 1] - ends[piece] for piece in pieces)
        return Codes(ends[max(pieces) + 1] - 1 - ends[min(pieces)], number)


@dataclass(frozen=True, slots=True)
class Classes:
    """All combinations of the pieces of some axes, of which the last changes fastest."""

    axes: tuple[Axis, ...]
    size: int

    def place(self, of: str | Condition) -> int:
        """The place of the axis with this name."""
        return next(place for place, axis in enumerate(self.axes) if axis.of == of)

    def pieces(self) -> Iterator[tuple[int, ...]]:
        """The pieces of every class, the last class first."""
        return product(*(range(axis.pieces - 1, -1, -1) for axis in self.axes))

    def truths(self, conditions: Sequence[Condition]) -> Iterator[tuple[bool, ...]]:
        """Which conditions are true in every class, the last class first."""
        masks = [self.truth(condition)[0] for condition in conditions]
        written = (f"{mask:0{self.size}b}" for mask in masks)
        return zip(*([digit == "1" for digit in text] for text in written), strict=True)

    def truth(self, condition: Condition) -> Truth:
        """Where a condition is true, and where it is false."""
        match condition:
            case Within(name, ranges):
                place = self.place(name)
                axis = self.axes[place]
                true = self._runs(place, (axis.run(*pair) for pair in ranges))
                return true, self._runs(place, [(0, axis.present)]) & ~true
            case Missing(name):
                place = self.place(name)
                axis = self.axes[place]
                return self._runs(place, [(axis.present, axis.pieces)]), self._runs(place, [(0, axis.present)])
            case Not(part):
                return self.truth(part)[::-1]
            case Every(parts):
                found = [self.truth(part) for part in parts]
                return reduce(and_, (true for true, _ in found), self._all), reduce(or_, (f for _, f in found), 0)
            case Some(parts):
                found = [self.truth(part) for part in parts]
                return reduce(or_, (true for true, _ in found), 0), reduce(and_, (f for _, f in found), self._all)
            case _:
                return self._compared(condition)

    def _compared(self, condition: Condition) -> Truth:
        """Where a comparison is true, and where it is false.

        It is tried on all codes if the columns are cut at each of them.
        """
        plain = _plainly(condition)
        if any(axis.of == plain for axis in self.axes):
            place = self.place(plain)
            truth = self._runs(place, [(0, 1)]), self._runs(place, [(1, 2)])
            return truth if plain == condition else truth[::-1]
        read = [self.place(name) for name in sorted(columns_read(condition))]
        found = [0, 0]
        for pieces in product(*(range(self.axes[place].pieces) for place in read)):
            here = list(zip(read, pieces, strict=True))
            row = {str(self.axes[place].of): self._code(place, piece) for place, piece in here}
            holds = holds_for(condition, row)
            if holds is not None:
                found[not holds] |= reduce(and_, (self._runs(place, [(p, p + 1)]) for place, p in here), self._all)
        return found[0], found[1]

    def rows_of(self, names: Iterable[str]) -> Iterator[tuple[tuple[int, ...], dict[str, int | None]]]:
        """For every combination of pieces of some columns, a row in it."""
        places = {name: self.place(name) for name in names}
        for pieces in product(*(range(self.axes[place].pieces) for place in places.values())):
            found = zip(places.items(), pieces, strict=True)
            yield pieces, {name: self._code(place, piece) for (name, place), piece in found}

    def _code(self, place: int, piece: int) -> int | None:
        """The first code of a piece."""
        axis = self.axes[place]
        return axis.ends[piece] if piece < axis.present else None

    def _runs(self, place: int, runs: Iterable[tuple[int, int]]) -> int:
        """The classes in some runs of pieces of an axis."""
        stride = prod(axis.pieces for axis in self.axes[place + 1 :])
        period = stride * self.axes[place].pieces
        once = 0
        for first, after in runs:
            if first < after:
                once |= ((1 << (after - first) * stride) - 1) << first * stride
        return once * (self._all // ((1 << period) - 1))

    @property
    def _all(self) -> int:
        return (1 << self.size) - 1


def classes_of_rows(
    conditions: Sequence[Condition], columns: Sequence[Column], cuts: Mapping[str, Iterable[int]] | None = None
) -> Classes | None:
    """The classes of rows that conditions on these columns cannot tell apart. None if there are too many.

    Columns are cut at these places, too.
    """
    leaves = list(dict.fromkeys(leaf for condition in dict.fromkeys(conditions) for leaf in _leaves(condition)))
    for most in (LISTED, 0):
        axes = _axes(leaves, columns, most, cuts or {})
        size = prod(axis.pieces for axis in axes)
        if size <= MOST_CLASSES and size * len(conditions) <= MOST_TRUTHS:
            return Classes(tuple(axes), size)
    return None


def _axes(
    leaves: Iterable[Condition], columns: Sequence[Column], listed: int, cuts: Mapping[str, Iterable[int]]
) -> list[Axis]:
    named = {column.name: column for column in columns}
    cut: dict[str, set[int]] = {name: {0, *cuts.get(name, ())} for name in named}
    free: dict[Condition, Axis] = {}
    for leaf in leaves:
        read = columns_read(leaf)
        if isinstance(leaf, Within):
            cut[leaf.column].update(end for first, last in leaf.ranges for end in (first, last + 1))
        elif isinstance(leaf, (Compared, Absent)) and prod(named[name].values for name in read) <= listed:
            for name in read:
                cut[name].update(range(named[name].top + 1))
        elif isinstance(leaf, (Compared, Absent)):
            plain = _plainly(leaf)
            free[plain] = Axis(plain, (0, 1, 2), may_be_unknown(plain, ()))
    axes = []
    for column in columns:
        inside = sorted(code for code in cut[column.name] if 0 <= code <= column.top)
        axes.append(Axis(column.name, (*inside, column.top + 1), column.apart, column.public))
    return [*axes, *free.values()]


def _leaves(condition: Condition) -> Iterator[Condition]:
    """The conditions at the bottom of a condition: they combine no others."""
    if isinstance(condition, (Within, Missing, Compared, Absent)):
        yield condition
    for part in parts_of(condition):
        yield from _leaves(part)


def _plainly(condition: Condition) -> Condition:
    """A comparison, or its opposite: the same one for both."""
    if isinstance(condition, Compared) and condition.sign in OPPOSITE:
        return Compared(OPPOSITE[condition.sign], condition.left, condition.right)
    return condition
