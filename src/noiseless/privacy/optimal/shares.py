"""The share of all possible data in each cell of a quantizer."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from noiseless.exact.enclosure import Enclosure
from noiseless.privacy.optimal.best import few_enough
from noiseless.privacy.quantizers.quantizer import Quantizer
from noiseless.theory.spread.atoms import Atoms
from noiseless.theory.spread.box_function import BoxFunction
from noiseless.theory.spread.spread import Spread

AnySpread = Spread | Atoms | BoxFunction
ZERO, ONE = Fraction(0), Fraction(1)


def shares(spread: AnySpread, quantizer: Quantizer) -> tuple[Enclosure, ...]:
    """The share of every nonempty cell, in order."""
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
    # a cell of a single point has a share of 0 but is still an answer
    first, last = quantizer.index(spread.low, "clamp"), quantizer.index(spread.high, "clamp")
    below = [ZERO, *(spread.share_below(edge) for edge in inner[first:last]), ONE]
    return tuple(_exactly(right - left) for left, right in pairwise(below))


def smallest_share(spread: AnySpread, quantizer: Quantizer) -> Enclosure:
    """The share of the smallest nonempty cell; with one peak and equal cells, the first or the last."""
    if not isinstance(spread, (Atoms, BoxFunction)) and quantizer.edges is None and _covers(quantizer, spread):
        return _exactly(_smaller_end(spread, quantizer))
    found = shares(spread, quantizer)
    return Enclosure(min(share.lower for share in found), min(share.upper for share in found))


def _covers(quantizer: Quantizer, spread: Spread) -> bool:
    return quantizer.low <= spread.low and spread.high <= quantizer.high


def _smaller_end(spread: Spread, quantizer: Quantizer) -> Fraction:
    first, last = quantizer.index(spread.low), quantizer.index(spread.high)
    if first == last:
        return ONE
    return min(spread.share_below(quantizer.edge(first + 1)), 1 - spread.share_below(quantizer.edge(last)))


def _exactly(share: Fraction) -> Enclosure:
    return Enclosure(share, share)
