"""The variance, and the number of different values, of rows that each lie between two codes.

If all rows count, the least variance is found by moving every row as near as possible to one whole number. For a mean
m, the best value of a row is the one nearest to m, which is also the one nearest to m rounded. For the greatest
variance, every row is at an end. If no interval lies inside another, the rows with the lower middles are at their lower
ends. Otherwise the variance is at most the mean of the largest (x − c)², for any c.

Source: theory §13, variance: docs/deduce.md
"""

from __future__ import annotations

from fractions import Fraction
from heapq import heappop, heappush

import numpy as np

from noiseless.curator.deduce.rows import Range, Rows

MOST_ENDS = 4_000
"""With more different ends than this, the least variance is computed for numbers that need not be whole."""
MOST_VALUES = 100_000
CENTRES = 65


def variance(rows: Rows) -> Range | None:
    """The least and the greatest variance in codes. None if certainly no row counts.

    It is the smallest interval if all rows count and none lies inside another.
    """
    if not rows.most:
        return None
    return _least(rows), min(_greatest(rows), _of_two_ends(rows))


def _least(rows: Rows) -> Fraction:
    """The least variance. At best, rows that may count add nothing to it but their number."""
    sure = rows.sure
    if not rows.fewest:
        return Fraction(0)
    low, high, counts = rows.low[sure], rows.high[sure], rows.counts[sure]
    ends = np.unique(np.concatenate([low, high]))
    squares = _clamped(low, high, counts, ends) if len(ends) <= MOST_ENDS else _relaxed(low, high, counts)
    return squares / rows.most


def _clamped(low: np.ndarray, high: np.ndarray, counts: np.ndarray, ends: np.ndarray) -> Fraction:
    """The least Σ(x − mean)², over all whole numbers t that rows are moved as near to as possible.

    Between two ends it is a parabola in t.
    """
    people = int(counts.sum())
    below, above = _upward(high, counts, ends), _upward(low, counts, ends)
    totals = [int(each) for each in (below[0][-1], above[1][-1], above[2][-1])]
    best: Fraction | None = None
    steps = [(place, place + 1) for place in range(len(ends) - 1)] or [(0, 0)]
    for place, after in steps:
        first, last = int(ends[place]), int(ends[after])
        under = [int(each[place]) for each in below]  # rows whose last code is at most the first of these
        reached = [int(each[place]) for each in above]  # rows whose first code is at most it
        over = [people - reached[0], totals[1] - reached[1], totals[2] - reached[2]]
        inside = people - under[0] - over[0]
        fixed, total, squares = people - inside, under[1] + over[1], under[2] + over[2]
        turn = total // fixed if fixed and inside else first
        for t in {first, last, *(min(max(each, first), last) for each in (turn, turn + 1))}:
            found = Fraction(people * (squares + inside * t * t) - (total + inside * t) ** 2, people)
            best = found if best is None or found < best else best
    assert best is not None
    return best


def _upward(codes: np.ndarray, counts: np.ndarray, ends: np.ndarray) -> list[list[int]]:
    """For each end: how many rows have at most this code, and the sums of these codes and of their squares."""
    where = np.searchsorted(ends, codes)
    found: list[list[int]] = []
    for power in range(3):
        each = [0] * len(ends)
        for place, code, count in zip(where.tolist(), codes.tolist(), counts.tolist(), strict=True):
            each[place] += count * code**power
        found.append(np.cumsum(np.array(each, object)).tolist())
    return found


def _relaxed(low: np.ndarray, high: np.ndarray, counts: np.ndarray) -> Fraction:
    """The least Σ(x − c)² for numbers x between the codes, at whichever of two centres it is less.

    It is convex in c, and beside the code where its slope changes sign it is at least its tangents.
    """
    first, last = int(low.min()), int(high.max())
    while first < last:
        middle = (first + last) // 2
        if _slope(low, high, counts, middle) < 0:
            first = middle + 1
        else:
            last = middle
    value, slope = _distances(low, high, counts, first), _slope(low, high, counts, first)
    return max(Fraction(0), Fraction(value) - 2 * Fraction(slope))


def _slope(low: np.ndarray, high: np.ndarray, counts: np.ndarray, centre: int) -> int:
    """Half of the slope of Σ(distance)²."""
    return int((np.maximum(centre - high, 0) * counts).sum() - (np.maximum(low - centre, 0) * counts).sum())


def _distances(low: np.ndarray, high: np.ndarray, counts: np.ndarray, centre: int) -> int:
    far = np.maximum(np.maximum(centre - high, low - centre), 0).astype(object)
    return int((far * far * counts).sum())


