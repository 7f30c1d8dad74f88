"""ε-entropy: how many small pieces cover a set."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, prod

from noiseless.errors import RangeError
from noiseless.exact.logratio import LogRatio
from noiseless.exact.number import Number, exact_number
from noiseless.theory.ranges.boxes import Box
from noiseless.theory.ranges.intervals import Intervals


def epsilon_entropy(within: Intervals | Box | str, epsilon: Number) -> LogRatio:
    """log of the smallest number of sets of diameter 2ε, in the maximum norm, that cover a union of intervals or a box.

    Intervals are covered from the left, each piece beginning where the last one ends. A box, or a product of unions,
    needs the product of the numbers of its sides: points just over 2ε apart along each side need separate pieces.

    Guarantee: exact; μ ≤ (2ε)ⁿ·N. The paper's lower bound is false.
    Source: TIFS Remark II.1, corrected: docs/measures/epsilon_entropy.md

    >>> epsilon_entropy("[0, 1]", "0.1"), epsilon_entropy("[0, 1/2]", 1)
    (log2(5) ≈ 2.322 bits, log2(1) = 0 bits)
    >>> epsilon_entropy(Box(weight=(0, 200), height=(0, 250)), 25)
    log2(20) ≈ 4.322 bits
    """
    width = 2 * exact_number(epsilon, "epsilon")
    if width <= 0:
        raise RangeError(f"epsilon={epsilon} must be above 0; use a positive one")
    if isinstance(within, Box):
        return LogRatio(prod(_pieces(side, width) for _, side in within.sides))
    side = Intervals(within) if isinstance(within, str) else within
    if not isinstance(side, Intervals):
        raise RangeError(f"a {type(within).__name__} is not a union of intervals or a box; give one of these")
    return LogRatio(_pieces(side, width))


def _pieces(rest: Intervals, width: Fraction) -> int:
    """Cover an interval at once; the last piece may also cover what follows it."""
    found = 0
    while rest:
        first = rest.components[0]
        pieces = max(ceil(first.measure / width), 1)
        rest = rest - Intervals.closed(first.low, first.low + pieces * width)
        found += pieces
    return found
