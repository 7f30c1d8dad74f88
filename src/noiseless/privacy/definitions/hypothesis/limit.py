"""No policy can hide more: a hidden point shares a report with a point of the other side within 2·error of it.

T is the set of points within 2·error of the other side, in any direction. ε ≤ [m(X)/m(T) − 1]⁻¹.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, inf, nextafter
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from noiseless.exact.rounding import float_down, float_up
from noiseless.exact.span import Span, span
from noiseless.privacy.definitions.hypothesis.certified import epsilon_of
from noiseless.theory.ranges.boxes import Box

if TYPE_CHECKING:
    from noiseless.privacy.definitions.hypothesis.policy import Policy

Floats = NDArray[np.float64]
CELLS_PER_ERROR, FEWEST, MOST = 128, 4096, 1 << 18
MOST_POINTS = 3000
SLACK = 1 + 1e-9
"""More than all rounding errors of the sums below."""


def limit_of_points(points: list[tuple[Fraction, ...]], holds: list[bool], error: Fraction) -> Fraction | float | None:
    """Exact, by comparing every point with every point of the other side; None if there are too many."""
    if len(points) > MOST_POINTS:
        return None
    reach = (2 * error) ** 2
    sides = [[point for point, held in zip(points, holds, strict=True) if held == side] for side in (False, True)]
    near = sum(
        any(sum((a - b) ** 2 for a, b in zip(point, other, strict=True)) <= reach for other in sides[1 - side])
        for side in (0, 1)
        for point in sides[side]
    )
    return epsilon_of(Fraction(near, len(points)))


def limit_in_box(policy: Policy, box: Box) -> Fraction | float | None:
    """An upper bound, for boundaries of at most one coordinate whose range is one interval; otherwise None.

    In the slice at t, a point below g is in T if it is at least g(s) − √(4r² − (s − t)²) for some s; likewise above.
    Over cells of t and of s both are bounded by intervals.
    """
    boundary, side = policy.boundary, policy.boundary.within(box)
    if len(boundary.others) > 1 or any(len(box[name].components) > 1 for name in boundary.others):
        return None
    low, high = float_down(side.low), float_up(side.high)
    if not boundary.others:
        rooms = (boundary.at() - side.low, side.high - boundary.at())
        return epsilon_of(sum(min(room, 2 * policy.error) for room in rooms) / side.measure)
    domain = box[boundary.others[0]]
    cells = min(max(ceil(CELLS_PER_ERROR * domain.measure / policy.error), FEWEST), MOST)
    edges = np.linspace(float_down(domain.low), float_up(domain.high), cells + 1)
    values = span(boundary.function(Span(edges[:-1], edges[1:])))
    g = Span(np.broadcast_to(values.low, cells), np.broadcast_to(values.high, cells))
    reach = min(2 * policy.error, side.measure + domain.measure)  # no points further away
    covered = _covered(g, low, high, float_up(reach), float(edges[1] - edges[0]))
    share = Fraction(nextafter(float(covered.sum()) * SLACK / (cells * (high - low)), inf))
    return epsilon_of(min(share, Fraction(1)))


def _covered(g: Span, low: float, high: float, reach: float, cell: float) -> Floats:
    """An upper bound of the length of T in the slices of every cell."""
    downward = np.where(g.low <= high, np.maximum(g.low, low), np.inf)
    upward = np.where(g.high > low, np.minimum(g.high, high), -np.inf)
    least, most = downward - reach, upward + reach
    for away in range(1, min(int(reach / cell) + 2, len(downward))):
        ball = np.sqrt(max(reach**2 - ((away - 1) * cell) ** 2, 0.0) + (1e-6 * reach) ** 2) * SLACK
        for near, far in ((slice(away, None), slice(None, -away)), (slice(None, -away), slice(away, None))):
            least[near] = np.minimum(least[near], downward[far] - ball)
            most[near] = np.maximum(most[near], upward[far] + ball)
    beneath = np.clip(np.minimum(g.high, high) - np.maximum(least, low), 0.0, None)
    above = np.clip(np.minimum(most, high) - np.maximum(g.low, low), 0.0, None)
    found: Floats = np.minimum(beneath + above, high - low)
    return found
