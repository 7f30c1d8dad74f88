"""The three policies: the numbers of theory §4, an adversary who tries every point, the papers' claims that fail."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import inf, log1p, sqrt
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import noiseless as nl
from hypothesis import given, settings
from hypothesis import strategies as st

PEOPLE = nl.Box(weight=(0, 200), height=(0, 250))
OBESE = nl.Boundary("weight", lambda height: 0.003 * height**2)
POLICIES: list[Any] = [nl.Collapse, nl.Stretch, nl.Shift]
PRINTED = {".1": ".1016880", ".2": ".0496245", ".5": ".0196917", "1": ".00985270", "10": ".000993288"}


@pytest.mark.parametrize(("accuracy", "epsilon"), PRINTED.items())
def test_the_numbers_of_the_example(accuracy, epsilon):
    error = 1 / Fraction(accuracy)
    digits = len(epsilon.lstrip(".0"))
    for policy in (nl.Collapse, nl.Stretch):
        found = policy(OBESE, error=error).certify(PEOPLE)
        assert f"{float(found.epsilon):.{digits}g}" == f"{float(epsilon):.{digits}g}"
        assert found.accuracy == Fraction(accuracy)
    half = nl.Collapse(OBESE, error=2 * error).certify(PEOPLE)
    shift = nl.Shift(OBESE, error=error).certify(PEOPLE)
    assert abs(shift.hidden.lower / half.hidden.lower - 1) < Fraction(1, 10**6)
    assert shift.epsilon <= shift.limit


def test_how_much_better_shift_is():
    def gain(error):
        one, other = (policy(OBESE, error=error).certify(PEOPLE).epsilon for policy in (nl.Shift, nl.Collapse))
        return float(one / other)

    assert round(gain(1), 4) == 1.9986
    assert round(gain(10), 2) == 2.13


def test_remark_1_is_a_limit_only():
    """NHT Remark 1: ε·ρ is no constant, and tends to 0.01 here."""
    products = [float(nl.Collapse(OBESE, error=r).certify(PEOPLE).epsilon / r) for r in (10, 1, Fraction(1, 1000))]
    assert products[0] > 0.0101 > products[1]
    assert abs(products[2] - 0.01) < 1e-5


def test_theorem_4_is_false_by_the_papers_own_measure():
    """NHT Thm 4 = CDC Thm 3: the boundary is null, so Priv = log μ(Y)/μ(Δ) = 0 for collapse."""
    assert nl.Collapse(OBESE, error=1).certify(PEOPLE).literal_epsilon == 0
    stretch = nl.Stretch(OBESE, error=1).certify(PEOPLE)
    assert stretch.literal_epsilon == stretch.epsilon
    shift = nl.Shift(OBESE, error=1).certify(PEOPLE)
    assert shift.literal_epsilon == shift.epsilon / 2


def test_proposition_1_is_false():
    """Y₀ = {0, 1} inside Y₁ = {0, 1, 2, 3} has ε = 1 literally and leaks 1 bit; both printed bounds are below that."""
    space = nl.Space({"X": range(6), "Y": [0, 1, 0, 1, 2, 3], "H": [False, False, True, True, True, True]})
    trial = nl.Trial(space["X"], space["Y"], space["H"])
    assert trial.privacy == nl.LogRatio(1 + 1)
    assert nl.leakage(space["Y"], space["H"]) == nl.leakage_given_epsilon(1) == nl.LogRatio(2)
    assert all(printed < nl.leakage(space["Y"], space["H"]).nats for printed in nl.proposition_1_as_printed(1))
    for epsilon in ("0.01", "0.5", 3, 100):
        assert nl.leakage_given_epsilon(epsilon).nats == pytest.approx(log1p(1 / float(epsilon)))
    with pytest.raises(nl.NumberError):
        nl.leakage_given_epsilon(0)


GRID = [Fraction(k, 2) for k in range(17)]
"""0, ½, …, 8."""


def adversary(policy, points, side):
    """Which points' reports can only come from their own side."""
    seen = {}
    for x, g in points:
        seen.setdefault((policy.report(x, g, side), g), set()).add(x >= g)
    return [len(seen[policy.report(x, g, side), g]) == 1 for x, g in points]


