"""One report against several hypotheses: every promise by brute force, in thresholds and in curves."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import polars as pl
import pytest

import noiseless as nl
from noiseless.exact.number import exact_number
from noiseless.privacy.definitions.hypothesis import shift_all
from noiseless.privacy.definitions.hypothesis.bands import bands_of

SIDE = nl.Intervals("[0, 24]")


def thresholds(*places):
    return [nl.Boundary("x", place) for place in places]


def shared(points, reports, g):
    """Which points' reports also come from the other side of g."""
    sides = [{report for x, report in zip(points, reports, strict=True) if (x >= g) == side} for side in (False, True)]
    return [report in sides[0] & sides[1] for report in reports]


PLACES = [(12,), (11, 12), (10, 12, 13), (4, 12), (10, 14), (1, 2), (6, 12, 18), (5, 6, 17, 18), ("1/2", 23)]


@pytest.mark.parametrize(("places", "error"), [*product(PLACES, (1, 2, 3))])
def test_every_promised_point_shares_its_report_with_the_other_side_of_all(places, error):
    """At shares t of each piece that all pieces have: the report comes from below the first and above the last."""
    made, box = nl.ShiftAll(thresholds(*places), error), nl.Box(x=SIDE)
    found, total = made.certify(box), [Fraction(0)] * len(places)
    fine = made.fine(SIDE)
    for band in made.bands({}, SIDE):
        pieces = list(pairwise(band.cuts))
        points = [low + (high - low) * Fraction(t, 32) for low, high in pieces for t in range(32)]
        reports = [made.report({"x": x}, SIDE) for x in points]
        assert all(abs(report - x) <= error for x, report in zip(points, reports, strict=True))
        for g in band.boundaries:
            hidden = shared(points, reports, g)
            assert all(found for x, found in zip(points, hidden, strict=True) if x in band.promised(fine))
            total[[exact_number(place) for place in places].index(g)] += band.promised(fine).measure / 24
    assert [each.lower for each in found.each] == [each.upper for each in found.each] == total
    one = len(made.bands({}, SIDE)) == 1
    assert found.every.lower == (total[0] if one else 0)


def test_no_policy_of_one_coordinate_hides_more_from_all():
    """Hidden from all means a point below the first and a point above the last, less than 2r apart, around it."""
    made = nl.ShiftAll(thresholds(10, 12), error=2)
    found = made.certify(nl.Box(x=SIDE)).every.lower
    possible = [x for x in [Fraction(k, 32) for k in range(24 * 32)] if 12 - 4 <= x < 10 + 4]
    assert Fraction(len(possible), 24 * 32) == Fraction(6, 24)
    assert Fraction(6, 24) - Fraction(1, 10**6) < found < Fraction(6, 24)


def test_boundaries_further_apart_are_hidden_together_if_asked_for():
    """d between 4r/3 and 2r: 4r − d of the range from both at once, or 2r + d/2 from each."""
    box, both = nl.Box(x=SIDE), thresholds(10, 13)
    apart, close = nl.ShiftAll(both, error=2).certify(box), nl.ShiftAll(both, error=2, close=3).certify(box)
    assert [round(float(each) * 24, 4) for each in (*apart.each, apart.every)] == [5.5, 5.5, 0]
    assert [round(float(each) * 24, 4) for each in (*close.each, close.every)] == [5, 5, 5]


@pytest.mark.parametrize("places", [("34/3", "12.1"), ("9.7", "10.01", 11)])
def test_floats_of_all_pieces_share_their_reports(places):
    """On the very floats: what is promised has a float with the same report in every piece."""
    made, box, draw = nl.ShiftAll(thresholds(*places), error="1.1"), nl.Box(x=SIDE), np.random.default_rng(6)
    fine = made.fine(SIDE)

    def reported(values):
        return made.apply({"x": np.array(values, dtype=float)}, within=box)["x"]

    for band in made.bands({}, SIDE):
        inside = [x for x in draw.uniform(float(band.cuts[0]), float(band.cuts[-1]), 20) if band.promised(fine)]
        start, stop = (band.cuts[0] + band.cuts[-2]) / 2, (band.cuts[1] + band.cuts[-1]) / 2
        for x, y in zip(inside, reported(inside), strict=True):
            share = (exact_number(float(y)) - start) / (stop - start)
            if exact_number(float(x)) in band.promised(fine):
                for low, high in pairwise(band.cuts):
                    spread = 2 * fine.step / (stop - start) * (high - low)
                    near = low + share * (high - low) + np.linspace(-1, 1, 41) * float(spread)
                    near = [each for each in map(float, near) if low <= exact_number(each) < high]
                    assert y in reported(near), (x, y, low)


def test_one_boundary_is_shift():
    for error in (1, 2, 7):
        one, other = nl.ShiftAll(thresholds(5), error), nl.Shift(nl.Boundary("x", 5), error)
        hidden, same = one.certify(nl.Box(x=SIDE)).every.lower, other.certify(nl.Box(x=SIDE)).hidden.lower
        assert abs(hidden - same) < Fraction(1, 10**5)
        for x in [Fraction(k, 8) for k in range(24 * 8)]:
            assert abs(one.report({"x": x}, SIDE) - other.report(x, 5, SIDE)) <= 2 * one.fine(SIDE).step or x >= 19


