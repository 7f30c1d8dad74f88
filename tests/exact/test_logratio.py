from fractions import Fraction
from math import inf, log, log2

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import noiseless as nl

RATIOS = st.one_of(st.fractions(min_value=0, max_value=10**6), st.just(inf))


def test_faces():
    six = nl.LogRatio(6)
    assert six.ratio == Fraction(6)
    assert six.bits == float(six) == log2(6)
    assert six.nats == log(6)
    assert repr(six) == "log2(6) ≈ 2.585 bits"
    assert repr(nl.LogRatio(0)) == "log2(0) = -inf bits"
    assert repr(nl.LogRatio(inf)) == "log2(inf) = inf bits"


def test_infinite_ends():
    assert nl.LogRatio(inf).bits == nl.LogRatio(inf).nats == inf
    assert nl.LogRatio(0).bits == nl.LogRatio(0).nats == -inf
    assert nl.LogRatio(0) < nl.LogRatio(Fraction(1, 10**9)) < nl.LogRatio(inf)


def test_comparison_sees_what_logarithms_cannot():
    """Two ratios whose logarithms are the same float are still different."""
    near = nl.LogRatio(2**200)
    next_to_it = nl.LogRatio(2**200 + 1)
    assert near.bits == next_to_it.bits
    assert near < next_to_it
    assert near != next_to_it


@given(RATIOS, RATIOS)
def test_order_is_that_of_the_ratios(a, b):
    x, y = nl.LogRatio(a), nl.LogRatio(b)
    assert (x < y, x == y, x > y, x <= y) == (a < b, a == b, a > b, a <= b)
    assert a != b or hash(x) == hash(y)


@given(RATIOS, RATIOS)
def test_sums_undo_differences(a, b):
    assume(b not in (0, inf))
    x, y = nl.LogRatio(a), nl.LogRatio(b)
    assert x + y - y == x
    assert x - y == x + -y


@pytest.mark.parametrize(("top", "bottom"), [(0, 0), (inf, inf)])
def test_quotients_without_a_value(top, bottom):
    with pytest.raises(nl.NotCertifiableError):
        nl.LogRatio.of(top, bottom)
    with pytest.raises(nl.NotCertifiableError):
        nl.LogRatio(top) - nl.LogRatio(bottom)


def test_infinity_minus_infinity():
    with pytest.raises(nl.NotCertifiableError, match="∞ − ∞"):
        nl.LogRatio(inf) + nl.LogRatio(0)


def test_quotients_with_a_value():
    assert nl.LogRatio.of(1, 0) == nl.LogRatio(inf) == nl.LogRatio.of(inf, 3)
    assert nl.LogRatio.of(0, 3) == nl.LogRatio(0) == nl.LogRatio.of(3, inf)


@pytest.mark.parametrize("ratio", [-1, 0.5, float("nan"), -inf, "2", None, True])
def test_what_is_not_a_ratio(ratio):
    with pytest.raises(nl.NumberError, match="ratio="):
        nl.LogRatio(ratio)


@pytest.mark.parametrize("operation", [lambda x: x + 1, lambda x: x - 1.0, lambda x: x < 2, lambda x: x >= "a"])
def test_foreign_types_are_not_guessed(operation):
    with pytest.raises(TypeError):
        operation(nl.LogRatio(2))


def test_a_number_is_not_a_logratio():
    assert nl.LogRatio(2) != 1
