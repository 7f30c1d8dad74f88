"""How much of a range `Across` hides: the points below whose partners are above, twice.

A report is rounded to the step. All points of its cell have partners within a step of each other. So a point is
certainly hidden if it and its partner stay in the range and on their sides when they are moved by up to a step in every
coordinate; two steps leave room for floats.
"""

from __future__ import annotations

from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from noiseless.errors import RangeError
from noiseless.exact.enclosure import Enclosure
from noiseless.exact.rounding import float_down, float_up
from noiseless.privacy.definitions.hypothesis.certified import Certified
from noiseless.privacy.definitions.hypothesis.limit import limit_in_box, limit_of_points
from noiseless.privacy.definitions.hypothesis.samples import Samples
from noiseless.theory.hypothesis.slab import measure_where
from noiseless.theory.ranges.boxes import Box
from noiseless.theory.ranges.intervals import Intervals
from noiseless.theory.ranges.quadrature import enclosed, values_on

if TYPE_CHECKING:
    from noiseless.privacy.definitions.hypothesis.across import Across, Vector
    from noiseless.theory.space import Space

Floats = NDArray[np.float64]
RIM = 2
"""The number of steps that a point is moved by: one for the cell of a report, one for floats."""
NOTHING = Enclosure(Fraction(0), Fraction(0))


def across_in_space(policy: Across, space: Space) -> Certified:
    """Every sample is tried."""
    samples = Samples.of([policy.boundary], space, policy.within)
    for name in policy.names:
        samples.side(name)
    seen = [tuple(policy.report(point).values()) for point in samples.points]
    points = [tuple(point.values()) for point in samples.points]
    limit = limit_of_points(points, samples.holds(policy.boundary), policy.error)
    return Certified(policy.error, samples.hidden(seen, policy.boundary), None, limit)


def across_in_box(policy: Across) -> Certified:
    """The share of the range: exact if the boundary is affine, otherwise enclosed by intervals."""
    plane, box = policy.plane, policy.within
    found = _curved(policy) if plane is None else _affine(policy, *plane)
    whole = prod((box[name].measure for name in policy.names), start=Fraction(1))
    hidden = Enclosure(2 * found.lower / whole, min(2 * found.upper / whole, Fraction(1)))
    if hidden.upper == 0:
        raise RangeError(
            "no point of the range has a partner beyond the boundary, so there is no one to hide; choose a boundary "
            "inside the range, or a smaller error"
        )
    return Certified(policy.error, hidden, None, limit_in_box(policy.boundary, policy.error, box))


def _starts(policy: Across) -> dict[str, Intervals] | None:
    """Where points below can be, so that they and their partners are at least two steps inside the range."""
    found = {}
    for name, moved in policy.direction:
        rim = RIM * policy.step if moved else Fraction(0)
        low = max(policy.within[name].low, policy.within[name].low - 2 * moved) + rim
        high = min(policy.within[name].high, policy.within[name].high - 2 * moved) - rim
        if low >= high:
            return None
        found[name] = Intervals.closed(low, high)
    return found


def _affine(policy: Across, slopes: Vector, constant: Fraction) -> Enclosure:
    """f = xᵢ − g is below 0 at the point and at least 0 at its partner, with room for steps: a slab of a box."""
    starts = _starts(policy)
    if starts is None:
        return NOTHING
    moved = dict(policy.direction)
    weights = {policy.boundary.axis: Fraction(1), **{name: -slope for name, slope in slopes.items()}}
    rise = 2 * sum(weights[name] * moved[name] for name in policy.names)
    rim = RIM * policy.step * sum(abs(each) for each in weights.values())
    if rise <= 2 * rim:
        return NOTHING
    measure = measure_where(Box(**starts).all, weights, -constant, Intervals.closed(rim - rise, -rim))
    return Enclosure(measure, measure)


def _curved(policy: Across) -> Enclosure:
    """The length of the points below with partners above, in every slice of the others; between two bounds."""
    starts, (_, up), side = _starts(policy), policy.direction[0], policy.within[policy.boundary.axis]
    if starts is None:
        return NOTHING
    own = starts[policy.boundary.axis]
    rim, rims = (
        RIM * float_up(policy.step),
        np.array([[float(policy.step) * bool(each)] for _, each in policy.direction[1:]]),
    )
    along = 2 * np.array([[float(each)] for _, each in policy.direction[1:]])

    def bounds(lows: Floats, highs: Floats) -> tuple[Floats, Floats]:
        here = values_on(policy.boundary.function, lows - rims, highs + rims)
        there = values_on(policy.boundary.function, lows + along - rims, highs + along + rims) - 2 * float(up)
        lower = np.minimum(float_down(own.high), here.low - rim) - np.maximum(float_up(own.low), there.high + rim)
        upper = np.minimum(float_up(side.high - 2 * up), here.high) - np.maximum(float_down(side.low), there.low)
        return np.maximum(lower, 0.0), np.maximum(upper, 0.0)

    return enclosed(bounds, {name: starts[name] for name in policy.boundary.others})
