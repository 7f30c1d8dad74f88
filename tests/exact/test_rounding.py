"""Directed rounding, judged by exact powers: bits ≤ log2 r iff 2^bits ≤ r."""

from fractions import Fraction
from math import inf, log, nextafter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import noiseless as nl
from noiseless.exact.rounding import bits_down, bits_nearest, bits_up, nats_nearest

RATIOS = st.builds(Fraction, st.integers(1, 10**30), st.integers(1, 10**30))


@given(RATIOS)
def test_up_and_down_enclose_tightly(ratio):
    low, high = bits_down(ratio), bits_up(ratio)
    assert low <= bits_nearest(ratio) <= high
    assert high in (low, nextafter(low, inf))
    assert (low == high) == (2 ** Fraction(low) == ratio if low == int(low) else False)


@given(RATIOS, st.integers(0, 2))
def test_digits_are_on_the_safe_side(ratio, digits):
    """With d digits bits = k/10^d, so compare 2^k with ratio^(10^d) as integers."""
    scale = 10**digits
    down, up = bits_down(ratio, digits), bits_up(ratio, digits)
    power = ratio**scale
    assert Fraction(2) ** round(down * scale) <= power <= Fraction(2) ** round(up * scale)
    assert round(up * scale) - round(down * scale) <= 1


def test_powers_of_two_are_exact():
    for exponent in (-1074, -3, 0, 1, 1023, 5000):
        assert bits_up(Fraction(2) ** exponent) == bits_down(Fraction(2) ** exponent) == exponent


def test_just_beside_a_power_of_two():
    huge = 2**3000
    assert bits_up(huge + 1) > 3000.0
    assert bits_down(huge - 1) < 3000.0
    assert bits_up(Fraction(huge, huge + 1)) <= 0.0
    assert bits_down(Fraction(huge + 1, huge)) >= 0.0


def test_ends_of_the_line():
    assert bits_up(0) == bits_down(0) == -inf
    assert bits_up(inf) == bits_down(inf) == inf


@pytest.mark.parametrize(("ratio", "up", "down"), [(6, 2.585, 2.584), (Fraction(1, 3), -1.584, -1.585), (8, 3.0, 3.0)])
def test_three_digits(ratio, up, down):
    assert (bits_up(ratio, 3), bits_down(ratio, 3)) == (up, down)


@given(RATIOS)
def test_nats(ratio):
    assert nats_nearest(ratio) == pytest.approx(log(ratio.numerator) - log(ratio.denominator), abs=1e-12)


@given(st.integers(2, 300), st.integers(12, 22))
def test_many_digits_are_on_the_safe_side_too(ratio, digits):
    assert bits_down(ratio, digits) <= bits_down(ratio)
    assert bits_up(ratio, digits) >= bits_up(ratio)


def test_enormous_integers():
    enormous = 2**100_000
    assert bits_up(enormous + 1) > 100_000.0 > bits_down(enormous - 1)
    assert bits_up(Fraction(3**9000, 3**9000 - 1)) >= 0
    assert bits_down(Fraction(3**9000 - 1, 3**9000)) <= 0


@pytest.mark.parametrize("ratio", [-1, Fraction(-1, 2), float("nan"), -inf, 0.5, "2"])
def test_what_has_no_logarithm(ratio):
    with pytest.raises(nl.NumberError, match="ratio="):
        bits_up(ratio)
