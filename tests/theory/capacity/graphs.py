"""Channels of well-known confusability graphs: one output for each edge, one for each lonely input."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

import noiseless as nl


def channel_of(vertices: int, edges: Iterable[tuple[int, int]]) -> nl.Channel:
    edges = list(edges)
    return nl.Channel({v: {e for e in edges if v in e} | {v} for v in range(vertices)})


def cycle(length: int) -> nl.Channel:
    return channel_of(length, [(v, (v + 1) % length) for v in range(length)])


def complement(vertices: int, edges: Iterable[tuple[int, int]]) -> nl.Channel:
    present = {frozenset(edge) for edge in edges}
    return channel_of(vertices, [e for e in combinations(range(vertices), 2) if frozenset(e) not in present])


def petersen() -> nl.Channel:
    pairs = list(combinations(range(5), 2))
    return channel_of(10, [(u, v) for u, v in combinations(range(10), 2) if not {*pairs[u]} & {*pairs[v]}])


def grid(rows: int, columns: int) -> nl.Channel:
    across = [(r * columns + c, r * columns + c + 1) for r in range(rows) for c in range(columns - 1)]
    down = [(r * columns + c, (r + 1) * columns + c) for r in range(rows - 1) for c in range(columns)]
    return channel_of(rows * columns, across + down)


def kneser(elements: int, size: int) -> nl.Channel:
    """Subsets of a size, confusable if disjoint."""
    subsets = [frozenset(each) for each in combinations(range(elements), size)]
    places = range(len(subsets))
    return channel_of(len(subsets), [(u, v) for u, v in combinations(places, 2) if not subsets[u] & subsets[v]])


def paley(prime: int) -> nl.Channel:
    """Numbers modulo a prime of the form 4k + 1, confusable if their difference is a square."""
    squares = {number**2 % prime for number in range(1, prime)}
    return channel_of(prime, [(u, v) for u, v in combinations(range(prime), 2) if (u - v) % prime in squares])


def lines_on_a_cubic() -> nl.Channel:
    """27 lines, confusable if they meet: the complement of the Schläfli graph."""
    pairs = list(combinations(range(6), 2))
    lines = [("a", {i}) for i in range(6)] + [("b", {i}) for i in range(6)] + [("c", set(pair)) for pair in pairs]

    def meet(u: int, v: int) -> bool:
        (one, first), (other, second) = lines[u], lines[v]
        if one == other:
            return one == "c" and not first & second
        return bool(first & second) if "c" in (one, other) else first != second

    return channel_of(27, [(u, v) for u, v in combinations(range(27), 2) if meet(u, v)])
