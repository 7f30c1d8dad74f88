"""The custodian's report, against the two tables themselves."""

from __future__ import annotations

import json
from datetime import date

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import noiseless as nl
from tests.curator.microdata.conftest import PEOPLE


def test_utility(people, tmp_path):
    preview = people.preview_release(bits={"age": 2, "ill": 3}, together=[("age", "ill")])
    found = people.utility(preview)
    [age] = found.columns
    ages = np.array(PEOPLE["age"])
    reports = 25 * (ages // 25) + 12
    assert age.measured == np.abs(ages - reports).max() <= age.promised == 12
    assert age.mean_difference == pytest.approx((reports - ages).mean())
    assert age.before.sum() == pytest.approx(1) == age.after.sum()
    assert age.divergence > 0
    assert 0 < age.variation < 1
    exact = people.utility(people.preview_release(bits={"age": 7, "ill": 3}))
    assert exact.columns[0].divergence == pytest.approx(0, abs=1e-12)
    assert exact.unique == (1.0, 1.0)
    assert "For the custodian only" in found.html()
    assert "must not be passed on" in found.to_json()
    assert "age, ill" in found.html()
    assert json.loads(found.to_json())["generalised"]["ill"] == {"values": 5, "groups": 5}


def test_correlations_are_those_of_the_two_tables(tmp_path):
    draw = np.random.default_rng(5)
    height = draw.normal(170, 10, 2000).clip(100, 250)
    table = pa.table({"height": height, "weight": (height - 100 + draw.normal(0, 8, 2000)).clip(0, 200)})
    schema = nl.Schema(height=nl.Real(100, 250, step="0.1"), weight=nl.Real(0, 200, step="0.1"))
    with nl.Curator.open(table, schema, budget=20) as curator:
        found = curator.utility(curator.release(tmp_path / "out.parquet", bits=8)).correlations["height", "weight"]
    out = pq.read_table(tmp_path / "out.parquet").to_pandas()
    assert found[0] == pytest.approx(table.to_pandas().corr().iloc[0, 1], abs=1e-4)
    assert found[1] == pytest.approx(out.corr().iloc[0, 1], abs=1e-9)


def test_dates_in_the_report(tmp_path):
    days = [date(2024, 1, 1 + k) for k in range(31)]
    with nl.Curator.open(pa.table({"d": days}), nl.Schema(d=nl.Date("2024-01-01", "2024-01-31")), budget=9) as curator:
        made = curator.release(tmp_path / "out.parquet", bits=1, sort=True)
        [found] = curator.utility(made).columns
    reports = [row["d"] for row in pq.read_table(tmp_path / "out.parquet").to_pylist()]
    gaps = [(report - day).days for report, day in zip(reports, days, strict=True)]
    assert found.measured == max(map(abs, gaps)) <= found.promised
    assert found.mean_difference == pytest.approx(sum(gaps) / 31)
