"""The smallest ball around finitely many points, exactly.

The centre moves towards the point that is equally far from all the furthest points, until another point becomes equally
far. A point that would have to pull the wrong way is dropped (Fischer, Gärtner, Kutz 2003). All numbers are rational,
so everything is exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from noiseless.errors import RangeError

Vector = tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class Ball:
    """Its centre, and the square of its radius.

    >>> ball = Ball.around([(0, 0), (2, 0), (1, 1)])
    >>> ball.centre, ball.squared
    ((Fraction(1, 1), Fraction(0, 1)), Fraction(1, 1))
    """

    centre: Vector
    squared: Fraction

    @classmethod
    def around(cls, points: Iterable[Sequence[Fraction | int]]) -> Ball:
        """The smallest one that holds all points."""
        given = sorted({tuple(map(Fraction, point)) for point in points})
        if not given:
            raise RangeError("no point is given; give at least one")
        centre = given[0]
        furthest = [max(given, key=lambda point: _square(_minus(point, centre)))]
        while True:
            aim, pulls = _equally_far(furthest, centre)
            if aim == centre:
                # every point pulls outward: no smaller ball holds them all
                if min(pulls) >= 0:
                    return cls(centre, _square(_minus(furthest[0], centre)))
                # always the first in order, here and below: no walk comes back to where it was (Bland's rule)
                furthest.remove(min(point for point, pull in zip(furthest, pulls, strict=True) if pull < 0))
                continue
            share, stopper = _way(given, furthest, centre, aim)
            centre = tuple(c + share * (a - c) for c, a in zip(centre, aim, strict=True))
            if stopper is not None:
                furthest.append(stopper)


def _way(given: list[Vector], furthest: list[Vector], centre: Vector, aim: Vector) -> tuple[Fraction, Vector | None]:
    """How far the centre can move towards the aim before another point is equally far, and which point."""
    step = _minus(aim, centre)
    radius, first = _square(_minus(furthest[0], centre)), _dot(_minus(furthest[0], centre), step)
    share, stopper = Fraction(1), None
    for point in given:
        gap = _minus(point, centre)
        # |p−c−ts|² = |q−c−ts|² is linear in t
        slower = first - _dot(gap, step)
        if slower > 0:
            met = (radius - _square(gap)) / (2 * slower)
            if met < share:
                share, stopper = met, point
    return share, stopper


def _equally_far(points: list[Vector], centre: Vector) -> tuple[Vector, list[Fraction]]:
    """The point nearest to the centre in the flat through the points, and how they make it up (pulls that sum to 1).

    The centre is equally far from all of them, so the nearest point of their flat is equally far from all as well.
    """
    origin, *others = points
    axes = [_minus(point, origin) for point in others]
    offset = _minus(centre, origin)
    pulls = _solved([[_dot(a, b) for b in axes] for a in axes], [_dot(a, offset) for a in axes])
    aim = origin
    for pull, axis in zip(pulls, axes, strict=True):
        aim = tuple(a + pull * along for a, along in zip(aim, axis, strict=True))
    return aim, [1 - sum(pulls, Fraction(0)), *pulls]


def _solved(matrix: list[list[Fraction]], right: list[Fraction]) -> list[Fraction]:
    """Gaussian elimination; the points never lie in a flat of lower dimension, so there is one solution."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for k in range(len(rows)):
        pivot = next(j for j in range(k, len(rows)) if rows[j][k])
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [value / rows[k][k] for value in rows[k]]
        for j in range(len(rows)):
            if j != k and rows[j][k]:
                rows[j] = [a - rows[j][k] * b for a, b in zip(rows[j], rows[k], strict=True)]
    return [row[-1] for row in rows]


def _minus(a: Vector, b: Vector) -> Vector:
    return tuple(x - y for x, y in zip(a, b, strict=True))


def _dot(a: Vector, b: Vector) -> Fraction:
    return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))


def _square(a: Vector) -> Fraction:
    return _dot(a, a)
