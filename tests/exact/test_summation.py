from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import noiseless as nl

FLOATS = st.lists(st.floats(allow_nan=False, allow_infinity=False), max_size=30)


@given(FLOATS)
def test_floats(values):
    assert nl.exact_sum(np.array(values, dtype=float)) == sum(map(Fraction, values), Fraction(0))


@given(st.lists(st.integers(-(2**63), 2**63 - 1), max_size=20))
def test_integers_do_not_overflow(values):
    assert nl.exact_sum(np.array(values, dtype=np.int64)) == sum(values)


def test_float32():
    assert nl.exact_sum(np.array([0.1, 0.2], dtype=np.float32)) == sum(map(Fraction, np.float32([0.1, 0.2]).tolist()))  # type: ignore[call-overload]


def test_the_order_does_not_matter():
    values = np.random.default_rng(0).normal(size=1000) * 10.0 ** np.random.default_rng(1).integers(-20, 20, 1000)
    assert nl.exact_sum(values) == nl.exact_sum(values[::-1]) == nl.exact_sum(np.sort(values))
