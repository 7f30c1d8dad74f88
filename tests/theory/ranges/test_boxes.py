"""Sets in the plane and in space, judged point by point, with exact measures."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import noiseless as nl
from noiseless.theory.ranges.boxes import Box
from tests.theory.ranges.test_intervals import operations_agree, sets

POINTS = [{"x": Fraction(a, 2), "y": Fraction(b, 2)} for a, b in product(range(-1, 18), repeat=2)]
WHOLE = Box(x=(-1, 9), y=(-1, 9))


@st.composite
def unions(draw):
    found = WHOLE - WHOLE
    for _ in range(draw(st.integers(0, 3))):
        x, y = draw(sets()), draw(sets())
        if x and y:
            found |= Box(x=x, y=y)
    return found


def members(found):
    return {place for place, point in enumerate(POINTS) if point in found}


@settings(max_examples=25)
@given(unions(), unions())
def test_operations_agree_with_sets_of_points(a, b):
    operations_agree(a, b, members)
    assert (WHOLE - (WHOLE - a)) == a


@settings(max_examples=25)
@given(unions(), unions())
def test_measures(a, b):
    middles = sum(all(v.denominator == 2 for v in POINTS[place].values()) for place in members(a))
    assert a.measure == middles
    assert (a | b).measure + (a & b).measure == a.measure + b.measure


@settings(max_examples=25)
@given(unions(), st.integers(-2, 2), st.integers(-2, 2))
def test_images(a, v, w):
    image = a.image({"x": Fraction(v), "y": Fraction(w)}, Fraction(1))
    assert all(v * POINTS[p]["x"] + w * POINTS[p]["y"] + 1 in image for p in members(a))
    assert bool(image) == bool(a)


def test_boxes_of_three_coordinates():
    cube = Box(a=(0, 2), b=(0, 2), c=(0, 2))
    hole = cube.where(a="(0, 1)", b="(0, 1)", c="(0, 1)")
    assert (cube - hole).measure == 7
    assert hole <= cube
    assert not cube <= hole
    assert {"a": 0.5, "b": 0.5, "c": 0.5} not in cube - hole


@pytest.mark.parametrize(
    "sides", [{}, {"x": (1, 0)}, {"x": (0, float("inf"))}, {"x": (float("nan"), 1)}, {"x": "(1, 1)"}, {"x": 5}]
)
def test_what_is_no_box(sides):
    with pytest.raises(nl.InputError):
        Box(**sides)


def test_what_does_not_fit():
    with pytest.raises(nl.RangeError, match="belong to different spaces"):
        Box(x=(0, 1)) | Box(y=(0, 1))
    with pytest.raises(nl.UnknownVariableError, match="no coordinate 'z'"):
        WHOLE.where(z=(0, 1))
    with pytest.raises(nl.UnknownVariableError, match="no coordinate 'y'"):
        {"x": 1} in WHOLE  # noqa: B015
    assert not WHOLE.where(x=(20, 30))
