"""Queries whose value is always one person's value, up to a scale: order statistics, and sums of one weight."""

from __future__ import annotations

from fractions import Fraction

from noiseless.privacy.domain import Values
from noiseless.privacy.queries.histogram import Histogram
from noiseless.privacy.queries.linear import EqualWeights, Linear
from noiseless.privacy.queries.order import OrderStatistic
from noiseless.privacy.queries.query import Query


def own_value(query: Query | Histogram) -> bool:
    """Whether the query's value is always one person's value."""
    if isinstance(query, Linear):
        return sum(weight != 0 for weight in query.weights) == 1
    return isinstance(query, OrderStatistic) or (isinstance(query, EqualWeights) and query.n == 1)


def values_of(query: Query | Histogram) -> list[Fraction]:
    """The values of such a query of a finite domain, in order."""
    assert isinstance(query.domain, Values)
    scale = (query.high - query.low) / (query.domain.high - query.domain.low)
    offsets = [scale * (member - query.domain.low) for member in query.domain.members]
    if isinstance(query, Linear) and min(query.weights) < 0:
        return [query.high - offset for offset in reversed(offsets)]
    return [query.low + offset for offset in offsets]
