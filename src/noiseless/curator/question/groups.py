"""Very many public groups, understood from a few samples.

Groups of one public cell each, with the same number of rows and under the same condition, differ publicly only in their
keys. So their bins, prices and errors are the same, and are found for a few of each kind: the samples.

A kind has as many samples as one person may have rows, and at least two, so that what is counted over the samples is
what would be counted over all groups.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise, product
from math import prod
from typing import Any, overload

from noiseless.curator.dataset.dataset import Dataset
from noiseless.curator.plan.plan import Plan
from noiseless.curator.question.line import Asked, Line, releases_of
from noiseless.curator.question.resolve import Resolver, public_keys, resolve
from noiseless.curator.releases.release import Integers, Release
from noiseless.curator.schema.categories import Key

FEWEST = 1000
"""Fewer groups than this are understood one by one."""
NO_CELL = -1
WORTH = 4
"""A sample must stand for this number of lines on average."""


@dataclass(frozen=True, slots=True, eq=False)
class Groups(Sequence[Line]):
    """The lines of a question, each made when it is asked for, and some of them as samples.

    `sample` is, for every line, the place of its sample in `lines_of`, which are places of lines. `cell` is the public
    cell of a line, and `kind` a number for its kind, which has up to `most` samples.
    """

    plan: Plan
    dataset: Dataset
    centred: bool
    kind: Integers
    most: int
    cell: Integers
    sample: Integers
    lines_of: tuple[int, ...]
    samples: tuple[Line, ...]
    stands_for: Mapping[Release, Integers] = field(init=False, repr=False)
    """For every release of a sample, the lines that it stands for, including the line of the sample."""

    def __post_init__(self) -> None:
        members = zip(self.samples, self._members(), strict=False)
        lines = {release: lines for line, lines in members for release in releases_of(line)}
        object.__setattr__(self, "stands_for", lines)

    def __len__(self) -> int:
        return len(self.cell)

    @overload
    def __getitem__(self, place: int) -> Line: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Line, ...]: ...
    def __getitem__(self, place: Any) -> Any:
        return self.whole()[place]

    def __iter__(self) -> Iterator[Line]:
        return iter(self.whole())

    def whole(self) -> tuple[Line, ...]:
        """All lines."""
        return resolve(self.plan, self.dataset, self.centred)

    def lines_at(self, codes: Sequence[Integers]) -> Integers:
        """The lines with some codes of their keys, given as columns."""
        return _lines_at([len(column.keys) for column in self._public.values()], codes)

    def keys(self) -> Iterator[tuple[Key, ...]]:
        """The keys of every line."""
        return product(*(column.keys for column in self._public.values()))

    def codes(self) -> Iterator[tuple[int, ...]]:
        """The codes of the keys of every line."""
        return product(*(range(len(column.keys)) for column in self._public.values()))

    @property
    def names(self) -> tuple[str, ...]:
        """The public columns of the keys."""
        return tuple(self._public)

    @property
    def _public(self) -> Mapping[str, Any]:
        return public_keys(self.plan, self.dataset)

    @property
    def few(self) -> bool:
        """Whether there are few enough samples to make up for the work of choosing them."""
        return WORTH * len(self.samples) <= len(self)

    def _members(self) -> list[Integers]:
        """For every sample, the lines that it stands for, including itself."""
        import numpy as np

        order = np.argsort(self.sample, kind="stable")
        return np.split(order, np.searchsorted(self.sample[order], np.arange(1, len(self.lines_of))))

    def differing(self, seen: Integers) -> bool:
        """Whether a number that is known for every line differs between lines of a kind."""
        import numpy as np

        _, first, place = np.unique(self.kind, return_index=True, return_inverse=True)
        return bool((seen != seen[first][place]).any())

    def separated(self, cells: Iterable[int]) -> Groups:
        """The same groups, with every group of some cells as its own kind. The other kinds keep their samples."""
        import numpy as np

        among_others = np.bincount(self.kind)[self.kind] > 1
        found = np.flatnonzero(np.isin(self.cell, np.array(sorted(cells), np.int64)) & among_others)
        if not len(found):
            return self
        kind = self.kind.copy()
        kind[found] = 1 + kind.max() + np.arange(len(found))
        return _sampled(replace(self, kind=kind))


def _lines_at(sizes: Sequence[int], codes: Sequence[Integers]) -> Integers:
    import numpy as np

    line: Integers = np.zeros(len(codes[0]), np.int64)
    for size, column in zip(sizes, codes, strict=True):
        line = line * size + column
    return line


def grouped(plan: Plan, dataset: Dataset, centred: bool) -> Groups | None:
    """The groups of a question about very many public groups. None if they are few, or not alike."""
    import numpy as np

    public = public_keys(plan, dataset)
    total = prod(len(column.keys) for column in public.values())
    single = len(public) == len(dataset.schema.public)
    if total < FEWEST or not plan.plain or plan.category is not None or plan.groups or not single or not dataset.cells:
        return None
    cell = np.full(total, NO_CELL, np.int64)
    codes = np.array(dataset.cells, dtype=np.int64)
    order = [list(dataset.schema.public).index(name) for name in public]
    line = _lines_at([len(column.keys) for column in public.values()], [codes[:, place] for place in order])
    cell[line] = np.arange(len(codes))
    size = np.zeros(total, np.int64)
    size[line] = np.array(dataset.sizes, dtype=np.int64)
    resolver = Resolver(dataset, plan, centred)
    kind = size
    if (conditions := resolver.rows.conditions_in_cells()) is not None:
        left = np.zeros(total, np.int64)
        left[line] = conditions
        kind = size * (int(left.max()) + 1) + left
    kinds, kind = np.unique(kind, return_inverse=True)
    most = max(2, dataset.schema.rows)
    if WORTH * most * len(kinds) > total:
        return None
    found = _sampled(Groups(plan, dataset, centred, kind, most, cell, kind, (), ()))
    sources = (source for each in found.samples for source in each.numbers.values())
    return None if any(isinstance(source, Asked) and source.beside for source in sources) else found


def _sampled(groups: Groups) -> Groups:
    """Groups with the samples of each kind, in the order of lines. One sample of a kind stands for the rest."""
    import numpy as np

    kind, most = groups.kind, groups.most
    order = np.argsort(kind, kind="stable")
    starts = np.flatnonzero(np.diff(kind[order], prepend=kind.min() - 1))
    own = np.concatenate([order[start : min(end, start + most)] for start, end in pairwise([*starts, len(order)])])
    lines_of = np.sort(own)
    last = np.empty(len(kind), np.int64)
    for start, end in pairwise([*starts.tolist(), len(order)]):
        last[order[start:end]] = order[min(end, start + most) - 1]
    last[lines_of] = lines_of
    known = dict(zip(groups.lines_of, groups.samples, strict=True))
    resolver, wanted = Resolver(groups.dataset, groups.plan, groups.centred), {*lines_of.tolist()} - {*known}
    for place, (codes, keys) in enumerate(zip(groups.codes(), groups.keys(), strict=True)) if wanted else ():
        if place in wanted:
            cells = [int(groups.cell[place])] if groups.cell[place] != NO_CELL else []
            [known[place]] = resolver.lines(dict(zip(groups.names, keys, strict=True)), codes, cells)
    samples = tuple(known[place] for place in lines_of.tolist())
    return replace(groups, sample=np.searchsorted(lines_of, last), lines_of=tuple(lines_of.tolist()), samples=samples)