@pytest.mark.parametrize("policy", POLICIES)
def test_nobody_in_the_hidden_band_is_found_out(policy):
    """On grids that the pairs of a policy fall on, every point of the band shares its report with the other side."""
    side = nl.Intervals("[0, 8]")
    for r, g in product([Fraction(1, 2), Fraction(1), Fraction(2)], GRID):
        made = policy(nl.Boundary("x", g), error=r)
        band = made.hidden(nl.Box(x=side)).sliced(g)
        rooms = made.rooms(g, side)
        steps = 8  # of each side: fractions t of the room that both sides have
        if rooms is None:
            assert not band
            continue
        below, above = rooms
        points = [(g - below + below * Fraction(t, steps), g) for t in range(steps)]
        points += [(g + above * Fraction(t, steps), g) for t in range(steps)]
        if above == 0:
            points = [*dict.fromkeys(points)]
        certain = adversary(made, points, side)
        assert not any(certain), (r, g)
        assert all(x in band for x, _ in points if min(abs(x - g + below), abs(x - g - above)) > r / 10**4)
        assert all(made.report(x, g, side) in side for x, _ in points)
        assert all(abs(made.report(x, g, side) - x) <= r for x, _ in points)


@pytest.mark.parametrize("policy", POLICIES)
def test_whoever_is_outside_is_reported_as_they_are(policy):
    side, g = nl.Intervals("[0, 8]"), Fraction(4)
    made = policy(nl.Boundary("x", g), error=1)
    inside = {nl.Collapse: "[3, 5]", nl.Stretch: "[3, 5)", nl.Shift: "[2, 6)"}[policy]
    assert all((made.report(x, g, side) == x) for x in GRID if x not in nl.Intervals(inside))
    assert made.hidden(nl.Box(x=side)).sliced(g) <= nl.Intervals(inside)
    far = policy(nl.Boundary("x", 9), error=3)  # the boundary is outside: everybody is on one side, nothing is moved
    assert all(far.report(x, Fraction(9), side) == x for x in GRID)


def test_a_wrong_policy_is_found_out():
    """Shift without regard to the ends of the range: near them the partner is missing."""

    class Careless(nl.Shift):
        def rooms(self, g, side):
            return self.reach, self.reach

    side, g = nl.Intervals("[0, 8]"), Fraction(1)
    points = [(x, g) for x in GRID]
    careful = adversary(nl.Shift(nl.Boundary("x", g), error=1), points, side)
    careless = adversary(Careless(nl.Boundary("x", g), error=1), points, side)
    hidden = nl.Shift(nl.Boundary("x", g), error=1).hidden(nl.Box(x=side)).sliced(g)
    assert sum(careless) > 0
    assert any(known for known, (x, _) in zip(careless, points, strict=True) if x in hidden)
    assert len(careful) == len(careless)


@given(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 4)), min_size=2, max_size=12, unique=True))
@settings(max_examples=60)
def test_finite_spaces_are_tried_out(points):
    """Pull-back against the definition, and never above the limit for any policy."""
    boundary = nl.Boundary("x", lambda t: t + 2)
    holds = [x >= t + 2 for x, t in points]
    space = nl.Space({"x": [x for x, _ in points], "t": [t for _, t in points]})
    if len(set(holds)) < 2:
        with pytest.raises(nl.RangeError, match="one side"):
            nl.Shift(boundary, error=1).certify(space)
        return
    side = nl.Intervals.closed(min(x for x, _ in points), max(x for x, _ in points))
    for policy in POLICIES:
        made = policy(boundary, error=1)
        found = made.certify(space)
        reports = [(made.report(x, t + 2, side), t) for x, t in points]
        sides = {report: {h for other, h in zip(reports, holds, strict=True) if other == report} for report in reports}
        hidden = Fraction(sum(len(sides[report]) == 2 for report in reports), len(points))
        assert found.hidden.lower == found.hidden.upper == hidden
        assert found.epsilon <= found.limit


def test_post_processing_cannot_undo_the_pull_back_but_can_raise_the_literal_measure():
    """theory §4: quantise outside the band, and the literal measure becomes +∞ while every point outside reveals H."""
    weights = list(range(12))
    space = nl.Space({"X": weights, "H": [x >= 6 for x in weights], "Y": [min(max(x, 4), 7) for x in weights]})
    trial = nl.Trial(space["X"], space["Y"], space["H"])
    processed = space.derive(Z=lambda Y: "all")
    assert nl.Trial(processed["X"], processed["Z"], processed["H"]).privacy.ratio == inf
    assert trial.privacy.ratio == 1
    identity = nl.Space({"X": weights, "H": [x >= 6 for x in weights], "Y": [5 if x in (5, 6) else x for x in weights]})
    before = nl.Trial(identity["X"], identity["Y"], identity["H"])
    coarser = identity.derive(Z=lambda Y: Y if Y == 5 else ("low" if Y < 5 else "high"))
    after = nl.Trial(coarser["X"], coarser["Z"], coarser["H"])
    assert after.privacy > before.privacy  # literally more private, though no source is better hidden

    def pull_back(trial, space, name):
        return sum(y in trial.telling for y in [space[name].given(X=x).__iter__().__next__() for x in weights])

    assert pull_back(after, coarser, "Z") == pull_back(before, identity, "Y")


