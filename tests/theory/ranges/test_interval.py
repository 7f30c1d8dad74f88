from fractions import Fraction

import pytest

import noiseless as nl


def test_faces():
    interval = nl.Interval("0.1", 1)
    assert (interval.low, interval.high, interval.span) == (Fraction(1, 10), 1, Fraction(9, 10))
    assert Fraction(1, 10) in interval
    assert 2 not in interval
    assert repr(interval) == "[1/10, 1]"


def test_inverted():
    with pytest.raises(nl.RangeError, match="low=2 is above high=1"):
        nl.Interval(2, 1)
