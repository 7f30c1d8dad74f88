"""Which values of a vector can share an answer: all largest sets of points that a ball of a given radius holds.

A policy with an error of at most e reports one point b for each cell, so a cell fits iff a ball of radius e around some
b holds its values. Sets of points are written as integers, one bit for each point.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import lcm
from typing import Literal

from noiseless.errors import InputError
from noiseless.theory.estimation.ball import Ball

Norm = Literal["euclidean", "largest", "sum"]
Point = tuple[Fraction, ...]


def maximal_cells(points: Sequence[Point], error: Fraction, norm: Norm) -> list[int]:
    """All sets that fit and to which no other point can be added.

    "largest" is the largest difference of a coordinate (any dimension), "sum" the sum of the differences and
    "euclidean" the usual distance (both on the line and in the plane).

    >>> maximal_cells([(Fraction(0),), (Fraction(1),), (Fraction(2),)], Fraction(1, 2), "largest")
    [3, 6]
    """
    if norm == "euclidean" and len(points[0]) == 2:
        found = _in_discs(points, error)
    else:
        found = _in_boxes(_turned(points, norm), 2 * error)
    kept: list[int] = []
    for cell in sorted(set(found), key=lambda cell: (-cell.bit_count(), cell)):
        if not any(cell | larger == larger for larger in kept):
            kept.append(cell)
    return sorted(kept)


def report_of(points: Sequence[Point], norm: Norm) -> Point:
    """The centre of the smallest ball around a cell's values: the report with the smallest error."""
    if norm == "euclidean":
        return Ball.around(points).centre
    turned = _turned(points, norm)
    middle = tuple((min(values) + max(values)) / 2 for values in zip(*turned, strict=True))
    if norm == "sum" and len(middle) == 2:
        return (middle[0] + middle[1]) / 2, (middle[0] - middle[1]) / 2
    return middle


def _turned(points: Sequence[Point], norm: Norm) -> Sequence[Point]:
    """In the plane |x| + |y| is the larger of |x + y| and |x − y|; on the line all three are the same."""
    if len(points[0]) == 1 or norm == "largest":
        return points
    if norm == "sum" and len(points[0]) == 2:
        return [(x + y, x - y) for x, y in points]
    raise InputError(
        f"norm={norm!r} is only for one or two coordinates, not {len(points[0])}; use norm='largest', which any number "
        f"can have"
    )


def _in_boxes(points: Sequence[Point], width: Fraction) -> Iterator[int]:
    """A box that holds a set can be moved until each side begins at the value of some point."""
    found = {(1 << len(points)) - 1}
    for values in zip(*points, strict=True):
        windows = {
            sum(1 << place for place, value in enumerate(values) if first <= value <= first + width) for first in values
        }
        found = {cell & window for cell in found for window in windows if cell & window}
    yield from found


def _in_discs(points: Sequence[Point], error: Fraction) -> Iterator[int]:
    """A disc that holds a set can be moved until two of its points lie on the circle, or it lies around one of them.

    The centre c of a disc with p and q on its circle is their middle ± √T·(q − p) turned by a right angle, where
    T = (e² − D/4)/D and D = |q − p|². So |r − c| ≤ e is a ≤ b·√T for rational a and b, and squares decide it exactly.
    """
    scale = lcm(error.denominator, *(value.denominator for point in points for value in point))
    exact = [(int(x * scale), int(y * scale)) for x, y in points]
    longest = int(2 * error * scale) ** 2
    for x, y in exact:
        yield sum(1 << k for k, (a, b) in enumerate(exact) if 4 * ((a - x) ** 2 + (b - y) ** 2) <= longest)
    for (px, py), (qx, qy) in combinations(exact, 2):
        dx, dy = qx - px, qy - py
        apart = dx * dx + dy * dy
        if apart > longest:
            continue
        for side in (1, -1):
            cell = 0
            for place, (rx, ry) in enumerate(exact):
                ux, uy = 2 * rx - px - qx, 2 * ry - py - qy
                a, b = ux * ux + uy * uy - apart, side * (uy * dx - ux * dy)
                left, right = a * a * apart, 4 * b * b * (longest - apart)
                if (a <= 0 or left <= right) if b >= 0 else (a <= 0 and left >= right):
                    cell |= 1 << place
            yield cell
