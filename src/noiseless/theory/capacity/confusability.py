"""Two reductions of a channel that leave its zero-error capacity as it is."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from noiseless.theory.capacity.channel import Channel

MOST_CLIQUES = 20_000


def useful_inputs(channel: Channel) -> Channel:
    """The channel without inputs that another input can always replace.

    If every input confusable with u is confusable with v, and u with v, then v can be replaced by u in any code
    of any length. Dropping such v changes no independence number of any power of the graph. On its own this solves
    all chordal graphs, intervals among them.
    """
    channel = _different_inputs(channel)
    while len(channel.inputs) > 1:
        kept = np.flatnonzero(~_replaceable(channel))
        if len(kept) == len(channel.inputs):
            break
        channel = channel.restricted_to(kept)
    return channel


def _different_inputs(channel: Channel) -> Channel:
    """One input for each set of possible outputs."""
    matrix = channel.matrix
    matrix.sort_indices()
    rows = np.split(matrix.indices, matrix.indptr[1:-1])
    first = {row.tobytes(): place for place, row in reversed(list(enumerate(rows)))}
    return channel if len(first) == len(rows) else channel.restricted_to(sorted(first.values()))


def _replaceable(channel: Channel) -> NDArray[np.bool_]:
    """Inputs v with some u whose closed neighbourhood lies in v's; of equals the first stays."""
    counts = channel.matrix.astype(np.int32)
    closed = (counts @ counts.T).astype(bool).astype(np.int32)
    shared = (closed @ closed).multiply(closed).tocoo()
    degree = np.diff(closed.tocsr().indptr)
    inside = (shared.data == degree[shared.row]) & (shared.row != shared.col)
    u, v = shared.row[inside], shared.col[inside]
    replaceable = np.zeros(len(channel.inputs), dtype=bool)
    replaceable[v[(degree[u] < degree[v]) | (u < v)]] = True
    return replaceable


def by_cliques(channel: Channel) -> Channel:
    """A channel with the same confusability graph whose outputs are the maximal cliques of that graph.

    Among the channels of one graph it has the smallest fractional packing number. If there are too many cliques,
    the channel itself.
    """
    from scipy.sparse import coo_array

    graph = channel.confusability
    graph.sort_indices()
    neighbours = [sum(1 << int(v) for v in vs) for vs in np.split(graph.indices, graph.indptr[1:-1])]
    cliques = _maximal_cliques(neighbours)
    if cliques is None:
        return channel
    rows = np.concatenate(cliques)
    columns = np.repeat(np.arange(len(cliques)), [len(clique) for clique in cliques])
    matrix = coo_array((np.ones(len(rows), dtype=bool), (rows, columns)), shape=(len(neighbours), len(cliques)))
    return Channel.of(channel.inputs, tuple(range(len(cliques))), matrix)


def _maximal_cliques(neighbours: list[int]) -> list[Any] | None:
    """All maximal cliques (Bron–Kerbosch with pivot, sets as bits of integers), or None past the limit."""
    cliques: list[list[int]] = []

    def extend(clique: list[int], candidates: int, excluded: int) -> bool:
        if not candidates and not excluded:
            cliques.append(clique)
            return len(cliques) <= MOST_CLIQUES
        pivot = max(_members(candidates | excluded), key=lambda v: (neighbours[v] & candidates).bit_count())
        for v in _members(candidates & ~neighbours[pivot]):
            if not extend([*clique, v], candidates & neighbours[v], excluded & neighbours[v]):
                return False
            candidates &= ~(1 << v)
            excluded |= 1 << v
        return True

    return cliques if extend([], (1 << len(neighbours)) - 1, 0) else None


def _members(bits: int) -> list[int]:
    return [place for place, bit in enumerate(reversed(bin(bits)[2:])) if bit == "1"]
