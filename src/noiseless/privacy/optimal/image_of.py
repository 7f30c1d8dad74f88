"""The image of a vector of queries: each value that it can have, with the number of data that have it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, factorial, prod
from typing import Any

import numpy as np

from noiseless.errors import InputError, RangeError, TooLargeError
from noiseless.exact.number import as_integer, exact_number
from noiseless.privacy.composition.vector import Vector
from noiseless.privacy.optimal.maximal_cells import Point
from noiseless.privacy.queries.linear import EqualWeights
from noiseless.privacy.queries.order import OrderStatistic
from noiseless.privacy.queries.variance import Variance

MOST_TRIED = 1 << 16
SYMMETRIC = (EqualWeights, OrderStatistic, Variance)
Image = dict[Point, int]


def image_of(asked: object) -> Image:
    """The values with their numbers of data: counted for a vector with few records, or as given and checked."""
    if isinstance(asked, Vector):
        return _counted(asked)
    if not isinstance(asked, Mapping) or not asked:
        raise InputError("the image is not known; give {(1, 2): 3, …}, a Vector, or a function together with box=")
    found: Image = {}
    for value, number in asked.items():
        data = as_integer(number)
        if data is None or data < 1:
            raise RangeError(f"{number!r} is not a number of data for the value {value}; give an integer of at least 1")
        point = tuple(exact_number(each, "value") for each in (value if isinstance(value, tuple) else (value,)))
        found[point] = found.get(point, 0) + data
    if len({len(point) for point in found}) > 1 or not all(found):
        raise RangeError("the values have different numbers of coordinates; give all of them the same")
    return found


def _counted(vector: Vector) -> Image:
    records, n = vector.records, vector.n
    if records is None or not all(isinstance(query, SYMMETRIC) for query in vector.coordinates.values()):
        raise InputError(
            "the image of this vector cannot be counted; declare records, and use sums, order statistics or variances"
        )
    if comb(len(records) + n - 1, n) > MOST_TRIED:
        raise TooLargeError(f"the data of {n} people with {len(records)} records are too many to try; use fewer")
    values = {name: [Fraction(value) for value in vector.values(name, records)] for name in vector.coordinates}
    found: Counter[Point] = Counter()
    for data in combinations_with_replacement(range(len(records)), n):
        ways = factorial(n) // prod(factorial(times) for times in Counter(data).values())
        own = ((query, [values[name][place] for place in data]) for name, query in vector.coordinates.items())
        found[tuple(_value(query, column) for query, column in own)] += ways
    return dict(found)


def _value(query: Any, own: list[Fraction]) -> Fraction:
    array = np.empty(len(own), dtype=object)
    array[:] = own
    value: Fraction = query.evaluate(array)
    return value
