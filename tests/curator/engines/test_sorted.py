"""Rows that repeat are sorted in groups, and texts by the places of their labels: the same file, byte by byte."""

from __future__ import annotations

from math import copysign, nan

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import noiseless as nl
from noiseless.curator.engines import duckdb
from noiseless.curator.engines.embedded import Embedded

COLUMNS = {"height": nl.Real(0, 9, step="0.5", missing="apart"), "region": nl.Public("ü", "a", "Z", other="b")}


def people(rows: int) -> pa.Table:
    """Few different rows; in the public column without keys, zeros of both signs and values that equal nothing."""
    places = [0.0, -0.0, nan, None, 1.5]
    return pa.table(
        {
            "height": pa.array([None if i % 7 == 0 else (i * 37 % 19) / 2 for i in range(rows)], pa.float64()),
            "region": pa.array(["üaZb?"[i * i % 5] for i in range(rows)]),
            "place": pa.array([places[i % 5] for i in range(rows)], pa.float64()),
        }
    )


@pytest.fixture(scope="module")
def curator():
    with nl.Curator.open(people(5000), nl.Schema(COLUMNS), 90, table="t") as opened:
        yield opened


def copied(curator, path) -> tuple[bytes, list]:
    curator.release(path, bits=2)
    rows = [tuple(row.values()) for row in pq.read_table(path).to_pylist()] if path.suffix == ".parquet" else []
    return path.read_bytes(), rows


@pytest.mark.parametrize("kind", [".parquet", ".csv"])
def test_the_same_bytes_whichever_way_they_are_sorted(curator, tmp_path, monkeypatch, kind):
    monkeypatch.setattr(duckdb, "PIECE", 7)
    groups = copied(curator, tmp_path / f"groups{kind}")
    monkeypatch.setattr(duckdb, "_repeat", lambda *_: False)
    labels = copied(curator, tmp_path / f"labels{kind}")
    monkeypatch.setattr(duckdb, "_order", lambda _: " ORDER BY ALL")
    assert groups == labels == copied(curator, tmp_path / f"plain{kind}")
    assert groups[1] == sorted(groups[1], key=lambda row: (row[0] is None, row[0], row[1].encode()))


def test_zeros_keep_their_signs(tmp_path):
    with nl.Curator.open(people(5000), nl.Schema(COLUMNS, place=nl.Public()), 90, table="t") as curator:
        _, rows = copied(curator, tmp_path / "a.parquet")
    signs = [copysign(1, row[2]) for row in rows if row[2] == 0]
    assert (signs.count(1), signs.count(-1), len(rows)) == (1000, 1000, 5000)


@pytest.mark.parametrize("most", [None, 10, 2000])
def test_rows_that_do_not_repeat_are_not_grouped(most):
    native = Embedded().con
    assert duckdb._repeat(native, "SELECT i % 10 AS x FROM range(1000) t(i)", most)
    assert not duckdb._repeat(native, "SELECT i AS x FROM range(1000) t(i)", None if most == 10 else most)


def test_how_many_rows_differ_at_most_is_known_before(curator, tmp_path, monkeypatch):
    told, repeat = [], duckdb._repeat

    def seen(native, rows, most):
        told.append(most)
        return repeat(native, rows, most)

    monkeypatch.setattr(duckdb, "_repeat", seen)
    _, rows = copied(curator, tmp_path / "a.parquet")
    with nl.Curator.open(people(5000), nl.Schema(COLUMNS, place=nl.Public()), 90, table="t") as plain:
        copied(plain, tmp_path / "b.parquet")
    assert told == [12, None]  # four cells of height in three regions; places may be anything
    assert len(set(rows)) == 12
