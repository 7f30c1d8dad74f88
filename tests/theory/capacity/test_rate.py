from fractions import Fraction
from math import log2

import pytest

import noiseless as nl


def test_compared_as_powers():
    assert nl.Rate(Fraction(4), 2) == nl.Rate(Fraction(2), 1) == nl.Rate(Fraction(8), 3)
    assert hash(nl.Rate(Fraction(4), 2)) == hash(nl.Rate(Fraction(2), 1))
    assert nl.Rate(Fraction(5), 2) > nl.Rate(Fraction(2), 1)
    assert nl.Rate(Fraction(2**64), 2) < nl.Rate(Fraction(2**64 + 1), 2)


def test_faces():
    rate = nl.Rate(Fraction(5), 2)
    assert float(rate) == rate.bits == pytest.approx(log2(5) / 2)
    assert rate.bits_down < rate.bits_up
    assert repr(rate) == "log2(5)/2 ≈ 1.161 bits"


def test_foreign_types():
    assert nl.Rate(Fraction(2), 1) != 1
    with pytest.raises(TypeError):
        nl.Rate(Fraction(2), 1) < 1  # noqa: B015


def test_equal_rates_are_one_rate():
    assert nl.Rate(3, 1) == nl.Rate(243, 5)
    assert len({nl.Rate(3, 1), nl.Rate(243, 5), nl.Rate(27, 3)}) == 1
    assert nl.Rate(4, 2).bits_up == 1.0
    assert nl.Rate(8, 6) == nl.Rate(2, 2)


@pytest.mark.parametrize(("count", "uses"), [(-1, 1), (0, 1), (2, 0), (2.5, 1)])
def test_what_is_no_rate(count, uses):
    with pytest.raises(nl.NumberError, match="count="):
        nl.Rate(count, uses)


def test_ends_are_rounded_outward():
    """2·bits_down ≤ log2 5 ≤ 2·bits_up, and the two are next to each other."""
    rate = nl.Rate(5, 2)
    assert Fraction(rate.bits_down) * 2 < Fraction(nl.bits_up(5))
    assert 2 * rate.bits_down <= nl.bits_down(5) < nl.bits_up(5) <= 2 * rate.bits_up
