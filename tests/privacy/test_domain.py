from fractions import Fraction

import pytest

import noiseless as nl
from noiseless.privacy.domain import domain_of, is_evenly_spaced


def test_codes():
    codes = nl.Codes(600)
    assert (codes.low, codes.high, codes.points, codes.step) == (0, 600, 601, 1)


def test_values_are_sorted_and_different():
    values = nl.Values(["1.5", 0, "0.5", 0])
    assert values.members == (0, Fraction(1, 2), Fraction(3, 2))
    assert values.step == Fraction(1, 2)
    assert not is_evenly_spaced(values)
    assert is_evenly_spaced(nl.Values([1, 3, 5]))


@pytest.mark.parametrize("top", [0, -1, 1.5, True, "3", None])
def test_bad_codes(top):
    with pytest.raises(nl.DomainError, match="top="):
        nl.Codes(top)


@pytest.mark.parametrize("members", [[], [1], [1, 1, "1.0"]])
def test_bad_values(members):
    with pytest.raises(nl.DomainError, match="at least two"):
        nl.Values(members)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ((None, None, None), "needs bounds"),
        ((0, None, None), "needs bounds"),
        ((0, 1, nl.Codes(1)), "not both"),
        ((None, None, [0, 1]), "give an Interval, Codes or Values"),
        ((1, 1, None), "so the value is public"),
    ],
)
def test_bad_declarations(given, why):
    with pytest.raises(nl.DomainError, match=why):
        domain_of(*given)
