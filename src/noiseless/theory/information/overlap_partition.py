"""The overlap partition: values of X that no y, and no chain of y's, can tell apart."""

from __future__ import annotations

import numpy as np

from noiseless.theory.coding import Integers
from noiseless.theory.information.partition import Partition
from noiseless.theory.information.sizes import JointRange, Variables, joint_range
from noiseless.theory.variable import as_variable


def overlap_partition(x: Variables, y: Variables) -> Partition:
    """⟦X|Y⟧⋆: the connected components of the graph x—y over ⟦X,Y⟧, seen on the side of X.

    Two values are in one block iff a chain of conditional ranges, each overlapping the next, leads from one to
    the other. Near-linear in the number of samples.

    Source: NP §II-B: docs/measures/overlap_partition.md

    >>> from noiseless import Space
    >>> space = Space({"X": [1, 2, 2, 3], "Y": ["a", "a", "b", "c"]})
    >>> overlap_partition(space["X"], space["Y"])
    {{1, 2}, {3}}
    """
    return Partition(components(joint_range(x, y)), as_variable(x).column.__getitem__)


def components(joint: JointRange) -> Integers:
    """For every x the number of its connected component; components are numbered by their first x."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    nodes = joint.x_size + joint.y_size
    kind = np.int32 if max(nodes, joint.size) < 2**31 else np.int64
    # the pairs are ordered by x, so they are the rows of a sparse matrix already
    starts = np.zeros(nodes + 1, dtype=kind)
    np.cumsum(np.bincount(joint.x, minlength=nodes), out=starts[1:])
    ends = (joint.x_size + joint.y).astype(kind)
    graph = csr_array((np.ones(joint.size, dtype=bool), ends, starts), shape=(nodes, nodes))
    _, labels = connected_components(graph, directed=False)
    x_labels: Integers = labels[: joint.x_size]
    return x_labels
