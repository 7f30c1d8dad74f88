"""Rows divided into cells whose exact numbers of rows are known: from a histogram, a cross table or a copy.

Every axis gives each code of its columns a label; a cell is a combination of labels. So a row is in exactly one cell of
its public cell.

Source: theory §13: docs/deduce.md
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

Labels = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Axis:
    """The label of every value of some columns: codes 0..M in order, then missing values if they are kept separate.

    With several columns there is a label for each combination of their values, the last column changing fastest.
    """

    columns: tuple[str, ...]
    labels: Labels

    @property
    def size(self) -> int:
        """The number of labels."""
        return int(self.labels.max()) + 1


@dataclass(frozen=True, slots=True, eq=False)
class Partition:
    """The number of rows in every cell that has any. `public`, `cells` and `counts` have an entry for each of them.

    `cells` has a column of labels for each axis. `question` is its number in the ledger. All rows of the public cells
    in `covers` are in a cell.
    """

    axes: tuple[Axis, ...]
    public: NDArray[np.int64]
    cells: NDArray[np.int64]
    counts: NDArray[np.int64]
    covers: frozenset[int]
    question: int

    def over(self, names: frozenset[str]) -> Partition:
        """The partition over the axes with these columns. Cells that differ only in other axes are joined."""
        kept = [place for place, axis in enumerate(self.axes) if not names.isdisjoint(axis.columns)]
        if len(kept) == len(self.axes):
            return self
        axes = tuple(self.axes[place] for place in kept)
        shape = (int(self.public.max(initial=0)) + 1, *(axis.size for axis in axes))
        if prod(shape) >= 1 << 62:
            return self
        found, where = np.unique(
            np.ravel_multi_index((self.public, *(self.cells[:, place] for place in kept)), shape), return_inverse=True
        )
        counts = np.zeros(len(found), np.int64)
        np.add.at(counts, where.ravel(), self.counts)
        public, *cells = np.unravel_index(found, shape)
        labels = np.stack(cells, axis=1) if cells else np.zeros((len(found), 0), np.int64)
        return Partition(axes, public, labels, counts, self.covers, self.question)
