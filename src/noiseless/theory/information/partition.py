"""A partition of a finite range into blocks."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any

import numpy as np

from noiseless.errors import UnknownVariableError
from noiseless.theory.coding import Integers
from noiseless.theory.ranges.finite import FiniteRange


class Partition:
    """Disjoint blocks that cover a range. Kept as one label per value; the values are fetched when needed.

    Equal to any collection of sets with the same blocks.
    """

    __slots__ = ("_values", "labels")

    def __init__(self, labels: Integers, values: Callable[[Integers], list[Any]]) -> None:
        self.labels = labels
        self._values = values

    def __len__(self) -> int:
        return int(self.labels.max()) + 1

    def __iter__(self) -> Iterator[FiniteRange]:
        by_block = np.argsort(self.labels, kind="stable")
        ends = np.cumsum(np.bincount(self.labels))
        for block in np.split(by_block, ends[:-1]):
            yield FiniteRange(self._values(block))

    def block_of(self, value: Hashable) -> FiniteRange:
        """The block that contains the value.

        >>> from noiseless import Space, overlap_partition
        >>> space = Space({"X": [1, 2, 3], "Y": ["a", "a", "b"]})
        >>> overlap_partition(space["X"], space["Y"]).block_of(1)
        {1, 2}
        """
        for block in self:
            if isinstance(value, Hashable) and value in block:
                return block
        raise UnknownVariableError(f"{value!r} is in no block; use a value of the partitioned range")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Iterable):
            return NotImplemented
        try:
            return set(map(frozenset, self)) == set(map(frozenset, other))
        except TypeError:  # what it holds are not sets of values
            return NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return "{" + ", ".join(map(repr, self)) + "}"
