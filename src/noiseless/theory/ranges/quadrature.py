"""∫ φ(g) for a function g that interval arithmetic can follow: two sums that certainly enclose the integral.

The domain is cut into pieces. On each piece g lies between two numbers, so φ(g) and its integral do too. The pieces
with the most uncertainty are halved until little remains. Nothing is sampled.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import pairwise, product
from math import fsum, inf, nextafter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noiseless.errors import RangeError
from noiseless.exact.enclosure import Enclosure
from noiseless.exact.rounding import float_down, float_up
from noiseless.exact.span import Span, span
from noiseless.theory.ranges.intervals import Intervals
from noiseless.theory.ranges.profile import Profile

Floats = NDArray[np.float64]
FIRST, MOST = 1 << 10, 1 << 18
"""The number of pieces at the start, and the most."""
DOUBT = 1e-6
"""The share of the upper sum that may stay uncertain, if the pieces are enough."""
ROUNDS = 48
"""How often a piece is halved at most; an integral of 0 is never known to a share of itself."""
SLACK = 1e-12
"""More than the relative rounding error of one product or sum of floats here."""


def quadrature(function: Callable[..., Any], domain: Mapping[str, Intervals], profile: Profile) -> Enclosure:
    """∫ φ(g) over the domain, both sums as exact numbers, each rounded outward."""
    return enclosed(lambda lows, highs: _between(profile, values_on(function, lows, highs)), domain)


def enclosed(bounds: Callable[[Floats, Floats], tuple[Floats, Floats]], domain: Mapping[str, Intervals]) -> Enclosure:
    """The integral of a function of at least 0 that `bounds` encloses on every piece, from its corners."""
    lows, highs = cut_evenly(domain, FIRST)
    settled = [0.0, 0.0]
    for left in reversed(range(ROUNDS)):
        volume = np.prod(highs - lows, axis=0)
        least, most = bounds(lows, highs)
        lower, upper = volume * least * (1 - SLACK), volume * most * (1 + SLACK)
        total = settled[1] + fsum(upper)
        open_ones = upper - lower > DOUBT * total / (4 * lows.shape[1])
        enough = total - settled[0] - fsum(lower) <= DOUBT * total or not open_ones.any()
        if enough or not left or lows.shape[1] > MOST // 2:
            break
        settled = [settled[0] + fsum(lower[~open_ones]), settled[1] + fsum(upper[~open_ones])]
        lows, highs = halved(lows[:, open_ones], highs[:, open_ones])
    down, up = (settled[0] + fsum(lower)) * (1 - SLACK), total * (1 + SLACK)
    return Enclosure(Fraction(max(nextafter(down, -inf), 0.0)), Fraction(nextafter(up, inf)))


def cut_evenly(domain: Mapping[str, Intervals], pieces: int) -> tuple[Floats, Floats]:
    """Each side cut evenly into about the given number of pieces in total: one row for each coordinate."""
    each = max(2, round(pieces ** (1 / len(domain))))
    sides = []
    for side in domain.values():
        edges = [np.linspace(float_down(part.low), float_up(part.high), each + 1) for part in side.components]
        sides.append([(a, b) for grid in edges for a, b in pairwise(grid)])
    corners = np.array(list(product(*sides)))
    return corners[:, :, 0].T.copy(), corners[:, :, 1].T.copy()


def halved(lows: Floats, highs: Floats) -> tuple[Floats, Floats]:
    """Two pieces of each, cut across its longest side."""
    longest, columns = np.argmax(highs - lows, axis=0), np.arange(lows.shape[1])
    middle = (lows + highs)[longest, columns] / 2
    left, right = highs.copy(), lows.copy()
    left[longest, columns] = middle
    right[longest, columns] = middle
    return np.hstack([lows, right]), np.hstack([left, highs])


def values_on(function: Callable[..., Any], lows: Floats, highs: Floats) -> Span:
    """The bounds of the function on each piece."""
    try:
        found = function(*(Span(low, high) for low, high in zip(lows, highs, strict=True)))
    except (TypeError, ValueError, AttributeError, ArithmeticError, LookupError) as wrong:
        raise RangeError(
            "the function cannot be followed by interval arithmetic; write it with + - * / ** and "
            "numpy's sqrt, exp, log, sin, cos, floor, abs, minimum, maximum, and numpy.where for pieces"
        ) from wrong
    values = span(found)
    if not (np.all(np.isfinite(values.low)) and np.all(np.isfinite(values.high))):
        raise RangeError("the function is not finite on all of the box; choose a smaller box")
    return Span(np.broadcast_to(values.low, lows[0].shape), np.broadcast_to(values.high, lows[0].shape))


def _between(profile: Profile, values: Span) -> tuple[Floats, Floats]:
    """The smallest and largest value of φ on each span."""
    ends = [_at(profile, end) for end in (values.low, values.high)]
    least = np.minimum(ends[0][0], ends[1][0])
    most = np.maximum(ends[0][1], ends[1][1])
    for place, bend in enumerate(profile.bends):
        low, high = profile.limits(place)
        inside = (values.low <= float_up(bend)) & (values.high >= float_down(bend))
        least = np.where(inside, np.minimum(least, float_down(low)), least)
        most = np.where(inside, np.maximum(most, float_up(high)), most)
    return np.maximum(least, 0.0), most


def _at(profile: Profile, values: Floats) -> tuple[Floats, Floats]:
    slopes, constants = np.array([[float(slope), float(constant)] for slope, constant in profile.lines]).T
    place = np.searchsorted([float(bend) for bend in profile.bends], values)
    rising, constant = slopes[place] * values, constants[place]
    slack = SLACK * (np.abs(rising) + np.abs(constant))
    return rising + constant - slack, rising + constant + slack
