"""Points in the order of a function, cut into short enough cells whose smallest is as large as possible.

A cell may hold the points from one value to another at most w above it. The list has a cut at place p if the points
before p can be divided into cells of at least m points each. From a cut at p the next can be anywhere from p + m to
the last place that the value at p allows; of the cuts within one value's points only the first matters, since all
allow the same last place and the first the earliest next. So one pass over the values finds what can be reached, and
the largest m is found by bisection.

Source: TIFS Thm IV.3 (16), with disjoint cells: docs/theorems.md#tifs-thm-iv-3
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

Cuts = list[int]
"""The places where cells begin, and the end of the list."""


def cuts_of(starts: Sequence[int], furthest: Sequence[int], least: int, split: bool) -> Cuts | None:
    """Cells of at least `least` points each, or None if there are none.

    `starts` is the place of each value's first point, and the end; `furthest` the end of the longest cell that begins
    with each value; `split` says whether points of one value may go to different cells.
    """
    begins: list[tuple[int, int]] = []
    """For each place where a cell can begin: the cell before it, and the place."""
    ends: list[int] = []
    before = -1
    for value, (start, stop) in enumerate(pairwise(starts)):
        place = 0
        if value:
            before = _first_reaching(ends, max(before, 0), start)
            if before == len(begins):
                continue
            place = max(start, begins[before][1] + least)
            if place >= stop or (place > start and not split):
                continue
        if place + least <= furthest[value]:
            begins.append((before, place))
            ends.append(furthest[value])
    last = _first_reaching(ends, max(before, 0), starts[-1])
    if last == len(begins) or begins[last][1] + least > starts[-1]:
        return None
    cuts = [starts[-1]]
    while last >= 0:
        last, place = begins[last]
        cuts.append(place)
    return cuts[::-1]


def _first_reaching(ends: Sequence[int], begin: int, place: int) -> int:
    """The first cell that can end at the place or after it: its earliest end is the earliest of all."""
    while begin < len(ends) and ends[begin] < place:
        begin += 1
    return begin


def best_cuts(starts: Sequence[int], furthest: Sequence[int], split: bool) -> tuple[Cuts, int]:
    """The cells whose smallest is largest, and an upper bound of the points in a smallest cell.

    Guarantee: without splitting the cells are the best intervals, whatever the sizes, and the number is theirs. With it
    they are best of all as far as 2^50 points; beyond, the smallest is at most 2^-50 of its size below the best.
    """
    best = cuts_of(starts, furthest, 1, split)
    assert best is not None
    low, high = smallest_of(best), starts[-1] // (len(fewest_cuts(starts, furthest)) - 1) + 1
    halving = True
    while low + 1 < high and not (split and high - low < high >> 50):
        # every other time the next size is tried; if it fails, the last one was the best
        least = _between(low, high) if halving else low + 1
        halving = not halving
        found = cuts_of(starts, furthest, least, split)
        if found is None:
            high = least
        else:
            best, low = found, smallest_of(found)
    return best, high - 1


def _between(low: int, high: int) -> int:
    """The middle; for numbers of very different length, one of the middle length."""
    if high > 4 * low:
        return min(high - 1, max(low + 1, 1 << (low.bit_length() + high.bit_length()) // 2))
    return (low + high) // 2


def fewest_cuts(starts: Sequence[int], furthest: Sequence[int]) -> Cuts:
    """The fewest cells: each as long as possible, beginning where the previous one ends."""
    cuts = [0]
    for start, end in zip(starts, furthest, strict=False):
        if start == cuts[-1]:
            cuts.append(end)
    return cuts


def smallest_of(cuts: Cuts) -> int:
    """The points of the smallest cell."""
    return min(right - left for left, right in pairwise(cuts))
