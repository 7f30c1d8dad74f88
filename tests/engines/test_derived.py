"""Derived columns: the same codes, answers and copies from every engine, prepared and in flight."""

from __future__ import annotations

import pyarrow.parquet as pq
import pytest

import noiseless as nl
from tests.curator.dataset.test_derived_codes import ROWS, WHOLE
from tests.curator.small import shown, table

QUESTIONS = [
    ("SELECT AVG(part), SUM(low), MAX(later) FROM t", {"bits": 9}),
    ("SELECT g, COUNT(*) FILTER (WHERE truth), AVG(most) FROM t GROUP BY g", {"bits": 8}),
    ("SELECT text, COUNT(*) FROM t GROUP BY text", {}),
    ("SELECT AVG(logged), AVG(by_place) FROM t WHERE sure", {"bits": 12}),
    ("SELECT AVG(part * half) FROM t WHERE first <> 'n'", {"bits": 8}),
]


def codes(curator: nl.Curator) -> list:
    dataset = curator._dataset
    names = [dataset.field(name) for name in [*WHOLE.private, *WHOLE.public]]
    return sorted(dataset.engine.fetch(dataset.engine.table("codes").select(*names)), key=str)


@pytest.fixture(scope="module")
def expected():
    with nl.Curator.open(table(ROWS), WHOLE, 900, table="t", store=":memory:") as curator:
        return codes(curator), [shown(curator.ask(sql, **given)) for sql, given in QUESTIONS]


def test_the_same_codes_and_answers(way, expected):
    with way.open(table(ROWS), WHOLE) as curator:
        assert (codes(curator), [shown(curator.ask(sql, **given)) for sql, given in QUESTIONS]) == expected


def test_a_file_in_flight_is_copied_with_its_derived_columns(tmp_path):
    pq.write_table(table(ROWS), tmp_path / "t.parquet")
    found = []
    for place, prepare in enumerate((True, False)):
        with nl.Curator.open(tmp_path / "t.parquet", WHOLE, 900, prepare=prepare) as curator:
            curator.release(tmp_path / f"{place}.parquet", bits=60)
        found.append(pq.read_table(tmp_path / f"{place}.parquet").to_pylist())
    assert found[0] == found[1]
