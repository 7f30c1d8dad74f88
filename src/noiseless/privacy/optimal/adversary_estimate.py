"""How well an adversary who sees the bin of a query's value can estimate everybody's data."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil, floor

from noiseless.errors import InputError, TooLargeError
from noiseless.privacy.domain import is_evenly_spaced
from noiseless.privacy.optimal.best import few_enough
from noiseless.privacy.optimal.spread_of import spread_of
from noiseless.privacy.quantizers.quantizer import Quantizer
from noiseless.privacy.queries.linear import EqualWeights, Linear, weights_of
from noiseless.privacy.queries.order import OrderStatistic
from noiseless.theory.estimation.estimation import Cell, Estimation
from noiseless.theory.estimation.peaks import squared_radius_of_order, squared_radius_of_sums
from noiseless.theory.estimation.slab_ball import slab_ball
from noiseless.theory.ranges.interval import Interval
from noiseless.theory.spread.atoms import Atoms
from noiseless.theory.spread.box_function import BoxFunction

Estimable = EqualWeights | Linear | OrderStatistic


def adversary_estimate(quantizer: Quantizer, query: Estimable, volumes: bool = True) -> Estimation:
    """The worst-case error of an adversary's best estimate of all n values, for the best and the worst bin.

    The cells are slabs of a cube. For a mean of n ≥ 2 values over a range R and q ≥ n equal bins the smallest radius
    is that of the corner, (R/q)·√(n(n−1)). `volumes=False` skips the volumes, which only the bounds need.

    Guarantee: exact.
    Source: TIFS Thm II.1, II.2, Example IV.2 corrected: docs/theorems.md#tifs-ex-iv-2

    >>> from noiseless.privacy.queries.linear import Mean
    >>> found = adversary_estimate(Quantizer(-2, 2, levels=4), Mean(n=2, low=-2, high=2))
    >>> found.d_min, found.d_max
    (√2 ≈ 1.41421, √8 ≈ 2.82843)
    """
    if not isinstance(query, (EqualWeights, Linear, OrderStatistic)) or not isinstance(quantizer, Quantizer):
        raise InputError("adversary_estimate needs a quantizer, then a weighted sum or an order statistic; give these")
    few_enough(Fraction(quantizer.levels))
    bins = list(_bins(quantizer, query))
    measures: list[Fraction | None] = [None] * len(bins)
    if volumes and isinstance(query.domain, Interval):
        measures = _volumes(query, bins)
    radii = (_squared_radius(query, low, high) for low, high in bins)
    return Estimation(query.n, tuple(Cell(*cell) for cell in zip(radii, measures, strict=True)))


def _volumes(query: Estimable, bins: list[tuple[Fraction, Fraction]]) -> list[Fraction | None]:
    """The volume of each slab, unless there are too many people."""
    try:
        spread = spread_of(query)
    except TooLargeError:
        return [None] * len(bins)
    assert not isinstance(spread, (Atoms, BoxFunction))
    whole = (query.domain.high - query.domain.low) ** query.n
    return [whole * (spread.share_below(high) - spread.share_below(low)) for low, high in bins]


def _bins(quantizer: Quantizer, query: Estimable) -> Iterator[tuple[Fraction, Fraction]]:
    """The smallest and the largest value of the query in each bin that it can reach."""
    first, last = quantizer.index(query.low, "clamp"), quantizer.index(query.high, "clamp")
    for index in range(first, last + 1):
        low = query.low if index == first else quantizer.edge(index)
        high = query.high if index == last else quantizer.edge(index + 1)
        if query.step is not None:
            # the values on the grid; the upper edge belongs to the next bin
            low = query.low + ceil((low - query.low) / query.step) * query.step
            top = ceil((high - query.low) / query.step) - 1 if index < last else floor((high - query.low) / query.step)
            high = query.low + top * query.step
        if low <= high:
            yield low, high


def _squared_radius(query: Estimable, low: Fraction, high: Fraction) -> Fraction:
    domain = query.domain
    if not isinstance(domain, Interval) and not is_evenly_spaced(domain):
        raise InputError("the values do not fill an interval or a grid; list the cells and use nl.estimation")
    if isinstance(query, OrderStatistic):
        return squared_radius_of_order(query.n, query.k, (domain.low, domain.high), low, high)
    side, weights = domain.high - domain.low, weights_of(query)
    idle = weights.pop(Fraction(0), 0) * (side / 2) ** 2  # about whom nothing is revealed
    sizes = {abs(weight) for weight in weights}
    if len(sizes) == 1:
        # a value of negative weight, counted from the other end, is one of positive weight
        size, people = max(sizes), weights.total()
        return idle + squared_radius_of_sums(people, side, (low - query.low) / size, (high - query.low) / size)
    if not isinstance(domain, Interval):
        raise InputError(
            "a slab with different weights needs values that fill an interval; use equal weights or an interval"
        )
    ends = (domain.low, domain.high)
    return idle + slab_ball(list(weights.elements()), [ends] * weights.total(), low, high).squared
