"""The fewest cells that cover all points, by branch and bound.

A point that is not covered must be in some cell, so the search branches on the cells of the point that has fewest.
Points of which no two fit into one cell need a cell each: they bound the number from below.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from noiseless.theory.capacity.deadline import Deadline


@dataclass(frozen=True, slots=True)
class Family:
    """The largest cells, as sets of bits, and for each point what a cell can hold together with it."""

    cells: Sequence[int]
    near: Sequence[int]

    @classmethod
    def of(cls, cells: Sequence[int], points: int) -> Family:
        """Find the neighbours of each point."""
        near = [0] * points
        for cell in cells:
            for place in places(cell):
                near[place] |= cell
        return cls(cells, near)

    def pairwise_separate(self, points: int) -> int:
        """A number of points of which no two fit into one cell: a lower bound of the cells that cover them."""
        found = 0
        while points:
            place = min(places(points), key=lambda place: (self.near[place] & points).bit_count())
            points &= ~self.near[place]
            found += 1
        return found

    def hardest(self, points: int, allowed: Sequence[int]) -> list[int]:
        """The allowed cells of the point that has fewest, largest first."""
        options = min(([cell for cell in allowed if cell >> place & 1] for place in places(points)), key=len)
        return sorted(options, key=lambda cell: -(cell & points).bit_count())

    def components(self) -> list[int]:
        """Points that cells link, directly or through others."""
        found, left = [], (1 << len(self.near)) - 1
        while left:
            part, edge = 0, left & -left
            while edge:
                part |= edge
                edge = sum_of(self.near[place] for place in places(edge)) & ~part
            found.append(part)
            left &= ~part
        return found


@dataclass(frozen=True, slots=True)
class Cover:
    """Cells that cover all points, and a lower bound of their number; the two are equal if the fewest are proved."""

    cells: tuple[int, ...]
    least: int


def fewest_cells(family: Family, points: int, deadline: Deadline) -> Cover:
    """The fewest cells of the family that cover the points, or the fewest found in the time."""
    best = _greedy(family, points)
    least = family.pairwise_separate(points)

    def search(rest: int, chosen: tuple[int, ...], allowed: Sequence[int]) -> bool:
        """Whether all branches were seen."""
        nonlocal best
        if not rest:
            best = chosen
            return True
        if len(chosen) + family.pairwise_separate(rest) >= len(best):
            return True
        if deadline.over:
            return False
        options = _not_inside(family.hardest(rest, allowed), rest)
        done = True
        for place, cell in enumerate(options):
            # a cover that holds an earlier option was seen in its branch
            left = [other for other in allowed if other not in options[:place]]
            done &= search(rest & ~cell, (*chosen, cell), left)
        return done

    done = len(best) == least or search(points, (), [cell for cell in family.cells if cell & points])
    return Cover(best, len(best) if done else least)


def fewest_of_all(family: Family, numbers: Sequence[int], deadline: Deadline) -> tuple[list[dict[int, int]], int]:
    """The fewest cells of all points, with the data that each holds, and a lower bound of their number."""
    given = []
    least, parts = 0, family.components()
    for place, part in enumerate(parts):
        found = fewest_cells(family, part, deadline.share(1 / (len(parts) - place)))
        least += found.least
        for cell in found.cells:
            given.append({each: numbers[each] for each in places(cell & part)})
            part &= ~cell
    return given, least


def _greedy(family: Family, points: int) -> tuple[int, ...]:
    chosen = []
    while points:
        chosen.append(max(family.cells, key=lambda cell: (cell & points).bit_count()))
        points &= ~chosen[-1]
    return tuple(chosen)


def _not_inside(options: list[int], rest: int) -> list[int]:
    """Without cells that cover no more of the rest than another."""
    kept: list[int] = []
    for cell in options:
        if not any(cell & rest & ~other == 0 for other in kept):
            kept.append(cell)
    return kept


def places(bits: int) -> Iterator[int]:
    """The places of a set of bits."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def sum_of(sets: Iterator[int]) -> int:
    """The union."""
    union = 0
    for members in sets:
        union |= members
    return union
