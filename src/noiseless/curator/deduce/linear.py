"""Bounds of sums over all tables that fit some linear inequalities, proved by exact multipliers.

A float solver only proposes how often each inequality is added up. For any such factors f (above 0 for a bound from
below, below 0 for one from above), every table has

    Σ c·h ≥ Σ f·bound + Σ over groups n·min(c − Σ f·a),

where the minimum is over the variables of a group. This is computed exactly, so a wrong proposal gives a wider interval
and never a wrong one.

Source: theory §13, certify with a rational dual: docs/deduce.md
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noiseless.curator.deduce.interval import Multiplier
from noiseless.curator.deduce.system import Row, System

DENOMINATORS = (1, 2, 3, 4, 6, 12, 60, 2520)
"""Multipliers are nearly always fractions with one of these; otherwise they are rounded."""
FINE, FAR = 1 << 20, 1 << 53
NEAR = 1e-6
MOST_STEPS = 6
"""The most steps of Newton's method for a mean."""
Whole = NDArray[Any]
"""Whole numbers of any size."""
EXISTS = "exists"
"""The name of the inequality that at least one row counts. Without such a row the number does not exist."""


@dataclass(frozen=True, slots=True)
class Proved:
    """A bound, and the multipliers that prove it."""

    bound: Fraction
    multipliers: tuple[Multiplier, ...]


class Solver:
    """Proves bounds of sums. Everything that does not depend on the sum is prepared once."""

    def __init__(self, system: System) -> None:
        from scipy.sparse import coo_matrix, vstack

        self.system, self.starts = system, np.searchsorted(system.group, np.arange(len(system.sizes)))
        size, rows = len(system.group), len(system.rows)
        values = system.values.astype(float), (system.at_row, system.at_variable)
        matrix = coo_matrix(values, (rows, size)).tocsr()
        ends = [np.nan if end is None else float(end) for row in system.rows for end in (row.low, row.high)]
        low, high = np.array(ends).reshape(rows, 2).T
        self.equal = low == high
        self.below, self.above = ~np.isnan(low) & ~self.equal, ~np.isnan(high) & ~self.equal
        groups = coo_matrix((np.ones(size), (system.group, np.arange(size))), (len(system.sizes), size))
        self.at_most = vstack([-matrix[self.below], matrix[self.above]]).tocsr()
        self.most = np.concatenate([-low[self.below], high[self.above]])
        self.exactly = vstack([matrix[self.equal], groups]).tocsr()
        self.exact = np.concatenate([low[self.equal], system.sizes.astype(float)])

    def proposed(self, objective: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
        """What a float solver proposes: how often to add each inequality, and numbers of rows with the least sum."""
        from scipy.optimize import linprog

        given = {"A_ub": self.at_most, "b_ub": self.most} if len(self.most) else {}
        found = linprog(objective, **given, A_eq=self.exactly, b_eq=self.exact, method="highs")
        if found.status != 0:
            return None
        factors = np.zeros(len(self.system.rows))
        if len(self.most):
            pressed, below = found.ineqlin.marginals, int(self.below.sum())
            factors[self.below] -= pressed[:below]
            factors[self.above] += pressed[below:]
        factors[self.equal] += found.eqlin.marginals[: int(self.equal.sum())]
        return factors, found.x

    def least_sum(self, whole: Whole, unit: int = 1) -> Proved | None:
        """The most that Σ c·h can be proved to reach, c = whole/unit. None if the solver proposes nothing."""
        found = self._finite(whole.astype(float))
        return None if found is None else self.proved(whole, unit, found[0])

    def _finite(self, objective: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
        """What the solver proposes. None if one of its numbers is absurdly large or not finite."""
        found = self.proposed(objective) if np.isfinite(objective).all() else None
        return found if found is not None and all(np.abs(each).max(initial=0) < FAR for each in found) else None

    def least_mean(self, whole: Whole, unit: int, people: tuple[int, int], start: Fraction) -> Proved | None:
        """The most that Σ c·h over the rows that count can be proved to reach, divided by their number.

        If Σ (c − v)·h is at least b, then the mean is at least v + b/n for one of the numbers of rows n that are
        possible. The best v is found by Newton's method, from above.
        """
        system, guess, found = self.system, start, None
        inside = system.inside
        for _ in range(MOST_STEPS):
            shifted = np.where(inside, whole.astype(float) - float(guess * unit), 0.0)
            if (found := self._finite(shifted)) is None:
                return None
            rows = np.rint(np.where(inside, found[1], 0.0))
            if not rows.sum():
                break
            mean = Fraction(int((whole * rows.astype(np.int64).astype(object)).sum()), unit * int(rows.sum()))
            if mean >= guess:
                break
            guess = mean
        assert found is not None
        scale = guess.denominator
        each = np.where(inside, whole * scale - int(guess * scale * unit), 0)
        proved = self.proved(each, unit * scale, found[0] * scale)
        people_there = max(1, people[0]) if proved.bound < 0 else people[1]
        return Proved(guess + proved.bound / people_there, proved.multipliers)

    def proved(self, whole: Whole, unit: int, factors: NDArray[np.float64]) -> Proved:
        """The bound by exact arithmetic, with the factors, which are in units, as fractions."""
        system, fine = self.system, _denominator(factors)
        times = [round(float(factor) * fine) for factor in factors]
        for place, row in enumerate(system.rows):  # an inequality without this bound cannot be used
            if (times[place] > 0 and row.low is None) or (times[place] < 0 and row.high is None):
                times[place] = 0
        used = np.array([bool(each) for each in times], bool)[system.at_row]
        own = whole.astype(object) * fine
        taken = np.array(times, object)[system.at_row[used]] * system.values[used].astype(object)
        np.subtract.at(own, system.at_variable[used], taken)
        total = int((np.minimum.reduceat(own, self.starts) * system.sizes.astype(object)).sum())
        multipliers = []
        for factor, row in zip(times, system.rows, strict=True):
            if factor:
                bound = row.low if factor > 0 else row.high
                assert bound is not None
                total += factor * bound
                shown = Fraction(factor, fine * unit) / row.scale
                labels = range(row.at * row.wide, (row.at + 1) * row.wide)
                multipliers += [Multiplier(row.of, row.question, row.release, at, shown) for at in labels]
        return Proved(Fraction(total, fine * unit), tuple(multipliers))


def _denominator(factors: NDArray[np.float64]) -> int:
    for fine in DENOMINATORS:
        if np.abs(factors * fine - np.round(factors * fine)).max(initial=0) < NEAR:
            return fine
    return FINE


def existing(system: System) -> System:
    """The system with one more inequality: that at least one row counts."""
    kept = np.flatnonzero(system.inside)
    return replace(
        system,
        rows=(*system.rows, Row(EXISTS, 0, 0, 0, 1, None)),
        at_row=np.append(system.at_row, np.full(len(kept), len(system.rows))),
        at_variable=np.append(system.at_variable, kept),
        values=np.append(system.values, np.ones(len(kept), np.int64)),
    )
