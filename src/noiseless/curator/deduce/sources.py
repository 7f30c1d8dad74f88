"""Ways to know the rows behind a number: sorted into cells with exact counts, or by their public cells alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import prod
from typing import Protocol

import numpy as np

from noiseless.curator.dataset.dataset import Dataset
from noiseless.curator.deduce.atoms import Atoms, TooManyError
from noiseless.curator.deduce.cuts import Integers
from noiseless.curator.deduce.facts import Counted, Facts, Sorting
from noiseless.curator.deduce.partition import Axis, Partition
from noiseless.curator.deduce.rows import Rows, of_cells, together
from noiseless.curator.deduce.target import Target
from noiseless.curator.plan.read import Read


class Source(Protocol):
    """A way to know the rows behind a number."""

    @property
    def questions(self) -> tuple[int, ...]:
        """The entries that it uses."""

    @property
    def columns(self) -> frozenset[str]:
        """The columns that it says something about."""

    def rows(self, target: Target, dataset: Dataset) -> Rows:
        """What is known of the rows that may count."""


@dataclass(frozen=True, slots=True)
class Public:
    """The numbers of rows of public cells."""

    questions: tuple[int, ...] = ()
    columns: frozenset[str] = frozenset()

    def rows(self, target: Target, dataset: Dataset) -> Rows:
        """All rows of a class of public cells are alike. If there are too many atoms, any row may have any value."""
        try:
            atoms = Atoms(dataset, sorted(target.cells), target.read)
        except TooManyError:
            top = 0 if target.of is None else target.of.top
            return Rows(np.array([target.size]), np.array([False]), np.array([0]), np.array([top]))
        return _rows(target, atoms, np.zeros([1] * len(atoms.shape), np.int64), 1, _sizes(atoms, dataset, target.cells))


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Exact counts of the labels of a sorting, in some public cells. Of other public cells only the size is known."""

    sorting: Sorting
    blocks: tuple[Counted, ...]

    @property
    def questions(self) -> tuple[int, ...]:
        """The entries of all blocks."""
        return tuple(sorted({number for block in self.blocks for number in block.questions}))

    @property
    def columns(self) -> frozenset[str]:
        """The columns that the sorting reads."""
        return self.sorting.read.names

    def rows(self, target: Target, dataset: Dataset) -> Rows:
        """What is known of the rows that may count. Blocks with rows of the same classes are added up."""
        atoms = Atoms(dataset, sorted(target.cells), [*target.read, self.sorting.read])
        labels, size = self.sorting.labels(atoms), self.sorting.size + 1
        left = target.cells.difference(*(block.cells for block in self.blocks))
        if labels is None:
            return Public().rows(target, dataset)
        found, added = list[Rows](), dict[frozenset[int], Integers]()
        for block in self.blocks:
            classes = frozenset(atoms.class_of[cell] for cell in block.cells)
            added[classes] = added.get(classes, 0) + block.with_rest
        for classes, counts in added.items():
            found.append(_rows(target, atoms, labels, size, counts, classes))
        if left:
            nothing = np.zeros([1] * len(atoms.shape), np.int64)
            found.append(_rows(target, atoms, nothing, 1, _sizes(atoms, dataset, left)))
        return together(found)


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """The cells of a partition. Of public cells that it does not cover, only the size is known."""

    partition: Partition

    @property
    def questions(self) -> tuple[int, ...]:
        """The entry of the partition."""
        return (self.partition.question,)

    @property
    def columns(self) -> frozenset[str]:
        """The columns of all axes."""
        return frozenset(name for axis in self.partition.axes for name in axis.columns)

    def rows(self, target: Target, dataset: Dataset) -> Rows:
        """What is known of the rows, by the axes that the number reads, or by fewer axes if atoms are too many."""
        names = frozenset[str]().union(*(each.names for each in target.read)) & self.columns
        while True:
            try:
                return self._rows(target, dataset, self.partition.over(names))
            except TooManyError:
                if not names:
                    raise
                names -= {max(sorted(names), key=lambda name: dataset.schema.private[name].values)}

    def _rows(self, target: Target, dataset: Dataset, partition: Partition) -> Rows:
        atoms = Atoms(dataset, sorted(target.cells), [*target.read, *map(read_of, partition.axes)])
        shape = [axis.size for axis in partition.axes]
        if prod(shape) * len(atoms.classes) >= 1 << 62:
            raise TooManyError
        labels = np.zeros([1] * len(atoms.shape), np.int64)
        for axis in partition.axes:
            labels = labels * axis.size + label_of(axis, atoms)
        covered = target.cells & partition.covers
        class_of = np.full(max(len(dataset.cells), int(partition.public.max(initial=0)) + 1), -1)
        for cell in covered:
            class_of[cell] = atoms.class_of[cell]
        classes = class_of[partition.public]
        inside = classes >= 0
        own = np.zeros(int(inside.sum()), np.int64)
        for place, size in enumerate(shape):
            own = own * size + partition.cells[inside, place]
        known, where = np.unique(classes[inside] * prod(shape) + own, return_inverse=True)
        counts = np.zeros(len(known) + 1, np.int64)
        np.add.at(counts, where.ravel(), partition.counts[inside])
        each = np.arange(len(atoms.classes)).reshape(-1, *[1] * (len(atoms.shape) - 1)) * prod(shape) + labels
        place_of = np.searchsorted(known, each)
        place_of[(place_of < len(known)) & (known[np.minimum(place_of, max(len(known) - 1, 0))] != each)] = len(known)
        found = [_flat(target, atoms, place_of, counts)] if len(known) else []
        if left := target.cells - covered:
            nothing = np.zeros([1] * len(atoms.shape), np.int64)
            found.append(_rows(target, atoms, nothing, 1, _sizes(atoms, dataset, left)))
        return together(found)


