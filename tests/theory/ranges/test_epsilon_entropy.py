"""The smallest covers, against points that need a piece each."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import noiseless as nl
from noiseless.theory.ranges.intervals import Intervals
from tests.theory.ranges.test_intervals import sets


def most_apart(whole: Intervals, width: Fraction) -> int:
    """As many points, more than the width apart, need a piece each; from the left is best."""
    found, last = 0, None
    for point in (Fraction(k, 64) for k in range(64 * 9)):
        if point in whole and (last is None or point - last > width):
            found, last = found + 1, point
    return found


@given(sets(), st.sampled_from([1, 2, 3]))
def test_the_fewest_pieces(whole, width):
    if whole:
        assert nl.epsilon_entropy(whole, Fraction(width, 2)).ratio == most_apart(whole, Fraction(width))


def test_the_papers_bounds():
    box = nl.Box(x=(0, 3), y=(0, "2.5"))
    for epsilon in (Fraction(1, 2), Fraction(1, 3), 1):
        pieces = nl.epsilon_entropy(box, epsilon).ratio
        assert box.measure <= (2 * epsilon) ** 2 * pieces
    half = nl.epsilon_entropy("[0, 1/2]", 1)
    assert half.ratio == 1  # N·(2ε)ⁿ = 2 is not at most μ·2ⁿ = 1: the printed lower inequality is false
    with pytest.raises(nl.RangeError, match="must be above 0"):
        nl.epsilon_entropy("[0, 1]", 0)
