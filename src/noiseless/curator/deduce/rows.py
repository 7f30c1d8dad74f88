"""What follows if only this is known of each row: the two codes it lies between, and whether it surely counts.

Every interval here is the smallest one for such rows, unless its function says that it may be wider.

Source: theory §13: docs/deduce.md
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Any

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Truths = NDArray[np.bool_]
Range = tuple[Fraction, Fraction]
FIELDS = ("counts", "sure", "low", "high")
Rank = Callable[[Integers], Integers]
"""The rank that is asked for, as a function of the number of rows."""
MOST_SCANNED = 1 << 16
"""All numbers of rows are tried if at most this many rows may or may not count."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Numbers of codes, and how far a value can be from the number of its code, clamped to the bounds."""

    low: Fraction
    high: Fraction
    step: Fraction
    rounding: Fraction

    @property
    def top(self) -> int:
        """The largest code."""
        return int((self.high - self.low) / self.step)

    def lower(self, code: int | Fraction) -> Fraction:
        """The least that a value of a code can be."""
        return max(self.low, self.low + self.step * code - self.rounding)

    def upper(self, code: int | Fraction) -> Fraction:
        """The greatest that a value of a code can be."""
        return min(self.high, self.low + self.step * code + self.rounding)

    @property
    def mirrored(self) -> Grid:
        """The grid of the negated numbers, whose codes count from the other end."""
        return Grid(-self.high, -self.low, self.step, self.rounding)


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Groups of `counts` rows with codes between `low` and `high`, which surely count or may count."""

    counts: Integers
    sure: Truths
    low: Integers
    high: Integers

    @property
    def fewest(self) -> int:
        """The least number of rows that count."""
        return int(self.counts[self.sure].sum())

    @property
    def most(self) -> int:
        """The greatest number of rows that count."""
        return int(self.counts.sum())

    @property
    def open(self) -> Truths:
        """Which rows may count or not."""
        return ~self.sure

    def mirrored(self, top: int) -> Rows:
        """The rows with codes that count from the other end of the range."""
        return Rows(self.counts, self.sure, top - self.high, top - self.low)

    def merged(self) -> Rows:
        """The rows with equal groups joined."""
        if len(self.counts) < 2:
            return self
        order = np.lexsort((self.high, self.low, self.sure))
        counts, sure, low, high = (getattr(self, name)[order] for name in FIELDS)
        other = (sure[1:] != sure[:-1]) | (low[1:] != low[:-1]) | (high[1:] != high[:-1])
        starts = np.flatnonzero(np.append(True, other))
        return Rows(np.add.reduceat(counts, starts), sure[starts], low[starts], high[starts])

    def total(self, grid: Grid) -> Range:
        """The least and the greatest sum of the values that count."""
        return _least_total(self, grid), -_least_total(self.mirrored(grid.top), grid.mirrored)

    def mean(self, grid: Grid) -> Range | None:
        """The least and the greatest mean, if there is one. None if certainly no row counts.

        Rows that may count are added from the outermost inward, as long as the mean still moves outward.
        """
        if not self.most:
            return None
        return _least_mean(self, grid), -_least_mean(self.mirrored(grid.top), grid.mirrored)

    def ranked(self, share: Fraction) -> tuple[int, int] | None:
        """The codes between which the k-th smallest lies, k = ⌈share·n⌉ and at least 1. None without rows."""

        def rank(people: Integers) -> Integers:
            return np.maximum(1, _up(share, people))

        return self._between_ranks(rank, rank) if self.most else None

    def _between_ranks(self, lower: Rank, upper: Rank) -> tuple[int, int]:
        """The least code at one rank, and the greatest at another. Ranks grow at most as fast as numbers of rows.

        A code may be v or less if and only if it is after all rows are taken in that may be v or less, and it may be v
        or more if and only if it is after all are taken in that may be v or more.
        """
        least, counted = self._upward(self.low)
        reach = counted.sum(axis=0) >= lower(self.fewest + counted[1])
        greatest, counted = self._upward(self.high)
        before = np.concatenate([np.zeros((2, 1), np.int64), counted[:, :-1]], axis=1)
        taken = self.most - before[1]
        passed = (taken > 0) & (before[0] < upper(taken))
        return int(least[np.argmax(reach)]), int(greatest[len(greatest) - 1 - np.argmax(passed[::-1])])

    def _upward(self, codes: Integers) -> tuple[Integers, Integers]:
        """The different codes, and how many rows have at most each: those that surely count, and those that may."""
        found, where = np.unique(codes, return_inverse=True)
        counted = np.zeros((2, len(found)), np.int64)
        np.add.at(counted, (self.open.astype(int), where.ravel()), self.counts)
        return found, counted.cumsum(axis=1)

    def interpolated(self, share: Fraction) -> Range | None:
        """The number at place share·(n − 1), counted from 0, between its neighbours, in codes. None without rows.

        If very many rows may count, the interval may be wider: from the lower to the upper neighbour.
        """
        if not self.most:
            return None
        if self.most - self.fewest > MOST_SCANNED:
            ends = self._between_ranks(
                lambda people: 1 - _up(-share, np.maximum(people - 1, 0)),
                lambda people: 1 + _up(share, np.maximum(people - 1, 0)),
            )
            return Fraction(ends[0]), Fraction(ends[1])
        top = int(self.high.max())
        return self._least_between(share), top - self.mirrored(top)._least_between(1 - share)

    def _least_between(self, share: Fraction) -> Fraction:
        """The least number between two ranks.

        For every number of optional rows, those with the lowest codes are taken.
        """
        codes, counted = self._upward(self.low)
        taken = np.arange(0 if self.fewest else 1, self.most - self.fewest + 1)
        rows = self.fewest + taken
        below, part = np.divmod(share.numerator * (rows - 1), share.denominator)
        both = [_codes_at(codes, counted, taken, np.minimum(below + one, rows)) for one in (1, 2)]
        found = (share.denominator - part) * both[0] + part * both[1]
        return Fraction(int(found.min()), share.denominator)


def _up(share: Fraction, rows: Integers) -> Integers:
    """⌈share·n⌉."""
    if share.denominator >= 1 << 30:
        rows = rows.astype(object)
    return -(-share.numerator * rows // share.denominator)


def _codes_at(codes: Integers, counted: Integers, taken: Integers, rank: Integers) -> Integers:
    """The code at each rank, if all sure rows count and this number of the others."""
    low, high = np.zeros(len(rank), np.int64), np.full(len(rank), len(codes) - 1)
    while (low < high).any():
        middle = (low + high) // 2
        reached = counted[0][middle] + np.minimum(counted[1][middle], taken) >= rank
        low, high = np.where(reached, low, middle + 1), np.where(reached, middle, high)
    return codes[low]


def _least_total(rows: Rows, grid: Grid) -> Fraction:
    """The least sum. A row that may count is left out if it would raise the sum."""
    counts, codes = rows.counts, rows.low
    negative = codes < ceil((grid.rounding - grid.low) / grid.step) if grid.low < 0 else np.zeros(len(codes), bool)
    kept = rows.sure | negative
    return _sum_of_least(counts[kept], codes[kept], grid)


def _sum_of_least(counts: Integers, codes: Integers, grid: Grid) -> Fraction:
    """The sum if each row has the least value of its code, which is never below the declared bound."""
    above = codes > floor(grid.rounding / grid.step)
    people, total = int(counts[above].sum()), int((counts[above] * codes[above]).sum())
    return grid.low * int(counts.sum()) + grid.step * total - grid.rounding * people


def _least_mean(rows: Rows, grid: Grid) -> Fraction:
    counts, sure = rows.counts, rows.sure
    total, people = _sum_of_least(counts[sure], rows.low[sure], grid), rows.fewest
    codes, where = np.unique(rows.low[~sure], return_inverse=True)
    added = np.zeros(len(codes), np.int64)
    np.add.at(added, where.ravel(), counts[~sure])
    for code, count in zip(codes.tolist(), added.tolist(), strict=True):
        if not count:
            continue
        value = grid.lower(code)
        if not people:
            return value  # one row alone, because others would only raise it
        if value * people >= total:
            break
        total, people = total + value * count, people + count
    return total / people


def of_cells(where: Integers, may: Truths, must: Truths, ends: tuple[Any, Any], counts: Integers) -> Rows:
    """The rows of cells, from their atoms: `where` names the cell of each, and `counts` has the rows of each cell."""
    order = np.argsort(where, kind="stable")
    cells, starts = np.unique(where[order], return_index=True)
    kept, may, must = counts[cells] > 0, may[order], must[order]
    far = np.iinfo(np.int64).max
    low = np.minimum.reduceat(np.where(may, ends[0][order], far), starts)
    high = np.maximum.reduceat(np.where(may, ends[1][order], -1), starts)
    kept &= np.logical_or.reduceat(may, starts)
    sure = np.logical_and.reduceat(must, starts)
    return Rows(counts[cells][kept], sure[kept], low[kept], high[kept]).merged()


def distinct(columns: Sequence[Integers]) -> Integers:
    """The different rows of some columns, in order."""
    order = np.lexsort(columns[::-1])
    found: Integers = np.stack([column[order] for column in columns], axis=1)
    other = (found[1:] != found[:-1]).any(axis=1)
    return found[np.flatnonzero(np.append(True, other))[: len(found)]]


def together(parts: Sequence[Rows]) -> Rows:
    """All rows of several parts."""
    if len(parts) == 1:
        return parts[0]
    none = np.zeros(0, np.int64)
    parts = [Rows(none, none.astype(bool), none, none), *parts]
    return Rows(*(np.concatenate([getattr(part, name) for part in parts]) for name in FIELDS)).merged()
