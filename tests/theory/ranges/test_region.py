"""Regions beside a boundary: their measures against closed forms and against each other, their sets point by point."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import noiseless as nl

PEOPLE = nl.Box(weight=(0, 200), height=(0, 250))
OBESE = nl.Boundary("weight", lambda height: 0.003 * height**2)


@settings(max_examples=30)
@given(st.fractions("1/100", 187, max_denominator=100))
def test_the_band_of_the_papers_example(r):
    """theory §4, both branches."""
    x = float(r)
    small = 500 * x - 2 * x / 3 * sqrt(1000 * x / 3)
    large = 34375 + 250 * x - 2 / 3 * (200 - x) * sqrt(1000 * (200 - x) / 3) - 2 * x / 3 * sqrt(1000 * x / 3)
    found = OBESE.band(PEOPLE, r).measure
    assert float(found) == pytest.approx(small if x <= 12.5 else large, rel=1e-12)
    assert found.width < Fraction(1, 10**20)


LINE = nl.Boundary("x", lambda t: t)
SQUARE = nl.Box(x=(0, 4), t=(-2, 6))
GRID = [{"x": Fraction(a, 2), "t": Fraction(b, 2)} for a in range(9) for b in range(-4, 13)]
OFFSETS = st.integers(-3, 3)


@settings(max_examples=30)
@given(OFFSETS, OFFSETS, st.integers(0, 3))
def test_operations_agree_with_sets_of_points(a, b, r):
    one, other, band = LINE.above(SQUARE, a), LINE.below(SQUARE, b), LINE.band(SQUARE, r)
    for made, holds in (
        (one | other, lambda p: p["x"] >= p["t"] + a or p["x"] < p["t"] + b),
        (one & band, lambda p: p["x"] >= p["t"] + a and abs(p["x"] - p["t"]) <= r),
        (one - other, lambda p: p["x"] >= p["t"] + a and not p["x"] < p["t"] + b),
        (one ^ band, lambda p: (p["x"] >= p["t"] + a) != (abs(p["x"] - p["t"]) <= r)),
        (~band, lambda p: abs(p["x"] - p["t"]) > r),
    ):
        inside = [point in made for point in GRID]
        assert inside == [holds(point) for point in GRID]
        assert bool(made) == any(inside)
        assert made.measure.exact
    assert (one <= other) == all(p in other for p in GRID if p in one)
    assert (one | other).measure.lower + (one & other).measure.lower == one.measure.lower + other.measure.lower


def test_measures_by_interval_arithmetic_hold_the_exact_ones():
    same = nl.Boundary("weight", lambda height: np.sqrt(height**4) * 0.003)
    root = nl.Boundary("weight", lambda height: np.sqrt(height * 100))
    assert same.polynomial is None
    for r in (1, 20):
        exact, found = OBESE.band(PEOPLE, r).measure, same.band(PEOPLE, r).measure
        assert found.lower <= exact.lower <= exact.upper <= found.upper
        assert found.width < found.upper / 10**3
    area = root.below(PEOPLE).measure  # ∫ √(100 h) = (20/3)·250^1.5
    assert area.lower < Fraction(20 / 3 * 250**1.5) < area.upper
    assert area.width < area.upper / 10**5


def test_boundaries_of_two_coordinates():
    ball = nl.Boundary("z", lambda x, y: 4 - x**2 - y**2)
    found = ball.below(nl.Box(z=(0, 4), x=(-1, 1), y=(-1, 1))).measure
    assert found.lower < 4 * 4 - Fraction(8, 3) < found.upper
    assert found.width < found.upper / 100
    flat = nl.Boundary("z", 3).above(nl.Box(z=(0, 4), x=(0, 2), y=(0, 5))).measure
    assert (flat.lower, flat.upper) == (10, 10)


def test_what_is_no_boundary():
    with pytest.raises(nl.RangeError, match="takes 'weight' itself"):
        nl.Boundary("weight", lambda weight: weight)
    with pytest.raises(nl.UnknownVariableError, match="no coordinate 'age'"):
        nl.Boundary("weight", lambda age: age).above(PEOPLE)
    with pytest.raises(nl.RangeError, match="use a range of one interval"):
        OBESE.above(nl.Box(weight="[0, 1] ∪ [2, 3]", height=(0, 1)))
    with pytest.raises(nl.RangeError, match="interval arithmetic"):
        nl.Boundary("weight", lambda height: 1 if height > 3 else 2).above(PEOPLE).measure  # noqa: B018
    with pytest.raises(nl.RangeError, match="different boundaries"):
        OBESE.above(PEOPLE) | LINE.above(SQUARE)
