from fractions import Fraction

import pytest

import noiseless as nl


def test_faces():
    sharp, wide = nl.Enclosure(Fraction(5, 2), Fraction(5, 2)), nl.Enclosure(Fraction(2), Fraction(3))
    assert (sharp.exact, wide.exact) == (True, False)
    assert (repr(sharp), repr(wide)) == ("5/2", "[2, 3]")
    assert (float(wide), wide.width) == (2.5, 1)
    assert 2.5 in wide
    assert 3.5 not in wide


def test_ends_in_order():
    with pytest.raises(nl.NumberError, match="lower=2"):
        nl.Enclosure(Fraction(2), Fraction(1))
