"""Splitting the budget of a batch, and what a budget buys."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor

from noiseless.errors import CompositionError
from noiseless.exact.answers import answers_within
from noiseless.exact.number import Number, exact_number
from noiseless.exact.plural import plural
from noiseless.exact.rounding import decimal_outward
from noiseless.privacy.definitions.noiseless.calibrate import calibrate
from noiseless.privacy.mechanisms.mechanism import Mechanism
from noiseless.privacy.queries.histogram import Histogram
from noiseless.privacy.queries.query import Query

AnyQuery = Query | Histogram
ROUNDS = 60


def allocate(
    queries: Sequence[AnyQuery], bits: Number, weights: Sequence[Number] | None = None
) -> tuple[Mechanism, ...]:
    """Mechanisms for queries of one column, declared together, that minimise the largest relative error.

    By rule A the count of a batch is one plus the jumps of all queries, so the jumps are divided among them: t(K−1) for
    a query of t monotone pieces with K answers. The relative error of a query is its error over its range, times its
    weight. Each query gets the fewest answers for the common error; the rest goes to the query with the largest error.

    >>> import noiseless as nl
    >>> made = allocate([nl.Mean(100, 0, 1), nl.Mean(1000, 0, 1), nl.Max(100, 0, 1)], bits=5)
    >>> [mechanism.guarantee.count for mechanism in made]
    [2, 2, 30]
    """
    if not queries:
        raise CompositionError("queries is empty; give at least one query")
    if any(query.pieces is None for query in queries):
        raise CompositionError(
            "it is not known how often a query changes direction; declare pieces= for it, or calibrate it alone"
        )
    shares = [exact_number(weight, "weight") for weight in ([1] * len(queries) if weights is None else weights)]
    if len(shares) != len(queries) or any(share <= 0 for share in shares):
        raise CompositionError("weights do not match the queries; give one weight above 0 for each query")
    jumps = answers_within(bits) - 1
    counts = _counts_for(queries, shares, _smallest_error(queries, shares, jumps))
    counts = _with_the_rest(queries, shares, counts, jumps)
    return tuple(calibrate(query, count=count) for query, count in zip(queries, counts, strict=True))


def _cost(queries: Sequence[AnyQuery], counts: Iterable[int]) -> int:
    return sum(_pieces(query) * (count - 1) for query, count in zip(queries, counts, strict=True))


def _pieces(query: AnyQuery) -> int:
    assert query.pieces is not None
    return query.pieces


def _counts_for(queries: Sequence[AnyQuery], shares: Sequence[Fraction], error: Fraction) -> list[int]:
    """The fewest answers with which every query keeps this weighted relative error."""
    spans = [query.high - query.low or Fraction(1) for query in queries]
    return [
        calibrate(query, error=error * span / share).guarantee.count
        for query, span, share in zip(queries, spans, shares, strict=True)
    ]


def _smallest_error(queries: Sequence[AnyQuery], shares: Sequence[Fraction], jumps: int) -> Fraction:
    """The smallest reachable error, by bisection to a billionth; the constant answer has a relative error of ½."""
    low, high = Fraction(0), max(shares)
    for _ in range(ROUNDS):
        middle = (low + high) / 2
        if _cost(queries, _counts_for(queries, shares, middle)) <= jumps:
            high = middle
        else:
            low = middle
        if high - low <= high / 10**9:
            break
    return high


def _with_the_rest(queries: Sequence[AnyQuery], shares: Sequence[Fraction], counts: list[int], jumps: int) -> list[int]:
    """Give one more answer to the query with the largest error among those that can use it."""
    left = jumps - _cost(queries, counts)
    errors = [_relative(query, share, count) for query, share, count in zip(queries, shares, counts, strict=True)]
    stuck: set[int] = set()
    while len(stuck) < len(queries):
        worst = max(set(range(len(queries))) - stuck, key=lambda place: errors[place])
        query = queries[worst]
        extra = max(1, left // _pieces(query) // len(queries))
        better = _relative(query, shares[worst], counts[worst] + extra)
        if _pieces(query) > left or better >= errors[worst]:
            stuck.add(worst)
            continue
        counts[worst] += extra
        left -= extra * _pieces(query)
        errors[worst] = better
    return counts


def _relative(query: AnyQuery, share: Fraction, count: int) -> Fraction:
    if query.high == query.low:
        return Fraction(0)
    return share * calibrate(query, count=count).error / (query.high - query.low)


@dataclass(frozen=True, slots=True, repr=False)
class Purchase:
    """What a number of bits buys: a count of answers, and the worst error."""

    bits: Fraction
    count: int
    error: Fraction
    relative_error: Fraction

    def __repr__(self) -> str:
        error, relative = (decimal_outward(each, 6, up=True) for each in (self.error, self.relative_error))
        bought = f"{plural(self.count, 'answer')}, error at most {error}, which is {relative} of the range"
        return f"{float(self.bits):g} bits buy {bought}"


def what_buys(bits: Number | Iterable[Number], query: AnyQuery) -> tuple[Purchase, ...]:
    """The curve of error against bits, for planning: at the given bits, or at every half bit up to them.

    >>> import noiseless as nl
    >>> [float(point.error) for point in what_buys([0, 1, 2, 3], nl.Mean(100, 0, 50))]
    [25.0, 0.25, 0.08333333333333333, 0.03571428571428571]
    """
    if isinstance(bits, Iterable) and not isinstance(bits, str):
        wanted = [exact_number(each, "bits") for each in bits]
    else:
        answers_within(bits)  # refuses an invalid budget
        wanted = [Fraction(half, 2) for half in range(floor(2 * exact_number(bits, "bits")) + 1)]
    points = []
    for each in wanted:
        made = calibrate(query, bits=each)
        span = query.high - query.low
        points.append(Purchase(each, made.guarantee.count, made.error, made.error / span if span else Fraction(0)))
    return tuple(points)
