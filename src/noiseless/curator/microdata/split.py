"""A number of different rows, divided among columns so that their relative errors are nearly equal."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

from noiseless.exact.roots import integer_root


def split(values: Mapping[str, int], answers: int) -> dict[str, int]:
    """How many answers each column gets. Their product is at most `answers`, and the smallest is as large as possible.

    The relative error of k equal cells is 1/(2k), whatever the range. So all columns get the same k, the largest whose
    power fits, but at most their number of values. What is left over raises one column after another.

    >>> split({"height": 1501, "weight": 2001}, 64)
    {'height': 8, 'weight': 8}
    >>> split({"height": 1501, "smoker": 2, "age": 100}, 64)
    {'height': 6, 'smoker': 2, 'age': 5}
    """
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


def _raised(found: Mapping[str, int], name: str) -> int:
    return prod(found.values()) // found[name] * (found[name] + 1)
