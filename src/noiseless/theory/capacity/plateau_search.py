"""Large sets of vertices of which no two are neighbours, by walking on plateaus. Nothing is proved to be largest."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from noiseless.theory.capacity.deadline import Deadline

KICK = 0.005
"""The chance that a step forces a vertex in, which drops several others."""
RESTING = 7
"""For about this number of steps, a vertex that was dropped does not come back."""
LOOKING = 64
"""Steps between two looks at the clock."""


def plateau_search(neighbours: Sequence[Sequence[int]], steps: int, deadline: Deadline) -> list[int]:
    """The largest independent set that `steps` steps find; always the same for the same steps.

    A free vertex is added. If none is free, a vertex with one chosen neighbour takes its place, so the size stays. The
    one dropped rests for some steps. Now and then a vertex is forced in.
    """
    walk, best = _Walk(neighbours), list[int]()
    for step in range(steps):
        if step % LOOKING == 0 and deadline.over:
            break
        walk.step(step)
        if len(walk.chosen) > len(best):
            best = sorted(walk.chosen)
    return best


class _Walk:
    """The chosen vertices, those without chosen neighbours, and those with exactly one."""

    def __init__(self, neighbours: Sequence[Sequence[int]]) -> None:
        self.neighbours = neighbours
        self.chosen: set[int] = set()
        self._free = dict.fromkeys(range(len(neighbours)))
        self._single: dict[int, None] = {}
        self._touching = [0] * len(neighbours)
        self._rests = [0] * len(neighbours)
        self._random = Random(0)

    def step(self, step: int) -> None:
        """Add a free vertex, swap one, or force one in."""
        if self._free:
            self._add(self._random.choice(list(self._free)))
            return
        awake = [vertex for vertex in self._single if self._rests[vertex] <= step]
        forced = not awake or self._random.random() < KICK
        vertex = self._random.randrange(len(self.neighbours)) if forced else self._random.choice(awake)
        if vertex not in self.chosen:
            for dropped in [each for each in self.neighbours[vertex] if each in self.chosen]:
                self._drop(dropped)
                self._rests[dropped] = step + 1 + self._random.randrange(RESTING)
            self._add(vertex)

    def _add(self, vertex: int) -> None:
        self.chosen.add(vertex)
        self._free.pop(vertex, None)
        for each in self.neighbours[vertex]:
            self._touching[each] += 1
            self._sort(each)

    def _drop(self, vertex: int) -> None:
        self.chosen.remove(vertex)
        self._free[vertex] = None
        for each in self.neighbours[vertex]:
            self._touching[each] -= 1
            self._sort(each)

    def _sort(self, vertex: int) -> None:
        """Put a vertex that is not chosen among the free ones, or those with one chosen neighbour, or neither."""
        touching = self._touching[vertex]
        if touching == 1:
            self._single[vertex] = None
            self._free.pop(vertex, None)
        else:
            self._single.pop(vertex, None)
            if touching == 0:
                self._free[vertex] = None
