"""Sets of vertices as the bits of an integer."""

from __future__ import annotations

from typing import Any

import numpy as np


def adjacency(graph: Any) -> list[int]:
    """For every vertex of a sparse graph the set of its neighbours."""
    rows = np.split(graph.indices, graph.indptr[1:-1])
    return [sum(1 << neighbour for neighbour in row.tolist()) for row in rows]


def members(bits: int) -> list[int]:
    """The places of the ones, in order.

    >>> members(0b1011)
    [0, 1, 3]
    """
    return [place for place, bit in enumerate(reversed(bin(bits)[2:])) if bit == "1"]
