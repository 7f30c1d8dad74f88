"""The inner edges of a quantizer, and how many of them one person can cross.

With bins [e, e'), a value that moves through (t, t+s] changes its bin once for each inner edge there. So the number of
different answers is one more than the most edges in a half-open window of length s inside the query's range. On a grid
of step g only windows that start at grid points exist, and an edge acts at the first grid point not below it.

Source: NP Thm 8, corrected: docs/theorems.md#np-thm-8
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from noiseless.exact.floor_sum import floor_sum
from noiseless.exact.touched import touched


@dataclass(frozen=True, slots=True)
class UniformCuts:
    """Edges start+width, start+2·width, …, start+number·width; closed forms for any number."""

    start: Fraction
    width: Fraction
    number: int

    def inside(self, low: Fraction, high: Fraction) -> tuple[int, int]:
        """First and last k with start + k·width in (low, high]; first > last if there is none."""
        first = max(1, floor((low - self.start) / self.width) + 1)
        last = min(self.number, floor((high - self.start) / self.width))
        return first, last

    def within(self, low: Fraction, high: Fraction, step: Fraction | None) -> int:
        """The number of edges in (low, high] that act; with a step, edges at different grid points from `low` on."""
        first, last = self.inside(low, high)
        if first > last:
            return 0
        if step is None or self.width >= step:
            return last - first + 1
        # closer than the grid: every grid point from the first edge to the last is an edge
        return ceil((self._edge(last) - low) / step) - ceil((self._edge(first) - low) / step) + 1

    def densest(self, spread: Fraction, low: Fraction, high: Fraction, step: Fraction | None) -> int:
        """The most edges in a window of length `spread` inside [low, high]."""
        acting = self.within(low, high, step)
        if step is None:
            return min(touched(spread, self.width) - 1, acting)
        if self.width < step:
            return min(int(spread / step), acting)
        return self._densest_on_grid(spread, low, high, step)

    def _densest_on_grid(self, spread: Fraction, low: Fraction, high: Fraction, step: Fraction) -> int:
        """Windows (t, t+s] with t = low + j·step hold ⌊s/width⌋ edges or one more; count whether one more occurs.

        A window beyond the first or last edge can be moved inwards by whole steps without losing an edge, because edges
        are at least a step apart.
        """
        first, last = self.inside(low, high)
        if first > last:
            return 0
        leftmost = max(0, ceil((self._edge(first - 1) - low) / step))
        rightmost = min(int((high - low - spread) / step), ceil((self._edge(last + 1) - low - spread) / step) - 1)
        ends = [min(leftmost, int((high - low - spread) / step)), max(rightmost, 0)]
        best = max(self._held(low + end * step, spread, first, last) for end in ends)
        if leftmost < rightmost and best < touched(spread, self.width) - 1:
            held = self._sum_of_floors(low + spread, step, leftmost, rightmost)
            before = self._sum_of_floors(low, step, leftmost, rightmost)
            windows = rightmost - leftmost + 1
            best = max(best, floor(spread / self.width) + (held - before > windows * floor(spread / self.width)))
        return best

    def _held(self, left: Fraction, spread: Fraction, first: int, last: int) -> int:
        from_first = max(first, floor((left - self.start) / self.width) + 1)
        to_last = min(last, floor((left + spread - self.start) / self.width))
        return max(0, to_last - from_first + 1)

    def _sum_of_floors(self, origin: Fraction, step: Fraction, first: int, last: int) -> int:
        """Σ ⌊(origin + j·step − start)/width⌋ for j = first..last."""
        slope, offset = step / self.width, (origin + first * step - self.start) / self.width
        bottom = slope.denominator * offset.denominator
        return floor_sum(last - first + 1, bottom, int(slope * bottom), int(offset * bottom))

    def _edge(self, k: int) -> Fraction:
        return self.start + k * self.width


@dataclass(frozen=True, slots=True)
class ListedCuts:
    """Edges in increasing order, at any distances."""

    edges: Sequence[Fraction]

    def within(self, low: Fraction, high: Fraction, step: Fraction | None) -> int:
        """The number of edges in (low, high] that act; with a step, edges at different grid points from `low` on."""
        return len(self._acting(low, high, step))

    def densest(self, spread: Fraction, low: Fraction, high: Fraction, step: Fraction | None) -> int:
        """The most edges in a window of length `spread` inside [low, high] that starts at low or ends at an edge."""
        acting = self._acting(low, high, step)
        best = bisect_right(acting, low + spread)
        for place, edge in enumerate(acting):
            if edge >= low + spread:
                best = max(best, place + 1 - bisect_right(acting, edge - spread))
        return best

    def _acting(self, low: Fraction, high: Fraction, step: Fraction | None) -> list[Fraction]:
        inside = [edge for edge in self.edges if low < edge <= high]
        if step is None:
            return inside
        return sorted({low + ceil((edge - low) / step) * step for edge in inside})


Cuts = UniformCuts | ListedCuts
