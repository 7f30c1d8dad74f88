"""The policy across the boundary: its reports by brute force, its measure by grids, and the limit."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import sqrt

import numpy as np
import pytest

import noiseless as nl
from noiseless.exact.number import exact_number

SQUARE = nl.Box(x=(0, 16), t=(0, 16))
DIAGONAL = nl.Boundary("x", lambda t: t)
BOWL = nl.Boundary("x", lambda t: 4 + t**2 / 32)
WAVE = nl.Boundary("x", lambda t: 8 + 2 * np.sin(t / 2))
PLANE = nl.Boundary("x", lambda s, t: 2 + s / 2 + t / 4)
EXACT = {"x": Fraction(3, 5), "t": Fraction(-4, 5)}


def test_a_diagonal_is_hidden_as_far_as_any_policy_can():
    """Twice the error on each side along the normal: √2 times what any policy along one axis hides."""
    across, shift = nl.Across(DIAGONAL, "1/10", within=SQUARE).certify(), nl.Shift(DIAGONAL, "1/10").certify(SQUARE)
    assert float(across.hidden.lower / shift.hidden.lower) == pytest.approx(sqrt(2), rel=0.02)
    assert across.hidden.exact
    assert shift.epsilon < across.epsilon < across.limit < across.epsilon * Fraction(103, 100)


@pytest.mark.parametrize("boundary", [DIAGONAL, BOWL, WAVE], ids=["diagonal", "bowl", "wave"])
def test_partners_share_their_reports_and_nothing_moves_too_far(boundary):
    """Random points: whoever is promised to be hidden has a partner beyond the boundary with the same report."""
    made, draw, found = nl.Across(boundary, 1, within=SQUARE), np.random.default_rng(1), 0
    away = dict(made.direction)
    for x, t in draw.uniform(0, 16, (300, 2)).round(2).tolist():
        point = {"x": exact_number(x), "t": exact_number(t)}
        report, sign = made.report(point), -1 if made.holds(point) else 1
        assert sum((report[name] - point[name]) ** 2 for name in point) <= 1
        assert all(report[name] in SQUARE[name] for name in point)
        partner = {name: point[name] + 2 * sign * away[name] for name in point}
        if report != point:
            assert made.holds(partner) != made.holds(point)
            assert made.report(partner) == report
            found += 1
    assert 0 < found < 300


@pytest.mark.parametrize("boundary", [DIAGONAL, BOWL, WAVE], ids=["diagonal", "bowl", "wave"])
def test_the_measure_is_that_of_the_points_that_move(boundary):
    """By the definition on a fine grid of the square: below, and beyond the boundary after two steps d."""
    made = nl.Across(boundary, 1, within=SQUARE)
    hidden = made.certify().hidden
    x, t = np.meshgrid((np.arange(1000) + 0.5) * 0.016, (np.arange(1000) + 0.5) * 0.016)
    (_, up), (_, along) = ((name, float(each)) for name, each in made.direction)
    above = x >= boundary.function(t)
    shares = []
    for sign, side in ((1, ~above), (-1, above)):
        u, v = x + 2 * sign * up, t + 2 * sign * along
        inside = (u >= 0) & (u <= 16) & (v >= 0) & (v <= 16)
        shares.append((side & inside & ((u >= boundary.function(v)) != above)).mean())
    assert hidden.lower - Fraction(1, 500) < sum(shares) < hidden.upper + Fraction(1, 500)
    assert hidden.width < Fraction(1, 1000)
    assert nl.Shift(boundary, 1).certify(SQUARE).epsilon > 0


@pytest.mark.parametrize("boundary", [DIAGONAL, BOWL, WAVE], ids=["diagonal", "bowl", "wave"])
def test_floats_on_the_other_side_have_the_same_report(boundary):
    """On the very floats: whoever is two steps inside everything shares the report with a float beyond the boundary."""
    made, draw, tried = nl.Across(boundary, "1/3", within=SQUARE), np.random.default_rng(8), 0
    away, step = dict(made.direction), made.step
    for t in draw.uniform(1, 15, 30).tolist():
        x = float(boundary.at(t=t)) + float(draw.uniform(-0.6, 0.6))
        point = {"x": exact_number(x), "t": exact_number(t)}
        sign, report = (-1 if made.holds(point) else 1), made.report(point)
        corners = [{"x": point["x"] + a * step, "t": point["t"] + b * step} for a, b in product((-2, 2), repeat=2)]
        beyond = [{name: corner[name] + 2 * sign * away[name] for name in corner} for corner in corners]
        if not all(each in SQUARE and made.holds(each) != made.holds(point) for each in beyond):
            continue
        near = [
            {
                name: exact_number(float(point[name] + 2 * sign * away[name]) + float(step) * k)
                for name, k in (("x", a), ("t", b))
            }
            for a, b in product(np.linspace(-1, 1, 9).tolist(), repeat=2)
        ]
        assert any(made.report(each) == report and made.holds(each) != made.holds(point) for each in near)
        tried += 1
    assert tried > 10


def test_three_dimensions():
    """A plane: √(1 + 1/4 + 1/16) times as much as along one axis, except near the walls."""
    box = nl.Box(x=(0, 12), s=(0, 8), t=(0, 8))
    across, shift = nl.Across(PLANE, "1/20", within=box).certify(), nl.Shift(PLANE, "1/20").certify(box)
    assert float(across.hidden.lower / shift.hidden.lower) == pytest.approx(sqrt(1 + 1 / 4 + 1 / 16), rel=0.02)
    assert across.epsilon < across.limit


def test_finite_spaces_are_tried_out():
    """A 3-4-5 direction, so that partners of grid points are grid points: d is (6/10, −8/10), as far as steps allow."""
    box, error = nl.Box(x=(0, 10), t=(0, 10)), Fraction(1)
    made = nl.Across(nl.Boundary("x", lambda t: 5), error, within=box, direction=EXACT)
    away = dict(made.direction)
    grid = [{"x": 5 + j * away["x"], "t": 5 + k * away["t"]} for j, k in product(range(-3, 4), repeat=2)]
    found = made.certify(nl.Space({name: [point[name] for point in grid] for name in ("x", "t")}))
    sides = {True: set(), False: set()}
    for point in grid:
        sides[point["x"] >= 5].add(tuple(made.report(point).values()))
    hidden = [tuple(made.report(point).values()) in sides[True] & sides[False] for point in grid]
    assert found.hidden.lower == found.hidden.upper == Fraction(sum(hidden), len(grid)) > 0
    assert found.epsilon <= found.limit


def test_a_partner_outside_the_range_is_caught():
    """The wrong variant: everybody near the boundary moves, whether or not the partner exists."""

    class Careless(nl.Across):
        def report(self, point):
            away, above = dict(self.direction), self.holds(point)
            return {name: point[name] + (-1 if above else 1) * away[name] for name in point}

    grid = [{"x": Fraction(x), "t": Fraction(t)} for x, t in product(range(17), repeat=2)]

    def revealed(policy):
        made = policy(nl.Boundary("x", lambda t: 15), 2, within=SQUARE, direction={"x": 1})
        away = 2 * dict(made.direction)["x"]
        partners = [{**point, "x": point["x"] + (-away if made.holds(point) else away)} for point in grid]
        sides = {True: set(), False: set()}
        for point in grid + [each for each in partners if each in SQUARE]:
            sides[made.holds(point)].add(tuple(made.report(point).values()))
        moved = [made.report(point) for point in grid if made.report(point) != point]
        return any(tuple(report.values()) not in sides[True] & sides[False] for report in moved)

    assert not revealed(nl.Across)
    assert revealed(Careless)


def test_apply_gives_the_exact_reports():
    made, draw = nl.Across(BOWL, 1, within=SQUARE), np.random.default_rng(2)
    data = {"name": np.arange(200), "x": draw.uniform(0, 16, 200), "t": draw.uniform(0, 16, 200)}
    found = made.apply(data)
    for x, t, y, u in zip(data["x"], data["t"], found["x"], found["t"], strict=True):
        assert (y, u) == tuple(float(each) for each in made.report({"x": x, "t": t}).values())
    assert found["name"] is data["name"]
    assert (found["t"] != data["t"]).any()
    assert np.isnan(made.apply({"x": np.array([np.nan]), "t": np.array([1.0])})["x"][0])


def test_a_partner_at_the_very_end_of_a_root_is_found():
    """In floats, 0.1268328154 − 0.0268328154 is below 0.1, where the root is not a number; exactly, it is 0.1."""
    made = nl.Across(
        nl.Boundary("x", lambda t: np.sqrt(t - 0.1)),
        "0.03",
        within=nl.Box(x=(0, 10), t=("0.1", 10)),
        direction={"x": 2, "t": -1},
    )
    found = made.apply({"x": np.array([0.0]), "t": np.array([0.1268328154])})
    exact = made.report({"x": 0, "t": "0.1268328154"})
    assert {name: [float(each)] for name, each in exact.items()} == {name: found[name].tolist() for name in "xt"}
    assert found["x"][0] > 0


def test_what_cannot_be_accepted():
    with pytest.raises(nl.NumberError, match="positive error"):
        nl.Across(DIAGONAL, 0, within=SQUARE)
    with pytest.raises(nl.RangeError, match="one interval"):
        nl.Across(DIAGONAL, 1, within=nl.Box(x=(0, 1), t="[0, 1) ∪ [2, 3]"))
    with pytest.raises(nl.RangeError, match="too small"):
        nl.Across(DIAGONAL, "1e-15", within=SQUARE)
    with pytest.raises(nl.DomainError, match="which the boundary does not"):
        nl.Across(DIAGONAL, 1, within=SQUARE, direction={"x": 1, "z": 1})
    with pytest.raises(nl.DomainError, match="positive number"):
        nl.Across(DIAGONAL, 1, within=SQUARE, direction={"x": -1})
    with pytest.raises(nl.RangeError, match="no one to hide"):
        nl.Across(nl.Boundary("x", 40), 1, within=SQUARE).certify()
    with pytest.raises(nl.DomainError, match="outside the range"):
        nl.Across(DIAGONAL, 1, within=SQUARE).apply({"x": np.array([17.0]), "t": np.array([1.0])})
