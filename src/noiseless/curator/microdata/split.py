"""A number of different rows, divided among columns so that their relative errors are nearly equal."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from fractions import Fraction
from math import ceil, floor, prod

from noiseless.exact.roots import integer_root


def split(values: Mapping[str, int], answers: int, weights: Mapping[str, Fraction] | None = None) -> dict[str, int]:
    """How many answers each column gets. Their product is at most `answers`, and the smallest is as large as possible.

    The relative error of k equal cells is 1/(2k), whatever the range. So all columns get the same k, the largest whose
    power fits, but at most their number of values. What is left over raises one column after another. A column of
    weight w gets w times as many cells as one of weight 1.

    >>> split({"height": 1501, "weight": 2001}, 64)
    {'height': 8, 'weight': 8}
    >>> split({"height": 1501, "smoker": 2, "age": 100}, 64)
    {'height': 6, 'smoker': 2, 'age': 5}
    >>> split({"height": 1501, "weight": 2001}, 72, {"height": Fraction(2)})
    {'height': 12, 'weight': 6}
    """
    if weights:
        return _weighted(values, answers, {name: weights.get(name, Fraction(1)) for name in values})
    found: dict[str, int] = {}
    left = dict(values)
    while left:
        root = integer_root(answers // prod(found.values()), len(left))
        full = {name: size for name, size in left.items() if size <= root}
        if not full:
            found |= dict.fromkeys(left, max(1, root))
            break
        found |= full
        left = {name: size for name, size in left.items() if name not in full}
    while raised := [name for name in values if found[name] < values[name] and _raised(found, name) <= answers]:
        found[min(raised, key=found.__getitem__)] += 1
    return {name: found[name] for name in values}


def _weighted(values: Mapping[str, int], answers: int, weights: Mapping[str, Fraction]) -> dict[str, int]:
    """The most cells in these proportions; what is left over raises the column that lacks most for its weight."""

    def found(parts: int) -> dict[str, int]:
        largest = max(weights.values())
        each = ((name, floor(parts * weight / largest)) for name, weight in weights.items())
        return {name: max(1, min(values[name], cells)) for name, cells in each}

    most = max(ceil(values[name] * max(weights.values()) / weight) for name, weight in weights.items())
    parts = bisect_right(range(1, most + 1), answers, key=lambda each: prod(found(each).values()))
    chosen = found(parts)
    while raised := [name for name in values if chosen[name] < values[name] and _raised(chosen, name) <= answers]:
        chosen[min(raised, key=lambda name: chosen[name] / weights[name])] += 1
    return chosen


def _raised(found: Mapping[str, int], name: str) -> int:
    return prod(found.values()) // found[name] * (found[name] + 1)
