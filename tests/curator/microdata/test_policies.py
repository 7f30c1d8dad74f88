"""Policies in place of cells: the epsilon of the codes, by releasing all of them; what they are charged."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import noiseless as nl


def test_a_policy_instead_of_cells(tmp_path):
    draw = np.random.default_rng(3)
    table = pa.table({"weight": draw.uniform(0, 200, 500), "height": draw.uniform(0, 250, 500)})
    schema = nl.Schema(weight=nl.Real(0, 200, step="0.5"), height=nl.Real(0, 250, step="0.5"))
    policy = nl.Shift(nl.Boundary("weight", lambda height: 0.003 * height**2), error=2)
    with nl.Curator.open(table, schema, budget=30) as curator:
        made = curator.release(tmp_path / "out.parquet", policies=[policy], together=[("weight", "height")])
        box = nl.Box(weight=(0, 200), height=(0, 250))
        assert float(made.certificate.content["policies"][0]["epsilon"]) <= policy.certify(box).epsilon
        assert made.factor == 401 * 501
        assert nl.verify(made.certificate, file=tmp_path / "out.parquet").count == made.factor
    found = pq.read_table(tmp_path / "out.parquet")
    codes = np.round(2 * np.sort(table["height"].to_numpy())) / 2
    assert (np.sort(found["height"].to_numpy()) == codes).all()
    with nl.Curator.open(table, schema, budget=12) as poor, pytest.raises(nl.BudgetExceededError):
        poor.release(tmp_path / "more.parquet", policies=[policy])


POLICIES = [
    nl.Shift(nl.Boundary("w", "10.3"), error="0.7"),
    nl.Shift(nl.Boundary("w", 10), error=1),
    nl.Stretch(nl.Boundary("w", "10.3"), error="0.7"),
    nl.Collapse(nl.Boundary("w", "10.5"), error="0.4"),
    nl.Collapse(nl.Boundary("w", "10.5"), error=2),
    nl.Shift(nl.Boundary("w", lambda v: v / 2 + 3), error=2),
    nl.Stretch(nl.Boundary("w", lambda v: v * v / 30), error=3),
]


@pytest.mark.parametrize("policy", POLICIES)
def test_the_epsilon_of_a_policy_is_that_of_the_codes(policy, tmp_path):
    """Every combination of codes is released; those whose report the other side shares, too, are hidden."""
    columns = {"w": nl.Integer(0, 20), "v": nl.Integer(0, 20)} if policy.boundary.others else {"w": nl.Integer(0, 20)}
    points = [(w, v) for w in range(21) for v in (range(21) if "v" in columns else [0])]
    table = pa.table({"w": [w for w, _ in points], "v": [v for _, v in points], "id": range(len(points))})
    schema = nl.Schema(columns, id=nl.Public())
    with nl.Curator.open(table, schema, budget=20) as curator:
        made = curator.release(tmp_path / "out.parquet", policies=[policy])
    reports = {row["id"]: row["w"] for row in pq.read_table(tmp_path / "out.parquet").to_pylist()}
    sides = {}
    for place, (w, v) in enumerate(points):
        surface = policy.boundary.at(**({"v": v} if "v" in columns else {}))
        sides.setdefault((v, reports[place]), []).append(w >= surface)
    hidden = sum(len(each) for each in sides.values() if len(set(each)) == 2)  # type: ignore[misc]
    assert made.plan.policies[0].hidden == Fraction(hidden, len(points))


def test_different_hypotheses_are_different_copies(tmp_path):
    schema = nl.Schema(x=nl.Integer(0, 20))
    with nl.Curator.open(pa.table({"x": [3, 9]}), schema, budget=20) as curator:
        first = curator.release(tmp_path / "1.parquet", policies=[nl.Collapse(nl.Boundary("x", 5), error=2)])
        second = curator.release(tmp_path / "2.parquet", policies=[nl.Collapse(nl.Boundary("x", 10), error=2)])
        assert first.certificate.content["policies"] != second.certificate.content["policies"]
        assert second.factor == 21
        again = curator.release(tmp_path / "3.parquet", policies=[nl.Collapse(nl.Boundary("x", 5), error=2)])
        assert again.factor == 1
        assert curator.utility(first).unique == (1.0, 1.0)
        with pytest.raises(nl.BudgetError, match="a policy promises no count"):
            curator.release(tmp_path / "4.parquet", bits=3, policies=[nl.Collapse(nl.Boundary("x", 5), error=2)])


def test_policies_beside_cells():
    """Bits are for each other column, not for all; nothing in the copy may be called as an end of an interval."""
    table = pa.table({"x": [1, 2], "x_lower": [3, 4], "s": ["a", "b"]})
    schema = nl.Schema(x=nl.Integer(0, 7), x_lower=nl.Integer(0, 20), s=nl.Category("a", "b"))
    policies = [nl.Shift(nl.Boundary("x_lower", 10), error=1)]
    with nl.Curator.open(table, schema, budget=30) as curator:
        plan = curator.preview_release(bits={"x": 1}, policies=policies).plan
        assert (plan.released, plan.answers) == (["x", "s", "x_lower"], 2 * 2 * 21)
        plan = curator.preview_release(policies=policies, columns=["s", "x_lower"]).plan
        assert (plan.released, plan.answers) == (["s", "x_lower"], 2 * 21)
        with pytest.raises(nl.BudgetError, match="a policy promises no count"):
            curator.preview_release(bits=9, policies=policies)
        with pytest.raises(nl.SchemaError, match="end of an interval"):
            curator.preview_release(bits={"x": 1}, policies=policies, intervals=True)
