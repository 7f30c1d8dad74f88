"""The corners of a slab {lo ≤ w·x ≤ hi} of a box: what its smallest ball must hold.

A corner lies on edges of the box. Either it is a corner of the box, or one coordinate is where the edge meets lo or hi.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from noiseless.errors import TooLargeError
from noiseless.theory.estimation.ball import Ball

MOST_COORDINATES = 9

Side = tuple[Fraction, Fraction]


def slab_ball(weights: Sequence[Fraction], sides: Sequence[Side], low: Fraction, high: Fraction) -> Ball:
    """The smallest ball around the slab.

    >>> one = Fraction(1)
    >>> slab_ball([one, one], [(Fraction(0), one)] * 2, Fraction(0), one / 2).squared
    Fraction(1, 8)
    """
    if len(weights) > MOST_COORDINATES:
        raise TooLargeError(
            f"a slab with different weights in {len(weights)} coordinates has too many corners; use at most "
            f"{MOST_COORDINATES} coordinates, or equal weights"
        )
    corners = []
    for corner in product(*sides):
        value = sum((w * x for w, x in zip(weights, corner, strict=True)), Fraction(0))
        if low <= value <= high:
            corners.append(corner)
        for place, (weight, side) in enumerate(zip(weights, sides, strict=True)):
            if weight == 0 or corner[place] != side[0]:
                continue
            for end in (low, high):
                met = side[0] + (end - value) / weight
                if side[0] < met < side[1]:
                    corners.append((*corner[:place], met, *corner[place + 1 :]))
    return Ball.around(corners)
