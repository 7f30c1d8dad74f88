"""Who is certain to be on one side of a hypothesis? The consistent test against the three policies (NHT, CDC)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noiseless.errors import InputError
from noiseless.exact.number import Number, exact_number
from noiseless.lab.attacks.adversary import SEED, drawn
from noiseless.lab.attacks.curve import Curve, Point
from noiseless.lab.attacks.outside import outside
from noiseless.lab.datasets.people import Bodies, Measured
from noiseless.privacy.definitions.hypothesis.policy import Policy
from noiseless.theory.ranges.boundary import Boundary
from noiseless.theory.ranges.boxes import Box
from noiseless.theory.ranges.intervals import Intervals

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
BODIES = Box(weight=(0, 200), height=(0, 250))
OBESE = Boundary("weight", lambda height: 0.003 * height**2)
"""The papers' hypothesis: weight ≥ 0.003·height²."""
CANNOT_TELL = -1


class ConsistentTester:
    """Knows the policy and computes exactly which sides a report can come from."""

    name = "hypothesis tester"

    def __init__(self, policy: Policy, box: Box) -> None:
        self.policy, self.side = policy, policy.side(box)

    def choose(self, games: int, draw: np.random.Generator) -> Boundary:
        """The hypothesis to test, the same for everybody."""
        return self.policy.boundary

    def observe(self, chosen: Boundary, reports: Sequence[dict[str, Fraction]]) -> Bools:
        """For each report, whether it can come from below the boundary, and from above."""
        return np.array([self._sides(chosen, report) for report in reports], dtype=bool).reshape(-1, 2)

    def guess(self, evidence: Bools, draw: np.random.Generator) -> Ints:
        """The side if only one is possible (0: below, 1: above); CANNOT_TELL if both are."""
        found: Ints = np.where(evidence.all(axis=1), CANNOT_TELL, evidence[:, 1])
        return found

    def _sides(self, boundary: Boundary, report: dict[str, Fraction]) -> tuple[bool, bool]:
        y, g = report[boundary.axis], boundary.at(**{name: report[name] for name in boundary.others})
        both = self.policy.hides(y, g, self.side)
        return both or y < g, both or y >= g


def certain(
    table: Bodies | Measured,
    policy: type[Policy],
    errors: Sequence[Number],
    *,
    boundary: Boundary = OBESE,
    box: Box = BODIES,
) -> Curve:
    """The share of people whose report leaves only one side possible, against the error.

    Values outside the box are clamped before anything is reported.
    """
    if not errors:
        raise InputError("errors is empty; give at least one")
    if absent := [name for name in (boundary.axis, *boundary.others) if name not in table.columns]:
        raise InputError(f"the table has no column {absent[0]!r}, which the hypothesis needs; name another column")
    names = [boundary.axis, *boundary.others]
    clipped = clamped(table, box)
    different, people = np.unique(np.stack([clipped[name] for name in names]), axis=1, return_counts=True)
    exactly = [[exact_number(float(value), "value") for value in values] for values in different.T]
    points = []
    for error in errors:
        made = policy(boundary, error)
        tester, draw = ConsistentTester(made, box), drawn(SEED)
        reports = [_reported(made, dict(zip(names, values, strict=True)), box) for values in exactly]
        guessed = tester.guess(tester.observe(tester.choose(len(reports), draw), reports), draw)
        share = float(people[guessed != CANNOT_TELL].sum() / people.sum())
        points.append(Point.exactly({"error": float(made.error)}, share))
    origin = table.origin + "".join(
        outside(table.columns[name], float(box[name].low), float(box[name].high)) for name in names
    )
    return Curve(f"hypothesis tester against {policy.__name__}", "share certain", tuple(points), origin, most=1.0)


def clamped(table: Bodies | Measured, box: Box) -> dict[str, Floats]:
    """The columns, clamped to the box."""
    return {
        name: values.clip(float(box[name].low), float(box[name].high))
        for name, values in table.columns.items()
        if name in box.names
    }


def _reported(policy: Policy, person: dict[str, Fraction], box: Box) -> dict[str, Fraction]:
    """The curator's part: the exact report of one person."""
    axis: str = policy.boundary.axis
    others: dict[str, Any] = {name: person[name] for name in policy.boundary.others}
    side: Intervals = policy.side(box)
    return {**person, axis: policy.report(person[axis], policy.boundary.at(**others), side)}
