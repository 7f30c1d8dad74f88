"""Volumes of slabs: against the formula over all sets, against counting, and by symmetry."""

from fractions import Fraction
from itertools import product
from math import factorial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import noiseless as nl
from noiseless.theory.spread.linear import LinearSpread
from noiseless.theory.spread.spread import value_at

LENGTHS = st.lists(st.fractions("1/4", 3, max_denominator=6), min_size=1, max_size=5)


def by_all_sets(lengths, value):
    total = Fraction(0)
    for chosen in product([0, 1], repeat=len(lengths)):
        room = value - sum(a for a, taken in zip(lengths, chosen, strict=True) if taken)
        total += (-1) ** sum(chosen) * max(room, Fraction(0)) ** len(lengths)
    volume = Fraction(1)
    for length in lengths:
        volume *= length
    return total / (factorial(len(lengths)) * volume)


@given(LENGTHS, st.fractions(-1, 16, max_denominator=5))
def test_every_set_of_coordinates(lengths, value):
    spread = LinearSpread.of(lengths)
    found = spread.share_below(value)
    assert found == (by_all_sets(lengths, value) if value < sum(lengths) else 1)
    assert 0 <= found <= 1
    assert found + spread.share_below(sum(lengths) - value) == 1  # turned around


@settings(max_examples=40)
@given(LENGTHS, st.fractions(0, 1, max_denominator=9), st.booleans())
def test_the_inverse_errs_to_the_side_that_is_asked_for(lengths, share, up):
    spread = LinearSpread.of(lengths)
    found = value_at(spread, share, precision=Fraction(1, 1000), up=up)
    assert spread.share_below(found) >= share if up else spread.share_below(found) <= share
    near = found - Fraction(1, 1000) if up else found + Fraction(1, 1000)
    assert spread.share_below(near) <= share if up else spread.share_below(near) >= share


def test_counting_a_grid():
    spread = LinearSpread.of([1, 2, 3])
    points = [(a / 20 + 0.025, 2 * b / 20 + 0.05, 3 * c / 20 + 0.075) for a, b, c in product(range(20), repeat=3)]
    assert abs(sum(sum(point) <= 2.5 for point in points) / 8000 - float(spread.share_below("2.5"))) < 0.01


def test_many_people_and_many_weights():
    assert LinearSpread.of([1] * 300).share_below(150) == Fraction(1, 2)
    assert len(LinearSpread.of(range(1, 19)).terms) < 200  # sums that are equal are one term
    with pytest.raises(nl.TooLargeError, match="up to 18 different weights"):
        LinearSpread.of([3**k for k in range(19)])
    for wrong in ([], [0], [1, -1]):
        with pytest.raises(nl.NumberError, match="above 0"):
            LinearSpread.of(wrong)
    with pytest.raises(nl.NumberError, match="from 0 to 1"):
        value_at(LinearSpread.of([1]), 2, up=True)


def test_a_thousand_equal_weights_are_the_limit():
    assert LinearSpread.of([1] * 1000).share_below(0) == 0
    with pytest.raises(nl.TooLargeError, match="about 1000 equal ones"):
        LinearSpread.of([1] * 1100)


@given(LENGTHS, st.fractions(-3, 3, max_denominator=5), st.fractions(0, 12, max_denominator=5))
def test_moved(lengths, low, value):
    assert LinearSpread.of(lengths, low).share_below(low + value) == LinearSpread.of(lengths).share_below(value)


def test_the_wrong_sign_is_caught():
    """Inclusion–exclusion without the signs is no distribution."""
    unsigned = sum(max(Fraction(3, 2) - k, 0) ** 2 for k in (0, 1, 1, 2)) / 2
    assert LinearSpread.of([1, 1]).share_below("3/2") == Fraction(7, 8) != unsigned


def test_simple_fractions_are_found():
    assert value_at(LinearSpread.of([3]), Fraction(1, 7), up=False) == Fraction(3, 7)
    assert value_at(LinearSpread.of([1, 1]), Fraction(7, 8), up=True) == Fraction(3, 2)
