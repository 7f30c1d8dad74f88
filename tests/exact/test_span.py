"""Interval arithmetic holds what it should: every value of a formula at points inside."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import noiseless as nl
from noiseless.exact.span import Span

FLOATS = st.floats(-50, 50)
FORMULAS = [
    lambda x: 0.003 * x**2 - x / 7 + 1,
    lambda x: 1 / (x**2 + 1),
    lambda x: abs(x) ** 3 - np.square(x),
    lambda x: np.exp(x / 10) + np.arctan(x),
    lambda x: np.sqrt(x**2 + 2) * np.log(abs(x) + 1),
    lambda x: np.maximum(x, 3) - np.minimum(2 * x, 1),
    lambda x: -((5 - x) ** 2),
    lambda x: (x**2 + 1) ** 0.3,
    lambda x: np.sin(x) + np.cos(3 * x) * np.tanh(x),
    lambda x: np.floor(x / 7) - np.ceil(x) + np.sign(x) + np.rint(x) + np.trunc(x / 2),
    lambda x: np.where(x < 1, x**2, np.where((x >= 5) & ~(x > 9), 3, -x)),
    lambda x: np.where(np.logical_or(x < 2, np.greater(x, 20)), np.exp(x / 20), np.cosh(x / 9)),
    lambda x: np.tan(x / 40) + np.arccos(x / 60) + np.arcsin(x / 60) + np.hypot(x, 3) + np.sinh(x / 30),
]


@given(st.sampled_from(FORMULAS), FLOATS, FLOATS, st.floats(0, 1))
def test_values_stay_inside(formula, one, other, share):
    low, high = min(one, other), max(one, other)
    found = formula(Span(np.array([low]), np.array([high])))
    value = formula(np.float64(min(max(low + share * (high - low), low), high)))
    assert found.low[0] <= value <= found.high[0]


@given(FLOATS, FLOATS)
def test_roundings_go_outward(one, other):
    a, b = Span(np.array([one]), np.array([one])), Span(np.array([other]), np.array([other]))
    for found, exact in ((a + b, Fraction(one) + Fraction(other)), (a * b, Fraction(one) * Fraction(other))):
        assert Fraction(found.low[0]) <= exact <= Fraction(found.high[0])


def test_what_is_not_defined_everywhere():
    crossing = Span(np.array([-1.0]), np.array([1.0]))
    for formula in (lambda x: 1 / x, np.log, np.sqrt):
        with pytest.raises(nl.NumberError):
            formula(crossing)  # type: ignore[call-overload]
    for formula in (lambda x: np.tan(2 * x), np.arctanh, np.arccosh, lambda x: 1 if x < 0 else 2, lambda x: x == 0):
        with pytest.raises((nl.NumberError, TypeError)):
            formula(crossing)  # type: ignore[call-overload]


def test_waves_know_their_peaks():
    """Between two angles: by the peaks known by hand, which the ends alone miss."""
    for function, low, high, least, most in [
        (np.sin, 0.0, 3.2, np.sin(3.2), 1),
        (np.sin, 2.0, 4.0, np.sin(4.0), np.sin(2.0)),
        (np.sin, 4.0, 5.0, -1, np.sin(4.0)),
        (np.cos, -1.0, 0.5, np.cos(-1.0), 1),
        (np.cos, 1.0, 4.0, -1, np.cos(1.0)),
        (np.cos, 0.0, 100.0, -1, 1),
        (np.sin, 1e9, 1e9 + 7, -1, 1),
    ]:
        found = function(Span(np.array([low]), np.array([high])))  # type: ignore[call-overload]
        assert found.low[0] <= least <= most <= found.high[0]
        assert least - found.low[0] < 1e-14
        assert found.high[0] - most < 1e-14


def test_exact_ends_stay_exact():
    ends = Span(*(np.array([Fraction(end, 3)], dtype=object) for end in (1, 5)))
    found = np.where(ends < 2, ends * 2, 0)  # type: ignore[call-overload]
    assert (found.low[0], found.high[0]) == (Fraction(2, 3), Fraction(10, 3))
    found = np.where(ends < 1, ends * 2, Fraction(1, 7))  # type: ignore[call-overload]
    assert (found.low[0], found.high[0]) == (Fraction(1, 7), Fraction(10, 3))
