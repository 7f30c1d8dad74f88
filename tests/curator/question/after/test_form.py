"""Sums of unknown numbers, by hand."""

from __future__ import annotations

from fractions import Fraction
from math import inf

from noiseless.curator.question.after.form import LONGEST, Form, between, product_of, quotient_of, total


def ends(form: Form) -> tuple[object, object]:
    return form.low, form.high


def test_what_is_the_same_is_counted_once():
    one, two = between(1, 3), between(10, 20)
    assert ends(one - one) == (0, 0)
    assert ends(one + two) == (11, 23)
    assert ends((one + two) - one.scaled(2)) == (7, 19)
    assert ends(total([one, two, one])) == (12, 26)


def test_a_share_counts_its_own_term_once():
    one, rest = between(1, 3), between(3, 9)
    assert ends(quotient_of(one, one + rest)) == (Fraction(1, 10), Fraction(1, 2))
    assert ends(quotient_of(one, between(1, 3) + rest)) == (Fraction(1, 12), Fraction(3, 4))
    assert ends(quotient_of(one, (one + rest).scaled(-1))) == (Fraction(-1, 2), Fraction(-1, 10))
    assert ends(quotient_of(one - rest, one + rest)) == (Fraction(-4, 5), Fraction(0))


def test_unbounded_ends():
    one, unbounded = between(1, 3), between(1, inf)
    assert ends(quotient_of(one, unbounded)) == (0, 3)
    assert ends(product_of(one, unbounded)) == (1, inf)
    assert ends(quotient_of(unbounded, between(2, 4))) == (Fraction(1, 4), inf)


def test_products_of_numbers_below_and_above_0():
    assert ends(product_of(between(-2, 3), between(-5, 1))) == (-15, 10)
    assert ends(product_of(Form(-2), between(-5, 1))) == (-2, 10)


def test_long_ends_are_rounded_outward():
    third = Fraction(1, 3 ** (LONGEST + 1))
    low, high = ends(between(-third, third))
    assert (low, high) == (Fraction(-1, 2**LONGEST), Fraction(1, 2**LONGEST))
    found = between(third, third)
    assert found.low < third < found.high
