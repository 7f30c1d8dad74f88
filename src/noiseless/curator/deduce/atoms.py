"""Atoms: boxes of values that a row can have, so small that a condition or a number is the same in the whole box.

Every column that is read is cut into runs of codes wherever a condition, a released number or a group makes a
difference; missing values that are kept separate have their own run. An atom is one run of each column, for one
combination of the public keys that are read. Whether a condition holds in it is sure, and so are the codes that a
number can have. A comparison of columns with too many combinations to try has its own axis: true, false or unknown. The
numbers of such functions are only bounded.

Source: theory §13, boxes of codes: docs/deduce.md
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noiseless.curator.dataset.dataset import Dataset
from noiseless.curator.deduce.cuts import Cuts, Integers, is_places, leaves_of
from noiseless.curator.plan.condition import (
    COMPARE,
    Absent,
    Compared,
    Condition,
    Every,
    Missing,
    Not,
    Some,
    Within,
    columns_read,
)
from noiseless.curator.plan.functions.arithmetic import Plus, Times
from noiseless.curator.plan.functions.derived import Derived
from noiseless.curator.plan.functions.function import Function, Value
from noiseless.curator.plan.functions.leaves import Constant
from noiseless.curator.plan.functions.place import Place
from noiseless.curator.plan.read import Read
from noiseless.errors import NoiselessError

Truths = NDArray[np.bool_]
Combinations = tuple[tuple[tuple[str, Any], ...], int, tuple[int, ...]]
"""Columns, private ones first; the number of private ones; and the codes of the public ones."""
MOST_TRIED = 20_000
"""Functions of columns with at most this number of combinations of codes are tried on all of them."""
MOST_BOXES = 2_000
"""The most boxes for which a function is bounded one by one."""
MOST_ATOMS = 1 << 21
"""The most atoms of one number."""
MOST_OPAQUE = 4
"""The most comparisons that have an axis."""


class TooManyError(Exception):
    """There are more atoms than are looked at. Fewer columns make fewer atoms."""


@dataclass(frozen=True, slots=True)
class Possible:
    """What a condition can be in each atom: true, false, or unknown because a value is missing."""

    true: Truths
    false: Truths
    unknown: Truths

    @property
    def surely(self) -> Truths:
        """The atoms in which it is true for every value."""
        return self.true & ~self.false & ~self.unknown


class Atoms:
    """The atoms of some columns. Arrays about them have one axis for the public keys, and then one for each column."""

    def __init__(
        self, dataset: Dataset, cells: Iterable[int], reads: Iterable[Read], ended: Sequence[tuple[str, Any]] = ()
    ) -> None:
        """The atoms of some public cells. Refused if they are too many.

        Each number in `ended` has an axis with two places: its least and its greatest value in an atom.
        """
        self.dataset, reads = dataset, list(reads)
        read = frozenset[str]().union(*(each.names for each in reads))
        self.public = [name for name in dataset.schema.public if name in read]
        self.names = [name for name in dataset.schema.private if name in read]
        self._class_cells(cells)
        runs_of = Cuts({name: self.column(name) for name in self.names}, self._is_tried).runs(reads)
        self.first = {name: first for name, (first, _) in runs_of.items()}
        self.last = {name: last for name, (_, last) in runs_of.items()}
        leaves = (leaf for each in reads for condition in each.conditions for leaf in leaves_of(condition))
        self.opaque = [leaf for leaf in dict.fromkeys(leaves) if not self._is_tried(columns_read(leaf))]
        runs = (len(self.first[name]) for name in self.names)
        self.ended = [name for name, _ in ended]
        self.more = [*(3 for _ in self.opaque), *(2 for _ in ended)]
        self.shape = (len(self.classes), *runs, *self.more)
        if prod(self.shape) > MOST_ATOMS or len(self.opaque) > MOST_OPAQUE:
            raise TooManyError
        self.possible = np.ones([1] * len(self.shape), bool)
        for place, leaf in enumerate(self.opaque):
            can, shape = self._compared(leaf) if isinstance(leaf, Compared) else self._anything(), [*self.shape]
            shape[1 + len(self.names) + place] = 1
            truths = [np.broadcast_to(truth, shape) for truth in (can.true, can.false, can.unknown)]
            self.possible = self.possible & np.concatenate(truths, axis=1 + len(self.names) + place)

    def column(self, name: str) -> Any:
        """A private column."""
        return self.dataset.schema.private[name]

    def _class_cells(self, cells: Iterable[int]) -> None:
        """Put public cells into classes: cells of a class have equal keys in the public columns that are read."""
        places = [list(self.dataset.schema.public).index(name) for name in self.public]
        known: dict[tuple[int, ...], int] = {}
        self.class_of = {
            cell: known.setdefault(tuple(self.dataset.cells[cell][place] for place in places), len(known))
            for cell in cells
        }
        self.classes = list(known)

    def tries(self, read: Read) -> bool:
        """Whether functions have one code in each atom."""
        return all(self._is_tried(each.reads) for each in read.functions)

    def _is_tried(self, reads: frozenset[str]) -> bool:
        private = [self.column(name).values for name in reads if name in self.dataset.schema.private]
        keys = len({self._keys_of(place, reads) for place in range(len(self.classes))})
        return bool(prod(private) * keys <= MOST_TRIED)

    def _keys_of(self, place: int, reads: frozenset[str]) -> tuple[int, ...]:
        return tuple(code for name, code in zip(self.public, self.classes[place], strict=True) if name in reads)

    def along(self, name: str, values: NDArray[Any]) -> NDArray[Any]:
        """An array over the runs of a column, shaped so that it broadcasts over atoms."""
        return self._on(1 + self.names.index(name), values)

    def _on(self, axis: int, values: NDArray[Any]) -> NDArray[Any]:
        shape = [1] * len(self.shape)
        shape[axis] = len(values)
        return values.reshape(shape)

    def is_missing(self, name: str) -> Truths:
        """The atoms in which the value of a column is missing and kept separate."""
        missing: Truths = self.first[name] > self.column(name).top
        return missing

    def holds(self, condition: Condition) -> Possible:
        """What a condition can be in each atom."""
        if condition in self.opaque:
            axis = 1 + len(self.names) + self.opaque.index(condition)
            return Possible(*(self._on(axis, np.arange(3) == truth) for truth in range(3)))
        match condition:
            case Within(name, spans) if name in self.public:
                codes = np.array([keys[self.public.index(name)] for keys in self.classes])
                inside = _within(codes, spans).reshape(-1, *[1] * (len(self.shape) - 1))
                return Possible(inside, ~inside, np.zeros_like(inside))
            case Within(name, spans):
                unknown, inside = self.is_missing(name), _within(self.first[name], spans)
                parts = inside & ~unknown, ~inside & ~unknown, unknown
                return Possible(*(self.along(name, each) for each in parts))
            case Missing(name):
                missing = self.along(name, self.is_missing(name))
                return Possible(missing, ~missing, np.zeros_like(missing))
            case Not(part):
                found = self.holds(part)
                return Possible(found.false, found.true, found.unknown)
            case Compared():
                return self._compared(condition)
            case Absent(function):
                return self._absent(function)
            case Every(parts):
                return self._every([self.holds(part) for part in parts])
            case Some(parts):
                found = self._every([self.holds(Not(part)) for part in parts])
                return Possible(found.false, found.true, found.unknown)

    def _every(self, parts: list[Possible]) -> Possible:
        """AND: unknown where no part is false and one is unknown."""
        true = maybe = np.ones([1] * len(self.shape), bool)
        false = unknown = ~true
        for part in parts:
            true, false = true & part.true, false | part.false
            maybe, unknown = maybe & (part.true | part.unknown), unknown | part.unknown
        return Possible(true, false, maybe & unknown)

    def _compared(self, condition: Compared) -> Possible:
        sides = condition.left, condition.right
        reads = sides[0].reads | sides[1].reads
        if self._is_tried(reads):
            test = COMPARE[condition.sign]
            tables = [self.tried(side, reads) for side in sides]
            known = np.array([one is not None and two is not None for one, two in zip(*tables, strict=True)], bool)
            true = np.array(
                [one is not None and two is not None and test(one, two) for one, two in zip(*tables, strict=True)], bool
            )
            return Possible(*(self._laid(reads, each) for each in (true, known & ~true, ~known)))
        if any(side.kind not in ("number", "date") for side in sides):
            return self._anything()
        (low, high, nullable), (least, most, other) = (self.bounds(side) for side in sides)
        below, above, meet = low < most, high > least, (low <= most) & (high >= least)
        equal = (low == high) & (least == most) & (low == least)
        can = {
            "<": (below, high >= least),
            "<=": (low <= most, above),
            ">": (above, low <= most),
            ">=": (high >= least, below),
            "=": (meet, ~equal),
            "<>": (~equal, meet),
        }[condition.sign]
        true, false = (np.asarray(each, bool) for each in can)
        return Possible(true, false, np.full([1] * len(self.shape), nullable or other))

    def _absent(self, function: Function) -> Possible:
        if not self._is_tried(function.reads):
            return self._anything()
        missing = np.array([value is None for value in self.tried(function, function.reads)], bool)
        absent = self._laid(function.reads, missing)
        return Possible(absent, ~absent, np.zeros_like(absent))

    def _anything(self) -> Possible:
        every = np.ones([1] * len(self.shape), bool)
        return Possible(every, every, every)

    def tried(self, function: Function, reads: frozenset[str]) -> list[Value]:
        """The values of a function for all codes of some columns, and for all public keys that are read."""
        return [value for given in self._combinations(reads) for value in _tried(function, *given)]

    def _combinations(self, reads: frozenset[str]) -> Iterator[Combinations]:
        """The codes that some columns are tried on, for each combination of the public keys that are read."""
        private = tuple(name for name in self.names if name in reads)
        columns = self.dataset.schema.columns
        known = tuple((name, columns[name]) for name in (*private, *self.public) if name in reads)
        for place in range(len(self.classes)):
            keys = zip(self.public, self.classes[place], strict=True)
            yield known, len(private), tuple(code for name, code in keys if name in reads)

    def _laid(self, reads: frozenset[str], values: NDArray[Any]) -> NDArray[Any]:
        """Values for all codes of some columns, which are cut at every code, as an array over atoms."""
        shape = [len(self.first[name]) if name in reads else 1 for name in self.names]
        return values.reshape(len(self.classes), *shape, *(1 for _ in self.more))

    def places(self, function: Function) -> Integers | None:
        """The number of the group that a row of each atom is in. None if it is not always the same."""
        if is_places(function):
            return self._places(function)
        if not self._is_tried(function.reads):
            return None
        found = [_tried_whole(function, *given) for given in self._combinations(function.reads)]
        return self._laid(function.reads, np.concatenate(found))

    def _places(self, function: Function) -> Integers:
        match function:
            case Place(name, _, places, _) if name in self.public:
                keys = [keys[self.public.index(name)] for keys in self.classes]
                return self._on(0, np.array(places)[keys])
            case Place(name, _, places, missing):
                codes = np.minimum(self.first[name], len(places) - 1)
                return self.along(name, np.where(self.is_missing(name), missing, np.array(places)[codes]))
            case Plus(left, right):
                return self._places(left) + self._places(right)
            case Times(left, right):
                return self._places(left) * self._places(right)
            case Constant(Fraction() as number):
                return np.full([1] * len(self.shape), int(number))
        raise AssertionError(f"{function} is not made of places")

    def bounds(self, function: Function) -> tuple[NDArray[Any], NDArray[Any], bool]:
        """The least and the greatest number that a function can be in each atom, and whether it may have no value."""
        span = function.span()
        names = [name for name in self.names if name in function.reads]
        sizes = [len(self.first[name]) for name in names]
        shape = [len(self.first[name]) if name in names else 1 for name in self.names]
        shape = [len(self.classes), *shape, *(1 for _ in self.more)]
        if prod(shape) > MOST_BOXES:
            least, most = np.empty([1] * len(self.shape), object), np.empty([1] * len(self.shape), object)
            least[...], most[...] = span.low, span.high
            return least, most, span.nullable
        ends = []
        for place in range(shape[0]):
            keys = zip(self.public, self.classes[place], strict=True)
            left = function.given({name: code for name, code in keys if name in function.reads})
            for runs in product(*(range(size) for size in sizes)):
                codes = {
                    name: (int(self.first[name][run]), min(int(self.last[name][run]), self.column(name).top))
                    for name, run in zip(names, runs, strict=True)
                }
                try:
                    found = left.span({name: each for name, each in codes.items() if each[0] <= each[1]})
                except NoiselessError:  # in this box it has no value, such as a quotient by 0
                    found = span
                ends.append((found.low, found.high))
        least, most = (np.array([each[side] for each in ends], object).reshape(shape) for side in (0, 1))
        return least, most, span.nullable

    def codes(self, name: str, column: Any) -> tuple[Integers, Integers]:
        """The first and the last code that a column can have in each atom, or a function on its grid."""
        if not isinstance(column, Derived):
            first, last = self.first[name], self.last[name]
            return self.along(name, first), self.along(name, np.minimum(last, column.top))
        function = column.function
        if self._is_tried(function.reads):
            found = [_codes_tried(column, *given) for given in self._combinations(function.reads)]
            laid = self._laid(function.reads, np.concatenate(found))
            return laid, laid
        least, most, _ = self.bounds(function)
        place = np.vectorize(lambda value: _code(column, value), otypes=[np.int64])
        return place(least), place(most)

    def ends(self, name: str, column: Any) -> tuple[Integers, Integers]:
        """As `codes`, or with both ends on one axis if the number has one."""
        low, high = self.codes(name, column)
        if name not in self.ended:
            return low, high
        axis = 1 + len(self.names) + len(self.opaque) + self.ended.index(name)
        found = np.where(self._on(axis, np.arange(2)) == 0, low, high)
        return found, found


def _within(codes: Integers, spans: Iterable[tuple[int, int]]) -> Truths:
    found = np.zeros(len(codes), bool)
    for first, last in spans:
        found |= (codes >= first) & (codes <= last)
    return found


def _code(column: Derived, value: Value) -> int:
    """The code of a number on the grid of a function. 0 if there is no value, because then the row does not count."""
    if not isinstance(value, (Fraction, int)):
        return 0
    place = (2 * (Fraction(value) - column.low) + column.step) // (2 * column.step)
    return min(max(int(place), 0), column.top)


@lru_cache(maxsize=256)
def _codes_tried(column: Derived, *given: *Combinations) -> Integers:
    """The codes of the values that `_tried` finds. They are looked up many times, and fractions are slow."""
    return np.array([_code(column, value) for value in _tried(column.function, *given)], np.int64)


@lru_cache(maxsize=256)
def _tried(
    function: Function, columns: tuple[tuple[str, Any], ...], private: int, keys: tuple[int, ...]
) -> list[Value]:
    """The values of a function for all codes of the first, private columns, and the given codes of public ones."""
    names = [name for name, _ in columns]
    codes = [[*range(column.top + 1), *([None] if column.apart else [])] for _, column in columns[:private]]
    return [function.value(dict(zip(names, (*row, *keys), strict=True))) for row in product(*codes)]


@lru_cache(maxsize=256)
def _tried_whole(
    function: Function, columns: tuple[tuple[str, Any], ...], private: int, keys: tuple[int, ...]
) -> Integers:
    """The same values as an array, if all are whole numbers."""
    return np.array([int(value) for value in _tried(function, columns, private, keys)], np.int64)  # type: ignore
