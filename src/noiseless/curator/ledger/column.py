"""Releases of very many public cells in columns: cells, bins and numbers. An entry has each as one text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from noiseless.curator.ledger.packed import packed, unpacked
from noiseless.curator.releases.release import Integers, Released, Width

AS, PAID = "as", "paid"
"""Stands for bins that are written elsewhere: a question's bins in what its entry paid for, an answer's in its ask."""


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """One kind of release of many public cells, one by one: the bins of each and, once known, what came out.

    `cells` ascend, `which` says which of the `bins` each has, and `numbers` has a row for each integer of a release.
    """

    cells: Integers
    bins: tuple[Width, ...]
    which: Integers
    numbers: Integers | None = None

    def __post_init__(self) -> None:
        import numpy as np

        sizes = {len(self.cells), len(self.which), *([] if self.numbers is None else [self.numbers.shape[1]])}
        ascending = len(self.cells) > 0 and self.cells[0] >= 0 and bool((np.diff(self.cells) > 0).all())
        if len(sizes) > 1 or not ascending or not 0 <= self.which.min() <= self.which.max() < len(self.bins):
            raise ValueError("columns of different lengths, or cells twice")

    def place(self, cells: str, width: Width | None = None) -> int | None:
        """The place of a cell by its name. None if it is not here, or has other bins."""
        import numpy as np

        if not cells.isdecimal():
            return None
        place = int(np.searchsorted(self.cells, int(cells)))
        if place == len(self.cells) or self.cells[place] != int(cells):
            return None
        return place if width in (None, self.bins[self.which[place]]) else None

    def width(self, place: int) -> Width:
        """The bins at a place."""
        return self.bins[int(self.which[place])]

    def released(self, place: int) -> Released:
        """What came out at a place."""
        assert self.numbers is not None
        return tuple(self.numbers[:, place].tolist())

    def of(self, cells: Integers) -> Integers:
        """What came out in some cells. All of them must be here."""
        import numpy as np

        assert self.numbers is not None
        return self.numbers[:, np.searchsorted(self.cells, cells)]

    def says_of(self, other: Column) -> bool:
        """Whether another column is about the same cells in the same bins."""
        import numpy as np

        same = self.bins == other.bins and np.array_equal(self.which, other.which)
        return same and np.array_equal(self.cells, other.cells)

    def seen(self, cells: Integers) -> Integers:
        """For each of some cells, which bins it has here. −1 if it is not here."""
        import numpy as np

        places = np.minimum(np.searchsorted(self.cells, cells), len(self.cells) - 1)
        return np.where(self.cells[places] == cells, self.which[places], -1)

    def only(self, kept: Integers, numbers: Integers | None = None) -> Column:
        """Some of the cells, with other numbers if these are given."""
        found = self.numbers if numbers is None else numbers
        return Column(self.cells[kept], self.bins, self.which[kept], None if found is None else found[:, kept])

    def rows(self) -> Iterator[tuple[str, Width]]:
        """The cells, by their names, and their bins."""
        for cell, which in zip(self.cells.tolist(), self.which.tolist(), strict=True):
            yield str(cell), self.bins[which]


def column_of(cells: Iterable[Integers], widths: Iterable[Width], numbers: Sequence[Integers] = ()) -> Column:
    """A column from parts, each of cells that have the same bins, with their numbers."""
    import numpy as np

    parts, each = list(cells), list(widths)
    bins = tuple(dict.fromkeys(each))
    places = {width: place for place, width in enumerate(bins)}
    joined = np.concatenate(parts)
    which = np.repeat([places[width] for width in each], [len(part) for part in parts])
    order = np.argsort(joined, kind="stable")
    found = np.concatenate(numbers, axis=1)[:, order] if numbers else None
    return Column(joined[order], bins, which[order], found)


def written(family: Mapping[str, Any], column: Column, paid: Column | None = None) -> dict[str, Any]:
    """A column as an entry holds it. What its ask `paid` for is not written again."""
    import numpy as np

    if paid is not None and paid.says_of(column) and column.numbers is not None:
        return {"release": family, AS: PAID, "columns": [packed(each) for each in column.numbers]}
    fields = {
        "release": family,
        "cells": packed(np.diff(column.cells, prepend=0)),
        "bins": list(map(str, column.bins)),
    }
    fields |= {"which": packed(column.which)} if len(column.bins) > 1 else {}
    return fields | ({} if column.numbers is None else {"columns": [packed(each) for each in column.numbers]})


def read(fields: Mapping[str, Any], bins: Iterable[Width], paid: Column | None = None) -> Column:
    """The column that `written` wrote."""
    import numpy as np

    numbers = np.array([unpacked(each) for each in fields["columns"]]) if "columns" in fields else None
    if AS in fields:
        if paid is None:
            raise ValueError("an answer in the columns of an ask that has none")
        return replace(paid, numbers=numbers)
    cells = np.cumsum(unpacked(fields["cells"]))
    which = unpacked(fields["which"]) if "which" in fields else np.zeros(len(cells), np.int64)
    return Column(cells, tuple(bins), which, numbers)
