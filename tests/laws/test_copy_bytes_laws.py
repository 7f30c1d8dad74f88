"""Every byte of a released copy follows from the codes: raw values of one code make the same file, in every way."""

from __future__ import annotations

from decimal import Decimal
from itertools import product

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import noiseless as nl

OTHERS = [0, 5, 2, 7, 1]
RAW = [*range(8), None, 2**62, -(2**62)]
SCHEMA = nl.Schema(x=nl.Integer(0, 7, missing=0), g=nl.Public("a", "b"))
GROUPS = ["a", "b", "a", "a", "b", "b"]


def released(source, to, **how) -> bytes:
    with nl.Curator.open(source, SCHEMA, budget=20, table="t", **how) as curator:
        made = curator.release(to, bits=2)
        assert made.guarantee.count == 4
    return to.read_bytes() + made.certificate.content["sha256"].encode()


@pytest.mark.parametrize("kind", ["parquet", "csv"])
@pytest.mark.parametrize("prepare", [True, False])
def test_a_person_causes_no_more_files_than_were_charged(tmp_path, kind, prepare):
    files = {}
    for place, value in enumerate(RAW):
        pq.write_table(pa.table({"x": pa.array([*OTHERS, value], pa.int64()), "g": GROUPS}), tmp_path / "t.parquet")
        files[value] = released(tmp_path / "t.parquet", tmp_path / f"{place}.{kind}", prepare=prepare)
    assert len(set(files.values())) == 4
    codes = {value: min(max(value or 0, 0), 7) // 2 for value in RAW}
    for one, two in product(RAW, RAW):
        assert (files[one] == files[two]) == (codes[one] == codes[two])


@pytest.mark.parametrize("prepare", [True, False])
def test_whatever_type_the_source_has(tmp_path, prepare):
    values = [*OTHERS, 3]
    tables = [
        pa.table({"x": pa.array(values, kind), "g": GROUPS})
        for kind in (pa.int8(), pa.int64(), pa.float32(), pa.float64())
    ]
    tables += [pa.table({"x": [Decimal(value) for value in values], "g": GROUPS})]
    tables += [pd.DataFrame({"x": [*map(str, OTHERS), 3.2], "g": GROUPS})]
    files = {released(t, tmp_path / f"{place}.parquet", prepare=prepare) for place, t in enumerate(tables)}
    assert len(files) == 1


def test_the_order_of_rows_is_that_of_the_copy(tmp_path):
    """With several rows per person, and threads that race."""
    schema = nl.Schema(x=nl.Integer(0, 7), day=nl.Public(), unit="who", rows=3, order_by="day")
    rows = 300_000
    table = pa.table(
        {"x": [k * 7919 % 8 for k in range(rows)], "who": [k // 3 for k in range(rows)], "day": [*range(rows)]}
    )
    shuffled = table.take([k * 7919 % rows for k in range(rows)])
    files = set()
    for place, given in enumerate((table, shuffled, table)):
        for prepare in (True, False):
            with nl.Curator.open(given, schema, budget=30, prepare=prepare) as curator:
                made = curator.release(tmp_path / f"{place}{prepare}.parquet", bits=9)
                files.add(made.certificate.content["sha256"])
    assert len(files) == 1


def test_a_copy_by_a_policy_is_ordered_by_what_it_reports(tmp_path):
    """Ordered by the values behind the reports, their order would say on which side of the boundary each is."""
    schema = nl.Schema(w=nl.Integer(0, 100))
    policy = nl.Shift(nl.Boundary("w", 50), error=10)
    with nl.Curator.open(pa.table({"w": [55, 45, 35, 65, 52, 41]}), schema, budget=20) as curator:
        curator.release(tmp_path / "out.csv", policies=[policy])
    reports = [float(line) for line in (tmp_path / "out.csv").read_text().splitlines()[1:]]
    assert reports == sorted(reports)
    assert len(reports) == 6
