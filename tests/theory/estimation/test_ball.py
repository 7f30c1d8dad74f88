"""Smallest balls, against trying every set of points they can rest on."""

from fractions import Fraction
from itertools import combinations, product
from math import pi

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import noiseless as nl
from noiseless.theory.estimation.ball import Ball
from noiseless.theory.estimation.peaks import squared_radius_of_order, squared_radius_of_sums
from noiseless.theory.estimation.slab_ball import slab_ball

HALVES = st.integers(-3, 6).map(lambda k: Fraction(k, 2))
POINTS = st.integers(1, 3).flatmap(lambda d: st.lists(st.tuples(*[HALVES] * d), min_size=1, max_size=7))


def distance(a, b):
    return sum((x - y) ** 2 for x, y in zip(a, b, strict=True))


def resting_on(points):
    """The ball with these points on its surface and its centre among them, by elimination; None if there is none."""
    origin, *others = points
    rows = []
    for p in others:
        row = [2 * sum((a - o) * (b - o) for a, b, o in zip(p, q, origin, strict=True)) for q in others]
        rows.append([*row, distance(p, origin)])
    for k in range(len(rows)):
        pivot = next((j for j in range(k, len(rows)) if rows[j][k]), None)
        if pivot is None:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [value / rows[k][k] for value in rows[k]]
        for j in range(len(rows)):
            if j != k:
                rows[j] = [a - rows[j][k] * b for a, b in zip(rows[j], rows[k], strict=True)]
    centre = list(origin)
    for row, p in zip(rows, others, strict=True):
        centre = [c + row[-1] * (x - o) for c, x, o in zip(centre, p, origin, strict=True)]
    return centre, distance(origin, centre)


def by_trying(points):
    found = []
    for size in range(1, len(points[0]) + 2):
        for chosen in combinations(points, size):
            ball = resting_on(chosen)
            if ball is not None and all(distance(p, ball[0]) <= ball[1] for p in points):
                found.append(ball[1])
    return min(found)


@settings(max_examples=150)
@given(POINTS)
def test_every_set_it_can_rest_on(points):
    points = [tuple(map(Fraction, point)) for point in points]
    ball = Ball.around(points)
    assert ball.squared == by_trying(sorted(set(points)))
    assert max(distance(point, ball.centre) for point in points) == ball.squared


def test_half_the_diameter_is_not_enough():
    """The papers' proofs use half the diameter; an equilateral-like triangle needs more."""
    triangle = [(0, 0, 1), (0, 1, 0), (1, 0, 0)]
    assert Ball.around(triangle).squared == Fraction(2, 3) > Fraction(2, 4)


SLABS = st.tuples(st.integers(1, 4), st.integers(0, 16), st.integers(0, 16))


@settings(max_examples=150)
@given(SLABS, st.integers(1, 3))
def test_slabs_of_a_cube(slab, side):
    n, *ends = slab
    low, high = sorted(Fraction(end * n * side, 16) for end in ends)
    corners = slab_ball([Fraction(1)] * n, [(Fraction(0), Fraction(side))] * n, low, high)
    assert squared_radius_of_sums(n, Fraction(side), low, high) == corners.squared


def test_the_centre_of_the_cube_is_not_always_the_centre_of_the_slab():
    wrong = distance((Fraction(1, 2),) * 2, (Fraction(0), Fraction(0)))
    assert squared_radius_of_sums(2, Fraction(1), Fraction(0), Fraction(1, 2)) < wrong


@pytest.mark.parametrize(("n", "k"), [(1, 1), (2, 1), (2, 2), (3, 2)])
def test_order_statistics_by_listing(n, k):
    for low, high in combinations(range(5), 2):
        inside = [p for p in product(range(5), repeat=n) if low <= sorted(p)[k - 1] <= high]
        found = squared_radius_of_order(n, k, (Fraction(0), Fraction(4)), Fraction(low), Fraction(high))
        assert found == Ball.around(inside).squared


def test_too_many_corners():
    with pytest.raises(nl.TooLargeError, match="or equal weights"):
        nl.adversary_estimate(nl.Quantizer(0, 55, 5), nl.Linear(range(1, 11), 0, 1))


def test_volume_bounds():
    """Γ(n/2+1)^(1/n)/√π·μ^(1/n): a disc of area π has radius 1, a ball of volume 4π/3 too."""
    assert nl.gamma_bound(Fraction(2), 1).lower == nl.gamma_bound(Fraction(2), 1).upper == 1
    for n, volume in ((2, pi), (3, 4 * pi / 3), (4, pi**2 / 2), (5, 8 * pi**2 / 15)):
        assert float(nl.gamma_bound(Fraction(volume), n)) == pytest.approx(1, abs=1e-12)
    assert nl.gamma_bound(Fraction(1, 10**30), 2).width < Fraction(1, 10**25)
    with pytest.raises(nl.RangeError, match="n ≥ 1"):
        nl.gamma_bound(Fraction(1), 0)


@settings(max_examples=60)
@given(st.integers(1, 5), st.integers(1, 12))
def test_no_cell_beats_its_volume(n, levels):
    found = nl.adversary_estimate(nl.Quantizer(0, 1, levels), nl.Mean(n, 0, 1))
    assert found.d_max_bound.upper**2 <= found.d_max.squared + Fraction(1, 10**9)
    assert found.d_min_bound.lower**2 <= found.d_min.squared
