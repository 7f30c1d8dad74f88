"""The share of all possible data in each cell of a quantizer."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from noiseless.exact.enclosure import Enclosure
from noiseless.privacy.mechanisms.quantizer import Quantizer
from noiseless.privacy.optimal.best import few_enough
from noiseless.theory.spread.atoms import Atoms
from noiseless.theory.spread.box_function import BoxFunction
from noiseless.theory.spread.spread import Spread

Any = Spread | Atoms | BoxFunction
ZERO, ONE = Fraction(0), Fraction(1)


def shares(spread: Any, quantizer: Quantizer) -> tuple[Enclosure, ...]:
    """Of every cell that holds any, in order."""
    if isinstance(spread, Atoms):
        points: dict[int, int] = {}
        for value, number in zip(spread.values, spread.points, strict=True):
            index = quantizer.index(value, "clamp")
            points[index] = points.get(index, 0) + number
        return tuple(_exactly(Fraction(number, spread.total)) for number in points.values())
    few_enough(Fraction(quantizer.levels))
    inner = [quantizer.edge(k) for k in range(1, quantizer.levels)]
    if isinstance(spread, BoxFunction):
        return tuple(share for share in spread.shares(inner) if share.upper > 0)
    below = [ZERO, *(spread.share_below(edge) for edge in inner), ONE]
    return tuple(_exactly(right - left) for left, right in pairwise(below) if right > left)


def smallest_share(spread: Any, quantizer: Quantizer) -> Enclosure:
    """Of the smallest cell that holds any. With one peak and equal cells it is the first or the last."""
    if not isinstance(spread, (Atoms, BoxFunction)) and quantizer.edges is None:
        first = quantizer.index(spread.low, "clamp")
        last = quantizer.index(spread.high, "clamp")
        if first == last:
            return _exactly(ONE)
        last -= quantizer.edge(last) == spread.high
        ends = [spread.share_below(quantizer.edge(first + 1)), 1 - spread.share_below(quantizer.edge(last))]
        return _exactly(min(end for end in ends if end > 0))
    found = shares(spread, quantizer)
    return Enclosure(min(share.lower for share in found), min(share.upper for share in found))


def _exactly(share: Fraction) -> Enclosure:
    return Enclosure(share, share)
