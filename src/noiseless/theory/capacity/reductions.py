"""Two reductions of a channel that do not change its zero-error capacity."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from noiseless.theory.capacity.bitsets import adjacency, members
from noiseless.theory.capacity.channel import Channel
from noiseless.theory.capacity.deadline import Deadline

MOST_CLIQUES = 20_000
CHEAP = 50_000_000
"""Products of a sparse matrix with itself up to this number of steps stay sparse; larger ones are dense."""
MOST_DENSE = 4096


def useful_inputs(channel: Channel, deadline: Deadline) -> Channel:
    """The channel without inputs that another input can always replace, as far as time allows.

    If every input confusable with u is confusable with v, and u with v, then v can be replaced by u in any code
    of any length. Dropping such v changes no independence number of any power of the graph. This alone solves
    all chordal graphs, including interval graphs.
    """
    channel = _different_inputs(channel)
    while len(channel.inputs) > 1 and not deadline.over:
        kept = np.flatnonzero(~_replaceable(channel))
        if len(kept) == len(channel.inputs):
            break
        channel = channel.restricted_to(kept)
    return channel


def _different_inputs(channel: Channel) -> Channel:
    """One input for each set of possible outputs."""
    rows = np.split(channel.matrix.indices, channel.matrix.indptr[1:-1])
    first = {row.tobytes(): place for place, row in reversed(list(enumerate(rows)))}
    return channel if len(first) == len(rows) else channel.restricted_to(sorted(first.values()))


def _replaceable(channel: Channel) -> NDArray[np.bool_]:
    """Inputs v with some u whose closed neighbourhood lies in v's; of equals the first stays."""
    from scipy.sparse import eye_array

    closed = (channel.confusability + eye_array(len(channel.inputs), dtype=bool)).tocsr()
    degree = np.diff(closed.indptr)
    replaceable = np.zeros(len(degree), dtype=bool)
    if (degree.astype(np.int64) ** 2).sum() <= CHEAP:
        counts = closed.astype(np.int32)
        shared = (counts @ counts).multiply(counts).tocoo()
        u, v, both = shared.row, shared.col, shared.data
    elif len(degree) <= MOST_DENSE:
        dense = closed.toarray().astype(np.float32)  # counts up to 4096 are exact in a float
        u, v = np.nonzero(dense)
        both = (dense @ dense)[u, v]
    else:
        return replaceable
    inside = (both == degree[u]) & (u != v)
    u, v = u[inside], v[inside]
    replaceable[v[(degree[u] < degree[v]) | (u < v)]] = True
    return replaceable


def by_cliques(channel: Channel, deadline: Deadline) -> Channel:
    """A channel with the same confusability graph whose outputs are the maximal cliques of that graph.

    Among the channels of one graph it has the smallest fractional packing number. If there are too many cliques, or
    too little time, it is the channel itself.
    """
    from scipy.sparse import coo_array

    cliques = _maximal_cliques(adjacency(channel.confusability), deadline)
    if cliques is None:
        return channel
    rows = np.concatenate(cliques)
    columns = np.repeat(np.arange(len(cliques)), [len(clique) for clique in cliques])
    shape = (len(channel.inputs), len(cliques))
    matrix = coo_array((np.ones(len(rows), dtype=bool), (rows, columns)), shape=shape)
    return Channel.of(channel.inputs, tuple(range(len(cliques))), matrix)


def _maximal_cliques(neighbours: list[int], deadline: Deadline) -> list[Any] | None:
    """All maximal cliques (Bron–Kerbosch with pivot, on an explicit stack), or None past a limit."""
    cliques: list[list[int]] = []
    stack: list[tuple[list[int], int, int]] = [([], (1 << len(neighbours)) - 1, 0)]
    while stack:
        if deadline.over or len(cliques) > MOST_CLIQUES:
            return None
        clique, candidates, excluded = stack.pop()
        if not candidates and not excluded:
            cliques.append(clique)
            continue
        pivot = max(members(candidates | excluded), key=lambda v: (neighbours[v] & candidates).bit_count())
        for v in members(candidates & ~neighbours[pivot]):
            stack.append(([*clique, v], candidates & neighbours[v], excluded & neighbours[v]))
            candidates &= ~(1 << v)
            excluded |= 1 << v
    return cliques
