from fractions import Fraction
from math import log2

import pytest

import noiseless as nl

# theory §10: largest safe levels for a mean of n at ε = 0..4, the paper's in brackets
LEVELS = {2: ([1, 2, 6, 14, 30], [2, 4, 8, 16, 32]), 3: ([1, 3, 9, 21, 45], [3, 6, 12, 24, 48])}


@pytest.mark.parametrize("n", LEVELS)
def test_the_table_of_levels(n):
    safe, printed = LEVELS[n]
    query = nl.Mean(n, 0, 1)
    assert [nl.calibrate(query, bits=bits).quantizer.levels for bits in range(5)] == safe
    assert [nl.theorem_8_as_printed(query, bits).quantizer.levels for bits in range(5)] == printed


@pytest.mark.parametrize("n", [2, 3, 7])
def test_the_real_cost_of_the_printed_theorem(n):
    costs = [nl.theorem_8_as_printed(nl.Mean(n, 0, 1), bits).guarantee.bits for bits in range(5)]
    assert [round(cost, 3) for cost in costs] == [1, 1.585, 2.322, 3.170, 4.087]
    assert costs[1] == pytest.approx(log2(3))


def test_design_example():
    made = nl.calibrate(nl.Mean(n=300, low=0, high=60), bits=2)
    assert (made.quantizer.levels, made.guarantee.count, made.guarantee.bits) == (900, 4, 2.0)
    assert nl.calibrate(nl.Mean(n=300, low=0, high=60), error=0.5).error == Fraction(1, 2)


QUERIES = [
    nl.Mean(5, 0, 1),
    nl.Sum(5, domain=nl.Codes(9)),
    nl.Sum(5, domain=nl.Values([0, 1, 5])),
    nl.Linear([1, 2], 0, 1),
    nl.Linear([1, 2], domain=nl.Codes(9)),
    nl.Variance(5, 0, 1),
    nl.Variance(5, domain=nl.Codes(9)),
    nl.Variance(1, 0, 1),
    nl.Min(5, 0, 1),
    nl.Quantile(5, "0.9", domain=nl.Codes(9)),
    nl.Max(5, domain=nl.Values([0, 1, 5])),
    nl.Identity(0, 1),
    nl.Count(5),
    nl.Histogram(5, "abc"),
]


@pytest.mark.parametrize("query", QUERIES, ids=lambda q: type(q).__name__)
@pytest.mark.parametrize("count", [1, 2, 3, 5, 100])
def test_every_query_keeps_its_budget(query, count):
    made = nl.calibrate(query, count=count)
    assert made.guarantee.count <= count
    if count == 1:
        assert made.quantizer.levels == 1


@pytest.mark.parametrize("query", QUERIES, ids=lambda q: type(q).__name__)
@pytest.mark.parametrize("error", ["0.01", "0.3", 2, 1000])
def test_every_query_keeps_its_error(query, error):
    assert nl.calibrate(query, error=error).error <= Fraction(error)


def test_a_billion_people():
    made = nl.calibrate(nl.Mean(10**9, 0, 60), bits=3)
    assert made.quantizer.levels == 7 * 10**9
    codes = nl.calibrate(nl.Sum(10**9, domain=nl.Codes(600)), bits=3)
    assert (codes.quantizer.widest, codes.guarantee.count) == (86, 8)


@pytest.mark.parametrize(
    ("options", "error", "why"),
    [
        ({"bits": -1}, nl.BudgetError, "bits=-1"),
        ({"bits": float("nan")}, nl.NumberError, "bits=nan"),
        ({"error": 0}, nl.BudgetError, "error=0"),
        ({"error": -2}, nl.BudgetError, "error=-2"),
        ({"error": float("inf")}, nl.NumberError, "error=inf"),
        ({"count": 0}, nl.BudgetError, "count=0"),
        ({"count": 2.0}, nl.BudgetError, "count=2.0"),
        ({}, nl.BudgetError, "exactly one"),
        ({"bits": 1, "error": 1}, nl.BudgetError, "exactly one"),
    ],
)
def test_bad_budgets(options, error, why):
    with pytest.raises(error, match=why):
        nl.calibrate(nl.Mean(5, 0, 1), **options)


@pytest.mark.parametrize("domain", [nl.Values([0, 1, 2, 3, 50, 101]), nl.Codes(9)])
@pytest.mark.parametrize("weights", [[-1], [1], [2, 0], [0, -3]])
def test_one_active_person_uses_every_answer(domain, weights):
    for count in range(1, domain.points + 1):
        assert nl.calibrate(nl.Linear(weights, domain=domain), count=count).guarantee.count == count


def test_uneven_values_are_covered_greedily():
    made = nl.calibrate(nl.Identity(domain=nl.Values([0, 1, 2, 101, 102])), error="0.5")
    assert (made.guarantee.count, made.error) == (3, Fraction(1, 2))


def test_the_error_of_a_quantizer_that_does_not_cover_the_range():
    assert nl.mechanism(nl.Quantizer(0, 1, 2), nl.Mean(2, 0, 10)).error == Fraction(37, 4)


def test_large_domains_have_the_right_smallest_cell():
    """More codes than could be listed; the last bin holds one of them."""
    assert nl.certify(nl.Quantizer(0, 400000, 4), nl.Identity(domain=nl.Codes(200000))).smallest_cell == 1
    made = nl.calibrate(nl.Max(5, domain=nl.Codes(200000)), error=30000)
    assert made.guarantee.smallest_cell == 200001 - 3 * 60001


def test_budgets_of_thousands_of_bits_can_be_kept():
    guarantee = nl.calibrate(nl.Mean(2, 0, 1), bits=9000).guarantee
    assert nl.Guarantee.from_json(guarantee.to_json()) == guarantee
    assert "about 2^9000" in guarantee.explain()
    with pytest.raises(nl.BudgetError, match="gives no protection"):
        nl.calibrate(nl.Mean(2, 0, 1), bits=20000)
