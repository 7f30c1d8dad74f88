"""The lowest point of the highest of several parabolas of one shape.

A set that is invariant under exchanging coordinates has its smallest ball centred on the diagonal, at (z, …, z). A
point whose coordinates have the sum σ and the squares' sum q lies at the squared distance n·z² − 2σz + q from there,
so the squared radius is the least over z of the largest of these, and few points matter.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations

Point = tuple[Fraction, Fraction]
"""The sum of a point's coordinates, and of their squares."""


def squared_radius(n: int, points: Iterable[Point]) -> Fraction:
    """min over z of max over points of n·z² − 2σz + q, exactly: where one is lowest, or two cross.

    >>> squared_radius(1, [(Fraction(0), Fraction(0)), (Fraction(2), Fraction(4))])
    Fraction(1, 1)
    """
    given = sorted(set(points))
    centres = [sigma / n for sigma, _ in given]
    centres += [(p - q) / (2 * (s - t)) for (s, p), (t, q) in combinations(given, 2) if s != t]
    return min(max(n * z * z - 2 * sigma * z + q for sigma, q in given) for z in centres)


def squared_radius_of_sums(n: int, side: Fraction, low: Fraction, high: Fraction) -> Fraction:
    """The squared radius of {x in [0, side]ⁿ : low ≤ Σx ≤ high}.

    With a sum of k·side + φ the squares add up to at most k·side² + φ². This is convex between multiples of the side
    and linear over them, so the two ends and the first and last multiple between them are enough.

    >>> squared_radius_of_sums(2, Fraction(1), Fraction(0), Fraction(1, 2))
    Fraction(1, 8)
    """

    def furthest(total: Fraction) -> Point:
        k = total // side
        return total, k * side**2 + (total - k * side) ** 2

    multiples = [-(-low // side) * side, high // side * side]
    return squared_radius(n, map(furthest, {low, high, *(m for m in multiples if low <= m <= high)}))


def squared_radius_of_order(n: int, k: int, ends: tuple[Fraction, Fraction], low: Fraction, high: Fraction) -> Fraction:
    """The squared radius of the data whose k-th smallest of n values lies from low to high.

    Each other value is as far away as possible: at an end, or equal to the k-th.

    >>> squared_radius_of_order(1, 1, (Fraction(0), Fraction(1)), Fraction(0), Fraction(1, 2))
    Fraction(1, 16)
    """
    points = []
    for at in (low, high):
        for below in (ends[0], at):
            for above in (at, ends[1]):
                values = ((k - 1, below), (1, at), (n - k, above))
                sums = [sum((times * value**power for times, value in values), Fraction(0)) for power in (1, 2)]
                points.append((sums[0], sums[1]))
    return squared_radius(n, points)
