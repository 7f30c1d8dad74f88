"""Cells of functions on a box: every report keeps the error, and the bounds hold where the best is known."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import hypot
from typing import Any

import numpy as np
import pytest

import noiseless as nl
from noiseless.privacy.optimal import cells_of_function as module

SQUARE, FLAT = nl.Box(x=(0, 1), y=(0, 1)), nl.Box(x=(0, 0), y=(0, 1))
LONELY = nl.Box(x="[0, 1] ∪ {5}", y=(0, 1))
FUNCTIONS: dict[str, Any] = {
    "itself": lambda x, y: (x, y),
    "turned": lambda x, y: (x + y, x - y),
    "bowl": lambda x, y: (x, x**2 + y**2),
    "alike": lambda x, y: (x + y, x * y),
    "root": lambda x, y: (np.sqrt(x + 1), y),
}


def distance(a, b, norm) -> float:
    gaps = [abs(float(x) - float(y)) for x, y in zip(a, b, strict=True)]
    return {"largest": max, "sum": sum, "euclidean": lambda gaps: hypot(*gaps)}[norm](gaps)


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("norm", ["largest", "sum", "euclidean"])
def test_every_report_keeps_the_error(function, norm, monkeypatch):
    """At points of a fine grid, among them corners of small boxes. The shares of the cells are those of the points."""
    monkeypatch.setattr(module, "MOST_BOXES", 49)
    made = nl.optimal_cells(FUNCTIONS[function], box=SQUARE, error="0.45", norm=norm, time_limit=0.1)
    assert made.smallest <= made.limit
    assert made.least <= made.cells
    for x, y in product(range(0, 29, 3), repeat=2):
        report = made.apply(x=Fraction(x, 28), y=Fraction(y, 28))
        value = FUNCTIONS[function](x / 28, y / 28)
        assert distance(value, report, norm) <= 0.45 + 1e-9
    portions = [sum(share for _, share in own) for own in made.portions]
    assert portions == [1] * len(made.parts)


@pytest.mark.parametrize("error", ["0.25", "0.45"])
def test_squares_in_a_square(error):
    """Two numbers in [0, 1]: optimal_grid knows the best, and the bounds meet it."""
    pair = nl.Vector({"x": nl.Identity(0, 1), "y": nl.Identity(0, 1)}, {"x": "x", "y": "y"})
    few = nl.optimal_grid(pair, error=error, against="maximin")
    made = nl.optimal_cells(FUNCTIONS["itself"], box=SQUARE, error=error, norm="largest", against="maximin")
    assert made.least <= few.cells <= made.cells
    assert made.cells == few.cells
    best = nl.optimal_grid(pair, error=error)
    made = nl.optimal_cells(FUNCTIONS["itself"], box=SQUARE, error=error, norm="largest")
    assert made.smallest <= best.limit <= made.limit
    assert made.smallest == best.limit


def test_discs_on_a_square(monkeypatch):
    """Six discs of radius 0.2988 cover the unit square and five need 0.3261 (Melissen and Schuur 1996)."""
    monkeypatch.setattr(module, "MOST_BOXES", 100)
    made = nl.optimal_cells(FUNCTIONS["itself"], box=SQUARE, error="0.3", against="maximin", time_limit=0.2)
    assert 4 <= made.least <= 6 <= made.cells


@pytest.mark.parametrize("error", ["0.625", "0.9"])
def test_one_coordinate_is_the_quantizer(error):
    """The mean of two in [−2, 2], where the best smallest cell is known in closed form."""
    box, mean = nl.Box(x=(-2, 2), y=(-2, 2)), nl.Mean(2, -2, 2)
    known = nl.optimal_quantizer(mean, error=error).limit
    made = nl.optimal_cells(lambda x, y: ((x + y) / 2,), box=box, error=error, time_limit=1)
    assert known is not None
    assert made.smallest <= known <= made.limit
    few = nl.optimal_cells(lambda x, y: ((x + y) / 2,), box=box, error=error, against="maximin", time_limit=1)
    assert few.least <= nl.optimal_quantizer(mean, error=error, against="maximin").cells <= few.cells


def test_a_box_with_a_gap():
    box = nl.Box(x="[0, 1] ∪ [5, 6]", y=(0, 1))
    made = nl.optimal_cells(FUNCTIONS["itself"], box=box, error="0.5", norm="largest", against="maximin")
    assert (made.cells, made.least, made.proved, made.smallest) == (2, 2, True, Fraction(1, 2))
    assert made.apply(x="5.2", y=1) == (Fraction(11, 2), Fraction(1, 2))
    assert made.p2 == nl.optimal_cells({0: 1, 5: 1}, error=1, against="maximin").p2
    assert made.quality == 2


def whole() -> Any:
    return nl.optimal_cells(FUNCTIONS["itself"], box=SQUARE, error=1, norm="largest")


@pytest.mark.parametrize(
    ("make", "error", "why"),
    [
        (lambda: nl.optimal_cells(FUNCTIONS["itself"], box=SQUARE, error="0.01"), nl.TooLargeError, "larger error"),
        (lambda: nl.optimal_cells(lambda x, y: x, box=SQUARE, error=1), nl.InputError, "return a tuple"),
        (lambda: nl.optimal_cells(lambda x, y: (x, y > 3), box=SQUARE, error=1), nl.RangeError, "interval arithmetic"),
        (
            lambda: nl.optimal_cells(FUNCTIONS["itself"], box=FLAT, error=1),
            nl.RangeError,
            "measure",
        ),
        (
            lambda: whole().apply(x=1),
            nl.DomainError,
            "give x, y",
        ),
        (
            lambda: whole().apply(x=1, y=2),
            nl.DomainError,
            "outside",
        ),
    ],
)
def test_bad_input(make, error, why):
    with pytest.raises(error, match=why):
        make()


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("norm", ["largest", "sum", "euclidean"])
def test_data_that_may_share_a_cell_are_not_forbidden_to(function, norm, monkeypatch):
    """Two points whose values fit into one ball lie in small boxes that the limit lets share a cell."""
    monkeypatch.setattr(module, "MOST_BOXES", 9)
    small = module.SmallBoxes.of(FUNCTIONS[function], SQUARE, norm)
    error = Fraction(1, 4)
    near = small.possibly(error, norm).near
    tried = 0
    for first, second in product(product(range(0, 12, 2), repeat=2), repeat=2):
        points = [tuple(Fraction(2 * k + 1, 24) for k in point) for point in (first, second)]
        values = [FUNCTIONS[function](*map(float, point)) for point in points]
        if distance(values[0], values[1], norm) > 2 * float(error):
            continue
        a, b = (next(k for k, sides in enumerate(small.parts) if _within(point, sides)) for point in points)
        assert near[a] >> b & 1
        tried += a != b
    assert tried > 50


def _within(point, sides) -> bool:
    return all(low <= value <= high for value, (low, high) in zip(point, sides, strict=True))


def test_a_limit_that_forgets_the_size_of_small_boxes_is_caught(monkeypatch):
    """With the same error for the middles as for the values, data that may share a cell could not."""
    monkeypatch.setattr(module, "_size", lambda halves, norm: Fraction(0))
    with pytest.raises(AssertionError):
        test_data_that_may_share_a_cell_are_not_forbidden_to("itself", "largest", monkeypatch)
