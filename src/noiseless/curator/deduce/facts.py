"""What is known for certain about the rows: from releases of every kind, from copies, and from public facts.

A fact says that some numbers of rows, or some sums, over some public cells lie between two bounds, and which entries of
the ledger it follows from. A release of an unknown kind says nothing.

Source: theory §13, known facts: docs/deduce.md
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from noiseless.curator.deduce.atoms import Atoms
from noiseless.curator.deduce.cuts import Integers
from noiseless.curator.deduce.partition import Partition
from noiseless.curator.plan.condition import Condition
from noiseless.curator.plan.functions.derived import Derived
from noiseless.curator.plan.read import Read
from noiseless.curator.releases.release import Release, Released, Width, as_bins
from noiseless.curator.releases.weights import Bound
from noiseless.privacy.quantizers.ladder import Ladder

Known = tuple[int, Release, Width, Released]
"""The number of an entry, and what it released: releases, their bins, and what came out."""
Entry = tuple[int, int]
"""The number of an entry, and the place of a release in it."""


@dataclass(frozen=True, slots=True)
class Sorting:
    """How rows that meet a condition get a label 0, 1, …: all the same, by the codes of a column, or by groups."""

    condition: Condition
    size: int = 1
    column: str | None = None
    groups: Derived | None = field(default=None, hash=False)
    wide: int = 1
    """How many neighbouring codes or groups have one label."""

    @property
    def read(self) -> Read:
        """The columns and functions that it reads, and where they are cut."""
        functions = () if self.groups is None else (self.groups.function,)
        cuts = {} if self.column is None else {self.column: np.arange(self.size) * self.wide}
        return Read((self.condition,), functions, cuts=cuts)

    def labels(self, atoms: Atoms) -> Integers | None:
        """The label of the rows of each atom; `size` for those that do not count. None if some may have several."""
        holds = atoms.holds(self.condition)
        label: Integers | None = np.zeros([1] * len(atoms.shape), np.int64)
        if self.column is not None:
            label = atoms.along(self.column, atoms.first[self.column])
        elif self.groups is not None:
            label = atoms.places(self.groups.function)
        return None if label is None else np.where(holds.true, label // self.wide, self.size)


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """The numbers of rows with each label, from `low` to `high`, among the `rows` rows of some public cells."""

    questions: tuple[int, ...]
    cells: frozenset[int]
    rows: int
    sorting: Sorting
    low: Integers
    high: Integers
    release: int = 0
    """Its place among the releases of its question."""

    @property
    def exact(self) -> bool:
        """Whether all numbers are known."""
        return bool((self.low == self.high).all())

    @property
    def with_rest(self) -> Integers:
        """The numbers of rows, which must be known exactly, followed by the number of rows that do not count."""
        return np.append(self.low, self.rows - self.low.sum())

    def coarser(self, wide: int) -> Counted:
        """The same fact with neighbouring labels joined."""
        if wide == 1:
            return self
        starts = np.arange(0, self.sorting.size, wide)
        sorting = replace(self.sorting, size=len(starts), wide=wide)
        low, high = (np.add.reduceat(each, starts) for each in (self.low, self.high))
        return replace(self, sorting=sorting, low=low, high=high)

    def without(self, part: Counted) -> Counted:
        """What follows about the public cells that are not in `part`, by subtraction."""
        questions = tuple(sorted({*self.questions, *part.questions}))
        low, rows = np.maximum(self.low - part.high, 0), self.rows - part.rows
        return Counted(questions, self.cells - part.cells, rows, self.sorting, low, self.high - part.low)


@dataclass(frozen=True, slots=True, eq=False)
class Weighed:
    """A bound of sums over the rows of some public cells with each label."""

    question: int
    release: int
    cells: frozenset[int]
    sorting: Sorting
    bound: Bound


@dataclass(frozen=True, slots=True, eq=False)
class Facts:
    """All that is known, besides what the dataset itself says: its public cells and their numbers of rows."""

    counted: tuple[Counted, ...] = ()
    weighed: tuple[Weighed, ...] = ()
    partitions: tuple[Partition, ...] = ()
    released: Mapping[Release, tuple[Known, ...]] = field(default_factory=dict)
    """What came out of every release, for numbers that are asked for a second time."""

    @staticmethod
    def of(known: Iterable[Known] = (), partitions: Iterable[Partition] = ()) -> Facts:
        """The facts that some releases and partitions state."""
        counted: list[Counted] = []
        weighed: list[Weighed] = []
        released: dict[Release, list[Known]] = {}
        met: dict[int, int] = {}
        for question, release, width, numbers in known:
            entry = question, met.get(question, 0)
            met[question] = entry[1] + 1
            released.setdefault(release.itself.unrefined, []).append((question, release, width, numbers))
            if isinstance(width, Ladder) and len(numbers) == 1:
                continue  # only the range is known
            found, bins, places = (
                release.at_level(width, numbers) if isinstance(width, Ladder) else (release, width, numbers)
            )
            counted += _counted(entry, found.unrefined, bins, places)
            weighed += _weighed(entry, found.unrefined, bins, places)
        kept = {release: tuple(each) for release, each in released.items()}
        return Facts(tuple(_with_rests(counted)), tuple(weighed), tuple(partitions), kept)


def _sorting(release: Release) -> Sorting:
    condition = release.part.condition
    if release.cells_of is not None:
        groups, cells = release.cells_of
        return Sorting(condition, cells, groups=groups)
    if release.values_of is not None:
        name, values = release.values_of
        return Sorting(condition, values, column=name)
    return Sorting(condition)


def _counted(entry: Entry, release: Release, width: Width, numbers: Released) -> Iterator[Counted]:
    """The numbers of rows that a release states."""
    if (stated := release.row_counts(width, numbers)) is not None:
        part, bins = release.part, as_bins(stated[1])
        ends = np.array([bins.ends(place) for place in stated[0]], np.int64)
        low, high = np.maximum(ends[:, 0], 0), np.minimum(ends[:, 1], part.size)
        yield Counted((entry[0],), frozenset(part.cells), part.size, _sorting(release), low, high, entry[1])


def _weighed(entry: Entry, release: Release, width: Width, numbers: Released) -> Iterator[Weighed]:
    """The sums that a release states."""
    for bound in release.bounds(width, numbers):
        yield Weighed(*entry, frozenset(release.part.cells), _sorting(release), bound)


def _with_rests(counted: list[Counted]) -> list[Counted]:
    """Add what follows by subtraction: what is known of A and of A ∪ B says something about B alone."""
    found: list[Counted] = []
    families: dict[Sorting, list[Counted]] = {}
    for each in counted:
        families.setdefault(each.sorting, []).append(each)
    for family in families.values():
        alike = sorted(family, key=lambda each: len(each.cells))
        for place, whole in enumerate(alike):
            rest = whole
            for part in reversed(alike[:place]):
                if part.cells < rest.cells:
                    rest = rest.without(part)
            found += [whole, rest] if rest is not whole else [whole]
    return found
