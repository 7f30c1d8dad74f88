"""Unrelated columns: the best quantizer of each is the best grid, checked against all policies of few points."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import log

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.laws.worst_case import members

import noiseless as nl

AXES = st.sets(st.integers(0, 9), min_size=2, max_size=4).map(lambda values: nl.Values(sorted(values)))


def grid_of(domains, error, against):
    names = [f"c{k}" for k in range(len(domains))]
    queries = {name: nl.Identity(domain=domain) for name, domain in zip(names, domains, strict=True)}
    return nl.optimal_grid(nl.Vector(queries, {name: name for name in names}), error=error, against=against)


@settings(max_examples=60, deadline=None)
@given(AXES, AXES, st.integers(1, 8))
def test_against_all_policies_of_the_points(first, second, width):
    """The image is the product, so the search for planar cells finds what no policy can beat."""
    image = dict.fromkeys(product(members(first), members(second)), 1)
    error = Fraction(width, 2)
    few = nl.optimal_cells(image, error=error, norm="largest", against="maximin")
    grid = grid_of([first, second], error, "maximin")
    assert few.proved
    assert grid.cells == len(few.cells)
    best = nl.optimal_cells(image, error=error, norm="largest")
    grid = grid_of([first, second], error, "leakage")
    assert best.proved
    assert grid.smallest.lower <= best.smallest <= grid.limit


@pytest.mark.parametrize("error", ["0.625", "0.3", "0.5", "1.9", 3])
def test_intervals_attain_the_limit(error):
    pair = nl.Vector({"x": nl.Mean(2, -2, 2), "y": nl.Max(2, -2, 2)}, {"x": "x", "y": "y"})
    grid = nl.optimal_grid(pair, error=error)
    assert grid.limit is not None
    assert grid.limit * Fraction(10**9 - 1, 10**9) <= grid.smallest.lower <= grid.limit
    each = [nl.optimal_quantizer(query, error=error).limit for query in pair.coordinates.values()]
    assert grid.limit == each[0] * each[1]
    assert grid.leakage.nats == pytest.approx(sum(best.leakage.nats for best in grid.best.values()))


def test_a_fine_grid_of_points_does_not_exceed_the_limit():
    """Two numbers in [0, 1], error 0.3: ⌈1/0.6⌉² = 4 cells, and the smallest holds a quarter at most."""
    grid = nl.optimal_grid(
        nl.Vector({"x": nl.Identity(0, 1), "y": nl.Identity(0, 1)}, {"x": "x", "y": "y"}), error="0.3"
    )
    assert (grid.cells, grid.limit, grid.smallest.lower) == (4, Fraction(1, 4), Fraction(1, 4))
    points = {(Fraction(x, 7), Fraction(y, 7)): 1 for x, y in product(range(8), repeat=2)}
    found = nl.optimal_cells(points, error="0.3", norm="largest")
    assert (found.smallest, found.proved) == (Fraction(1, 4), True)


def test_the_mechanism_it_makes():
    pair = nl.Vector({"x": nl.Mean(2, 0, 4), "y": nl.Mean(2, 0, 4)}, {"x": "x", "y": "y"})
    grid = nl.optimal_grid(pair, error={"x": 1, "y": 2}, against="maximin")
    assert (grid.cells, grid.limit, grid.maximin) == (2, None, nl.LogRatio(2))
    assert grid.mechanism.guarantee.count == 2
    assert grid.mechanism.apply({"x": [0, 1], "y": [3, 4]}) == {"x": 1, "y": 2}
    assert grid.p2 == pytest.approx(1 / log(2))
    assert grid.p1 == grid.p2


def test_people_with_their_own_intervals():
    own = nl.WeightedSum([nl.Interval(0, 1), nl.Interval(0, 3)], weights=[2, 1])
    same = nl.Linear([2, 3], 0, 1)
    for error in ("0.4", 1):
        best, known = (nl.optimal_quantizer(query, error=error) for query in (own, same))
        assert (best.quantizer, best.limit) == (known.quantizer, known.limit)
    finite = nl.WeightedSum([nl.Codes(2), nl.Values([0, 5])], weights=[1, -1])
    sums = {Fraction(x - y): 1 for x in range(3) for y in (0, 5)}
    assert nl.optimal_quantizer(finite, error=1).smallest == nl.optimal_quantizer(sums, error=1).smallest


@pytest.mark.parametrize(
    ("make", "error", "why"),
    [
        (lambda: nl.optimal_grid(nl.Vector({"x": nl.Mean(2, 0, 1)}), error=1), nl.InputError, "different columns"),
        (
            lambda: nl.optimal_grid(
                nl.Vector({"x": nl.Mean(2, 0, 1), "y": nl.Max(2, 0, 1)}, {"x": "a", "y": "a"}), error=1
            ),
            nl.InputError,
            "different columns",
        ),
        (
            lambda: nl.optimal_grid(nl.Vector({"x": nl.Histogram(2, "ab")}, {"x": "a"}), error=1),
            nl.InputError,
            "one number of each column",
        ),
        (
            lambda: nl.optimal_grid(nl.Vector({"x": nl.Mean(2, 0, 1)}, {"x": "a"}), error={"y": 1}),
            nl.BudgetError,
            "error does not match",
        ),
    ],
)
def test_bad_input(make, error, why):
    with pytest.raises(error, match=why):
        make()
