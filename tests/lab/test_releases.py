"""Adversaries who read what was released: trips, a hypothesis tester, an estimator, a neighbour."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import noiseless as nl
from noiseless.lab.attacks.estimator import Estimator, Prior, estimator
from noiseless.lab.attacks.homogeneity import homogeneity
from noiseless.lab.attacks.tester import BODIES, CANNOT_TELL, OBESE, ConsistentTester, certain
from noiseless.lab.attacks.trips import unique_trips
from noiseless.lab.datasets.people import Measured
from noiseless.lab.datasets.trips import Trips
from noiseless.lab.datasets.twins import twin_survey, twin_taxi

POLICIES = [nl.Collapse, nl.Stretch, nl.Shift]


def test_unique_trips_by_hand():
    """Four quarters: two trips share both ends, one shares its begin only, one is by itself."""
    points = np.array([[1, 1, 9, 9], [2, 2, 8, 8], [1, 1, 1, 9], [9, 9, 9, 9]], dtype=float)
    found = unique_trips(Trips(points, "by hand", (0, 10), (0, 10)), [0, 2, 20])
    assert [point.value for point in found.points] == [0.0, 0.5, 1.0]


def test_unique_trips_on_nested_grids():
    found = unique_trips(twin_taxi(trips=20_000), range(0, 24, 2))
    shares = [point.value for point in found.points]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1] > 0.9) == (0.0, True)
    with pytest.raises(nl.InputError, match="even whole numbers"):
        unique_trips(twin_taxi(trips=10), [3])
    with pytest.raises(nl.TooLargeError, match="a few cm"):
        unique_trips(twin_taxi(trips=10), [42])


@pytest.mark.parametrize("policy", POLICIES)
@settings(max_examples=60, deadline=None)
@given(
    error=st.fractions(Fraction(1, 10), 150, max_denominator=20),
    weight=st.fractions(0, 200, max_denominator=40),
    height=st.integers(0, 250),
)
def test_a_report_leaves_both_sides_where_the_policy_hides(policy, error, weight, height):
    """The adversary sees reports only; what it cannot tell is what the policy is certified to hide, and a rim of it."""
    made = policy(OBESE, error)
    tester, draw = ConsistentTester(made, BODIES), np.random.default_rng(0)
    y = made.report(weight, OBESE.at(height=height), BODIES["weight"])
    person = {"weight": y, "height": Fraction(height)}
    [side] = tester.guess(tester.observe(tester.choose(1, draw), [person]), draw)
    if {"weight": weight, "height": height} in made.hidden(BODIES):
        assert side == CANNOT_TELL
    elif side != CANNOT_TELL:
        assert side == (weight >= OBESE.at(height=height))
    else:
        band = made.hidden(BODIES).slice(height=height)
        assert min(abs(weight - end) for end in (band.low, band.high)) < made.error / 10**4


@pytest.mark.parametrize("policy", POLICIES)
def test_the_tester_by_hand(policy):
    """A threshold of 90 and an error of 2: Shift hides [86, 94), Stretch [88, 92), Collapse [88, 92]."""
    people = Measured({"weight": np.arange(80.0, 101.0)}, "by hand")
    box = nl.Box(weight=(0, 200))
    found = certain(people, policy, [2], boundary=nl.Boundary("weight", 90), box=box).points[0].value
    assert found == pytest.approx({"Shift": 13, "Stretch": 17, "Collapse": 16}[policy.__name__] / 21)


def test_values_are_what_is_written():
    """Shift with an error of 0.1 hides [0.3, 0.7) around 0.5: 0.7 is revealed, though as a float it is less."""
    people = Measured({"x": np.array([0.7, 0.2, 0.3, 0.6])}, "by hand")
    found = certain(people, nl.Shift, ["0.1"], boundary=nl.Boundary("x", "0.5"), box=nl.Box(x=(0, 1)))
    assert found.points[0].value == 0.5


@pytest.mark.parametrize("policy", POLICIES)
def test_a_larger_error_leaves_fewer_certain(policy):
    found = [point.value for point in certain(twin_survey(people=200), policy, [1, 10, 30]).points]
    assert found == sorted(found, reverse=True)


def test_bad_input_to_the_tester():
    with pytest.raises(nl.InputError, match="no column 'weight'"):
        certain(Measured({"size": np.ones(3)}, "none"), nl.Shift, [1])
    with pytest.raises(nl.InputError, match="errors is empty"):
        certain(twin_survey(people=10), nl.Shift, [])


UNIFORM = Prior(0, 1, np.ones(1), "uniform")


@pytest.mark.parametrize("p", [1, 2, 3])
def test_the_bound_is_attained_by_the_middles_of_equal_cells(p):
    for point in estimator(UNIFORM, [0, 1, 2, 3], p).points:
        assert point.value == pytest.approx(point.setting["bound"], rel=1e-9)


@settings(max_examples=60, deadline=None)
@given(
    weights=st.lists(st.integers(0, 9), min_size=1, max_size=6).filter(any),
    p=st.sampled_from([0.5, 1.0, 2.0, 3.5]),
    bits=st.integers(0, 4),
)
def test_the_bound_is_never_beaten(weights, p, bits):
    prior = Prior(-1, 2, np.array(weights) / sum(weights), "drawn")
    [point] = estimator(prior, [bits], p).points
    assert point.value >= point.setting["bound"] * (1 - 1e-9)


def test_a_bound_of_the_whole_range_would_be_beaten():
    """Where the density is 0 on a part of the range, its support only counts."""
    prior = Prior(0, 1, np.array([1.0, 0.0]), "half")
    [point] = estimator(prior, [0], 2.0).points
    wrong = 2.0 * 1**3 / (4 * 3)  # the density's height with the length of the range
    assert point.setting["bound"] == pytest.approx(point.value)
    assert point.value < wrong


def test_the_best_estimates_by_hand():
    """p = 2: the mean; p = 1: the median. Three quarters in [0, 1), one quarter in [1, 2)."""
    prior, draw = Prior(0, 2, np.array([0.75, 0.25]), "by hand"), np.random.default_rng(0)
    for p, best in ((2.0, 0.75), (1.0, 2 / 3)):
        adversary = Estimator(prior, p)
        left = adversary.observe(adversary.choose(1, draw), np.array([[0.0, 2.0]]))
        assert adversary.guess(left, draw) == pytest.approx([best], abs=1e-6)


def test_a_prior_from_people():
    prior = Prior.of(np.array([1.0, 1.5, 9.0, 99.0]), 0, 10, 5, "four")
    assert prior.weights.tolist() == [0.5, 0, 0, 0, 0.5]
    with pytest.raises(nl.InputError, match="low=10 below high=0"):
        Prior.of(np.ones(3), 10, 0, 5, "none")
    for p in (-1, float("inf"), float("nan")):
        with pytest.raises(nl.InputError, match=f"p={p}"):
            estimator(UNIFORM, [2], p=p)
    with pytest.raises(nl.TooLargeError, match="more than 4096 answers"):
        estimator(UNIFORM, [40])
    with pytest.raises(nl.TooLargeError, match="too large for a float"):
        estimator(Prior(0, 1e6, np.ones(1), "wide"), [1], p=400)


def test_homogeneity_by_hand():
    table = pa.table({"age": [1, 1, 2, 2, 3, 3], "ill": ["a", "a", "b", "b", "c", "d"]})
    found = homogeneity(table, ["age"], "ill", [1, 2, 3, 6])
    assert [point.value for point in found.points] == [4 / 6, 4 / 6, 0.0, 0.0]
    with pytest.raises(nl.InputError, match="'pain' is not in the table"):
        homogeneity(table, ["age"], "pain", [1])
    with pytest.raises(nl.InputError, match="whole number of rows"):
        homogeneity(table, ["age"], "ill", ["1.5"])


@settings(max_examples=40, deadline=None)
@given(rows=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2), st.sampled_from("ab")), min_size=1, max_size=30))
def test_one_row_is_a_class_of_its_own_at_k_1(rows):
    """k = 1 leaves the quasi-identifiers as they are."""
    table = pa.table(dict(zip(("age", "town", "ill"), map(list, zip(*rows, strict=True)), strict=True)))
    ills = defaultdict(set)
    for age, town, ill in rows:
        ills[age, town].add(ill)
    known = sum(len(ills[age, town]) == 1 for age, town, _ in rows)
    assert homogeneity(table, ["age", "town"], "ill", [1]).points[0].value == pytest.approx(known / len(rows))


@settings(max_examples=40, deadline=None)
@given(
    rows=st.lists(st.tuples(st.integers(0, 5), st.sampled_from([None, "a", "b"])), min_size=4, max_size=30),
    k=st.integers(1, 4),
)
def test_homogeneity_finds_what_an_audit_finds(rows, k):
    table = pa.table({"age": [age for age, _ in rows], "ill": pa.array([ill for _, ill in rows], pa.string())})
    [audited] = nl.audit(nl.k_anonymous(table, ["age"], k), ["age"], "ill").sensitive
    assert homogeneity(table, ["age"], "ill", [k]).points[0].value == pytest.approx(audited.known_rows / len(rows))
