"""Facts as linear inequalities for the numbers of rows of atoms: h ≥ 0, and over each group of public cells Σh = n.

Atoms that all facts and the question treat alike are one variable. A row between two codes counts as parts of rows at
both ends, with the same sum. Anything that is not a sum of codes, such as a square, is only known to lie between its
least and its greatest value in the atom. A bound from below then bounds the greatest values, and a bound from above the
least.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Any

import numpy as np

from noiseless.curator.dataset.dataset import Dataset
from noiseless.curator.deduce.atoms import Atoms, TooManyError, Truths
from noiseless.curator.deduce.cuts import Integers
from noiseless.curator.deduce.facts import Counted, Facts, Weighed
from noiseless.curator.deduce.partition import Partition
from noiseless.curator.deduce.rows import distinct
from noiseless.curator.deduce.sources import label_of, read_of
from noiseless.curator.deduce.target import Target
from noiseless.curator.plan.read import Read

Fact = Counted | Weighed | Partition
MOST_VARIABLES = 4_000
WIDER = (1, 4, 16, 64)
"""How many neighbouring labels are joined if there are too many variables."""
MOST_ENDED = 3
FEW_LABELS = 64
"""Labels are not joined if there are at most this number of them."""
LAID = 16
"""With more atoms than this for each variable, atoms about which the same is known are joined."""
MOST_FACTS = 200
NEAR, MOST_DENSE = 1e-6, 40_000


@dataclass(frozen=True, slots=True)
class Row:
    """One inequality: `of` names what is bounded, then come its entry, its release, its label and its bounds."""

    of: str
    question: int
    release: int
    at: int
    low: int | None
    high: int | None
    wide: int = 1
    """How many labels, from at·wide on, are joined."""
    scale: Fraction = Fraction(1)
    """The sum in proofs is this multiple of the sum here."""


@dataclass(frozen=True, slots=True, eq=False)
class System:
    """Variables with their groups, whether they count, and between which codes they lie; and inequalities for them."""

    sizes: Integers
    """The number of rows of each group."""
    group: Integers
    inside: Truths
    """Whether the rows of a variable are in the public cells of the question and meet its condition."""
    low: Integers
    high: Integers
    rows: tuple[Row, ...]
    at_row: Integers
    at_variable: Integers
    values: Integers
    bent: bool = False
    """Whether rows are divided among codes between which the least and the greatest value are not linear."""

    @property
    def size(self) -> int:
        """The number of variables and entries: how much there is to compute."""
        return len(self.group) + len(self.values)

    @property
    def settles(self) -> bool:
        """Whether the number of rows that count is a sum of multiples of numbers that are known exactly.

        If it is not, it can still be exact where cells have no rows; this only says what is worth a try. So is a system
        that is too large to find out.
        """
        if (len(self.rows) + len(self.sizes)) * len(self.group) > MOST_DENSE:
            return True
        exact = np.array([row.low == row.high for row in self.rows], bool)
        kept = exact[self.at_row]
        matrix = np.zeros((len(self.rows) + len(self.sizes), len(self.group)))
        np.add.at(matrix, (self.at_row[kept], self.at_variable[kept]), self.values[kept])
        matrix[len(self.rows) + self.group, np.arange(len(self.group))] = 1
        wanted = self.inside.astype(float)
        times = np.linalg.lstsq(matrix.T, wanted, rcond=None)[0]
        return bool(np.abs(matrix.T @ times - wanted).max(initial=0) < NEAR)


def relevant(facts: Facts, target: Target, names: frozenset[str], public: Iterable[str]) -> list[Fact]:
    """The facts that together may prove more than each exact count of cells alone. Empty if there are too few."""
    every: list[Fact] = [each for each in facts.counted if len(each.questions) == 1]
    every += [*facts.weighed, *facts.partitions]
    near = [fact for fact in every if not names.isdisjoint(columns_of(fact)) and target.cells & cells_of(fact)]
    reached = names.union(*map(columns_of, near))
    cells = target.cells.union(*map(cells_of, near))
    far = [fact for fact in every if fact not in near and columns_of(fact) <= reached and cells_of(fact) & cells]
    near.sort(key=lambda fact: len(columns_of(fact) - names))
    found = [*near, *(fact for fact in far if columns_of(fact))][:MOST_FACTS]
    return (
        []
        if len(found) == 1 and _says_all(found[0], target, (names | columns_of(found[0])).intersection(public))
        else found
    )


def _says_all(fact: Fact, target: Target, public: frozenset[str]) -> bool:
    """Whether the cells of a fact give all that follows from it alone. They do if public keys make no difference."""
    if isinstance(fact, Counted):
        return fact.exact and fact.cells <= target.cells and (len(fact.cells) == 1 or not public)
    return isinstance(fact, Partition)


def columns_of(fact: Fact) -> frozenset[str]:
    """The columns that a fact says something about."""
    if isinstance(fact, Partition):
        return frozenset(name for axis in fact.axes for name in axis.columns)
    read = fact.sorting.read.names
    return read | fact.bound.weight.read.names if isinstance(fact, Weighed) else read


def cells_of(fact: Fact) -> frozenset[int]:
    """The public cells that a fact is about."""
    return fact.covers if isinstance(fact, Partition) else fact.cells


def system_of(
    dataset: Dataset, target: Target, facts: Sequence[Fact], names: frozenset[str], room: int
) -> System | None:
    """The inequalities of the facts, up to the room there is. Partitions keep the columns that other facts read."""
    while facts:
        reached = names.union(*(columns_of(fact) for fact in facts if not isinstance(fact, Partition)))
        for wide in WIDER:
            try:
                return _Builder(dataset, target, [_over(fact, reached, wide) for fact in facts], room).system()
            except TooManyError:
                continue
        facts = facts[: len(facts) // 2]
    return None


def _over(fact: Fact, names: frozenset[str], wide: int) -> Fact:
    """A partition over the columns that matter, or counts with neighbouring labels joined if there are many."""
    if isinstance(fact, Partition):
        return fact.over(names)
    return fact.coarser(wide) if isinstance(fact, Counted) and fact.sorting.size > FEW_LABELS else fact


class _Builder:
    """Puts the inequalities together."""

    def __init__(self, dataset: Dataset, target: Target, facts: list[Fact], room: int) -> None:
        self.target, self.facts, self.room = target, facts, min(room, MOST_VARIABLES)
        cells = sorted(target.cells.union(*map(cells_of, facts)))
        reads = [*target.read, *(read for fact in facts for read in _reads(fact))]
        ended, straight = _ended(facts), target.straight
        is_divided = target.column is not None and target.column.name in dict(ended)
        self.atoms = Atoms(dataset, cells, [*reads, *([straight] if is_divided and straight else [])], ended)
        self.bent = is_divided and straight is not None and not straight.cuts and not self.atoms.tries(straight)
        if prod(self.atoms.shape) > LAID * self.room:
            raise TooManyError
        groups: dict[tuple[Any, ...], list[int]] = {}
        for cell in cells:
            if dataset.sizes[cell]:
                member = tuple(cell in cells_of(fact) for fact in facts)
                groups.setdefault((self.atoms.class_of[cell], cell in target.cells, member), []).append(cell)
        self.groups = list(groups.items())
        self.sizes = np.array([sum(dataset.sizes[cell] for cell in group) for _, group in self.groups], np.int64)
        self.entries: list[tuple[Integers, Integers, Integers]] = []
        self.rows: list[Row] = []

    def system(self) -> System:
        """The finished system."""
        columns = self._columns()
        kept = np.broadcast_to(self.atoms.possible, self.atoms.shape).reshape(len(self.atoms.classes), -1)
        laid = [np.broadcast_to(each, self.atoms.shape).reshape(kept.shape) for each in columns]
        each = [distinct([column[place][kept[place]] for column in laid]) for place in range(len(kept))]
        chosen = [each[key[0]] for key, _ in self.groups]
        self.group = np.repeat(np.arange(len(chosen)), [len(one) for one in chosen])
        if len(self.group) > self.room:
            raise TooManyError
        self.signed = np.concatenate(chosen) if chosen else np.zeros((0, len(columns)), np.int64)
        place = 3
        for number, fact in enumerate(self.facts):
            place = self._add(fact, number, place)
        inside = np.array([key[1] for key, _ in self.groups], bool)[self.group] & (self.signed[:, 0] > 0)
        row, variable, value = (np.concatenate([each[side] for each in self.entries]) for side in range(3))
        low, high = self.signed[:, 1], self.signed[:, 2]
        return System(self.sizes, self.group, inside, low, high, tuple(self.rows), row, variable, value, self.bent)

    def _columns(self) -> list[Integers]:
        """For each atom: whether it counts, its codes, and for each fact its label and what it adds."""
        atoms, target = self.atoms, self.target
        holds = atoms.holds(target.condition).true
        zero = np.zeros([1] * len(atoms.shape), np.int64)
        low = high = zero
        if target.of is not None:
            low, high = target.of.ends(atoms) if target.function in ("SUM", "AVG") else target.of.codes(atoms)
        columns = [holds.astype(np.int64), np.where(holds, low, 0), np.where(holds, high, 0)]
        for fact in self.facts:
            if isinstance(fact, Partition):
                labels = zero
                for axis in fact.axes:
                    labels = labels * axis.size + label_of(axis, atoms)
                columns.append(labels)
                continue
            found = fact.sorting.labels(atoms)
            if found is None:
                raise TooManyError
            columns.append(found)
            if isinstance(fact, Weighed):
                columns += [np.where(found < fact.sorting.size, each, 0) for each in fact.bound.weight.ends(atoms)]
        return columns

    def _add(self, fact: Fact, number: int, place: int) -> int:
        """Add the inequalities of a fact, from its first column on. Return the place of the next column."""
        covered = np.array([key[2][number] for key, _ in self.groups], bool)[self.group]
        labels = self.signed[:, place]
        match fact:
            case Counted():
                kept = np.flatnonzero(covered & (labels < fact.sorting.size))
                self._enter(kept, labels[kept], np.ones(len(kept), np.int64))
                ends, wide = zip(fact.low.tolist(), fact.high.tolist(), strict=True), fact.sorting.wide
                self.rows += [
                    Row("count", fact.questions[0], fact.release, at, *each, wide) for at, each in enumerate(ends)
                ]
            case Weighed():
                kept = np.flatnonzero(covered & (labels < fact.sorting.size))
                self._enter(kept, labels[kept], self.signed[kept, place + 2])
                self.rows += [_row_of(fact, at, fact.bound.ends[at][0], None) for at in range(fact.sorting.size)]
                self._enter(kept, labels[kept], self.signed[kept, place + 1])
                self.rows += [_row_of(fact, at, None, fact.bound.ends[at][1]) for at in range(fact.sorting.size)]
                return place + 3
            case Partition():
                self._add_cells(fact, covered, labels)
        return place + 1

    def _add_cells(self, fact: Partition, covered: Truths, labels: Integers) -> None:
        """Add an equation for every group and cell: its number of rows."""
        own = np.zeros(len(fact.counts), np.int64)
        total = 1
        for place, axis in enumerate(fact.axes):
            own, total = own * axis.size + fact.cells[:, place], total * axis.size
        if total * max(len(self.groups), 1) >= 1 << 62:
            raise TooManyError
        group_of = np.full(int(max(fact.public.max(initial=0), max(fact.covers, default=0))) + 1, -1)
        for place, (_, cells) in enumerate(self.groups):
            group_of[[cell for cell in cells if cell in fact.covers]] = place
        known = group_of[fact.public] >= 0
        counted = group_of[fact.public][known] * total + own[known]
        kept = np.flatnonzero(covered)
        keys, where = np.unique(np.concatenate([counted, self.group[kept] * total + labels[kept]]), return_inverse=True)
        counts = np.zeros(len(keys), np.int64)
        np.add.at(counts, where.ravel()[: len(counted)], fact.counts[known])
        self._enter(kept, where.ravel()[len(counted) :], np.ones(len(kept), np.int64))
        groups, at = (keys // total).tolist(), (keys % total).tolist()
        given = zip(groups, at, counts.tolist(), strict=True)
        self.rows += [Row("cell", fact.question, group, place, count, count) for group, place, count in given]

    def _enter(self, variables: Integers, rows: Integers, values: Integers) -> None:
        self.entries.append((rows + len(self.rows), variables, values))


def _row_of(fact: Weighed, at: int, low: int | None, high: int | None) -> Row:
    bound = fact.bound
    return Row(bound.weight.name, fact.question, fact.release, bound.number + at, low, high, scale=bound.scale)


def _ended(facts: Iterable[Fact]) -> list[tuple[str, Any]]:
    """The numbers whose sums are known. A row between two ends is divided among the ends, with the same sum."""
    lines = [line for fact in facts if isinstance(fact, Weighed) and (line := fact.bound.weight.line) is not None]
    return [*{line.name: (line.name, line.column) for line in lines}.values()][:MOST_ENDED]


def _reads(fact: Fact) -> Iterable[Read]:
    if isinstance(fact, Partition):
        return map(read_of, fact.axes)
    return (fact.sorting.read, fact.bound.weight.read) if isinstance(fact, Weighed) else (fact.sorting.read,)
