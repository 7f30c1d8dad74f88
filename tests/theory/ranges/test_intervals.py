"""Sets of numbers, judged point by point: all half-integers decide about sets with integer ends."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import noiseless as nl
from noiseless.theory.ranges.intervals import EMPTY, Intervals

POINTS = [Fraction(k, 2) for k in range(-2, 18)]


@st.composite
def sets(draw):
    parts = []
    for _ in range(draw(st.integers(0, 4))):
        low, length = draw(st.integers(0, 5)), draw(st.integers(0, 3))
        opening, closing = draw(st.sampled_from(["[]", "[)", "(]", "()"]))
        parts.append(f"{opening}{low}, {low + length}{closing}" if length else f"{{{low}}}")
    return Intervals(" ∪ ".join(parts) or "∅")


def members(found):
    return {point for point in POINTS if point in found}


def operations_agree(a, b, members):
    """Every operation on two sets does to their members what it should."""
    for made, wanted in (
        (a | b, members(a) | members(b)),
        (a & b, members(a) & members(b)),
        (a - b, members(a) - members(b)),
        (a ^ b, members(a) ^ members(b)),
    ):
        assert members(made) == wanted
    assert (a <= b) == (members(a) <= members(b))
    assert (a == b) == (members(a) == members(b))  # a normal form
    assert bool(a) == bool(members(a))


@given(sets(), sets())
def test_operations_agree_with_sets_of_points(a, b):
    operations_agree(a, b, members)


@given(sets(), sets())
def test_measures(a, b):
    """Every unit interval with integer ends has one point in the middle."""
    assert a.measure == sum(point.denominator == 2 for point in members(a))
    assert (a | b).measure + (a & b).measure == a.measure + b.measure
    assert sum((part.measure for part in a.components), Fraction(0)) == a.measure


@given(sets(), sets())
def test_sums(a, b):
    """Of all points of both; quarter points would be needed for sums of halves to tell open from closed."""
    sums = {x + y for x in members(a) for y in members(b)}
    assert all(each in a + b for each in sums)
    assert (a + b).measure == (_closed(a) + _closed(b)).measure
    assert bool(a + b) == bool(a and b)


def _closed(a):
    found = EMPTY
    for part in a.components:
        found |= Intervals.closed(part.low, part.high)
    return found


@given(sets(), st.sampled_from([Fraction(-2), Fraction(-1, 2), Fraction(0), Fraction(1), Fraction(3)]))
def test_scaling(a, scale):
    assert all(scale * x + 1 in a.moved(scale, Fraction(1)) for x in members(a))
    assert a.moved(scale, Fraction(1)).measure == abs(scale) * a.measure


@given(sets())
def test_written_and_read(a):
    assert Intervals(repr(a)) == a


@pytest.mark.parametrize("text", ["", "[0, 1", "0, 1", "[1, 0]", "[0, inf]", "(nan, 1)", "{x}", "[0; 1]"])
def test_what_is_no_interval(text):
    with pytest.raises(nl.InputError):
        Intervals(text)
    with pytest.raises(nl.RangeError, match="no ends"):
        EMPTY.low  # noqa: B018
