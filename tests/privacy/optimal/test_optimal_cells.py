"""The best cells of vector queries against every partition of few points."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import inf, log
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import noiseless as nl
from noiseless.privacy.optimal import largest_smallest as search
from noiseless.privacy.optimal.dealing import dealt
from noiseless.privacy.optimal.maximal_cells import maximal_cells, report_of
from noiseless.theory.estimation.ball import Ball

NORMS: list[Any] = ["euclidean", "largest", "sum"]


TAXI: Any = "taxi"


def partitions(points):
    """Every way to divide a list into cells."""
    if not points:
        yield []
        return
    first, *rest = points
    for cells in partitions(rest):
        yield [[first], *cells]
        for place in range(len(cells)):
            yield [*cells[:place], [first, *cells[place]], *cells[place + 1 :]]


def distance(a, b, norm) -> Fraction:
    """Squared for the Euclidean norm."""
    gaps = [abs(x - y) for x, y in zip(a, b, strict=True)]
    return {"largest": max, "sum": sum, "euclidean": lambda gaps: sum(gap * gap for gap in gaps)}[norm](gaps)


def fits(cell, error, norm) -> bool:
    """By the exact smallest ball, and for the other two norms of the plane by the distances of pairs."""
    if norm == "euclidean":
        return Ball.around(cell).squared <= error * error
    return all(distance(a, b, norm) <= 2 * error for a, b in product(cell, repeat=2))


def check(best, image, error, norm) -> None:
    """The cells divide the data, and every report is within the error of all values of its cell."""
    dealt_out: dict = {}
    for cell in best.cells:
        for point, number in cell.items():
            dealt_out[point] = dealt_out.get(point, 0) + number
    assert dealt_out == {tuple(map(Fraction, point)): number for point, number in image.items()}
    for cell, report in zip(best.cells, best.reports, strict=True):
        bound = error * error if norm == "euclidean" else error
        assert all(distance(point, report, norm) <= bound for point in cell)


POINTS = st.tuples(st.integers(0, 5), st.integers(0, 5))
IMAGES = st.dictionaries(POINTS, st.integers(1, 3), min_size=1, max_size=6)
ERRORS = st.sampled_from([Fraction(1, 2), Fraction(1), Fraction(5, 4), Fraction(3, 2), Fraction(2)])


@settings(max_examples=40, deadline=None)
@given(IMAGES, ERRORS, st.sampled_from(NORMS))
def test_every_partition_of_the_values(image, error, norm):
    judge(image, error, norm)


def judge(image, error, norm) -> None:
    allowed = [cells for cells in partitions(list(image)) if all(fits(cell, error, norm) for cell in cells)]
    fewest = min(map(len, allowed))
    largest = max(min(sum(image[point] for point in cell) for cell in cells) for cells in allowed)
    few = nl.optimal_cells(image, error=error, norm=norm, against="maximin")
    best = nl.optimal_cells(image, error=error, norm=norm, split=False)
    assert (len(few.cells), few.least, few.proved) == (fewest, fewest, True)
    assert best.proved
    assert best.smallest == best.limit == Fraction(largest, sum(image.values()))
    for made in (few, best):
        check(made, image, error, norm)


@settings(max_examples=40, deadline=None)
@given(IMAGES.filter(lambda image: sum(image.values()) <= 7), ERRORS, st.sampled_from(NORMS))
def test_every_partition_of_the_data(image, error, norm):
    data = [point for point, number in image.items() for _ in range(number)]
    allowed = [cells for cells in partitions(data) if all(fits(cell, error, norm) for cell in cells)]
    largest = max(min(map(len, cells)) for cells in allowed)
    best = nl.optimal_cells(image, error=error, norm=norm)
    assert best.proved
    assert best.smallest == best.limit == Fraction(largest, len(data))
    check(best, image, error, norm)


@settings(max_examples=40, deadline=None)
@given(st.dictionaries(st.integers(0, 20), st.integers(1, 4), min_size=1, max_size=10), st.integers(1, 9))
def test_on_the_line_it_is_the_dynamic_program(image, width):
    error = Fraction(width, 2)
    for norm in NORMS:
        best = nl.optimal_cells(image, error=error, norm=norm)
        assert best.smallest == nl.optimal_partition(image, error=error).smallest
        kept = nl.optimal_cells(image, error=error, norm=norm, split=False)
        assert nl.optimal_quantizer(image, error=error).smallest.lower <= kept.smallest <= best.smallest
        few = nl.optimal_cells(image, error=error, norm=norm, against="maximin")
        assert len(few.cells) == nl.optimal_quantizer(image, error=error, against="maximin").cells


def test_values_kept_together_need_not_be_in_intervals():
    """{0, 2}, {1, 3} and {4, 6} hold 3 each. A quantizer has intervals as cells, and its smallest holds 2."""
    image = {0: 1, 1: 1, 2: 2, 3: 2, 4: 1, 6: 2}
    judge({(value, 0): number for value, number in image.items()}, Fraction(1), "largest")
    kept = nl.optimal_cells(image, error=1, split=False)
    assert sorted(tuple(int(value) for (value,) in sorted(cell)) for cell in kept.cells) == [(0, 2), (1, 3), (4, 6)]
    assert nl.optimal_quantizer(image, error=1).smallest.lower == Fraction(2, 9) < kept.smallest == Fraction(1, 3)


@settings(max_examples=40, deadline=None)
@given(st.sets(POINTS, min_size=1, max_size=7), ERRORS, st.sampled_from(NORMS))
def test_the_largest_cells_are_all_of_them(points, error, norm):
    listed = [tuple(map(Fraction, point)) for point in sorted(points)]
    fitting = [
        cell
        for cell in range(1, 1 << len(listed))
        if fits([point for place, point in enumerate(listed) if cell >> place & 1], error, norm)
    ]
    assert maximal_cells(listed, error, norm) == [
        cell for cell in fitting if not any(cell != other and cell | other == other for other in fitting)
    ]


@pytest.mark.parametrize(("scale", "offset"), [(1, 10**12), (Fraction(1, 3**400), 0), (10**90, 10**99)])
def test_floats_do_not_matter(scale, offset):
    """Points on one circle, far away, tiny or huge: moved and scaled, the same sets fit."""
    plain = [(0, 5), (3, 4), (4, 3), (5, 0), (-3, -4), (0, 0), (5, 1), (-5, 1)]
    moved = [tuple(offset + scale * Fraction(value) for value in point) for point in plain]
    exact = [tuple(map(Fraction, point)) for point in plain]
    for error in (Fraction(5), Fraction(5, 2), Fraction(4)):
        assert maximal_cells(moved, error * scale, "euclidean") == maximal_cells(exact, error, "euclidean")
    assert 0b00111111 in maximal_cells(exact, Fraction(5), "euclidean")


def test_three_coordinates():
    cube = dict.fromkeys(product((0, 1, 2), repeat=3), 1)
    best = nl.optimal_cells(cube, error="0.5", norm="largest", against="maximin")
    assert (len(best.cells), best.proved) == (8, True)
    for norm in ("euclidean", "sum"):
        with pytest.raises(nl.InputError, match="only for one or two coordinates, not 3"):
            nl.optimal_cells(cube, error=1, norm=norm)


def test_discs_are_fewer_than_squares_that_fit_into_them():
    """A 5 × 5 grid and discs of radius 1: 7 cells; squares of side √2 hold 2 × 2 points and need 9."""
    grid = dict.fromkeys(product(range(5), repeat=2), 1)
    discs = nl.optimal_cells(grid, error=1, against="maximin")
    assert (len(discs.cells), discs.proved) == (7, True)
    assert len(nl.optimal_cells(grid, error="0.5", norm="largest", against="maximin").cells) == 9


def test_a_vector_of_queries():
    """The sum and the largest of two dice: the image is counted with all its data."""
    dice = nl.Vector({"sum": nl.Sum(2, domain=nl.Codes(5)), "largest": nl.Max(2, domain=nl.Codes(5))})
    best = nl.optimal_cells(dice, error=1, norm="largest")
    assert best.proved
    image: dict = {}
    for x, y in product(range(6), repeat=2):
        image[x + y, max(x, y)] = image.get((x + y, max(x, y)), 0) + 1
    check(best, image, 1, "largest")
    # the corner (0, 0) shares a cell with (1, 1), (2, 1) and (2, 2) at most
    assert best.smallest <= Fraction(1 + 2 + 1 + 2, 36)


def test_without_time_the_bounds_are_certain():
    grid = {(x, y): 1 + (3 * x + 5 * y) % 4 for x, y in product(range(7), repeat=2)}
    hasty = nl.optimal_cells(grid, error=1, time_limit=0)
    assert not hasty.proved
    assert hasty.smallest <= hasty.limit
    check(hasty, grid, 1, "euclidean")
    small = {(x, y): 1 + (3 * x + 5 * y) % 4 for x, y in product(range(4), repeat=2)}
    truth = nl.optimal_cells(small, error=1)
    hasty = nl.optimal_cells(small, error=1, time_limit=0)
    assert truth.proved
    assert hasty.smallest <= truth.smallest <= hasty.limit
    few = nl.optimal_cells(small, error=1, against="maximin", time_limit=0)
    assert few.least <= len(nl.optimal_cells(small, error=1, against="maximin").cells) <= len(few.cells)


def test_privacy_and_quality():
    best = nl.optimal_cells({(0, 0): 1, (4, 0): 1}, error="0.5", against="maximin")
    assert best.quality == 2
    assert best.p1 == pytest.approx(1 / log(2)) == best.p2
    assert best.p1 < 1 / log(2)
    assert nl.optimal_cells({(0, 0): 1}, error=1).p2 == inf
    scalar = nl.optimal_quantizer(nl.Mean(n=2, low=-2, high=2), error="0.5", against="maximin")
    assert scalar.p1 == pytest.approx(1 / log(8))
    assert scalar.p2 == pytest.approx(1 / log(4))
    curve = nl.trade_off(nl.Mean(n=2, low=-2, high=2), ["0.5", 2], against="maximin")
    assert curve.p1.tolist() == [scalar.p1, inf]
    assert curve.p2.tolist() == [scalar.p2, inf]


def test_dealing():
    assert dealt([0b1, 0b1], [3], 2) is None
    assert dealt([0b01, 0b11], [2, 1], 2) is None
    assert dealt([0b11, 0b01], [2, 2], 2) == [{1: 2}, {0: 2}]
    assert dealt([0b011, 0b110, 0b100], [2, 2, 2], 2) == [{0: 2}, {1: 2}, {2: 2}]


@pytest.mark.parametrize(
    ("make", "error", "why"),
    [
        (lambda: nl.optimal_cells({}, error=1), nl.InputError, "image is not known"),
        (lambda: nl.optimal_cells({(0, 0): 0}, error=1), nl.RangeError, "not a number of data"),
        (lambda: nl.optimal_cells({(0, 0): 1, (1,): 1}, error=1), nl.RangeError, "different numbers"),
        (lambda: nl.optimal_cells({(0, 0): 1}, error=0), nl.BudgetError, "error=0"),
        (lambda: nl.optimal_cells({(0, 0): 1}, error=1, norm=TAXI), nl.InputError, "norm='taxi'"),
        (lambda: nl.optimal_cells(dict.fromkeys(range(300), 1), error=1), nl.TooLargeError, "300 different values"),
        (lambda: nl.optimal_cells(nl.Vector({"a": nl.Mean(3, 0, 1)}), error=1), nl.InputError, "declare records"),
        (
            lambda: nl.optimal_cells(nl.Vector({"a": nl.Mean(9, domain=nl.Codes(99))}), error=1),
            nl.TooLargeError,
            "too many to try",
        ),
    ],
)
def test_bad_input(make, error, why):
    with pytest.raises(error, match=why):
        make()


# The deliberately wrong variants.


def test_cells_measured_by_pairs_are_caught():
    """Three points of a triangle are pairwise within 2e, and no disc of radius e holds them."""
    corners = [(Fraction(0), Fraction(0)), (Fraction(4), Fraction(0)), (Fraction(2), Fraction(3))]
    assert all(distance(a, b, "euclidean") <= 16 for a, b in product(corners, repeat=2))
    assert not fits(corners, 2, "euclidean")
    assert maximal_cells(corners, Fraction(2), "euclidean") == [0b011, 0b101, 0b110]
    assert report_of(corners[:2], "euclidean") == (2, 0)


def test_a_search_that_stops_early_is_caught(monkeypatch):
    """The fewest cells are not those whose smallest is largest."""
    image, error = {(4, 1): 2, (1, 1): 2, (3, 3): 1, (4, 0): 2, (0, 3): 3}, Fraction(1)
    judge(image, error, "largest")
    monkeypatch.setattr(search._Search, "_search", lambda *_: True)
    with pytest.raises(AssertionError):
        judge(image, error, "largest")


def test_coordinates_on_their_own_are_not_enough():
    """Cells as products of the best cells of each coordinate: 4 for this image, where 3 do."""
    image = {(0, 0): 1, (1, 0): 1, (2, 1): 1, (2, 2): 1, (0, 2): 1}
    few = nl.optimal_cells(image, error="0.5", norm="largest", against="maximin")
    first, second = ({value[k]: 1 for value in image} for k in (0, 1))
    each = [nl.optimal_quantizer(axis, error="0.5", against="maximin").quantizer for axis in (first, second)]
    assert len({(each[0].index(x), each[1].index(y)) for x, y in image}) > len(few.cells) == 3
