from fractions import Fraction
from math import isqrt, log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

import noiseless as nl


@given(st.integers(0, 300))
def test_whole_bits(bits):
    assert nl.answers_within(bits) == 2**bits


@given(st.integers(0, 600))
def test_halves_are_square_roots(halves):
    assert nl.answers_within(Fraction(halves, 2)) == isqrt(2**halves)


@given(st.fractions(0, 12, max_denominator=30))
def test_the_floor_is_exact(bits):
    answers = nl.answers_within(bits)
    power, root = bits.numerator, bits.denominator
    assert answers**root <= 2**power < (answers + 1) ** root


def test_a_float_is_the_decimal_it_prints_as():
    assert nl.answers_within(log2(3)) == 2
    assert nl.answers_within("1.585") == 3


@pytest.mark.parametrize("bits", [-1, "-0.1", -0.0001])
def test_negative(bits):
    with pytest.raises(nl.BudgetError, match="negative"):
        nl.answers_within(bits)


@pytest.mark.parametrize("bits", [float("nan"), float("inf"), "x", None])
def test_not_numbers(bits):
    with pytest.raises(nl.NumberError, match="bits="):
        nl.answers_within(bits)


def test_absurd():
    with pytest.raises(nl.BudgetError, match="gives no protection"):
        nl.answers_within(10**6)
