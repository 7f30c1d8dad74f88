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
    with pytest.raises(TypeError):
        np.sin(crossing)  # type: ignore[call-overload]
