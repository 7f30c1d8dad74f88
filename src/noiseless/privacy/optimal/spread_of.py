"""From a query to its spread: exact volumes if values fill intervals, otherwise exact numbers of points."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, factorial, prod
from typing import Any

import numpy as np

from noiseless.errors import InputError, RangeError, TooLargeError
from noiseless.privacy.domain import is_evenly_spaced, members
from noiseless.privacy.queries.linear import EqualWeights, Linear, weights_of
from noiseless.privacy.queries.order import OrderStatistic
from noiseless.privacy.queries.query import Query
from noiseless.privacy.queries.variance import Variance
from noiseless.privacy.queries.weighted_sum import WeightedSum
from noiseless.theory.ranges.boxes import Box
from noiseless.theory.ranges.interval import Interval
from noiseless.theory.spread.atoms import MOST_ADDITIONS, Atoms, sums_of, sums_of_equal
from noiseless.theory.spread.box_function import BoxFunction
from noiseless.theory.spread.linear import LinearSpread
from noiseless.theory.spread.order import OrderSpread, at_least
from noiseless.theory.spread.spread import Spread

Asked = Query | Mapping[Any, int] | Callable[..., Any]
"""A query, the number of points with each value, or a function of the coordinates of a box."""
MOST_TRIED = 1 << 16
MOST_PEOPLE = 1000


def spread_of(asked: Asked, box: Box | None = None) -> Spread | Atoms | BoxFunction:
    """The spread of the possible data by a query, with all data weighted equally."""
    if box is not None:
        if not callable(asked) or not isinstance(box, Box):
            raise InputError(
                "box= is only for a function of its coordinates, and a query has its own domain; leave it out"
            )
        if box.measure == 0:
            raise RangeError("the box has no measure; give every side a length above 0")
        return BoxFunction(asked, box)
    match asked:
        case Mapping():
            return Atoms.of(asked)
        case EqualWeights() | Linear():
            return _linear(asked)
        case WeightedSum():
            return _own_domains(asked)
        case OrderStatistic():
            return _order(asked)
        case Variance():
            return _variance(asked)
    raise InputError(
        f"the spread of a {type(asked).__name__} is not known; give a weighted sum, an order statistic, a variance of "
        "few values, the number of points with each value, or a function together with box="
    )


def _linear(query: EqualWeights | Linear) -> Spread | Atoms:
    weights, domain, step = weights_of(query), query.domain, query.step
    idle = weights.pop(Fraction(0), 0)
    if isinstance(domain, Interval):
        if weights.total() > MOST_PEOPLE:
            raise TooLargeError(
                f"exact volumes support up to {MOST_PEOPLE} people, fewer if weights differ; use fewer people"
            )
        lengths = (abs(weight) * (domain.high - domain.low) for weight in weights.elements())
        return LinearSpread.of(lengths, query.low)
    assert step is not None
    values = members(domain)
    sizes, others = {abs(weight) for weight in weights}, domain.points**idle
    if len(sizes) == 1 and is_evenly_spaced(domain):
        ways = dict(enumerate(sums_of_equal(weights.total(), domain.points - 1)))
    else:
        ways = sums_of(
            [int(abs(weight * (member - (domain.low if weight > 0 else domain.high))) / step) for member in values]
            for weight in weights.elements()
        )
    return Atoms(tuple(query.low + step * place for place in ways), tuple(others * number for number in ways.values()))


def _own_domains(query: WeightedSum) -> Spread | Atoms:
    people = list(query.active.elements())
    if all(isinstance(domain, Interval) for _, domain in people):
        return LinearSpread.of((abs(weight) * (domain.high - domain.low) for weight, domain in people), query.low)
    step = query.step
    if step is None:
        raise InputError("the spread of intervals and finite sets together is not known; give all people one kind")
    finite = [(weight, members(domain)) for weight, domain in people if not isinstance(domain, Interval)]
    lowest = [min(weight * value for value in own) for weight, own in finite]
    ways = sums_of(
        [int((weight * value - low) / step) for value in own] for (weight, own), low in zip(finite, lowest, strict=True)
    )
    return Atoms(tuple(query.low + step * place for place in ways), tuple(ways.values()))


def _order(query: OrderStatistic) -> Spread | Atoms:
    domain, n, k = query.domain, query.n, query.k
    if isinstance(domain, Interval):
        if n > MOST_PEOPLE:
            raise TooLargeError(
                f"exact shares of an order statistic support up to {MOST_PEOPLE} people, not {n}; use fewer people"
            )
        return OrderSpread(n, k, query.low, query.high)
    if domain.points * n * n > MOST_ADDITIONS:
        raise TooLargeError(f"{n} people with {domain.points} values are too many to count; use a coarser step")
    below = [at_least(n, k, inside, domain.points - inside) for inside in range(domain.points + 1)]
    return Atoms(members(domain), tuple(np.diff(np.array(below, dtype=object)).tolist()))


def _variance(query: Variance) -> Atoms:
    domain, n = query.domain, query.n
    if isinstance(domain, Interval):
        raise RangeError(
            "the variance of values that fill an interval has no exact spread; give it as a function with "
            "box=, as in optimal_quantizer(lambda x, y: (x - y) ** 2 / 4, box=Box(x=(0, 1), y=(0, 1)), error=…)"
        )
    if comb(domain.points + n - 1, n) > MOST_TRIED:
        raise TooLargeError(
            f"the variances of {n} people with {domain.points} values are too many to try; use fewer people or values"
        )
    points: Counter[Fraction] = Counter()
    for data in combinations_with_replacement(members(domain), n):
        ways = factorial(n) // prod(factorial(times) for times in Counter(data).values())
        points[query.evaluate(np.array(data, dtype=object))] += ways
    return Atoms(*zip(*sorted(points.items()), strict=True))
