"""Shares of a box: known areas lie between the bounds, and the range is certain."""

from fractions import Fraction
from math import log, pi, sin

import numpy as np
import pytest

import noiseless as nl
from noiseless.theory.spread.box_function import BoxFunction

SQUARE = nl.Box(x=(-2, 2), y=(-2, 2))


def test_ellipses():
    bowl = BoxFunction(lambda x, y: x**2 + 2 * y**2, SQUARE)
    assert (bowl.low.lower, bowl.low.upper, bowl.high.lower, bowl.high.upper) == (0, 0, 12, 12)
    shares = bowl.shares([Fraction(1), Fraction(2), Fraction(4)])
    for share, area in zip(shares[:3], (pi / 2**0.5, pi / 2**0.5, 2 * pi / 2**0.5), strict=True):
        assert share.lower <= area / 16 <= share.upper
        assert share.width < Fraction(1, 1000)
    assert sum(share.lower for share in shares) <= 1 <= sum(share.upper for share in shares)


def test_decimals_are_exact_in_the_range():
    tilted = BoxFunction(lambda x, y: 0.1 * x + 0.2 * y, SQUARE)
    assert (tilted.low.lower, tilted.high.upper) == (Fraction(-3, 5), Fraction(3, 5))


def test_functions_that_are_not_polynomials():
    found = BoxFunction(lambda x: np.exp(x), nl.Box(x=(0, 1)))
    assert found.low.lower <= 1 <= found.low.upper
    assert found.high.lower <= np.e <= found.high.upper
    below = found.shares([Fraction(2)])[0]
    assert below.lower <= log(2) <= below.upper
    assert below.width < Fraction(1, 10**5)


def test_a_turning_point_inside():
    """x(1 − x) + xy turns inside the box; its greatest value 9/4 is at (3/2, 2)."""
    found = BoxFunction(lambda x, y: x * (1 - x) + x * y, SQUARE)
    assert found.high.lower <= Fraction(9, 4) <= found.high.upper
    assert found.high.width < Fraction(1, 1000)
    assert found.low.lower <= -10 <= found.low.upper


def test_sides_with_gaps():
    found = BoxFunction(lambda x: x, nl.Box(x="[0, 1] | [3, 4]"))
    assert (found.low.lower, found.high.upper) == (0, 4)
    low, high = found.shares([Fraction(2)])
    assert low.lower <= Fraction(1, 2) <= low.upper
    assert high.lower <= Fraction(1, 2) <= high.upper


def test_functions_that_cannot_be_followed():
    with pytest.raises(nl.RangeError, match="interval arithmetic"):
        BoxFunction(lambda x: sin(x), nl.Box(x=(0, 1))).shares([Fraction(1)])


def test_exact_ends_do_not_become_floats():
    """A power or an absolute value that crosses 0, and the larger of two, stay exact."""
    found = BoxFunction(lambda x, y: x**2 + y, nl.Box(x=(-1, 2), y=("0.1", 1)))
    assert (found.low.lower, found.high.upper) == (Fraction(1, 10), 5)
    found = BoxFunction(lambda x, y: abs(x) + np.maximum(y, 0.3), nl.Box(x=(-1, 2), y=("0.1", 1)))
    assert (found.low.lower, found.high.upper) == (Fraction(3, 10), 3)


def test_what_is_wrong_with_a_function_is_told():
    with pytest.raises(nl.RangeError, match="interval arithmetic") as caught:
        BoxFunction(lambda x, y: x, nl.Box(x=(0, 1))).shares([Fraction(1, 2)])
    assert "missing 1 required positional argument" in str(caught.value.__cause__)
