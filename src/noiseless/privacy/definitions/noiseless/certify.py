"""The exact count of your own mechanism."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Protocol, TypeVar, overload, runtime_checkable

from noiseless.errors import InputError
from noiseless.privacy.domain import Values
from noiseless.privacy.guarantee.assumptions import CLAMPED, PUBLIC, UNRELATED
from noiseless.privacy.guarantee.guarantee import Guarantee
from noiseless.privacy.mechanisms.mechanism import Mechanism
from noiseless.privacy.quantizers.grid import Grid
from noiseless.privacy.quantizers.quantizer import Quantizer
from noiseless.privacy.queries.histogram import Histogram
from noiseless.privacy.queries.linear import EqualWeights, Identity, Linear
from noiseless.privacy.queries.own_value import own_value, values_of
from noiseless.privacy.queries.query import Query, whole
from noiseless.privacy.queries.weighted_sum import WeightedSum
from noiseless.theory.ranges.interval import Interval

Made = TypeVar("Made", covariant=True)


@runtime_checkable
class Several(Protocol[Made]):
    """Several queries that are answered together and compute their own count; see `Vector`."""

    @property
    def coordinates(self) -> Mapping[str, Query | Histogram]:
        """The queries by name."""

    def calibrate(self, bits: Any = None, *, error: Any = None, count: Any = None) -> Made:
        """The finest grid for a budget, or the fewest answers for an error."""

    def mechanism(self, grid: Grid) -> Made:
        """Your own grid, with its guarantee."""

    def certify(self, grid: Grid) -> Guarantee:
        """The guarantee of your own grid."""


def certify(quantizer: Quantizer | Grid, query: Query | Histogram | Several[Any]) -> Guarantee:
    """The guarantee of reporting the bin of a query's value, whatever the edges.

    The count is exact for weighted sums on intervals, for sums, means and counts of evenly spaced values, for order
    statistics and histograms; elsewhere it is never too small, and `exact` says which it is.

    >>> from noiseless.privacy.queries.linear import Mean
    >>> certify(Quantizer(0, 60, levels=1200), Mean(n=300, low=0, high=60)).count
    5
    """
    if isinstance(quantizer, Grid) and isinstance(query, Several):
        return query.certify(quantizer)
    if not isinstance(quantizer, Quantizer) or isinstance(query, Several) or not hasattr(query, "reach"):
        raise InputError(
            "certify needs a quantizer, then a query; write certify(Quantizer(0, 60, 900), Mean(300, 0, 60))"
        )
    reach = query.reach(quantizer)
    grouped = isinstance(query, (Linear, EqualWeights, WeightedSum))
    domain = reach.domain or query.domain
    return Guarantee(
        definition="local noiseless privacy" if isinstance(query, Identity) else "noiseless privacy",
        count=reach.count,
        exact=reach.exact,
        statement=reach.basis,
        assumptions=(UNRELATED, PUBLIC, CLAMPED, *reach.assumes),
        levels=quantizer.levels,
        smallest_cell=reach.smallest_cell,
        domain_size=None if domain is None else whole(domain),
        discrete=domain is not None and not isinstance(domain, Interval),
        spread=query.sensitivity if grouped else None,
        width=quantizer.narrowest if grouped else None,
    )


@overload
def mechanism(quantizer: Quantizer, query: Query | Histogram) -> Mechanism: ...


@overload
def mechanism(quantizer: Grid, query: Several[Made]) -> Made: ...


def mechanism(quantizer: Any, query: Any) -> Any:
    """Your own quantizer and a query, with their guarantee and worst error.

    >>> from noiseless.privacy.queries.linear import Mean
    >>> mechanism(Quantizer(0, 60, levels=12), Mean(n=300, low=0, high=60)).error
    Fraction(5, 2)
    """
    if isinstance(quantizer, Grid) and isinstance(query, Several):
        return query.mechanism(quantizer)
    return Mechanism(query, quantizer, certify(quantizer, query), worst_error(quantizer, query))


def worst_error(quantizer: Quantizer, query: Query | Histogram) -> Fraction:
    """The largest distance of a value of the query from the midpoint of its bin.

    Half the widest bin; half a step less on a grid whose points are centred in the bins; more if the query exceeds the
    quantizer.
    """
    if query.low == query.high:
        return abs(quantizer.midpoint(quantizer.index(query.low, "clamp")) - query.low)
    if isinstance(query.domain, Values) and own_value(query):
        return max(abs(quantizer.midpoint(quantizer.index(value, "clamp")) - value) for value in values_of(query))
    beyond = max(quantizer.midpoint(0) - query.low, query.high - quantizer.midpoint(quantizer.levels - 1))
    half = quantizer.widest / 2
    if query.low < quantizer.low or query.high > quantizer.high:
        return max(half, beyond)
    if query.step is None:
        return half
    edges = quantizer.edges or (quantizer.low, quantizer.edge(1))
    centred = all(((edge - query.low) / query.step - Fraction(1, 2)).denominator == 1 for edge in edges)
    return half - query.step / 2 if centred else half
