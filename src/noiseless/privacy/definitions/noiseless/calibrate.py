"""The finest quantizer for a budget, or the fewest answers for an error."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor

from noiseless.errors import BudgetError
from noiseless.exact.answers import answers_within
from noiseless.exact.number import Number, exact_number
from noiseless.privacy.definitions.noiseless.certify import mechanism
from noiseless.privacy.domain import Codes
from noiseless.privacy.mechanisms.mechanism import Mechanism
from noiseless.privacy.mechanisms.quantizer import Quantizer
from noiseless.privacy.queries.histogram import Histogram
from noiseless.privacy.queries.order import OrderStatistic
from noiseless.privacy.queries.query import Query
from noiseless.theory.ranges.interval import Interval


def calibrate(
    query: Query | Histogram, bits: Number | None = None, *, error: Number | None = None, count: int | None = None
) -> Mechanism:
    """The best quantizer for a query: finest for `bits` (or a `count`) of answers, or fewest answers for an `error`.

    For bits, K = ⌊2^bits⌋ answers: max(K, ⌊(K−1)R/S⌋) equal bins of the range R where values fill an interval and one
    person moves the query by S; on a grid, bins of ⌈S/(K−1)⌉ steps. K = 1 gives the constant mechanism. For an error,
    bins twice as wide as the error: no interval bins have fewer answers.

    Guarantee: the count is at most K; for weighted sums on intervals, sums of codes, order statistics and histograms
    one level more (or bins one step narrower) would pass it.
    Source: NP Thm 8, corrected: docs/theorems.md#np-thm-8

    >>> from noiseless.privacy.queries.linear import Mean
    >>> calibrate(Mean(n=300, low=0, high=60), bits=2).quantizer
    Quantizer(0, 60, levels=900)
    >>> calibrate(Mean(n=300, low=0, high=60), error="0.5").guarantee.count
    2
    """
    if (bits is not None) + (error is not None) + (count is not None) != 1:
        raise BudgetError("give exactly one of bits, count and error: what is fixed decides the other two")
    if error is not None:
        return mechanism(_for_error(query, exact_number(error, "error")), query)
    if count is None:
        count = answers_within(bits if bits is not None else 0)
    elif isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise BudgetError(f"count={count!r} must be an integer of at least 1")
    return mechanism(_for_count(query, count), query)


def _for_count(query: Query | Histogram, answers: int) -> Quantizer:
    if answers == 1 or query.sensitivity == 0:
        return _constant(query)
    if query.step is None:
        ratio = (query.high - query.low) / query.sensitivity
        return Quantizer(query.low, query.high, max(answers, floor((answers - 1) * ratio)))
    if not isinstance(query.domain, Interval) and answers >= query.domain.points:
        return _bins_of_points(query, 1)
    if isinstance(query, Histogram):
        return _bins_of_points(query, (query.n - 1) // answers + 2)
    if isinstance(query, OrderStatistic) or query.n == 1:
        return _equal_parts(query, answers)
    return _bins_of_points(query, ceil(query.sensitivity / query.step / (answers - 1)))


def _for_error(query: Query | Histogram, error: Fraction) -> Quantizer:
    if error <= 0:
        raise BudgetError(f"error={error} must be above 0; where values lie on a grid half a step already is exact")
    if query.low == query.high:
        return _constant(query)
    if query.step is not None:
        return _bins_of_points(query, floor(2 * error / query.step) + 1)
    levels = ceil((query.high - query.low) / (2 * error))
    return Quantizer(query.low, query.low + levels * 2 * error, levels)


def _constant(query: Query | Histogram) -> Quantizer:
    margin = Fraction(1, 2) if query.low == query.high else Fraction(0)
    return Quantizer(query.low - margin, query.high + margin, 1)


def _bins_of_points(query: Query | Histogram, points: int) -> Quantizer:
    """Bins of so many grid points each, the points centred in their bins so that no edge meets a value."""
    assert query.step is not None
    all_points = int((query.high - query.low) / query.step) + 1
    levels = -(-all_points // points)
    low = query.low - query.step / 2
    return Quantizer(low, low + levels * points * query.step, levels)


def _equal_parts(query: Query | Histogram, parts: int) -> Quantizer:
    """The values of the domain cut into so many parts whose sizes differ by one at the most."""
    assert not isinstance(query.domain, Interval)
    points, scale = query.domain.points, (query.high - query.low) / (query.domain.high - query.domain.low)
    if isinstance(query.domain, Codes):
        places = [Fraction(-(-part * points // parts)) - Fraction(1, 2) for part in range(parts + 1)]
    else:
        values = query.domain.members
        inner = [-(-part * points // parts) for part in range(1, parts)]
        places = [(values[place - 1] + values[place]) / 2 for place in inner]
        places = [values[0] - query.domain.step / 2, *places, values[-1] + query.domain.step / 2]
    return Quantizer.from_edges([query.low + scale * (place - query.domain.low) for place in places])
