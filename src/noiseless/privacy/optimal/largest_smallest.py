"""Cells whose smallest holds as many data as possible, by branch and bound.

Two cells inside one largest cell could be merged, and a cell that others cover could be dropped: neither makes the
smallest smaller. So a best policy deals the data to different largest cells that cover all points. The search adds
cells of the hardest uncovered point, and stops where the cells so far cannot all get more than the best found: a
further cell never helps them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from noiseless.privacy.optimal.dealing import Dealt, dealt, with_the_rest
from noiseless.privacy.optimal.fewest_cells import Family, fewest_cells, places
from noiseless.theory.capacity.deadline import Deadline


@dataclass(frozen=True, slots=True)
class Division:
    """How many data each cell gets at each place, and an upper bound of the smallest cell of any policy."""

    given: Dealt
    limit: int

    @property
    def smallest(self) -> int:
        """The data of the smallest cell."""
        return min(sum(own.values()) for own in self.given)


def largest_smallest(family: Family, numbers: Sequence[int], split: bool, deadline: Deadline) -> Division:
    """The best division of all points, one component after another, or the best found in the time.

    `numbers` is how many data have each value; `split` says whether data of one value may go to different cells.
    """
    given: Dealt = []
    smallest = limit = sum(numbers)
    for component in family.components():
        found = _Search(family, numbers, component, split, deadline).run(smallest)
        given += found.given
        smallest, limit = min(smallest, found.smallest), min(limit, found.limit)
    return Division(given, max(smallest, limit))


@dataclass
class _Search:
    """The search in one component."""

    family: Family
    numbers: Sequence[int]
    points: int
    split: bool
    deadline: Deadline

    def run(self, enough: int) -> Division:
        """The best division, or the first one found whose smallest cell has at least `enough` data.

        More does not help, because the smallest cell of another component has only `enough`.
        """
        first = fewest_cells(self.family, self.points, self.deadline.share(1 / 4))
        total = self._number(self.points)
        widest = (max(map(self._number, self._having(place))) for place in places(self.points))
        self.limit = min(total // first.least, *widest)
        self.wanted = min(enough, self.limit)
        self.best = [self._whole(first.cells[k], first.cells[:k]) for k in range(len(first.cells))]
        self.smallest = min(sum(own.values()) for own in self.best)
        self._improve(first.cells)
        done = self._search(self.points, (), [cell for cell in self.family.cells if cell & self.points])
        return Division(self.best, self.smallest if done and self.smallest < self.wanted else self.limit)

    def _search(self, rest: int, chosen: tuple[int, ...], allowed: Sequence[int]) -> bool:
        """Whether all branches were seen, or what is wanted was found."""
        if self.smallest >= self.wanted:
            return True
        if (len(chosen) + self.family.pairwise_separate(rest)) * (self.smallest + 1) > self._number(self.points):
            return True
        if dealt(chosen, self.numbers, self.smallest + 1) is None:
            return True
        if not rest:
            return self._improve(chosen)
        if self.deadline.over:
            return False
        options = self.family.hardest(rest, allowed)
        done = True
        for place, cell in enumerate(options):
            left = [other for other in allowed if other not in options[:place]]
            done &= self._search(rest & ~cell, (*chosen, cell), left)
        return done

    def _improve(self, chosen: tuple[int, ...]) -> bool:
        """Deal the data to these cells so that the smallest is largest; False if the time was not enough."""
        if not self.split:
            return self._assign(chosen)
        low, high = self.smallest, self._number(self.points) // len(chosen) + 1
        while high - low > 1:
            middle = (low + high) // 2
            found = dealt(chosen, self._own, middle)
            if found is None:
                high = middle
            else:
                low = middle
                self.best, self.smallest = with_the_rest(chosen, self._own, found), middle
        return True

    def _assign(self, chosen: tuple[int, ...]) -> bool:
        """Deal all data of a value to one cell: every place to one of its cells, the hardest places first."""
        order = sorted(places(self.points), key=lambda place: -self.numbers[place])
        room = [[k for k, cell in enumerate(chosen) if cell >> place & 1] for place in order]
        loads, taken = [0] * len(chosen), [0] * len(order)

        def deal(depth: int) -> bool:
            """Whether all ways were seen."""
            if self.smallest >= self.wanted or not self._can_fill(chosen, loads, order[depth:]):
                return True
            if depth == len(order):
                self.smallest = min(loads)
                self.best = [
                    {place: self.numbers[place] for place, k in zip(order, taken, strict=True) if k == cell}
                    for cell in range(len(chosen))
                ]
                return True
            if self.deadline.over:
                return False
            done = True
            for k in sorted(room[depth], key=lambda k: loads[k]):
                loads[k], taken[depth] = loads[k] + self.numbers[order[depth]], k
                done &= deal(depth + 1)
                loads[k] -= self.numbers[order[depth]]
            return done

        return deal(0)

    def _can_fill(self, chosen: Sequence[int], loads: Sequence[int], left: Sequence[int]) -> bool:
        """Whether each cell could still exceed the best, if it got all places that are left to it."""
        open_places = sum(1 << place for place in left)
        reach = (load + self._number(cell & open_places) for cell, load in zip(chosen, loads, strict=True))
        return all(number > self.smallest for number in reach)

    def _having(self, place: int) -> list[int]:
        return [cell for cell in self.family.cells if cell >> place & 1]

    def _whole(self, cell: int, earlier: Sequence[int]) -> dict[int, int]:
        """All points of a cell that no earlier one has."""
        for other in earlier:
            cell &= ~other
        return {place: self.numbers[place] for place in places(cell & self.points)}

    def _number(self, points: int) -> int:
        return sum(self.numbers[place] for place in places(points))

    @property
    def _own(self) -> list[int]:
        """The numbers of this component only."""
        return [number if self.points >> place & 1 else 0 for place, number in enumerate(self.numbers)]