@pytest.mark.parametrize("policy", POLICIES)
def test_calibrate(policy):
    for epsilon in ("0.01", 1):
        made = policy(OBESE, error=1).calibrate(PEOPLE, epsilon=epsilon)
        assert made.certify(PEOPLE).epsilon >= Fraction(epsilon)
        smaller = made.with_error(made.error * Fraction(999999, 1000000))
        assert smaller.certify(PEOPLE).epsilon < Fraction(epsilon)
    with pytest.raises(nl.BudgetError, match="cannot be reached with any error"):
        policy(nl.Boundary("weight", lambda height: 2 * height), error=1).calibrate(PEOPLE, epsilon=10)
    with pytest.raises(nl.BudgetError, match="above 0"):
        policy(OBESE, error=1).calibrate(PEOPLE, epsilon=0)


@pytest.fixture
def data():
    draw = np.random.default_rng(5)
    return {"name": np.arange(2000), "weight": draw.uniform(0, 200, 2000), "height": draw.uniform(0, 250, 2000)}


@pytest.mark.parametrize("policy", POLICIES)
def test_apply_agrees_with_the_exact_reports(policy, data):
    made = policy(OBESE, error=5)
    found = made.apply(data, within=PEOPLE)
    side = PEOPLE["weight"]
    for x, h, y in zip(data["weight"], data["height"], found["weight"], strict=True):
        exact = made.report(Fraction(x), Fraction(3, 1000) * Fraction(h) ** 2, side)
        assert abs(float(exact) - y) <= 5 * 2**-20
    assert np.all(np.abs(found["weight"] - data["weight"]) <= 5)
    assert np.any(found["weight"] != data["weight"])
    assert found["height"] is data["height"]


@pytest.mark.parametrize("policy", POLICIES)
def test_every_container(policy, data):
    made = policy(OBESE, error=5)
    wanted = made.apply(data)["weight"]
    frame = pd.DataFrame(data, index=range(7, 2007))
    structured = np.zeros(2000, dtype=[(name, float) for name in data])
    for name, values in data.items():
        structured[name] = values
    for table in (frame, pl.DataFrame(data), pa.table(data), structured):
        found = made.apply(table)
        assert type(found) is type(table)
        assert np.array_equal(np.asarray(found["weight"]), wanted)
        assert np.array_equal(np.asarray(found["height"]), data["height"])
    assert list(made.apply(frame).index) == list(frame.index)
    assert np.array_equal(frame["weight"], data["weight"])  # not changed in place


def test_integers_missing_values_and_nobody():
    made = nl.Shift(OBESE, error=2)
    table = pl.DataFrame({"weight": [86, 87, 10], "height": [170, 170, 170]})
    assert made.apply(table)["weight"].to_list() == [88.0, 85.0, 10.0]
    gone = made.apply({"weight": np.array([np.nan, 86.0]), "height": np.array([170.0, np.nan])})["weight"]
    assert np.isnan(gone[0])
    assert gone[1] == 86.0
    assert len(made.apply(table.head(0))) == 0


def test_what_cannot_be_accepted(data):
    for error in (0, -1, float("nan"), float("inf"), None):
        with pytest.raises(nl.NumberError):
            nl.Shift(OBESE, error=error)
    with pytest.raises(nl.NumberError, match="is not a boundary"):
        nl.Shift("weight", error=1)
    with pytest.raises(nl.RangeError, match="outside the range of 'weight' everywhere"):
        nl.Shift(nl.Boundary("weight", lambda height: height + 1000), error=1).certify(PEOPLE)
    with pytest.raises(nl.UnknownVariableError, match="no column 'height'"):
        nl.Shift(OBESE, error=1).apply({"weight": data["weight"]})
    with pytest.raises(nl.DomainError, match="outside the range"):
        nl.Shift(OBESE, error=1).apply(data, within=nl.Box(weight=(0, 100), height=(0, 250)))
    with pytest.raises(nl.DomainError, match="not a one-dimensional column of numbers"):
        nl.Shift(OBESE, error=1).apply({"weight": np.array(["x"]), "height": np.array([1.0])})
    with pytest.raises(nl.DomainError, match="cannot read columns"):
        nl.Shift(OBESE, error=1).apply(5)
    with pytest.raises(nl.DomainError, match="give a Box, such as"):
        nl.Shift(OBESE, error=1).apply(data, within="people")
    with pytest.raises(nl.DomainError, match="does not work on arrays"):
        nl.Shift(nl.Boundary("weight", lambda height: sqrt(height)), error=1).apply(data)
    with pytest.raises(nl.RangeError, match="cannot be calibrated for a"):
        nl.Shift(OBESE, error=1).calibrate(nl.Space({"weight": [1]}), epsilon=1)
    with pytest.raises(nl.SpaceError, match="Box or a Space"):
        nl.Shift(OBESE, error=1).certify("people")
