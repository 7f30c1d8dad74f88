"""Which values of a vector can share an answer: all largest sets of points that a ball of a given radius holds.

A policy with an error of at most e reports one point b for each cell, so a cell fits iff a ball of radius e around some
b holds its values. Sets of points are written as integers, one bit for each point.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import inf, lcm, sqrt
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from noiseless.errors import InputError
from noiseless.privacy.optimal.fewest_cells import places
from noiseless.theory.estimation.ball import Ball

Norm = Literal["euclidean", "largest", "sum"]
Point = tuple[Fraction, ...]
LONGEST = 500
"""Beyond this number of bits, no floats are used."""
Floats = NDArray[np.float64]
ROUNDING = 1e-13
"""More than the relative rounding error of a few sums and products of floats."""


def maximal_cells(points: Sequence[Point], error: Fraction, norm: Norm) -> list[int]:
    """All sets that fit and to which no other point can be added.

    "largest" is the largest difference of a coordinate (any dimension), "sum" the sum of the differences and
    "euclidean" the usual distance (both on the line and in the plane).

    >>> maximal_cells([(Fraction(0),), (Fraction(1),), (Fraction(2),)], Fraction(1, 2), "largest")
    [3, 6]
    """
    if norm == "euclidean" and len(points[0]) == 2:
        found: Iterable[int] = _in_discs(points, error)
    else:
        turned = turned_to_boxes(points, norm)
        found = in_boxes(turned, turned, 2 * error)
    return largest_of(found)


def largest_of(found: Iterable[int]) -> list[int]:
    """The sets that lie in no other."""
    kept: dict[int, list[int]] = {}
    for cell in sorted(set(found), key=lambda cell: (-cell.bit_count(), cell)):
        # a larger set has the first point of the cell as well
        if not any(cell | larger == larger for larger in kept.get(cell & -cell, ())):
            for place in places(cell):
                kept.setdefault(1 << place, []).append(cell)
    return sorted({cell for cells in kept.values() for cell in cells})


def report_of(points: Sequence[Point], norm: Norm) -> Point:
    """The centre of the smallest ball around a cell's values: the report with the smallest error."""
    if norm == "euclidean":
        return Ball.around(points).centre
    turned = turned_to_boxes(points, norm)
    middle = tuple((min(values) + max(values)) / 2 for values in zip(*turned, strict=True))
    if norm == "sum" and len(middle) == 2:
        return (middle[0] + middle[1]) / 2, (middle[0] - middle[1]) / 2
    return middle


def turned_to_boxes(points: Sequence[Point], norm: Norm) -> Sequence[Point]:
    """In the plane |x| + |y| is the larger of |x + y| and |x − y|; on the line all three are the same."""
    if len(points[0]) == 1 or norm == "largest":
        return points
    if norm == "sum" and len(points[0]) == 2:
        return [(x + y, x - y) for x, y in points]
    raise InputError(
        f"norm={norm!r} is only for one or two coordinates, not {len(points[0])}; use norm='largest', which any number "
        f"can have"
    )


def in_boxes(lows: Sequence[Point], highs: Sequence[Point], width: Fraction) -> set[int]:
    """Which of the boxes between lows and highs, or points if the two are equal, a cube of this width can hold.

    The cube can be moved until each side begins where one of them begins.
    """
    found = {(1 << len(lows)) - 1}
    for low, high in zip(zip(*lows, strict=True), zip(*highs, strict=True), strict=True):
        ends = list(enumerate(zip(low, high, strict=True)))
        windows = {sum(1 << place for place, (a, b) in ends if first <= a and b <= first + width) for first in set(low)}
        found = {cell & window for cell in found for window in windows if cell & window}
    return found


def _in_discs(points: Sequence[Point], error: Fraction) -> Iterator[int]:
    """A disc that holds a set can be moved until two of its points lie on the circle, or it lies around one of them.

    The centre c of a disc with p and q on its circle is their middle ± √T·(q − p) turned by a right angle, where
    T = (e² − D/4)/D and D = |q − p|². So |r − c| ≤ e is a ≤ b·√T for rational a and b, and squares decide it exactly.
    Floats decide it where their rounding cannot matter.
    """
    scale = lcm(error.denominator, *(value.denominator for point in points for value in point))
    exact = [(int(x * scale), int(y * scale)) for x, y in points]
    longest = int(2 * error * scale) ** 2
    largest = max(longest, *(value * value for point in exact for value in point))
    rough = largest.bit_length() < LONGEST
    xs, ys = np.array([(float(x), float(y)) if rough else (0.0, 0.0) for x, y in exact]).T
    far = sqrt(largest) if rough else inf
    for x, y in exact:
        yield sum(1 << k for k, (a, b) in enumerate(exact) if 4 * ((a - x) ** 2 + (b - y) ** 2) <= longest)
    for (px, py), (qx, qy) in combinations(exact, 2):
        dx, dy = qx - px, qy - py
        squared = dx * dx + dy * dy
        if not 0 < squared <= longest:  # different small boxes may have the same values
            continue
        left, right, doubt = _sides(xs, ys, (px + qx, py + qy), (dx, dy), longest, far)
        for side in (1, -1):
            inside = left <= side * right
            for place in np.flatnonzero(np.abs(left - side * right) <= doubt).tolist():
                rx, ry = 2 * exact[place][0] - px - qx, 2 * exact[place][1] - py - qy
                c, d = rx * rx + ry * ry - squared, side * (ry * dx - rx * dy)
                one, other = c * c * squared, 4 * d * d * (longest - squared)
                inside[place] = (c <= 0 or one <= other) if d >= 0 else (c <= 0 and one >= other)
            yield int.from_bytes(np.packbits(inside, bitorder="little").tobytes(), "little")


def _sides(
    xs: Floats, ys: Floats, middle: tuple[int, int], along: tuple[int, int], longest: int, far: float
) -> tuple[Floats, Floats, Floats]:
    """4a·√D and 4b·√(e² − D/4)·2 in floats, and how near to each other rounding could confuse them."""
    if far == inf:
        return np.zeros(len(xs)), np.zeros(len(xs)), np.full(len(xs), inf)
    dx, dy = map(float, along)
    squared = dx * dx + dy * dy
    ux, uy = 2 * xs - float(middle[0]), 2 * ys - float(middle[1])
    a, b = ux * ux + uy * uy - squared, uy * dx - ux * dy
    rest = sqrt(max(0, longest - (along[0] ** 2 + along[1] ** 2)))
    doubt = ROUNDING * (longest + far * (np.abs(ux) + np.abs(uy) + sqrt(longest))) * 2 * sqrt(longest)
    return a * sqrt(squared), 2 * b * rest, doubt
