"""The finest quantizer for a budget, or the fewest answers for an error."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import ceil, floor
from typing import Any, overload

from noiseless.errors import BudgetError, InputError
from noiseless.exact.answers import answers_within
from noiseless.exact.number import Number, as_integer, exact_number
from noiseless.privacy.definitions.noiseless.certify import Made, Several, mechanism
from noiseless.privacy.domain import Codes, Values
from noiseless.privacy.mechanisms.mechanism import Mechanism
from noiseless.privacy.quantizers.quantizer import Quantizer
from noiseless.privacy.queries.histogram import Histogram
from noiseless.privacy.queries.own_value import own_value, values_of
from noiseless.privacy.queries.query import Query, most_values

MOST_PARTS = 4096
"""Above this number of answers, one person's own value gets bins of equal size, not the exact finest ones."""


@overload
def calibrate(
    query: Query | Histogram, bits: Number | None = None, *, error: Number | None = None, count: int | None = None
) -> Mechanism: ...


@overload
def calibrate(query: Several[Made], bits: Any = None, *, error: Any = None, count: Any = None) -> Made: ...


def calibrate(query: Any, bits: Any = None, *, error: Any = None, count: Any = None) -> Any:
    """The best quantizer for a query: finest for `bits` (or a `count`) of answers, or fewest answers for an `error`.

    For bits, K = ⌊2^bits⌋ answers: max(K, ⌊(K−1)R/S⌋) equal bins of the range R where values fill an interval and one
    person moves the query by S; on a grid, bins of ⌈S/(K−1)⌉ steps, or K bins if these are narrower. K = 1 gives the
    constant mechanism. For an error, bins twice as wide as the error: on intervals and even grids no interval bins have
    fewer answers.

    A `Vector` of queries calibrates itself, and takes one number for all coordinates or one for each.

    Guarantee: the count is at most K; for weighted sums on intervals, sums of codes, order statistics and histograms
    one level more (or bins one step narrower) would pass it, up to 4096 answers of one person's own value.
    Source: NP Thm 8, corrected: docs/theorems.md#np-thm-8

    >>> from noiseless.privacy.queries.linear import Mean
    >>> calibrate(Mean(n=300, low=0, high=60), bits=2).quantizer
    Quantizer(0, 60, levels=900)
    >>> calibrate(Mean(n=300, low=0, high=60), error="0.5").guarantee.count
    2
    """
    if isinstance(query, Several):
        return query.calibrate(bits, error=error, count=count)
    if not hasattr(query, "reach"):
        raise InputError(f"a {type(query).__name__} is not a query; give one such as Mean(n=300, low=0, high=60)")
    only_one(bits, error, count)
    if error is not None:
        return mechanism(_for_error(query, exact_number(error, "error")), query)
    return mechanism(_for_count(query, answers_for(bits, count)), query)


def only_one(bits: object, error: object, count: object) -> None:
    """Require exactly one of bits, error and count."""
    if (bits is not None) + (error is not None) + (count is not None) != 1:
        raise BudgetError("give exactly one of bits, count and error; it determines the other two")


def answers_for(bits: Number | None, count: int | None) -> int:
    """K, from bits or as it is given."""
    if count is None:
        return answers_within(bits if bits is not None else 0)
    answers = as_integer(count)
    if answers is None or answers < 1:
        raise BudgetError(f"count={count!r} is not valid; use an integer of at least 1")
    return answers


def _for_count(query: Query | Histogram, answers: int) -> Quantizer:
    if answers == 1 or query.sensitivity == 0:
        return _constant(query)
    if query.step is None:
        ratio = (query.high - query.low) / query.sensitivity
        return Quantizer(query.low, query.high, max(answers, floor((answers - 1) * ratio)))
    most = most_values(query)
    if most is not None and answers >= most:
        return _bins_of_points(query, 1)
    if isinstance(query, Histogram):
        return _bins_of_points(query, (query.n - 1) // answers + 2)
    if own_value(query):
        return _equal_parts(query, answers)
    points = int((query.high - query.low) / query.step) + 1
    return _bins_of_points(query, min(ceil(query.sensitivity / query.step / (answers - 1)), -(-points // answers)))


def _for_error(query: Query | Histogram, error: Fraction) -> Quantizer:
    if error <= 0:
        raise BudgetError(
            f"error={error} is not above 0; use a positive error (half a step is exact for values on a grid)"
        )
    if query.low == query.high:
        return _constant(query)
    if isinstance(query.domain, Values) and own_value(query):
        return _greedy_cover(query, error)
    if query.step is not None:
        return _bins_of_points(query, floor(2 * error / query.step) + 1)
    levels = ceil((query.high - query.low) / (2 * error))
    return Quantizer(query.low, query.low + levels * 2 * error, levels)


def _constant(query: Query | Histogram) -> Quantizer:
    margin = Fraction(1, 2) if query.low == query.high else Fraction(0)
    return Quantizer(query.low - margin, query.high + margin, 1)


def _bins_of_points(query: Query | Histogram, points: int) -> Quantizer:
    """Bins of `points` grid points each, centred in their bins so that no edge meets a value."""
    assert query.step is not None
    all_points = int((query.high - query.low) / query.step) + 1
    levels = -(-all_points // points)
    low = query.low - query.step / 2
    return Quantizer(low, low + levels * points * query.step, levels)


def _equal_parts(query: Query | Histogram, parts: int) -> Quantizer:
    """The values of the domain cut into this number of parts, whose sizes differ by at most one."""
    assert query.step is not None
    assert isinstance(query.domain, (Codes, Values))
    points = query.domain.points
    firsts = [-(-part * points // parts) for part in range(1, parts)] if parts <= MOST_PARTS else []
    if isinstance(query.domain, Values):
        values = values_of(query)
        return _between(query, values, firsts if firsts else list(range(1, points, -(-points // parts))))
    if points % parts == 0 or not firsts:
        return _bins_of_points(query, -(-points // parts))
    inner = [query.low + (Fraction(first) - Fraction(1, 2)) * query.step for first in firsts]
    return Quantizer.from_edges([query.low - query.step / 2, *inner, query.high + query.step / 2])


def _greedy_cover(query: Query | Histogram, error: Fraction) -> Quantizer:
    """The fewest intervals of at most twice the error that hold all values; each begins where the previous one ends."""
    assert query.step is not None
    values = values_of(query)
    firsts = [0]
    for place, value in enumerate(values):
        if value - values[firsts[-1]] > 2 * error:
            firsts.append(place)
    edges = []
    for first, after in pairwise([*firsts, len(values)]):
        edges += [values[first] - query.step / 2, values[after - 1] + query.step / 2]
    return Quantizer.from_edges(sorted(set(edges)))


def _between(query: Query | Histogram, values: list[Fraction], firsts: list[int]) -> Quantizer:
    """Edges halfway between the values where a new bin begins."""
    assert query.step is not None
    inner = [(values[first - 1] + values[first]) / 2 for first in firsts]
    return Quantizer.from_edges([values[0] - query.step / 2, *inner, values[-1] + query.step / 2])