def read_of(axis: Axis) -> Read:
    """Where an axis cuts its columns: where the label changes, or at every code if it has several columns."""
    if len(axis.columns) == 1:
        return Read(cuts={axis.columns[0]: 1 + np.flatnonzero(axis.labels[1:] != axis.labels[:-1])})
    return Read(cuts=dict.fromkeys(axis.columns))


def label_of(axis: Axis, atoms: Atoms) -> Integers:
    """The label of each atom."""
    if len(axis.columns) == 1:
        return atoms.along(axis.columns[0], axis.labels[atoms.first[axis.columns[0]]])
    values = [atoms.column(name).values for name in axis.columns]
    codes = [atoms.along(name, atoms.first[name]) for name in axis.columns]
    return axis.labels[np.ravel_multi_index(np.broadcast_arrays(*codes), values)]


def _sizes(atoms: Atoms, dataset: Dataset, cells: Iterable[int]) -> Integers:
    """The numbers of rows of each class."""
    sizes = np.zeros(len(atoms.classes), np.int64)
    for cell in cells:
        sizes[atoms.class_of[cell]] += dataset.sizes[cell]
    return sizes


def _rows(
    target: Target,
    atoms: Atoms,
    labels: Integers,
    size: int,
    counts: Integers,
    classes: frozenset[int] | None = None,
) -> Rows:
    """The rows of each label. They are in any of some classes, or counted by class."""
    each = np.arange(len(atoms.classes)).reshape(-1, *[1] * (len(atoms.shape) - 1))
    if classes is None:
        return _flat(target, atoms, each * size + labels, counts)
    there = np.zeros(each.shape, bool)
    there[list(classes)] = True
    where = np.where(there, labels, size)
    return _flat(target, atoms, where, np.append(counts, 0))


def _flat(target: Target, atoms: Atoms, where: Integers, counts: Integers) -> Rows:
    """The rows of cells that `where` gives for each atom."""
    holds = atoms.holds(target.condition)
    zero = np.zeros([1] * len(atoms.shape), np.int64)
    ends = (zero, zero) if target.of is None else target.of.codes(atoms)
    given = (where, holds.true, holds.surely, *ends, atoms.possible)
    flat = [np.broadcast_to(each, atoms.shape).ravel() for each in given]
    kept = flat.pop()
    place, may, must, low, high = (each if kept.all() else each[kept] for each in flat)
    return of_cells(place, may, must, (low, high), counts)


def sources_of(facts: Facts, target: Target, read: frozenset[str]) -> Iterator[Source]:
    """The ways to know the rows of a number: the public one, and every family of exact counts about what it reads."""
    yield Public()
    families: dict[Sorting, list[Counted]] = {}
    for each in facts.counted:
        if each.exact and each.cells <= target.cells and not read.isdisjoint(each.sorting.read.names):
            families.setdefault(each.sorting, []).append(each)
    for sorting, blocks in families.items():
        taken, kept = frozenset[int](), list[Counted]()
        for block in sorted(blocks, key=lambda each: len(each.cells)):
            if taken.isdisjoint(block.cells):
                taken, kept = taken | block.cells, [*kept, block]
        yield Table(sorting, tuple(kept))
    for partition in facts.partitions:
        if not read.isdisjoint(name for axis in partition.axes for name in axis.columns):
            yield Cells(partition)
