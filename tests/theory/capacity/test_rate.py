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
    assert repr(rate) == "log2(5)/2 = 1.161 bits"


def test_foreign_types():
    assert nl.Rate(Fraction(2), 1) != 1
    with pytest.raises(TypeError):
        nl.Rate(Fraction(2), 1) < 1  # noqa: B015
