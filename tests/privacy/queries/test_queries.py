"""What every query knows about itself, against all data of a tiny population."""

from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest
from tests.laws.worst_case import mean, median, members, variance

import noiseless as nl

DOMAINS = [nl.Codes(3), nl.Values([-1, "0.5", 2])]
MAKERS: dict[str, tuple[Any, Any]] = {
    "sum": (lambda n, d: nl.Sum(n, domain=d), sum),
    "mean": (lambda n, d: nl.Mean(n, domain=d), mean),
    "linear": (lambda n, d: nl.Linear([2, -1, "0.5"][:n], domain=d), None),
    "variance": (lambda n, d: nl.Variance(n, domain=d), variance),
    "min": (lambda n, d: nl.Min(n, domain=d), min),
    "max": (lambda n, d: nl.Max(n, domain=d), max),
    "median": (lambda n, d: nl.Quantile(n, "1/2", domain=d), median),
}


def turns(row) -> int:
    """In how many monotone pieces a list of values runs."""
    signs = [np.sign(b - a) for a, b in pairwise(row) if a != b]
    return 1 + sum(a != b for a, b in pairwise(signs))


@pytest.mark.parametrize("kind", MAKERS)
@pytest.mark.parametrize("domain", DOMAINS, ids=repr)
@pytest.mark.parametrize("n", [1, 2, 3])
def test_range_sensitivity_pieces_and_grid(kind, domain, n):
    make, function = MAKERS[kind]
    query = make(n, domain)
    function = function or (lambda data: sum(w * x for w, x in zip(query.weights, data, strict=True)))
    values = {data: function(data) for data in product(members(domain), repeat=n)}
    assert (query.low, query.high) == (min(values.values()), max(values.values()))
    rows = [
        [values[(*others[:i], x, *others[i:])] for x in members(domain)]
        for i in range(n)
        for others in product(members(domain), repeat=n - 1)
    ]
    assert query.sensitivity == max(max(row) - min(row) for row in rows)
    assert query.pieces >= max(map(turns, rows))
    assert all(((value - query.low) / query.step).denominator == 1 for value in values.values())
    for data, value in values.items():
        assert query.evaluate(np.array(data, dtype=object)) == value


@pytest.mark.parametrize("kind", MAKERS)
def test_intervals_have_the_same_range_and_no_grid(kind):
    make, _ = MAKERS[kind]
    interval, codes = make(3, nl.Interval(0, 3)), make(3, nl.Codes(3))
    assert (interval.low, interval.high, interval.sensitivity) == (codes.low, codes.high, codes.sensitivity)
    assert interval.step is None


def test_a_variance_needs_two_monotone_pieces():
    assert nl.Variance(2, domain=nl.Codes(2)).pieces == 2 == turns([1, 0, 1])


def test_bounds_are_exact():
    assert nl.Mean(3, 0.1, "0.3").sensitivity == Fraction(1, 15)


def test_quantile_is_the_kth_smallest():
    assert [nl.Quantile(10, p, 0, 1).k for p in ("0.01", "0.1", "0.11", "0.5", 1)] == [1, 1, 2, 5, 10]


@pytest.mark.parametrize("n", [0, -1, 1.5, True, "3", None])
@pytest.mark.parametrize("make", [nl.Sum, nl.Mean, nl.Variance, nl.Min, nl.Max])
def test_bad_n(make, n):
    with pytest.raises(nl.DomainError, match="n="):
        make(n, 0, 1)


@pytest.mark.parametrize(
    ("make", "error", "why"),
    [
        (lambda: nl.Count(0), nl.DomainError, "n=0"),
        (lambda: nl.Histogram(0, "ab"), nl.DomainError, "n=0"),
        (lambda: nl.Histogram(5, "a"), nl.DomainError, "at least two"),
        (lambda: nl.Linear([0, 0], 0, 1), nl.DomainError, "all weights are zero"),
        (lambda: nl.Linear([], 0, 1), nl.DomainError, "all weights are zero"),
        (lambda: nl.Linear([float("nan")], 0, 1), nl.NumberError, "weight="),
        (lambda: nl.Mean(3, 1, 0), nl.RangeError, "low=1 is above high=0"),
        (lambda: nl.Mean(3, 1, 1), nl.DomainError, "so the value is public"),
        (lambda: nl.Mean(3, float("nan"), 1), nl.NumberError, "low="),
        (lambda: nl.Quantile(3, 0, 0, 1), nl.DomainError, "p=0"),
        (lambda: nl.Quantile(3, "1.1", 0, 1), nl.DomainError, "p=1.1"),
        (lambda: nl.Identity(), nl.DomainError, "needs bounds"),
    ],
)
def test_bad_queries(make, error, why):
    with pytest.raises(error, match=why):
        make()
