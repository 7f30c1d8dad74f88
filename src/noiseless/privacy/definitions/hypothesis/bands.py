"""Where boundaries of one coordinate lie in a slice: close ones form a band, in which all of them are hidden at once.

A report hides several boundaries at once if it can come from below the first and from above the last. Both are within
the error of it, so the first and the last are less than 2r apart. The band is cut into pieces at the boundaries, and
the points at the same share t of every piece get the same report: the middle between those of the outer two pieces.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor
from typing import NamedTuple

from noiseless.privacy.definitions.hypothesis.resolution import Resolution
from noiseless.theory.ranges.intervals import Intervals

CLOSE = Fraction(4, 3)
"""Boundaries up to this number of errors apart share a band; further apart, each hides more with its own."""
HALF = Fraction(1, 2)
RIM = 3
"""The number of steps at each end of a band that are not promised, because reports are rounded."""


class Band(NamedTuple):
    """The cuts of a band, from its lower end over the boundaries to its upper end."""

    cuts: tuple[Fraction, ...]

    @property
    def boundaries(self) -> tuple[Fraction, ...]:
        """The boundaries in it."""
        return self.cuts[1:-1]

    def acts(self, fine: Resolution) -> bool:
        """Whether both outer pieces have floats for all reports."""
        return self.cuts[1] - self.cuts[0] >= fine.least and self.cuts[-1] - self.cuts[-2] >= fine.least

    def promised(self, fine: Resolution) -> Intervals:
        """The points that are certainly reported as points below the first and above the last boundary are."""
        if not self.acts(fine):
            return Intervals("∅")
        start, stop = self.cuts[0] + RIM * fine.step, self.cuts[-1] - RIM * fine.step
        found = Intervals.of_cuts([(start, 0), (stop, 0)])
        for low, high in pairwise(self.boundaries):
            if high - low < fine.least:
                found -= Intervals.of_cuts([(low, 0), (high, 0)])
        return found

    def report(self, x: Fraction, error: Fraction, fine: Resolution) -> Fraction:
        """The report of a point of the band: a multiple of the step, at most the error away."""
        place = bisect_right(self.cuts, x) - 1
        low, high = self.cuts[place : place + 2]
        if not self.acts(fine) or high - low < fine.least:
            return x
        start, stop = (self.cuts[0] + self.cuts[-2]) / 2, (self.cuts[1] + self.cuts[-1]) / 2
        exact = (start + (x - low) / (high - low) * (stop - start)) / fine.step
        first, last = ceil(start / fine.step + HALF), floor(stop / fine.step - HALF)
        if all((cut / fine.step).denominator == 1 for cut in (start, *self.cuts[:-1])):
            first = int(start / fine.step)  # the lower ends of all pieces are floats with exactly this report
        best = ceil(exact) if place == len(self.cuts) - 2 else floor(exact)
        found = min(max(best, first), last) * fine.step
        return found if first <= last and abs(found - x) <= error else x


def bands_of(boundaries: Sequence[Fraction], side: Intervals, error: Fraction, close: Fraction) -> list[Band]:
    """The bands of a slice; boundaries up to `close` apart share one. Between two bands each has half of the room.

    >>> found = bands_of([Fraction(30), Fraction(31), Fraction(90)], Intervals("[0, 100]"), Fraction(2), Fraction(2))
    >>> [[int(cut) for cut in band.cuts] for band in found]
    [[27, 30, 31, 34], [86, 90, 94]]
    """
    groups: list[list[Fraction]] = []
    for g in sorted({g for g in boundaries if side.low < g < side.high}):
        if groups and g - groups[-1][0] <= close:
            groups[-1].append(g)
        else:
            groups.append([g])
    ends = [side.low, *((one[-1] + other[0]) / 2 for one, other in pairwise(groups)), side.high]
    found = []
    for group, (low, high) in zip(groups, pairwise(ends), strict=False):
        room = 2 * error - (group[-1] - group[0])
        found.append(Band((max(group[0] - room, low), *group, min(group[-1] + room, high))))
    return found
