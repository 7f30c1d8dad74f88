"""Roots and integrals of polynomials, against products of known factors and against many points."""

from fractions import Fraction
from math import isqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

import noiseless as nl
from noiseless.exact.polynomial import X, polynomial

SMALL = st.fractions(-5, 5, max_denominator=6)


@given(st.lists(st.tuples(SMALL, st.integers(1, 3)), min_size=1, max_size=4), st.booleans(), SMALL, SMALL)
def test_rational_roots_are_found_as_themselves(factors, never_zero, one, other):
    low, high = min(one, other), max(one, other)
    product = polynomial(3)
    for root, power in factors:
        product = product * (X - root) ** power
    if never_zero:
        product = product * (X**2 + 1)
    wanted = sorted({root for root, _ in factors if low < root < high})
    assert [(root.lower, root.upper) for root in product.roots(low, high)] == [(root, root) for root in wanted]


@given(st.integers(2, 10**6))
def test_irrational_roots_are_enclosed(number):
    if isqrt(number) ** 2 == number:
        return
    [root] = (X**2 - number).roots(Fraction(0), Fraction(number))
    assert root.lower**2 < number < root.upper**2
    assert root.width < Fraction(1, 10**20)


@given(st.lists(SMALL, min_size=1, max_size=5), SMALL, SMALL)
def test_values_lie_between_the_extremes(coefficients, one, other):
    p, low, high = sum((c * X**k for k, c in enumerate(coefficients)), polynomial(0)), min(one, other), max(one, other)
    extremes = p.extremes(low, high)
    values = [p(low + (high - low) * k / 20) for k in range(21)]
    assert all(value in extremes for value in values)
    assert p.integral(high) - p.integral(low) >= extremes.lower * (high - low)
    assert p.integral.derivative == p


def test_what_is_no_polynomial():
    for power in (-1, 0.5):
        with pytest.raises(nl.NumberError, match="does not give a polynomial"):
            X**power
    assert polynomial(0).roots(Fraction(0), Fraction(1)) == []
