"""How much of a box has an affine function's value in a set: exact volumes of slabs.

For positive weights, vol{x ∈ ∏[0, sᵢ] : w·x ≤ t} = Σ over sets S of coordinates, (−1)^|S| (t − Σ_S wᵢsᵢ)₊ⁿ / (n! ∏wᵢ).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import chain, combinations, product
from math import factorial, prod

from noiseless.theory.ranges.boxes import Boxes
from noiseless.theory.ranges.intervals import Intervals

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
        lengths = [(abs(weight), side.measure) for weight, side in moved if weight]
        for part in values.components:
            found += flat * (_below(lengths, part.high - low) - _below(lengths, part.low - low))
            if not lengths and low in part:
                found += flat
    return found


def _products(boxes: Boxes) -> list[tuple[Intervals, ...]]:
    if not boxes.names:
        return [()] if boxes else []
    return [
        (side, *others) for place, rest in boxes.layers for side, others in product(place.components, _products(rest))
    ]


def _below(lengths: list[tuple[Fraction, Fraction]], value: Fraction) -> Fraction:
    """vol{x : w·x ≤ value}; without coordinates, nothing."""
    if not lengths:
        return Fraction(0)
    n, total = len(lengths), Fraction(0)
    for chosen in chain.from_iterable(combinations(lengths, size) for size in range(n + 1)):
        total += (-1) ** len(chosen) * max(value - sum(w * s for w, s in chosen), Fraction(0)) ** n
    return total / (factorial(n) * prod((w for w, _ in lengths), start=ONE))
