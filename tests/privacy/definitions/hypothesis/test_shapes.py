"""Boundaries of other shapes: waves, pieces and jumps, in one and in several coordinates, against closed forms."""

from __future__ import annotations

from fractions import Fraction
from math import pi

import numpy as np
import pytest

import noiseless as nl
from noiseless.exact.number import exact_number
from noiseless.privacy.definitions.hypothesis.limit import limit_in_box

BOX = nl.Box(x=(0, 100), t=(0, 10))
STEP = nl.Boundary("x", lambda t: np.where(t < 4, 30, 60))
WAVE = nl.Boundary("x", lambda t: 50 + 10 * np.sin(pi * t / 5))
TENT = nl.Boundary("x", lambda t: np.where(t < 5, 20 + 12 * t, 140 - 12 * t))
STAIRS = nl.Boundary("x", lambda t: 10 * np.floor(t) + 5)


SHAPES = {"step": (STEP, 480), "wave": (WAVE, 500), "tent": (TENT, 500), "stairs": (STAIRS, 500)}


@pytest.mark.parametrize(("boundary", "below"), SHAPES.values(), ids=SHAPES)
def test_measures_of_known_shapes(boundary, below):
    found = boundary.below(BOX).measure
    assert found.lower <= below <= found.upper
    assert found.width < Fraction(below, 10**4)
    hidden = nl.Shift(boundary, error=1).certify(BOX).hidden
    assert Fraction(4, 100) - Fraction(1, 10**5) < hidden.lower <= hidden.upper <= Fraction(4, 100) + Fraction(1, 10**5)


@pytest.mark.parametrize("name", SHAPES)
def test_reports_hide_what_is_promised(name):
    """Every tenth of x at some t: the band of half-width 2 shares its reports with the other side."""
    boundary, _ = SHAPES[name]
    made = nl.Shift(boundary, error=1)
    for t in (0.3, 3.9, 4.0, 7.25):
        g = boundary.at(t=t)
        x = np.array([float(g + Fraction(k, 10)) for k in range(-25, 25)])
        reports = made.apply({"x": x, "t": np.full(len(x), t)}, within=BOX)["x"]
        shared = set(reports[x < g]) & set(reports[x >= g])
        band = made.hidden(BOX).slice(t=t)
        promised = [Fraction(each) in band for each in x.tolist()]
        assert sum(promised) >= 39
        assert all(
            abs(exact_number(a) - exact_number(b)) <= 1 for a, b in zip(reports.tolist(), x.tolist(), strict=True)
        )
        if g.denominator == 1:  # partners of tenths are tenths
            assert all(report in shared for report, inside in zip(reports, promised, strict=True) if inside)


def test_a_condition_in_python_is_refused_with_advice():
    with pytest.raises(nl.RangeError, match=r"numpy.where"):
        nl.Shift(nl.Boundary("x", lambda t: 30 if t < 4 else 60), error=1).certify(BOX)


PLANE = nl.Boundary("x", lambda s, t: 3 + s / 2 + t / 4)


def test_the_limit_in_any_dimension():
    """A plane: within 2r of the other side along the normal, except near the walls, where it can only be less."""
    box, error = nl.Box(x=(0, 12), s=(0, 8), t=(0, 8)), Fraction(1, 2)
    found = nl.Shift(PLANE, error=error).certify(box)
    steep = np.sqrt(1 + 1 / 4 + 1 / 16)  # the length along x of 1 along the normal
    share = found.limit / (1 + found.limit)
    band = Fraction(2 * 2 * float(error) * steep / 12)
    assert found.hidden.lower < band < share < band * Fraction(12, 10)
    assert found.epsilon < found.limit


def test_the_limit_holds_on_grids():
    """Brute force in three dimensions: no point of a fine grid is near the other side unless the limit counts it."""
    box, error = nl.Box(x=(0, 4), s=(0, 2), t="[0, 1/2] ∪ [3/2, 2]"), Fraction(1, 4)
    for boundary in (
        nl.Boundary("x", lambda s, t: 1 + s * t),
        nl.Boundary("x", lambda s, t: np.where(s < 1, 1, 3) + t / 8),
    ):
        found = nl.Shift(boundary, error=error).certify(box)
        axis = (np.arange(16) + 0.5) / 16
        x, s, t = (each.ravel() for each in np.meshgrid(4 * axis, 2 * axis, 2 * axis[(axis < 0.25) | (axis > 0.75)]))
        above = x >= boundary.function(s, t)
        points = np.stack([x, s, t], axis=1)
        gaps = np.linalg.norm(points[~above][:, None] - points[above][None, :], axis=2)
        near = (gaps.min(axis=0) <= 0.5).sum() + (gaps.min(axis=1) <= 0.5).sum()
        assert near / len(points) <= found.limit / (1 + found.limit) < 1


def test_a_limit_with_a_reach_too_short_is_caught():
    """The wrong variant: within one error instead of two. Shift itself exceeds it."""
    box = nl.Box(x=(0, 12), s=(0, 8), t=(0, 8))
    short = limit_in_box(PLANE, Fraction(1, 4), box)
    assert nl.Shift(PLANE, error=Fraction(1, 2)).certify(box).epsilon > short


def test_the_limit_counts_a_single_point_beside_the_range():
    """t is in [0, 1], or exactly 3/2, where all x are above: half of those below are within 1 of that point."""
    jump = nl.Boundary("x", lambda t: np.where(t < 1.25, 4, 0))
    for sides, share in (("[0, 1]", 2 / 8), ("[0, 1] ∪ [3/2, 3/2]", (2 + 3 / 2) / 8)):
        limit = limit_in_box(jump, Fraction(1, 2), nl.Box(x=(0, 8), t=sides))
        assert float(limit / (1 + limit)) == pytest.approx(share, rel=1e-2)
