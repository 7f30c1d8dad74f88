"""Several reports of the same data: the joint pull-back by brute force, and the counterexample of theory §14."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from typing import Any

import pytest

import noiseless as nl
from noiseless.privacy.definitions.hypothesis import composition
from noiseless.privacy.definitions.hypothesis.composition import together

POLICIES: Any = [nl.Collapse, nl.Stretch, nl.Shift]
BOX = nl.Box(x=(0, 60))
HALF = nl.Boundary("x", 30)
pytestmark = pytest.mark.filterwarnings("ignore::noiseless.UndoneWarning")


def plainly(policies, points, side, boundary):
    """The share of points whose joint report also comes from the other side: the definition, point against point."""
    seen = {x: [policy.report(x, policy.boundary.at(), side) for policy in policies] for x in points}

    def shares(x, other):
        return seen[x] == seen[other] and (x >= boundary.at()) != (other >= boundary.at())

    return Fraction(sum(any(shares(x, other) for other in points) for x in points), len(points))


def test_the_counterexample():
    """On [0, 60] with boundary 30, Shift with errors 3/2 and 5/2 has ε 1/9 and 1/5 alone, and 0 jointly."""
    reports = [nl.Shift(HALF, error="3/2"), nl.Shift(HALF, error="5/2")]
    grid = nl.Space({"x": [Fraction(k, 2) for k in range(120)]})
    with pytest.warns(nl.UndoneWarning, match="undo each other"):
        found = nl.certify_reports(reports, grid)
    assert [each.epsilon for each in found.alone] == [Fraction(1, 9), Fraction(1, 5)]
    assert found.epsilons == (0,)
    with pytest.warns(nl.UndoneWarning):
        found = nl.certify_reports(reports, BOX)
    assert [float(each.epsilon) for each in found.alone] == pytest.approx([1 / 9, 1 / 5], rel=1e-6)
    assert found.epsilon == found.hidden[0].upper == 0
    assert found.undone


def test_the_same_report_again_reveals_nothing_more():
    for policy in POLICIES:
        found = nl.certify_reports([policy(HALF, 2), policy(nl.Boundary("x", 30), "2.0")], BOX)
        assert found.hidden == (policy(HALF, 2).certify(BOX).hidden,)
        assert not found.undone


def test_finite_spaces_by_brute_force():
    points = [Fraction(k, 2) for k in range(20)]
    space, side, undone = nl.Space({"x": points}), nl.Intervals("[0, 19/2]"), 0
    made = [policy(nl.Boundary("x", g), error=e) for policy, g, e in product(POLICIES, (4, 6), (1, Fraction(3, 2)))]
    for reports in combinations(made, 2):
        found = nl.certify_reports(reports, space)
        wanted = [plainly(reports, points, side, boundary) for boundary in found.boundaries]
        assert [each.lower for each in found.hidden] == [each.upper for each in found.hidden] == wanted
        assert all(joint <= max(each.hidden.lower for each in found.alone) for joint in wanted)
        undone += found.undone
    assert 0 < undone < len(list(combinations(made, 2)))


@pytest.mark.parametrize("g", ["1/2", 3, 6])
def test_nothing_promised_in_a_box_is_revealed(g):
    """Every point of a fine grid in the certified part shares its joint report with the other side."""
    boundary, box, side = nl.Boundary("x", g), nl.Box(x=(0, 12)), nl.Intervals("[0, 12]")
    fine, kept = [Fraction(k, 8) for k in range(97)], 0
    made = [policy(boundary, error=e) for policy, e in product(POLICIES, (1, Fraction(3, 2), 2))]
    for reports in combinations(made, 2):
        band = together(reports, box).sliced(boundary.at())
        seen = {x: tuple(policy.report(x, boundary.at(), side) for policy in reports) for x in fine}
        sides = [{seen[x] for x in fine if (x >= boundary.at()) == side} for side in (False, True)]
        inside = [x for x in fine if x in band]
        if g in (3, 6):  # partners of eighths are eighths, except in cut slices
            cut = any(policy.rooms(boundary.at(), side) != (policy.reach, policy.reach) for policy in reports)
            assert cut or all(seen[x] in sides[0] & sides[1] for x in inside), reports
        kept += len(inside)
        alone = [policy.hidden(box).sliced(boundary.at()) for policy in reports]
        assert all(band <= each for each in alone)
    assert kept > 0


def test_a_collapse_beside_a_shift_keeps_the_pairs_inside_it():
    """Partners x and x + 2r, both within c of the boundary: 2·(2c − 2r) of the range, for r < c < 2r."""
    reports = [nl.Collapse(HALF, error=3), nl.Shift(HALF, error=2)]
    found = nl.certify_reports(reports, BOX)
    assert float(found.hidden[0].lower) == pytest.approx(4 / 60, rel=1e-6)
    grid = nl.Space({"x": [Fraction(k, 2) for k in range(121)]})
    exact = nl.certify_reports(reports, grid).hidden[0].lower
    assert exact == Fraction(10, 121)  # 27 to 29 and 31 to 33, with both ends
    both = nl.certify_reports([nl.Collapse(HALF, error=5), nl.Shift(HALF, error=2)], BOX)
    assert both.hidden[0] == nl.Shift(HALF, error=2).certify(BOX).hidden


def test_another_column_reveals_everything():
    """Each report shows the other column as it is."""
    box, space = nl.Box(x=(0, 6), z=(0, 6)), nl.Space({"x": [2, 3, 4] * 3, "z": [2, 2, 2, 3, 3, 3, 4, 4, 4]})
    reports = [nl.Shift(nl.Boundary("x", 3), error="1/2"), nl.Shift(nl.Boundary("z", 3), error="1/2")]
    for where in (box, space):
        found = nl.certify_reports(reports, where)
        assert all(each.epsilon > 0 for each in found.alone)
        assert found.epsilons == (0, 0)


def test_the_wrong_rule_is_caught(monkeypatch):
    """The wrong variant: what stays hidden together is what the narrower band hides. Brute force says otherwise."""
    reports = [nl.Shift(HALF, error="3/2"), nl.Shift(HALF, error="5/2")]
    monkeypatch.setattr(composition, "_kept", lambda slices: nl.Intervals("[28, 32)"))
    promised = nl.certify_reports(reports, BOX).hidden[0].lower
    points = [Fraction(k, 2) for k in range(120)]
    assert promised > plainly(reports, points, nl.Intervals("[0, 60]"), HALF) == 0


def test_curves_and_what_cannot_be_accepted():
    people = nl.Box(weight=(0, 200), height=(0, 250))
    obese = nl.Boundary("weight", lambda height: 0.003 * height**2)
    found = nl.certify_reports([nl.Collapse(obese, 1), nl.Collapse(obese, 3)], people)
    narrow = nl.Collapse(obese, 1).certify(people).hidden
    assert abs(found.hidden[0].lower - narrow.lower) < Fraction(1, 10**20)
    assert obese.same(nl.Boundary("weight", lambda height: height**2 * 0.003))
    assert not obese.same(nl.Boundary("height", 3))
    for wrong in ([], ["shift"]):
        with pytest.raises(nl.InputError, match="need policies"):
            nl.certify_reports(wrong, people)
