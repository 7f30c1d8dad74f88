"""What several facts together prove about a number: bounds of counts, sums and means, and of ranks one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from math import ceil, gcd, lcm
from typing import Any

import numpy as np

from noiseless.curator.deduce.atoms import Truths
from noiseless.curator.deduce.cuts import Integers
from noiseless.curator.deduce.interval import Witness
from noiseless.curator.deduce.linear import Proved, Solver, Whole, existing
from noiseless.curator.deduce.rows import Grid
from noiseless.curator.deduce.system import System
from noiseless.curator.deduce.target import Target

End = tuple[Any, Witness]
MOST_RANKED = 6_000
"""Ranks need many proofs, so they are only searched for in systems of at most this size."""


class Inequalities:
    """Proves ends of a number from inequalities.

    Ends are in the unit of its column: -1 is the lower, 1 the upper one.
    """

    def __init__(self, target: Target, system: System) -> None:
        self.target, self.system = target, system

    @cached_property
    def solver(self) -> Solver:
        """The solver, which is prepared only if there is something to prove."""
        return Solver(self.system)

    def count(self) -> Iterator[tuple[int, End]]:
        """Ends of the number of rows that count."""
        for side in (-1, 1):
            found = self.solver.least_sum(-side * self.system.inside.astype(np.int64))
            if found is not None:
                yield side, (-side * ceil(found.bound), _witness(found))

    def total(self) -> Iterator[tuple[int, End]]:
        """Ends of the sum over the rows that count. If all values are multiples of a number, so is the sum."""
        grid = self.target.grid
        pitch = None if grid.rounding else _common(grid.low, grid.step)
        for side, whole, unit in self._ends():
            found = self.solver.least_sum(whole, unit)
            if found is not None:
                bound = found.bound if pitch is None else ceil(found.bound / pitch) * pitch
                yield side, (-side * bound, _witness(found))

    def mean(self, people: tuple[int, int], known: tuple[Any, Any]) -> Iterator[tuple[int, End]]:
        """Ends of the mean of the rows that count."""
        for side, whole, unit in self._ends():
            found = self.solver.least_mean(whole, unit, people, -side * known[(1 - side) // 2])
            if found is not None:
                yield side, (-side * found.bound, _witness(found))

    def ranked(self, known: tuple[Any, Any]) -> Iterator[tuple[int, End]]:
        """Ends of the k-th smallest, or of a number between two neighbours: how far they can be moved in."""
        if self.system.size > MOST_RANKED:
            return
        grid, ranks = self.target.grid, _Ranks(self.target, existing(self.system))
        inside = self.system.inside
        low = [code for code in np.unique(self.system.low[inside]).tolist() if grid.lower(code) >= known[0]]
        high = [code for code in np.unique(self.system.high[inside]).tolist() if grid.upper(code) <= known[1]]
        if (found := _furthest(low, ranks.above)) is not None:
            yield -1, (grid.lower(found[0]), _witness(found[1]))
        if (found := _furthest(high[::-1], ranks.below)) is not None:
            yield 1, (grid.upper(found[0]), _witness(found[1]))

    def _ends(self) -> Iterator[tuple[int, Whole, int]]:
        """For each side, the least that a row adds, in whole parts of a unit. For the upper end the sign is changed."""
        grid = self.target.grid
        for side, codes, numbers in (
            (-1, self.system.low, grid),
            (1, grid.top - self.system.high, grid.mirrored),
        ):
            whole, unit = least_numbers(numbers, codes, clamped=not self.system.bent)
            yield side, np.where(self.system.inside, whole, 0), unit


class _Ranks:
    """Proves that a k-th smallest of m rows, k = ⌈p·m/q⌉, or one between two neighbours, is above or below a code.

    It is above v if and only if fewer than k rows are up to v, which is q·(rows up to v) < p·m; for the least, if no
    row is. A number between neighbours at place p(m − 1)/q is above v if q·(rows up to v) ≤ p(m − 1).
    """

    def __init__(self, target: Target, system: System) -> None:
        self.system, self.solver = system, Solver(system)
        self.p, self.q = target.share.numerator, target.share.denominator
        self.between = target.function != "ORDER"

    def above(self, code: int) -> Proved | None:
        """A proof that it is above a code, even if every row is up to the code that can be."""
        least = self.p if self.between else 1 if self.p else 0
        return self._proved(self.system.low <= code, -1, least)

    def below(self, code: int) -> Proved | None:
        """A proof that it is below a code, from the rows that are surely below."""
        least = self.q - self.p if self.between else 0 if self.p else 1
        return self._proved(self.system.high < code, 1, least)

    def _proved(self, reached: Truths, sign: int, least: int) -> Proved | None:
        """A proof that q·(rows) − p·m, with this sign, is at least `least`. None if there is none."""
        weights: Integers = sign * (self.q * reached.astype(np.int64) - self.p)
        found = self.solver.least_sum(np.where(self.system.inside, weights, 0))
        if found is None or found.bound <= least - 1:
            return None
        return Proved(found.bound, tuple(replace(each, factor=each.factor / self.q) for each in found.multipliers))


def least_numbers(grid: Grid, codes: Integers, clamped: bool = True) -> tuple[Whole, int]:
    """The least values that some codes can stand for, in whole parts of a unit. Without clamping they are linear in
    the codes.
    """
    unit = lcm(*(number.denominator for number in (grid.low, grid.step, grid.rounding)))
    low, step, rounding = (int(number * unit) for number in (grid.low, grid.step, grid.rounding))
    found = codes.astype(object) * step + (low - rounding)
    return np.maximum(found, low) if clamped else found, unit


def _furthest(codes: list[int], proved: Callable[[int], Proved | None]) -> tuple[int, Proved] | None:
    """The code after the last one that is proved to be passed. None if not even the first is."""
    best: Proved | None = None
    first, last = 0, len(codes) - 1  # the last one is never passed
    while first < last:
        middle = 0 if best is None else (first + last) // 2
        found = proved(codes[middle])
        if found is None and best is None:
            return None
        if found is None:
            last = middle
        else:
            first, best = middle + 1, found
    return None if best is None else (codes[first], best)


def _common(*numbers: Fraction) -> Fraction:
    """The largest number that divides all of them."""
    unit = lcm(*(number.denominator for number in numbers))
    return Fraction(gcd(*(int(number * unit) for number in numbers)), unit)


def _witness(found: Proved) -> Witness:
    questions = {each.question for each in found.multipliers if each.question}
    return Witness("linear", tuple(sorted(questions)), found.multipliers)
