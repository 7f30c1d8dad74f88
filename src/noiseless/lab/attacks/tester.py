"""Who is certain to be on one side of a hypothesis? The consistent test against the three policies (NHT, CDC)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from noiseless.exact.number import Number
from noiseless.lab.attacks.curve import Curve, Point
from noiseless.lab.datasets.people import Bodies
from noiseless.privacy.definitions.hypothesis.policy import Policy
from noiseless.theory.ranges.boundary import Boundary
from noiseless.theory.ranges.boxes import Box

RANGE = Box(weight=(0, 200), height=(0, 250))
OBESE = Boundary("weight", lambda height: 0.003 * height**2)
"""The papers' hypothesis: weight ≥ 0.003·height²."""


def certain(bodies: Bodies, policy: type[Policy], errors: Sequence[Number]) -> Curve:
    """The share of people whose report leaves one side only, against the error.

    The adversary knows the policy: a report tells the side unless it lies where the reports of both sides do.
    """
    points = []
    for error in errors:
        made = policy(OBESE, error)
        data = {"weight": bodies.weight.clip(0, 200), "height": bodies.height.clip(0, 250)}
        hidden = _hidden(made, data)
        share = float(1 - hidden.mean())
        points.append(Point({"error": float(made.error)}, share, share, share))
    return Curve(f"hypothesis tester against {policy.__name__}", "share certain", tuple(points), bodies.origin)


def _hidden(policy: Policy, data: dict[str, np.ndarray]) -> np.ndarray:
    """Whose point lies in what the policy hides: the region is that of every point whose report both sides share."""
    region = policy.hidden(RANGE)
    pairs, inverse = np.unique(np.stack([data["weight"], data["height"]]), axis=1, return_inverse=True)
    inside = np.array([{"weight": float(w), "height": float(h)} in region for w, h in pairs.T])
    return inside[inverse.reshape(-1)]
