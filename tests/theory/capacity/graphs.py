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
