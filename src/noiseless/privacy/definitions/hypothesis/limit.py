"""No policy can hide more: a hidden point shares a report with a point of the other side within 2·error of it.

T is the set of points within 2·error of the other side, in any direction. ε ≤ [m(X)/m(T) − 1]⁻¹.
"""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from itertools import product
from math import ceil, inf, nextafter, prod

import numpy as np
from numpy.typing import NDArray

from noiseless.exact.rounding import float_down, float_up
from noiseless.exact.span import Span
from noiseless.privacy.definitions.hypothesis.certified import epsilon_of
from noiseless.theory.ranges.boundary import Boundary
from noiseless.theory.ranges.boxes import Box
from noiseless.theory.ranges.intervals import Intervals
from noiseless.theory.ranges.quadrature import values_on

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
CELLS_PER_ERROR, FEWEST, MOST = 128, 4096, 1 << 18
MOST_POINTS = 3000
MOST_WORK = 1 << 26
"""Comparisons of cells, if the boundary has several coordinates."""
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


def limit_in_box(boundary: Boundary, error: Fraction, box: Box) -> Fraction | float:
    """An upper bound, for boundaries of any number of coordinates.

    In the slice at t, a point below g is in T if it is at least g(s) − √(4r² − |s − t|²) for some s; likewise above.
    Over cells of t and of s both are bounded by intervals.
    """
    side = boundary.within(box)
    if not boundary.others:
        rooms = (boundary.at() - side.low, side.high - boundary.at())
        return epsilon_of(sum(min(room, 2 * error) for room in rooms) / side.measure)
    sides = [box[name] for name in boundary.others]
    spread = sum((Fraction(each.high - each.low) for each in (side, *sides)), Fraction(0))
    reach = float_up(min(2 * error, spread))  # no points further away
    edges = [
        np.linspace(float_down(each.low), float_up(each.high), cells + 1)
        for each, cells in zip(sides, _cells(error, sides, reach), strict=True)
    ]
    met, parts = zip(*(_parts(along, each) for along, each in zip(edges, sides, strict=True)), strict=True)
    kept = reduce(np.multiply.outer, met)
    corners = [
        [grid[kept] for grid in np.meshgrid(*(along[ends] for along in edges), indexing="ij")]
        for ends in (slice(None, -1), slice(1, None))
    ]
    values = values_on(boundary.function, np.array(corners[0]), np.array(corners[1]))
    low, high = float_down(side.low), float_up(side.high)
    lengths = _covered(values, kept, low, high, reach, [float(along[1] - along[0]) for along in edges])
    volumes = reduce(np.multiply.outer, parts)
    share = Fraction(nextafter(float((lengths * volumes).sum()) * SLACK / float(_measure(sides) * side.measure), inf))
    return epsilon_of(min(share, Fraction(1)))


def _measure(sides: list[Intervals]) -> Fraction:
    """The product of the lengths."""
    return prod((each.measure for each in sides), start=Fraction(1))


def _cells(error: Fraction, sides: list[Intervals], reach: float) -> list[int]:
    """The number of cells along each coordinate: as fine as the work allows."""
    if len(sides) == 1:
        return [min(max(ceil(CELLS_PER_ERROR * (sides[0].high - sides[0].low) / error), FEWEST), MOST)]
    each = int(MOST ** (1 / len(sides)))
    while each > 2:
        around = prod(2 * _away(reach, float(side.high - side.low) / each, each) + 1 for side in sides)
        if each ** len(sides) * around <= MOST_WORK:
            break
        each = each * 4 // 5
    return [each] * len(sides)


def _away(reach: float, cell: float, cells: int) -> int:
    """How many cells away another cell can be and still be within reach."""
    return min(int(reach / cell) + 1, cells - 1)


def _parts(edges: Floats, side: Intervals) -> tuple[Bools, Floats]:
    """Which cells meet the range, if only in a point, and how much of each is in it, rounded up."""
    inside = np.stack(
        [
            np.minimum(edges[1:], float_up(part.high)) - np.maximum(edges[:-1], float_down(part.low))
            for part in side.components
        ]
    )
    met: Bools = np.logical_or.reduce(inside >= 0)
    return met, np.maximum(inside, 0.0).sum(axis=0) * SLACK


def _covered(g: Span, kept: Bools, low: float, high: float, reach: float, cells: list[float]) -> Floats:
    """An upper bound of the length of T in the slices of every cell."""
    downward, upward = np.full(kept.shape, np.inf), np.full(kept.shape, -np.inf)
    downward[kept] = np.where(g.low <= high, np.maximum(g.low, low), np.inf)
    upward[kept] = np.where(g.high > low, np.minimum(g.high, high), -np.inf)
    least, most = downward - reach, upward + reach
    steps = [_away(reach, cell, size) for cell, size in zip(cells, kept.shape, strict=True)]
    for away in product(*(range(-step, step + 1) for step in steps)):
        squared = sum(((abs(step) - 1) * cell) ** 2 for step, cell in zip(away, cells, strict=True) if step)
        if not any(away) or squared > reach**2 * SLACK:
            continue
        ball = np.sqrt(max(reach**2 - squared, 0.0) + (1e-6 * reach) ** 2) * SLACK
        near, far = (tuple(_moved(sign * step) for step in away) for sign in (1, -1))
        least[near] = np.minimum(least[near], downward[far] - ball)
        most[near] = np.maximum(most[near], upward[far] + ball)
    lengths = np.zeros(kept.shape)
    beneath = np.clip(np.minimum(g.high, high) - np.maximum(least[kept], low), 0.0, None)
    above = np.clip(np.minimum(most[kept], high) - np.maximum(g.low, low), 0.0, None)
    lengths[kept] = np.minimum(beneath + above, high - low)
    return lengths


def _moved(step: int) -> slice:
    return slice(step, None) if step > 0 else slice(None, step or None)
