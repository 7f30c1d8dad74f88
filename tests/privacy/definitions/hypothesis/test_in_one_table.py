"""Several policies in one table: each hypothesis as alone, by brute force, and the table for which that is false."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import noiseless as nl

X, Z = nl.Boundary("x", 4), nl.Boundary("z", 3)
POLICIES = [nl.Collapse, nl.Stretch, nl.Shift]


def hidden(points, reports, holds):
    """Which points' reports also come from the other side: the definition, point against point."""
    both = list(zip(reports, map(holds, points), strict=True))
    return [any(report == other and held != side for other, side in both) for report, held in both]


@pytest.mark.parametrize(("one", "other"), [*product(POLICIES, repeat=2)])
def test_a_product_by_brute_force(one, other):
    made = nl.InOneTable([one(X, error=1), other(Z, error="3/2")])
    points = list(product([Fraction(k, 2) for k in range(17)], [Fraction(k, 2) for k in range(13)]))
    found = made.certify(nl.Space({"x": [x for x, _ in points], "z": [z for _, z in points]}))
    sides = nl.Intervals("[0, 8]"), nl.Intervals("[0, 6]")
    reports = [(made.policies[0].report(x, 4, sides[0]), made.policies[1].report(z, 3, sides[1])) for x, z in points]
    each = [hidden(points, reports, holds) for holds in (lambda p: p[0] >= 4, lambda p: p[1] >= 3)]
    assert [share.lower for share in found.each] == [Fraction(sum(shown), len(points)) for shown in each]
    assert found.every.lower == Fraction(sum(a and b for a, b in zip(*each, strict=True)), len(points))
    alone = [
        policy.certify(nl.Space({policy.boundary.axis: values})).hidden.lower
        for policy, values in (
            (made.policies[0], sorted({x for x, _ in points})),
            (made.policies[1], sorted({z for _, z in points})),
        )
    ]
    assert [share.lower for share in found.each] == alone
    assert found.every.lower == alone[0] * alone[1]


def test_boxes():
    box = nl.Box(x=(0, 8), z=(0, 6), t=(0, 1))
    made = nl.InOneTable([nl.Shift(X, error=1), nl.Shift(Z, error=1)])
    found = made.certify(box)
    assert found.each == tuple(policy.certify(box).hidden for policy in made.policies)
    assert found.every.lower == found.each[0].lower * found.each[1].lower
    shared = [nl.Shift(nl.Boundary(axis, lambda t: 3 + t), error=1) for axis in ("x", "z")]
    found = nl.InOneTable(shared).certify(box)  # both read t: only bounds are known
    assert found.every.lower == max(0, sum(each.lower for each in found.each) - 1)
    assert found.every.upper == min(each.upper for each in found.each)
    assert found.every.lower <= Fraction(4, 8) * Fraction(4, 6) <= found.every.upper


def test_a_boundary_that_reads_a_changed_column_is_refused_because_it_can_be_revealed():
    """The wrong variant, tried: x is paired at z, and the pair of z is reported with another x."""
    points = list(product(range(9), range(7)))
    side, other = nl.Intervals("[0, 8]"), nl.Intervals("[0, 6]")
    reads, changes = nl.Shift(nl.Boundary("x", lambda z: z), error=1), nl.Shift(Z, error="1/2")
    reports = [(reads.report(x, z, side), changes.report(z, 3, other)) for x, z in points]
    alone = [hidden(points, [changes.report(z, 3, other) for _, z in points], lambda p: p[1] >= 3)]
    assert sum(hidden(points, reports, lambda p: p[1] >= 3)) < sum(alone[0])
    with pytest.raises(nl.InputError, match="read by the boundary of another"):
        nl.InOneTable([reads, changes])


def test_apply_and_what_cannot_be_accepted():
    made = nl.InOneTable([nl.Shift(X, error=1), nl.Shift(Z, error=1)])
    data = {"x": np.array([3.0, 5.0, 8.0]), "z": np.array([2.0, 4.0, 6.0])}
    found = made.apply(data, within=nl.Box(x=(0, 8), z=(0, 6)))
    assert (found["x"].tolist(), found["z"].tolist()) == ([4.0, 4.0, 8.0], [3.0, 3.0, 6.0])
    for wrong in ([], ["shift"]):
        with pytest.raises(nl.InputError, match="needs policies"):
            nl.InOneTable(wrong)
    with pytest.raises(nl.InputError, match="hide its boundaries with one"):
        nl.InOneTable([nl.Shift(X, error=1), nl.Shift(nl.Boundary("x", 6), error=1)])
