from fractions import Fraction
from itertools import pairwise, product

import pytest

import noiseless as nl


def largest(queries, counts, weights):
    return max(
        weight * nl.calibrate(query, count=count).error / (query.high - query.low)
        for query, count, weight in zip(queries, counts, weights, strict=True)
    )


@pytest.mark.parametrize(
    "queries",
    [
        [nl.Mean(3, 0, 1), nl.Mean(10, 0, 1)],
        [nl.Mean(3, 0, 1), nl.Max(10, 0, 1), nl.Sum(2, domain=nl.Codes(9))],
        [nl.Variance(4, 0, 1), nl.Mean(4, 0, 1)],
        [nl.Count(5), nl.Min(5, domain=nl.Codes(20))],
    ],
)
@pytest.mark.parametrize("answers", [1, 2, 3, 5, 9, 14])
@pytest.mark.parametrize("heavy", [1, 4])
def test_no_other_division_is_better(queries, answers, heavy):
    """Against every way to divide the jumps."""
    weights = [Fraction(heavy), *[Fraction(1)] * (len(queries) - 1)]
    bits = Fraction(nl.bits_up(answers)).limit_denominator(10**6) + Fraction(1, 10**6)
    made = nl.allocate(queries, bits, weights)
    jumps = [mechanism.query.pieces * (mechanism.guarantee.count - 1) for mechanism in made]
    assert 1 + sum(jumps) <= answers
    found = largest(queries, [mechanism.guarantee.count for mechanism in made], weights)
    for counts in product(range(1, answers + 1), repeat=len(queries)):
        if sum(query.pieces * (count - 1) for query, count in zip(queries, counts, strict=True)) < answers:
            assert found <= largest(queries, counts, weights) * (1 + Fraction(1, 10**6))


@pytest.mark.parametrize(
    ("queries", "options", "why"),
    [
        ([], {}, "queries is empty"),
        ([nl.Count(5)], {"weights": [1, 2]}, "one weight"),
        ([nl.Count(5)], {"weights": [0]}, "above 0"),
        ([nl.Count(5)], {"weights": []}, "one weight"),
    ],
)
def test_bad_input(queries, options, why):
    with pytest.raises(nl.CompositionError, match=why):
        nl.allocate(queries, 3, **options)


def test_what_buys_is_a_falling_curve():
    curve = nl.what_buys(6, nl.Mean(100, 0, 50))
    assert [point.bits for point in curve] == [Fraction(half, 2) for half in range(13)]
    assert all(a.error >= b.error for a, b in pairwise(curve))
    assert curve[0].relative_error == Fraction(1, 2)
    assert [point.count for point in nl.what_buys([0, 1, "1.6"], nl.Count(9))] == [1, 2, 2]


def test_no_jump_is_spent_for_nothing():
    made = nl.allocate([nl.Min(5, domain=nl.Codes(20)), nl.Max(5, domain=nl.Codes(20))], bits=4)
    for mechanism in made:
        count = mechanism.guarantee.count
        assert count == 1 or nl.calibrate(mechanism.query, count=count - 1).error > mechanism.error


def test_what_buys_refuses_what_is_no_budget():
    with pytest.raises(nl.BudgetError, match="negative"):
        nl.what_buys(-1, nl.Count(9))
