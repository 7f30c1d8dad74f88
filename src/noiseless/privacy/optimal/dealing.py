"""Points dealt to cells so that every cell gets at least a given number of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import pairwise

from noiseless.privacy.optimal.fewest_cells import places

Dealt = list[dict[int, int]]
"""For each cell, how many of the data at each place it gets."""


def dealt(cells: Sequence[int], numbers: Sequence[int], least: int) -> Dealt | None:
    """`least` data for each cell from the places it covers, or None if that is impossible.

    `numbers` says how many data are at each place, and they may be divided. Cells take what is free, or what others can
    replace, along shortest paths: a flow, in integers. It exists iff any k of the cells together cover k·least data.

    >>> dealt([0b011, 0b110], [1, 2, 1], 2)
    [{0: 1, 1: 1}, {1: 1, 2: 1}]
    """
    given: Dealt = [{} for _ in cells]
    free = list(numbers)
    for cell in range(len(cells)):
        wanted = least
        while wanted:
            path = _path(cells, given, free, cell)
            if path is None:
                return None
            amount = min(wanted, free[path[-1][1]], *(given[other][place] for other, place in _returned(path)))
            for other, place in _returned(path):
                given[other][place] -= amount
            for taker, place in path:
                given[taker][place] = given[taker].get(place, 0) + amount
            free[path[-1][1]] -= amount
            wanted -= amount
    return [{place: number for place, number in own.items() if number} for own in given]


def with_the_rest(cells: Sequence[int], numbers: Sequence[int], given: Dealt) -> Dealt:
    """Add what is left at each place to the first cell that covers the place."""
    full = [dict(own) for own in given]
    for place, number in enumerate(numbers):
        left = number - sum(own.get(place, 0) for own in given)
        if left:
            first = next(k for k, cell in enumerate(cells) if cell >> place & 1)
            full[first][place] = full[first].get(place, 0) + left
    return full


def _returned(path: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """What each further cell on a path gives to the cell before it."""
    return [(after, place) for (_, place), (after, _) in pairwise(path)]


def _path(cells: Sequence[int], given: Dealt, free: Sequence[int], start: int) -> list[tuple[int, int]] | None:
    """A shortest path: a cell takes from a place, or from another cell, which then takes from elsewhere in turn."""
    came: dict[int, tuple[int, int]] = {}
    seen, waiting = 0, deque([start])
    while waiting:
        cell = waiting.popleft()
        for place in places(cells[cell] & ~seen):
            seen |= 1 << place
            if free[place]:
                path = [(cell, place)]
                while path[0][0] != start:
                    path.insert(0, came[path[0][0]])
                return path
            for other, own in enumerate(given):
                if own.get(place) and other != start and other not in came:
                    came[other] = (cell, place)
                    waiting.append(other)
    return None
