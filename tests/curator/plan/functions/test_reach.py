"""Where each result of a curve begins, found in doubles or exactly: the same."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from noiseless.curator.plan.functions import reach
from noiseless.curator.plan.functions.curve import Curve, chosen_step, enclosed
from noiseless.curator.plan.functions.leaves import Constant

WAYS = [
    ("LN", "0"),
    ("EXP", "0"),
    *(("POWER", power) for power in ("1/3", "-1", "2", "-5/2", "3/2", "1/100000")),
    *(("LOG", base) for base in ("2", "10", "1/2", "1.0000001")),
]


def begins(way, exponent, seed):
    """A curve over some whole numbers of units, and where its results begin."""
    random = Random(seed)
    unit = random.choice((1, 7, 100, 1000))
    first = Fraction(random.randint(1, 50), random.choice((1, unit)))
    last = first + (8 if way == "EXP" else random.randint(1, 10 ** random.randint(1, 5)))
    width = abs(enclosed(way, exponent, first)[0] - enclosed(way, exponent, last)[0])
    made = Curve(way, Constant(Fraction(1)), chosen_step(width, 300), exponent)
    low, high = sorted((made.place(first), made.place(last)))
    reach.reached.cache_clear()
    return reach.reached(made, unit, first, last, low, high)


@pytest.mark.parametrize(("way", "exponent"), WAYS)
@pytest.mark.parametrize("seed", range(3))
def test_doubles_agree_with_whole_numbers(way, exponent, seed, monkeypatch):
    quick = begins(way, Fraction(exponent), seed)
    monkeypatch.setattr(reach, "_surely", lambda *near: None)
    assert quick == begins(way, Fraction(exponent), seed)


@pytest.mark.parametrize(
    ("near", "falls", "wanted"),
    [(5 + 1e-12, False, None), (5.25, False, 6), (5.25, True, 5), (50.25, False, 9), (float("inf"), False, None)],
)
def test_too_near_to_call(near, falls, wanted):
    """A whole number to ten places is left to whole numbers; others are kept between the ends."""
    assert reach._surely(near, 1, falls, (0, 9)) == wanted
