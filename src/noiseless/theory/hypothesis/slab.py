"""The measure of the part of a box on which an affine function has its value in a set."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from math import prod

from noiseless.theory.ranges.boxes import Boxes
from noiseless.theory.ranges.intervals import Intervals
from noiseless.theory.spread.linear import LinearSpread

ONE = Fraction(1)


def measure_where(boxes: Boxes, weights: Mapping[str, Fraction], constant: Fraction, values: Intervals) -> Fraction:
    """The measure of the points whose value lies in `values`.

    >>> from noiseless.theory.ranges.boxes import Box
    >>> unit = Box(x=(0, 1), y=(0, 1)).all
    >>> measure_where(unit, {"x": ONE, "y": ONE}, Fraction(0), Intervals("[0, 1/2]"))
    Fraction(1, 8)
    """
    found = Fraction(0)
    for sides in _products(boxes):
        moved = [(weights.get(name, Fraction(0)), side) for name, side in zip(boxes.names, sides, strict=True)]
        flat = prod((side.measure for weight, side in moved if weight == 0), start=ONE)
        low = constant + sum(weight * (side.low if weight > 0 else side.high) for weight, side in moved if weight)
        lengths = [abs(weight) * side.measure for weight, side in moved if weight]
        if not all(lengths):
            continue
        if not lengths:
            found += flat * (low in values)
            continue
        spread, volume = LinearSpread.of(lengths), prod((side.measure for _, side in moved), start=ONE)
        for part in values.components:
            found += volume * (spread.share_below(part.high - low) - spread.share_below(part.low - low))
    return found


def _products(boxes: Boxes) -> list[tuple[Intervals, ...]]:
    if not boxes.names:
        return [()] if boxes else []
    return [
        (side, *others) for place, rest in boxes.layers for side, others in product(place.components, _products(rest))
    ]
