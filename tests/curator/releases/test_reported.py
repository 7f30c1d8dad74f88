"""A reported number is used as a number; what its interval leaves open is not decided."""

from __future__ import annotations

import operator
from datetime import date
from fractions import Fraction
from itertools import product

import pytest

import noiseless as nl
from noiseless.curator.releases.reported import Reported

SIGNS = [operator.lt, operator.le, operator.gt, operator.ge]


def interval(low: int, high: int) -> Reported:
    return Reported(Fraction(low + high, 2), Fraction(low), Fraction(high))


@pytest.mark.parametrize("sign", SIGNS)
def test_comparisons_say_what_holds_for_all_truths(sign):
    """Brute force: every truth inside both intervals, at their ends and between."""
    ends = [(low, high) for low in range(4) for high in range(low, 4)]
    for (a, b), (c, d) in product(ends, ends):
        lefts, rights = range(2 * a, 2 * b + 1), range(2 * c, 2 * d + 1)
        truths = {sign(left, right) for left, right in product(lefts, rights)}
        for right in (interval(c, d), *([c, float(c), Fraction(c)] if c == d else [])):
            if len(truths) == 1:
                assert {sign(interval(a, b), right)} == truths
            else:
                with pytest.raises(nl.UndecidedError, match="or not"):
                    sign(interval(a, b), right)


def test_numbers_and_formats():
    number = Reported(Fraction(518673, 3000), Fraction(518, 3), Fraction(519, 3))
    assert float(number) == 172.891
    assert (round(number), round(number, 1)) == (173, 172.9)
    assert (f"{number:.2f}", f"{number:>9.1f}", f"{number}") == ("172.89", "    172.9", "172.891 in [172.666, 173]")
    count = Reported(7, 7, 7)
    assert (f"{count:05d}", round(count), float(count), f"{count}") == ("00007", 7, 7.0, "7 exactly")
    assert sorted([Reported(3, 3, 3), Reported(1, 1, 1)]) == [1, 3]
    day = date(2024, 2, 1)
    assert f"{Reported(day, day, day):%d.%m.}" == "01.02."
    assert Reported(day, day, day) < date(2024, 2, 2)


def test_equality():
    assert Reported(7, 7, 7) == 7 == Reported(7, 7, 7)
    assert Reported(7, 7, 7) != 8
    assert interval(1, 2) == interval(1, 2) != interval(1, 3)
    assert interval(1, 2) != 5
    assert interval(1, 2) != "x"
    assert hash(Reported(7, 7, 7)) == hash(7)
    with pytest.raises(nl.UndecidedError):
        assert interval(1, 2) == 2


def test_rounding_to_whole_numbers_is_exact():
    large = 2**53 + 1
    assert round(Reported(large, large, large)) == large == round(Reported(Fraction(large), large - 2, large + 2))


def test_the_ends_are_open_too():
    for end in (1, 2):
        with pytest.raises(nl.UndecidedError, match=f"may be equal to {end}"):
            assert interval(1, 2) == end


def test_in_a_set_an_interval_is_not_asked_whether_it_is_its_middle():
    assert len({interval(1, 3), interval(1, 3), 2}) == 2


def test_what_is_undecided_is_said_of_the_left_one():
    with pytest.raises(nl.UndecidedError, match=r"^2 in \[1, 3\] may be below 3 in \[2, 4\], or not"):
        assert interval(1, 3) < interval(2, 4)
