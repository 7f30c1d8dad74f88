"""Releases of very many public cells, written and kept in columns: cells, bins and numbers, each as one text.

A column of integers is written as base 85 of deflated bytes: the lowest bytes of all, then the next ones. That comes
near the entropy of the bins, which no way of writing them can beat.
"""

from __future__ import annotations

import zlib
from base64 import b85decode, b85encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noiseless.curator.releases.release import Released, Width

Integers = NDArray[np.int64]
LARGEST = 1 << 62
MOST_BYTES = 1 << 30
"""No column of an entry is longer than this when it is inflated."""


def packed(numbers: Integers) -> str:
    """Integers from 0 on as a short text: the bytes of each, and all bytes.

    >>> unpacked(packed(np.array([3, 1, 70000]))).tolist()
    [3, 1, 70000]
    """
    size = max(1, (int(numbers.max(initial=0)).bit_length() + 7) // 8)
    planes = numbers.astype("<i8").view(np.uint8).reshape(len(numbers), 8)[:, :size].T.tobytes()
    return f"{size} {b85encode(min((_deflated(planes, way) for way in STRATEGIES), key=len)).decode()}"


STRATEGIES = zlib.Z_DEFAULT_STRATEGY, zlib.Z_HUFFMAN_ONLY


def _deflated(data: bytes, strategy: int) -> bytes:
    writer = zlib.compressobj(9, zlib.DEFLATED, -15, 9, strategy)
    return writer.compress(data) + writer.flush()


def unpacked(text: str) -> Integers:
    """The integers that `packed` wrote."""
    size, _, data = text.partition(" ")
    reader = zlib.decompressobj(-15)
    planes = reader.decompress(b85decode(data), MOST_BYTES)
    if not reader.eof or reader.unused_data or not 1 <= int(size) <= 8 or len(planes) % int(size):
        raise ValueError("a column that was not written so")
    found = np.zeros((len(planes) // int(size), 8), np.uint8)
    found[:, : int(size)] = np.frombuffer(planes, np.uint8).reshape(int(size), -1).T
    return found.reshape(-1).view("<i8").astype(np.int64)


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
        sizes = {len(self.cells), len(self.which), *([] if self.numbers is None else [self.numbers.shape[1]])}
        ascending = len(self.cells) > 0 and self.cells[0] >= 0 and bool((np.diff(self.cells) > 0).all())
        if len(sizes) > 1 or not ascending or not 0 <= self.which.min() <= self.which.max() < len(self.bins):
            raise ValueError("columns of different lengths, or cells twice")

    def place(self, cells: str, width: Width | None = None) -> int | None:
        """Where a cell is, by its name, if it is here and in these bins."""
        if not cells.isdecimal():
            return None
        place = int(np.searchsorted(self.cells, int(cells)))
        if place == len(self.cells) or self.cells[place] != int(cells):
            return None
        return place if width in (None, self.bins[self.which[place]]) else None

    def width(self, place: int) -> Width:
        """The bins at a place."""
        return self.bins[self.which[place]]

    def released(self, place: int) -> Released:
        """What came out at a place."""
        assert self.numbers is not None
        return tuple(self.numbers[:, place].tolist())

    def of(self, cells: Integers) -> list[Released]:
        """What came out in some cells, all of which are here."""
        assert self.numbers is not None
        return list(zip(*self.numbers[:, np.searchsorted(self.cells, cells)].tolist(), strict=True))

    def seen(self, cells: Integers) -> Integers:
        """Which bins each of some cells has here, or −1 if none."""
        places = np.minimum(np.searchsorted(self.cells, cells), len(self.cells) - 1)
        return np.where(self.cells[places] == cells, self.which[places], -1)

    def only(self, kept: NDArray[np.bool_], numbers: Integers | None = None) -> Column:
        """Some of the cells, with other numbers if these are given."""
        found = self.numbers if numbers is None else numbers
        return Column(self.cells[kept], self.bins, self.which[kept], None if found is None else found[:, kept])

    def rows(self) -> Iterator[tuple[str, Width]]:
        """The cells, by their names, and their bins."""
        for cell, which in zip(self.cells.tolist(), self.which.tolist(), strict=True):
            yield str(cell), self.bins[which]


class Columns:
    """What columns say, by the text of the fact: who paid for it, what it implies, and what was released."""

    def __init__(self) -> None:
        self.paid: dict[str, list[tuple[int, Column, bool]]] = {}
        """With the entry that paid, and whether narrower bins cost only what is new."""
        self.implied: dict[str, list[Column]] = {}
        self.released: dict[str, list[tuple[Column, bool]]] = {}
        """With whether the numbers count missing values where the text counts those present."""

    def payer(self, text: str, cells: str, width: Width) -> int | None:
        """The first entry that paid."""
        paid = self.paid.get(text, ())
        return next((number for number, column, _ in paid if column.place(cells, width) is not None), None)

    def found(self, text: str, cells: str, width: Width) -> tuple[Released, bool] | None:
        """What was released first."""
        for column, rest in self.released.get(text, ()):
            if (place := column.place(cells, width)) is not None:
                return column.released(place), rest
        return None

    def bins_of(self, text: str, cells: str, refinable: bool = False) -> list[tuple[int, Width]]:
        """The bins that were paid for, each with the entry that paid."""
        paid = [(number, column) for number, column, kind in self.paid.get(text, ()) if kind or not refinable]
        found = ((number, column, column.place(cells)) for number, column in paid)
        return [(number, column.width(place)) for number, column, place in found if place is not None]

    def implies(self, text: str, cells: str) -> bool:
        """Whether a fact was paid for as part of something else."""
        return any(column.place(cells) is not None for column in self.implied.get(text, ()))

    def about(self, texts: Iterable[str]) -> Iterator[Column]:
        """All columns about some facts."""
        for text in texts:
            yield from (column for _, column, _ in self.paid.get(text, ()))
            yield from self.implied.get(text, ())
            yield from (column for column, _ in self.released.get(text, ()))

    def all_paid(self) -> Iterator[tuple[str, int, Column, bool]]:
        """What was paid for, in the order of each fact."""
        yield from ((text, *each) for text, paid in self.paid.items() for each in paid)

    def all_implied(self) -> Iterator[tuple[str, Column]]:
        """What was implied."""
        yield from ((text, column) for text, columns in self.implied.items() for column in columns)

    def all_released(self) -> Iterator[tuple[str, Column, bool]]:
        """What was released."""
        yield from ((text, *each) for text, released in self.released.items() for each in released)


def column_of(cells: Iterable[Integers], widths: Iterable[Width], numbers: Sequence[Integers] = ()) -> Column:
    """A column from parts, each of cells that have the same bins, with their numbers."""
    parts, each = list(cells), list(widths)
    bins = tuple(dict.fromkeys(each))
    places = {width: place for place, width in enumerate(bins)}
    joined = np.concatenate(parts)
    which = np.repeat([places[width] for width in each], [len(part) for part in parts])
    order = np.argsort(joined, kind="stable")
    found = np.concatenate(numbers, axis=1)[:, order] if numbers else None
    return Column(joined[order], bins, which[order], found)


def written(family: Mapping[str, Any], column: Column) -> dict[str, Any]:
    """A column as an entry holds it."""
    fields = {
        "release": family,
        "cells": packed(np.diff(column.cells, prepend=0)),
        "bins": list(map(str, column.bins)),
    }
    fields |= {"which": packed(column.which)} if len(column.bins) > 1 else {}
    return fields | ({} if column.numbers is None else {"columns": [packed(each) for each in column.numbers]})


def read(fields: Mapping[str, Any], bins: Iterable[Width]) -> Column:
    """The column that `written` wrote."""
    cells = np.cumsum(unpacked(fields["cells"]))
    which = unpacked(fields["which"]) if "which" in fields else np.zeros(len(cells), np.int64)
    numbers = np.array([unpacked(each) for each in fields["columns"]]) if "columns" in fields else None
    return Column(cells, tuple(bins), which, numbers)
