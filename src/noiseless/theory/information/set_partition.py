"""A partition of a continuous range into finitely many sets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from noiseless.errors import UnknownVariableError
from noiseless.theory.information.partition import Partition


class SetPartition(Partition):
    """Disjoint sets that cover a range, as they are: intervals, boxes, or sets of values.

    >>> from noiseless import Continuous, overlap_partition
    >>> x = Continuous("[0, 2]")
    >>> overlap_partition(x, x.map({"low": "[0, 1)", "high": "[1, 2]"})).block_of(1)
    [1, 2]
    """

    __slots__ = ("blocks",)

    def __init__(self, blocks: Iterable[Any]) -> None:
        self.blocks = list(blocks)
        super().__init__(np.arange(len(self.blocks)), lambda places: [self.blocks[place] for place in places.tolist()])

    def __iter__(self) -> Iterator[Any]:
        return iter(self.blocks)

    def block_of(self, value: Any) -> Any:
        """The block that contains the value."""
        for block in self.blocks:
            if value in block:
                return block
        raise UnknownVariableError(f"{value!r} is in no block; use a value of the partitioned range")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Iterable):
            return NotImplemented
        theirs = list(other)
        return len(theirs) == len(self.blocks) and all(block in theirs for block in self.blocks)

    __hash__ = None
