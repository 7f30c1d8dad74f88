"""Floats must not give away what exact numbers hide, and functions must not be misunderstood."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import noiseless as nl
from hypothesis import given, settings
from hypothesis import strategies as st

POLICIES = [nl.Collapse, nl.Stretch, nl.Shift]
TENTHS = st.integers(0, 80).map(lambda k: Fraction(k, 10))


def revealed(reports, holds):
    seen = {}
    for report, side in zip(reports, holds, strict=True):
        seen.setdefault(report, set()).add(side)
    return [len(seen[report]) == 1 for report in reports]


@settings(max_examples=150)
@given(st.sampled_from(POLICIES), TENTHS, st.sampled_from(["0.1", "0.2", "0.7", "1.5", "2"]))
def test_whoever_is_hidden_exactly_is_hidden_in_floats(policy, g, error):
    """All tenths from 0 to 8, which few floats are."""
    made, box = policy(nl.Boundary("w", g), error=error), nl.Box(w=(0, 8))
    points = [Fraction(k, 10) for k in range(81)]
    holds = [x >= g for x in points]
    exact = revealed([made.report(x, g, box["w"]) for x in points], holds)
    floats = revealed(made.apply({"w": np.array([float(x) for x in points])}, within=box)["w"], holds)
    assert not any(shown and not known for shown, known in zip(floats, exact, strict=True))


def test_the_policy_that_is_certified_is_the_one_that_is_applied():
    made, box = nl.Stretch(nl.Boundary("w", 8), error=2), nl.Box(w=(0, 40))
    space = nl.Space({"w": [7, 8, 14, 28]})
    assert made.certify(space).hidden.lower == Fraction(1, 2)  # from 7 to 28
    assert made.certify(space, within=box).hidden.lower == 0
    assert made.apply({"w": np.array([7.0, 8, 14, 28])}, within=box)["w"].tolist() == [8, 6, 14, 28]
    with pytest.raises(nl.DomainError, match="samples are outside the range"):
        made.certify(space, within=nl.Box(w=(0, 10)))


def test_a_range_is_checked_though_values_are_missing():
    made = nl.Shift(nl.Boundary("w", 10), error=2)
    with pytest.raises(nl.DomainError, match="outside the range"):
        made.apply({"w": np.array([np.nan, 500.0])}, within=nl.Box(w=(0, 20)))
    for side in ("[0, 20)", "(0, 20]", "[0, 4] ∪ [14, 20]"):
        with pytest.raises(nl.RangeError):
            made.apply({"w": np.array([1.0])}, within=nl.Box(w=side))
        with pytest.raises(nl.RangeError):
            made.certify(nl.Box(w=side))


def test_fields_that_reports_do_not_fit_into_are_refused():
    table = np.array([(0,), (1,)], dtype=[("w", "u1")])
    with pytest.raises(nl.DomainError, match="does not hold floats"):
        nl.Shift(nl.Boundary("w", 1), error=2).apply(table)


@pytest.mark.parametrize(
    "function",
    [
        lambda s: 80 + 10 * (s == 1),
        lambda s: 90 if s == 1 else 80,
        lambda s: 90 if s else 80,
        lambda s: {0: 80}.get(s, 85),
        lambda s: {0: 80, 1: 90}[s],
        lambda s: s / 0,
    ],
)
def test_what_is_no_polynomial_is_not_taken_for_one(function):
    boundary = nl.Boundary("w", function)
    assert boundary.polynomial is None
    with pytest.raises(nl.InputError):
        nl.Shift(boundary, error=1).certify(nl.Box(w=(0, 100), s=(0, 1)))


def test_powers():
    assert nl.Boundary("w", lambda s: s**3000).polynomial is None
    hidden = nl.Boundary("w", lambda a: 1e-10 * a**-2)
    with pytest.raises(nl.InputError):
        hidden.above(nl.Box(w=(0, 10), a=(-1, 2))).measure  # noqa: B018
    found = nl.Boundary("w", lambda a: a**-1).below(nl.Box(w=(0, 10), a=(1, 2))).measure
    assert found.lower < Fraction(0.6931471805599453) < found.upper


def test_boxes_without_measure():
    obese = nl.Boundary("weight", lambda height: 0.003 * height**2)
    for box in (nl.Box(weight=(0, 200), height=(170, 170)), nl.Box(weight=(0, 200), height=(0, 250), z=(1, 1))):
        with pytest.raises(nl.RangeError, match="no measure"):
            nl.Shift(obese, error=1).certify(box)
        with pytest.raises(nl.RangeError, match="no measure"):
            nl.Shift(obese, error=1).calibrate(box, epsilon=5)


def test_errors_larger_than_the_range():
    obese = nl.Boundary("weight", lambda height: 0.003 * height**2)
    people = nl.Box(weight=(0, 200), height=(0, 250))
    for error in (1000, 10**300, 10**400):
        assert nl.Shift(obese, error=error).certify(people).hidden.upper == 1
        assert nl.Shift(obese, error=error).apply(
            {"weight": np.array([5.0]), "height": np.array([170.0])}, within=people
        )