def _greatest(rows: Rows) -> Fraction:
    order = np.lexsort((rows.high, rows.low))
    low, high = rows.low[order], rows.high[order]
    if rows.sure.all() and (np.diff(high) >= 0).all():
        return _threshold(low.tolist(), high.tolist(), rows.counts[order].tolist())
    return _at_most(rows)


def _threshold(low: list[int], high: list[int], counts: list[int]) -> Fraction:
    """The first rows are at their lower ends and the others at their upper ones; within a group a parabola decides."""
    people = sum(counts)
    total = sum(code * count for code, count in zip(high, counts, strict=True))
    squares = sum(code * code * count for code, count in zip(high, counts, strict=True))
    best = people * squares - total**2
    for first, last, count in zip(low, high, counts, strict=True):
        down, less = last - first, last * last - first * first
        if down:  # n(Q − j·less) − (S − j·down)² is greatest near this number of rows j
            turn = (2 * total * down - people * less) // (2 * down * down)
            for moved in (turn, turn + 1):
                moved = min(max(moved, 0), count)
                best = max(best, people * (squares - moved * less) - (total - moved * down) ** 2)
            total, squares = total - count * down, squares - count * less
            best = max(best, people * squares - total**2)
    return Fraction(best, people**2)


def _of_two_ends(rows: Rows) -> Fraction:
    """The greatest variance of this number of rows between two ends: half of them, or nearly half, are at each end."""
    far, fewest, most = int(rows.high.max()) - int(rows.low.min()), max(1, rows.fewest), rows.most
    if fewest < most or most % 2 == 0:
        most -= most % 2  # made even
    return Fraction(far**2 * (most**2 - most % 2), 4 * most**2)


def _at_most(rows: Rows) -> Fraction:
    """The mean of the largest (x − c)², with the rows that may count taken in while it grows, at a good centre c.

    It holds for every c, so that the centre may be found with floats.
    """
    low, high = int(rows.low.min()), int(rows.high.max())
    first, last = 2 * low, 2 * high  # twice the centre is a whole number
    for _ in range(4):
        tried = np.unique(np.linspace(first, last, CENTRES).round().astype(np.int64))
        found = [_mean_of_squares(rows, int(each)) for each in tried]
        place = found.index(min(found))
        first, last = int(tried[max(place - 1, 0)]), int(tried[min(place + 1, len(tried) - 1)])
        if last - first <= 2:
            break
    return min(found) / 4


def _mean_of_squares(rows: Rows, twice: int) -> Fraction:
    """The greatest mean of (2x − 2c)²."""
    far = np.maximum(twice - 2 * rows.low, 2 * rows.high - twice).astype(object) ** 2
    total, people = int((far[rows.sure] * rows.counts[rows.sure]).sum()), rows.fewest
    given = zip(far[rows.open].tolist(), rows.counts[rows.open].tolist(), strict=True)
    for square, count in sorted(given, reverse=True):
        if people and square * people <= total:
            break
        if not people:  # one row alone, because others would only lower the mean
            return Fraction(square)
        total, people = total + square * count, people + count
    return Fraction(total, people)


def different(rows: Rows) -> tuple[int, int]:
    """The fewest and the most different codes: one for each interval that meets no other, up to one for each row."""
    fewest, reached = 0, -1
    sure = rows.sure
    for high, low in sorted(zip(rows.high[sure].tolist(), rows.low[sure].tolist(), strict=True)):
        if low > reached:
            fewest, reached = fewest + 1, high
    return fewest, _most_different(rows)


def _most_different(rows: Rows) -> int:
    """The most different codes. Each code goes to the row whose range ends first."""
    if not rows.most:
        return 0
    if int(rows.high.max()) - int(rows.low.min()) >= MOST_VALUES:
        return min(rows.most, int(rows.high.max()) - int(rows.low.min()) + 1)
    order = np.argsort(rows.low, kind="stable")
    groups = list(zip(*(each[order].tolist() for each in (rows.low, rows.high, rows.counts)), strict=True))
    waiting: list[list[int]] = []
    found, code, place = 0, 0, 0
    while place < len(groups) or waiting:
        if not waiting:
            code = max(code, groups[place][0])
        while place < len(groups) and groups[place][0] <= code:
            heappush(waiting, [groups[place][1], groups[place][2]])
            place += 1
        while waiting and waiting[0][0] < code:
            heappop(waiting)
        if waiting:
            found, code = found + 1, code + 1
            waiting[0][1] -= 1
            if not waiting[0][1]:
                heappop(waiting)
    return found
