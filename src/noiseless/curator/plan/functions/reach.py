"""The whole numbers at which each result of a curve begins. Engines correct their first guesses with them."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor, inf, isfinite
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from noiseless.curator.plan.functions.curve import Curve

OFF = 1e-10
"""How far the inverse of a curve in doubles can be off, relative to itself or to 1. It is off by far less."""
FLAT = 1e-3
"""Inverses are less exact than that for powers, and logarithms of bases, that are nearer to 0."""


@lru_cache(maxsize=100)
def reached(made: Curve, unit: int, first: Fraction, last: Fraction, low: int, high: int) -> tuple[int, ...]:
    """For every result but the lowest, the whole number at which it begins."""
    ends, inverse, steep = (ceil(first * unit), floor(last * unit)), _inverse(made), _is_steep(made)
    found = []
    for place in range(low + 1, high + 1):
        near = inverse(place) * unit
        quick = _surely(near, unit, made.falls, ends) if steep else None
        found.append(_first_to_reach(made, place, unit, near, ends) if quick is None else quick)
    return tuple(found)


def _is_steep(made: Curve) -> bool:
    """Whether doubles are exact enough for its inverse."""
    match made.way:
        case "LOG":
            return abs(math.log(made.exponent)) > FLAT
        case "POWER":
            return abs(made.exponent) > FLAT
        case _:
            return True


def _surely(near: float, unit: int, falls: bool, ends: tuple[int, int]) -> int | None:
    """The whole number after the inverse, or before it if the curve falls, unless that is too near to call."""
    if not isfinite(near):
        return None
    off = OFF * (unit + abs(near))
    low, high = (floor(near - off), floor(near + off)) if falls else (ceil(near - off), ceil(near + off))
    return min(max(low, ends[0]), ends[1]) if low == high else None


def _first_to_reach(made: Curve, place: int, unit: int, near: float, ends: tuple[int, int]) -> int:
    """The smallest whole number n with a result for n/unit of at least `place`; for a falling function, the largest."""
    low, high = ends
    guess = floor(near) if isfinite(near) else low
    width = 2 + abs(guess) // 10**12
    low, high = max(low, guess - width), min(high, guess + width)

    def reaches(n: int) -> bool:
        return made.place(Fraction(n, unit)) >= place

    if made.falls:
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if reaches(middle) else (low, middle - 1)
        return low
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if reaches(middle) else (middle + 1, high)
    return low


def _inverse(made: Curve) -> Callable[[int], float]:
    """The inverse in doubles: about the number at which the result at a place begins."""
    step = float(made.step)

    def found(place: int) -> float:
        value = (place - 0.5) * step
        try:
            match made.way:
                case "SQRT":
                    return value * value
                case "LN":
                    return math.exp(value)
                case "EXP":
                    return math.log(value)
                case "LOG":
                    return math.exp(value * math.log(made.exponent))
            return float(value ** (1 / float(made.exponent)))
        except (ArithmeticError, ValueError):
            return inf

    return found
