"""Queries known by their bounds, functions, and sums of people with domains of their own: declared, asked, refused."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import noiseless as nl

NOT_A_DOMAIN: Any = [3]


def test_a_value_already_computed():
    made = nl.calibrate(nl.Bounded(0, 10, sensitivity=1, n=50), count=3)
    assert made.quantizer.levels == 20
    for value in (7.3, "7.3", Decimal("7.3"), np.float64(7.3), [7.3], np.array(7.3)):
        assert made.apply(value) == Fraction(29, 4)
    assert made.then(float).apply(10) == 9.75


def test_a_function_of_any_data():
    def spread(table) -> int:
        return max(table.values()) - min(table.values())

    query = nl.Bounded(0, 9, sensitivity=9, n=3, step=1, function=spread)
    assert nl.calibrate(query, count=2).apply({"a": 1, "b": 9, "c": 4}) == 7
    of_three = nl.Bounded(0, 9, sensitivity=9, n=3, function=max)
    assert nl.calibrate(of_three, error=1).apply([1, 8, 4]) == 9
    with pytest.raises(nl.DomainError, match="n=3 people"):
        nl.calibrate(of_three, error=1).apply([1, 8])


@pytest.mark.parametrize("value", [10.1234567, -98765, float("inf"), Decimal("1e9")])
def test_a_value_outside_is_refused_and_not_quoted(value):
    made = nl.calibrate(nl.Bounded(0, 10, sensitivity=1, n=50), bits=1)
    with pytest.raises(nl.DomainError, match=r"outside \[0, 10\]") as caught:
        made.apply(value)
    assert str(value) not in str(caught.value)
    assert made.apply(value, outside="clamp") in (made.quantizer.midpoint(0), made.quantizer.midpoint(9))


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("0.25", "not on the declared grid"),
        (0.1, "not on the declared grid"),
        ([1, 2], "not one number"),
        ([], "not one number"),
        (float("nan"), "missing"),
        (None, "missing"),
        (True, "type bool"),
    ],
)
def test_bad_values_of_a_bounded_query(value, why):
    made = nl.calibrate(nl.Bounded(0, 10, sensitivity=1, n=50, step="0.1"), bits=1)
    with pytest.raises(nl.DomainError, match=why):
        made.apply(value)


def test_on_a_grid_one_step_costs_one_bit():
    """The number of different values: one person changes it by one, so exact answers have a count of 2."""
    made = nl.calibrate(nl.Bounded(0, 100, sensitivity=1, n=100, step=1), bits=1)
    assert (made.guarantee.count, made.error, made.apply(37)) == (2, 0, 37)


def test_sensitivities_are_cut_to_the_range_and_the_grid():
    assert nl.Bounded(0, 3, sensitivity=8, n=1).sensitivity == 3
    assert nl.Bounded(0, 3, sensitivity="1.7", n=2, step="0.5").sensitivity == Fraction(3, 2)
    assert nl.calibrate(nl.Bounded(0, 3, sensitivity=0, n=1), error=1).guarantee.count == 1


def test_what_is_not_known_is_not_claimed():
    guarantee = nl.calibrate(nl.Bounded(0, 1, "0.1", n=10), bits=1).guarantee
    assert "both are declared" in guarantee.explain()
    assert "single value" in guarantee.explain()
    assert "uniform" not in guarantee.explain()
    assert nl.Guarantee.from_json(guarantee.to_json()) == guarantee
    with pytest.raises(nl.NotCertifiableError, match="declare everybody's domain"):
        _ = guarantee.leakage
    with pytest.raises(nl.InputError, match="estimation bound"):
        guarantee.estimation_error(1, 1, 1)
    with pytest.raises(nl.NotCertifiableError, match="no group guarantee"):
        guarantee.group(2)
    assert nl.calibrate(nl.Bounded(0, 1, "0.1", n=10), count=1).guarantee.leakage == nl.LogRatio(1)


def test_unknown_pieces_multiply_in_a_batch():
    """|x − 1/2| and x have 2 answers each and 4 together: rule A must not count an unknown function as monotone."""
    away = nl.calibrate(nl.Bounded(0, "0.5", "0.5", n=1, function=lambda x: abs(x[0] - 0.5)), count=2)
    own = nl.calibrate(nl.Identity(0, 1), count=2)
    assert len({(away.apply([x]), own.apply([x])) for x in (0.1, 0.4, 0.6, 0.9)}) == 4
    releases = [nl.Release.of(away, "x"), nl.Release.of(own, "x")]
    assert nl.Batch(releases).account().count == 4
    monotone = nl.calibrate(nl.Bounded(0, 1, 1, n=1, pieces=1), count=2)
    assert nl.Batch([nl.Release.of(monotone, "x"), nl.Release.of(own, "x")]).account().count == 3
    with pytest.raises(nl.CompositionError, match="declare pieces="):
        nl.allocate([away.query, own.query], bits=2)


def test_equal_bounds_are_not_equal_questions():
    """Two unknown functions with the same bounds may differ; one function with its name is one question."""
    unknown = nl.calibrate(nl.Bounded(0, 1, 1, n=2), count=3)
    assert nl.Batch([nl.Release.of(unknown, "x"), nl.Release.of(unknown, "x")]).account().count == 9
    both = nl.Vector({"a": unknown.query, "b": unknown.query})
    assert nl.calibrate(both, count={"a": 3, "b": 3}).guarantee.count == 9
    known = nl.calibrate(nl.Bounded(0, 1, 1, n=2, function=max), count=3)
    assert nl.Batch([nl.Release.of(known, "x"), nl.Release.of(known, "x")]).account().count == 3


def test_everybody_keeps_their_own_domain():
    query = nl.WeightedSum([nl.Interval(0, 10), nl.Codes(3), nl.Values([0, "2.5"])], weights=[1, 2, -1])
    made = nl.calibrate(query, error="0.5")
    inside: list[Any] = [[9.75, 3, 2.5], np.array([9.75, 3.0, 2.5]), [Decimal("9.75"), 3, Fraction(5, 2)]]
    for data in inside:
        assert abs(made.apply(data) - Fraction(53, 4)) <= Fraction(1, 2)
    for data, why in [
        ([10.5, 3, 0], r"outside \[0, 10\]"),
        ([3, 10, 0], r"outside \[0, 3\]"),
        ([3, 0.5, 0], "not an integer"),
        ([3, 1, 1], "not declared"),
        ([3, 1], "n=3 people"),
    ]:
        with pytest.raises(nl.DomainError, match=why):
            made.apply(data)
    assert made.apply([99, 3, 0], outside="clamp") == made.apply([10, 3, 0])


def test_groups_of_people_with_their_own_domains():
    guarantee = nl.certify(nl.Quantizer(0, 12, levels=6), nl.WeightedSum([nl.Interval(0, 4), nl.Interval(0, 8)]))
    assert (guarantee.count, guarantee.group(2)) == (5, 6)


def test_one_person_alone():
    guarantee = nl.certify(nl.Quantizer(0, 6, levels=3), nl.WeightedSum([nl.Interval(0, 3), nl.Codes(9)], [2, 0]))
    assert (guarantee.count, guarantee.smallest_cell, guarantee.domain_size) == (3, 1, 3)


def test_a_function_is_asked_as_it_was_tried():
    """Floats mean the decimals they print as, and a function that changes its mind cannot change an answer."""
    asked = []

    def function(x: Fraction, y: Fraction) -> float:
        asked.append((x, y))
        return 0.1 * float(x) + float(y)

    query = nl.Function(function, [nl.Codes(2), nl.Codes(1)])
    made = nl.calibrate(query, error="0.001")
    assert len(asked) == 6
    assert made.apply([2, 1]) == Fraction(6, 5)
    assert len(asked) == 6
    assert query.pieces == 1
    assert nl.Function(lambda x: abs(x - 1), [nl.Codes(2)]).pieces == 2
    assert nl.calibrate(nl.Function(lambda x: 5, [nl.Codes(2)]), bits=3).guarantee.count == 1


@pytest.mark.parametrize(
    ("make", "error", "why"),
    [
        (lambda: nl.Bounded(1, 1, 1, 1), nl.RangeError, "low=1 is not below high=1"),
        (lambda: nl.Bounded(0, 1, -1, 1), nl.DomainError, "sensitivity=-1"),
        (lambda: nl.Bounded(0, 1, 1, 0), nl.DomainError, "n=0"),
        (lambda: nl.Bounded(0, 1, 1, 1, step="0.3"), nl.DomainError, "step=3/10 does not divide"),
        (lambda: nl.Bounded(0, 1, 1, 1, pieces=0), nl.DomainError, "pieces=0"),
        (lambda: nl.WeightedSum([]), nl.DomainError, "domains is empty"),
        (lambda: nl.WeightedSum([nl.Codes(1)], [0]), nl.DomainError, "all weights are zero"),
        (lambda: nl.WeightedSum([nl.Codes(1)], [1, 2]), nl.DomainError, "1 domains and 2 weights"),
        (lambda: nl.WeightedSum(NOT_A_DOMAIN), nl.DomainError, "domain=3"),
        (lambda: nl.Function(max, [nl.Interval(0, 1)]), nl.DomainError, "Bounded"),
        (lambda: nl.Function(max, [nl.Codes(9)] * 9), nl.TooLargeError, "1000000000 datasets"),
    ],
)
def test_bad_declarations(make, error, why):
    with pytest.raises(error, match=why):
        make()
