"""The independence number: how many inputs can be distinguished for certain in one use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from noiseless.errors import TimeLimitError
from noiseless.theory.capacity.bitsets import adjacency
from noiseless.theory.capacity.channel import Channel, as_channel
from noiseless.theory.capacity.deadline import Deadline

TIME_LIMIT = 60.0
SPARSE = 12
"""Up to this mean number of confusable inputs, an integer program is better than the search."""


def independence_number(channel: Channel, time_limit: float = TIME_LIMIT) -> int:
    """α(G): the largest number of inputs of which no two share a possible output.

    Each connected component of the confusability graph is searched by branch and bound; large sparse ones go to an
    integer program (HiGHS), whose choice is checked in integers. If `time_limit` seconds are not enough to prove
    the best, `TimeLimitError` says what was found.

    Source: Shannon 1956, NP §II-B: docs/measures/zero_error_capacity.md

    >>> independence_number(Channel({0: {0, 1}, 1: {1, 2}, 2: {2, 3}, 3: {3, 4}, 4: {4, 0}}))
    2
    """
    found = distinguishable_inputs(as_channel(channel), Deadline.after(time_limit))
    if not found.proved:
        raise TimeLimitError(
            f"in time_limit={time_limit} s a set of {len(found.places)} never confused inputs was found, "
            f"but not proved largest; raise time_limit"
        )
    return len(found.places)


@dataclass(frozen=True, slots=True)
class Distinguishable:
    """Places of inputs of which no two share an output, and whether they are proved to be the most."""

    places: tuple[int, ...]
    proved: bool


def distinguishable_inputs(channel: Channel, deadline: Deadline) -> Distinguishable:
    """The largest set of never confused inputs found in the time, by connected components."""
    from scipy.sparse.csgraph import connected_components

    graph = channel.confusability
    _, labels = connected_components(graph, directed=False)
    places: list[int] = []
    proved = True
    order = np.argsort(labels, kind="stable")
    for component in np.split(order, np.cumsum(np.bincount(labels))[:-1]):
        chosen, best = _search(adjacency(graph[component][:, component]), deadline.share(1 / 2))
        if not best and graph[component].nnz <= SPARSE * len(component) and not deadline.over:
            chosen, best = _by_integer_program(channel, component, chosen, deadline)
        places += component[chosen].tolist()
        proved &= best
    return Distinguishable(tuple(sorted(places)), proved)


def _search(neighbours: list[int], deadline: Deadline) -> tuple[list[int], bool]:
    """Branch and bound. A greedy cover by cliques bounds how many of the remaining vertices can still be chosen."""
    best = _greedy(neighbours)
    stack: list[tuple[list[int], int]] = [([], (1 << len(neighbours)) - 1)]
    while stack:
        if deadline.over:
            return best, False
        chosen, remaining = stack.pop()
        if len(chosen) > len(best):
            best = chosen
        branches = []
        for vertex, bound in _covered_by_cliques(remaining, neighbours):
            if len(chosen) + bound > len(best):
                branches.append(([*chosen, vertex], remaining & ~neighbours[vertex] & ~(1 << vertex)))
            remaining &= ~(1 << vertex)
        stack += reversed(branches)
    return best, True


def _covered_by_cliques(vertices: int, neighbours: list[int]) -> list[tuple[int, int]]:
    """The vertices, hardest first, each with the number of cliques that cover it and all vertices after it."""
    covered: list[tuple[int, int]] = []
    cliques = 0
    while vertices:
        cliques += 1
        candidates = vertices
        while candidates:
            vertex = candidates & -candidates
            place = vertex.bit_length() - 1
            covered.append((place, cliques))
            vertices ^= vertex
            candidates &= neighbours[place]
    return covered[::-1]


def _greedy(neighbours: list[int]) -> list[int]:
    """An independent set, chosen greedily: the vertex with the fewest neighbours first."""
    chosen, remaining = [], (1 << len(neighbours)) - 1
    for vertex in sorted(range(len(neighbours)), key=lambda v: neighbours[v].bit_count()):
        if remaining >> vertex & 1:
            chosen.append(vertex)
            remaining &= ~neighbours[vertex]
    return chosen


def _by_integer_program(
    channel: Channel, component: Any, known: list[int], deadline: Deadline
) -> tuple[list[int], bool]:
    """The largest choice of inputs such that each output is caused by at most one of them.

    The solver works in floats; its choice is checked.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp

    matrix = channel.matrix[component]
    result = milp(
        -np.ones(len(component)),
        integrality=1,
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(matrix.T.astype(float), -np.inf, 1),
        options={"time_limit": max(deadline.left, 0.01), "mip_rel_gap": 0},
    )
    found = [] if result.x is None else np.flatnonzero(result.x > 0.5).tolist()
    if len(found) < len(known) or np.bincount(matrix[found].indices).max() > 1:
        return known, False
    return found, result.status == 0
