"""The smallest and the largest value of a function on a box, each between a certain bound and a value attained."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from noiseless.exact.enclosure import Enclosure
from noiseless.exact.polynomial import understood
from noiseless.exact.rounding import float_down, float_up
from noiseless.theory.ranges.quadrature import halved, values_on
from noiseless.theory.spread.box_function import BoxFunction

ROUNDS = 40
MOST = 1 << 12
"""Small boxes that are kept in each round."""


def ends_of(values: BoxFunction) -> tuple[Enclosure, Enclosure]:
    """Both ends of the range: exact or very narrow for polynomials of one coordinate, narrow for others.

    >>> from noiseless.theory.ranges.boxes import Box
    >>> low, high = ends_of(BoxFunction(lambda x: x**3 - x, Box(x=(0, 2))))
    >>> high, float(low.width) < 1e-20, abs(float(low.upper) + 2 / 27**0.5) < 1e-9
    (6, True, True)
    """
    sides = [values.box[name] for name in values.box.names]
    polynomial = understood(values.function, len(sides))
    if polynomial is not None:
        return polynomial.ends(sides[0].low, sides[0].high)
    low, high = values.low, values.high
    return (
        Enclosure(low.lower, min(low.upper, _attained(values, 1, low))),
        Enclosure(max(high.lower, -_attained(values, -1, Enclosure(-high.upper, -high.lower))), high.upper),
    )


def _attained(values: BoxFunction, sign: int, known: Enclosure) -> Fraction:
    """A value of ±f near its smallest: middles of the small boxes that can hold a lower one, halved again and again."""
    sides = [values.box[name] for name in values.box.names]
    inside = np.array([[float_up(side.low), float_down(side.high)] for side in sides])
    best = known.upper
    if known.exact or (inside[:, 0] > inside[:, 1]).any():
        return best
    lows, highs = inside[:, :1], inside[:, 1:]
    for _ in range(ROUNDS):
        spans = values_on(lambda *at: sign * values.function(*at), lows, highs)
        middles = (lows + highs) / 2
        there = values_on(lambda *at: sign * values.function(*at), middles, middles)
        best = min(best, Fraction(float(there.high.min())))
        hopeful = spans.low < float(best)
        order = np.argsort(spans.low[hopeful])[:MOST]
        if not len(order):
            break
        lows, highs = halved(lows[:, hopeful][:, order], highs[:, hopeful][:, order])
    return best
