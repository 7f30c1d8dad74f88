"""The overlap partition: values of X that no y, and no chain of y's, can distinguish."""

from __future__ import annotations

from typing import Any

import numpy as np

from noiseless.errors import NotCertifiableError
from noiseless.theory.cell_map import CellMap
from noiseless.theory.coding import Integers, roomy
from noiseless.theory.information.joint_range import (
    AnyVariables,
    are_continuous,
    finite_pair,
    joint_range,
    share_coordinates,
)
from noiseless.theory.information.partition import Partition
from noiseless.theory.information.set_partition import SetPartition
from noiseless.theory.joint_set import joint_set


def overlap_partition(x: AnyVariables, y: AnyVariables) -> Partition:
    """⟦X|Y⟧⋆: the connected components of the graph x—y over ⟦X,Y⟧, seen on the side of X.

    Two values are in one block iff a chain of conditional ranges, each overlapping the next, leads from one to
    the other. Near-linear in the number of samples. Of a continuous variable or its coordinates the blocks are sets,
    exactly; where there are infinitely many, as for X given X, that is refused.

    Source: NP §II-B: docs/measures/overlap_partition.md

    >>> from noiseless import Space
    >>> space = Space({"X": [1, 2, 2, 3], "Y": ["a", "a", "b", "c"]})
    >>> overlap_partition(space["X"], space["Y"])
    {{1, 2}, {3}}
    """
    if are_continuous(x, y) and not (isinstance(x, CellMap) and isinstance(y, CellMap)):
        return SetPartition(blocks_of(x, y))
    x, y = finite_pair(x, y)
    if x.size * y.size <= roomy(x.codes):
        joint = joint_range(x, y)
        labels = components(joint.x, joint.y, x.size, y.size)
    else:  # sorting out repeated pairs would cost more than keeping them
        labels = components(x.codes, y.codes, x.size, y.size)
    return Partition(labels, x.column.__getitem__)


def blocks_of(x: Any, y: Any) -> list[Any]:
    """The blocks on the side of X, of continuous variables, coordinates and maps."""
    refuse_shared(x, y)
    joint = joint_set(x, y)
    return [joint.named(block) for block in joint.blocks()]


def refuse_shared(x: Any, y: Any) -> None:
    """Refuse variables that share a coordinate: every value of it is a block."""
    if share_coordinates(x, y):
        raise NotCertifiableError("X and Y share a coordinate, so there are infinitely many blocks; use a map of one")


def components(x: Integers, y: Integers, x_size: int, y_size: int) -> Integers:
    """For every x the number of its connected component in the graph of the pairs (x, y), numbered by first x."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    nodes = x_size + y_size
    beyond = x_size + (y if nodes < 2**31 else y.astype(np.int64))
    graph = coo_array((np.ones(len(x), dtype=bool), (x, beyond)), shape=(nodes, nodes)).tocsr()
    _, labels = connected_components(graph, directed=False)
    x_labels: Integers = labels[:x_size]
    return x_labels