def test_finite_spaces_are_tried_out():
    points = [Fraction(k, 2) for k in range(41)]
    for places, error in product([(8, 9), (6, 13), (9, 10, 11)], (1, 2)):
        made = nl.ShiftAll(thresholds(*places), error)
        found = made.certify(nl.Space({"x": points}))
        reports = [made.report({"x": x}, nl.Intervals("[0, 20]")) for x in points]
        each = [shared(points, reports, g) for g in places]
        assert [hidden.lower for hidden in found.each] == [Fraction(sum(hidden), 41) for hidden in each]
        assert found.every.lower == Fraction(sum(all(row) for row in zip(*each, strict=True)), 41)
        assert found.epsilon <= min(found.epsilons)


CURVES = [nl.Boundary("x", lambda t: 10 + t), nl.Boundary("x", lambda t: 12 + t / 2 + np.sin(t) / 4), *thresholds(20)]


def test_curves_are_enclosed():
    """Against exact slices at many places: the mean of their lengths, which the enclosure must hold nearly."""
    made, box = nl.ShiftAll(CURVES, error=2), nl.Box(x=SIDE, t=(0, 10))
    found, side = made.certify(box), made.side(box)
    slices = [made.bands({"t": Fraction(2 * k + 1, 20)}, side) for k in range(100)]
    for place, hidden in enumerate(found.each):
        lengths = [
            band.promised(made.fine(side)).measure
            for k, bands in enumerate(slices)
            for band in bands
            if made.surfaces({"t": Fraction(2 * k + 1, 20)})[place] in band.boundaries
        ]
        mean = float(sum(lengths) / 100 / 24)
        assert float(hidden.lower) - 4e-3 < mean < float(hidden.upper) + 4e-3
        assert hidden.lower > 0
        assert hidden.width < Fraction(1, 10**4)
    assert found.every.upper < Fraction(1, 10)


def test_apply_gives_the_exact_reports():
    made, box, draw = nl.ShiftAll(CURVES, error=2), nl.Box(x=SIDE, t=(0, 10)), np.random.default_rng(3)
    table = pl.DataFrame({"x": draw.uniform(0, 24, 300), "t": draw.uniform(0, 10, 300)})
    found = made.apply(table.with_columns(name=pl.lit("a")), within=box)
    for x, t, y in zip(table["x"], table["t"], found["x"], strict=True):
        assert y == float(made.report({"x": x, "t": t}, made.side(box)))
        assert abs(exact_number(y) - exact_number(x)) <= 2
    assert (found["x"] != table["x"]).sum() > 100
    assert np.isnan(made.apply({"x": np.array([np.nan]), "t": np.array([1.0])}, within=box)["x"][0])


def test_bands_that_ignore_each_other_are_caught(monkeypatch):
    """The wrong variant: every boundary has its own band, whether or not others are near. Then points are revealed."""

    def careless(boundaries, side, error, close):
        return [band for g in sorted(boundaries) for band in bands_of([g], side, error, close)]

    points = [Fraction(k, 16) for k in range(24 * 16)]

    def revealed():
        made = nl.ShiftAll(thresholds(10, 12), error=2)
        reports = [made.report({"x": x}, SIDE) for x in points]
        promised = [band.promised(made.fine(SIDE)) for band in made.bands({}, SIDE)]
        inside = [any(x in each for each in promised) for x in points]
        return any(
            not hidden
            for g in (10, 12)
            for hidden, held in zip(shared(points, reports, g), inside, strict=True)
            if held
        )

    assert not revealed()
    monkeypatch.setattr(shift_all, "bands_of", careless)
    assert revealed()


def test_what_cannot_be_accepted():
    for wrong, match in (([], "list of boundaries"), (["x"], "list of boundaries")):
        with pytest.raises(nl.NumberError, match=match):
            nl.ShiftAll(wrong, 1)
    with pytest.raises(nl.InputError, match="same coordinate"):
        nl.ShiftAll([nl.Boundary("x", 1), nl.Boundary("z", 1)], 1)
    with pytest.raises(nl.InputError, match="twice"):
        nl.ShiftAll(thresholds(1, "1.0"), 1)
    with pytest.raises(nl.NumberError, match="positive error"):
        nl.ShiftAll(thresholds(1), 0)
    for close in (-1, 2):
        with pytest.raises(nl.NumberError, match="less than two errors apart"):
            nl.ShiftAll(thresholds(1, 2), 1, close=close)
    with pytest.raises(nl.RangeError, match="too small"):
        nl.ShiftAll(thresholds(1), "1e-15").certify(nl.Box(x=SIDE))
    with pytest.raises(nl.DomainError, match="outside the range"):
        nl.ShiftAll(thresholds(1), 1).apply({"x": np.array([25.0])}, within=nl.Box(x=SIDE))
