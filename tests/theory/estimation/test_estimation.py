"""The adversary's estimate: TIFS Example II.1, boxes, finite variables, and the papers' examples."""

from fractions import Fraction
from itertools import product

import pytest

import noiseless as nl
from noiseless.theory.estimation.ball import Ball


def test_example_ii_1():
    """f reveals X below 1/2 and nothing above: d_max = 1/4 attains its bound, and d_min = 0."""
    x = nl.Continuous("[0, 1]")
    found = nl.estimation(x, x.map({"rest": "[1/2, 1]"}, repeats="[0, 1/2)"))
    assert found.d_max.squared == Fraction(1, 16)
    assert found.d_max_bound.lower == Fraction(1, 4)
    assert found.d_min.squared == 0


def test_intervals_with_gaps_and_boxes():
    x = nl.Continuous("[0, 4]")
    found = nl.estimation(x, x.map({"ends": "[0, 1] | [3, 4]", "middle": "(1, 3)"}))
    assert (found.d_max.squared, found.d_min.squared) == (4, 1)
    plane = nl.Continuous(nl.Box(a=(0, 3), b=(0, 4)))
    corner = nl.Box(a=(0, 3), b=(0, 4)).where(a="[0, 1)", b="[0, 1)")
    found = nl.estimation(plane, plane.map({"corner": corner, "rest": plane.range - corner}))
    assert found.d_max.squared == Fraction(25, 4)
    assert found.d_min.squared == Fraction(1, 2)
    assert found.d_min_bound.lower**2 < Fraction(1, 2)


def test_finite_variables():
    space = nl.Space({"x": [0, 1, 5, 6], "y": [0, 0, 2, 8], "seen": ["a", "a", "b", "b"]})
    assert nl.estimation(space["x"], space["seen"]).d_max.squared == Fraction(1, 4)
    both = nl.estimation(space["x", "y"], space["seen"])
    assert both.d_max.squared == Fraction(1 + 36, 4)
    with pytest.raises(nl.RangeError, match="volume is unknown"):
        _ = both.d_max_bound
    with pytest.raises(nl.SpaceError, match="are not numbers"):
        nl.estimation(space["seen"], space["x"])
    x = nl.Continuous("[0, 1]")
    with pytest.raises(nl.SpaceError, match="its own map"):
        nl.estimation(x, space["x"])


@pytest.mark.parametrize("levels", [2, 3, 4, 7, 12])
def test_mean_of_two(levels):
    """Theory §7: for q ≥ 2, L0 = ln(q²/2), I⋆ = ln q, d_min = 4√2/q."""
    mean, quantizer = nl.Mean(n=2, low=-2, high=2), nl.Quantizer(-2, 2, levels)
    assert nl.query_leakage(quantizer, mean).ratio == Fraction(levels**2, 2)
    assert nl.adversary_estimate(quantizer, mean).d_min.squared == Fraction(32, levels**2)


@pytest.mark.parametrize(("n", "most"), [(2, 21), (3, 36), (4, 51), (5, 67)])
def test_tifs_example_iv_2(n, most):
    """d_min is not 150√2/q whatever n, and an error of at least 10 cm needs few bins: γ below 22/75, not above."""
    mean = nl.Mean(n=n, low=100, high=250)
    for levels, enough in ((most, True), (most + 1, False)):
        squared = nl.adversary_estimate(nl.Quantizer(100, 250, levels), mean, volumes=False).d_min.squared
        assert squared == Fraction(150, levels) ** 2 * n * (n - 1)
        assert (squared >= 100) == enough
        assert (squared == 2 * Fraction(150, levels) ** 2) == (n == 2)


def test_one_height():
    assert nl.adversary_estimate(nl.Quantizer(100, 250, 30), nl.Identity(100, 250)).d_min.squared == Fraction(25, 4)


def test_remark_ii_1():
    """The paper's ε·N ≤ μ is false: [0, 1/2] with ε = 1 is one set of diameter 2."""
    whole = nl.Intervals("[0, 1/2]")
    assert nl.epsilon_entropy(whole, 1).ratio == 1
    assert whole.measure < 1


def test_square_roots():
    two = nl.SquareRoot(Fraction(2))
    assert two.enclosure.lower**2 < 2 < two.enclosure.upper**2
    assert two > nl.SquareRoot(Fraction(1)) == nl.SquareRoot(Fraction(1))
    assert hash(two) == hash(nl.SquareRoot(Fraction(2)))
    assert str(nl.SquareRoot(Fraction(9, 4))) == "3/2"
    tiny = nl.SquareRoot(Fraction(1, 10**60))
    assert tiny.enclosure.lower == Fraction(1, 10**30)
    with pytest.raises(nl.NumberError, match="at least 0"):
        nl.SquareRoot(Fraction(-1))


def test_people_of_whom_nothing_is_told():
    """A weight of 0 adds half the range, squared; any number of people, and codes as well."""
    with_idle = nl.adversary_estimate(nl.Quantizer(0, 19, 19), nl.Linear([1] * 19 + [0], 0, 1), volumes=False)
    without = nl.adversary_estimate(nl.Quantizer(0, 19, 19), nl.Sum(19, 0, 1), volumes=False)
    assert with_idle.d_min.squared == without.d_min.squared + Fraction(1, 4)
    codes = nl.adversary_estimate(nl.Quantizer(0, 4, 2), nl.Linear([1, 0, 1], domain=nl.Codes(2)))
    cells = {}
    for data in product(range(3), repeat=3):
        cells.setdefault(min((data[0] + data[2]) // 2, 1), []).append(data)
    assert sorted(cell.squared_radius for cell in codes.cells) == sorted(Ball.around(c).squared for c in cells.values())


def test_more_people_than_volumes_are_known_for():
    found = nl.adversary_estimate(nl.Quantizer(0, 1, 5), nl.Max(n=2000, low=0, high=1))
    assert found.d_min.squared > 0
    with pytest.raises(nl.RangeError, match="very many people"):
        _ = found.d_min_bound
