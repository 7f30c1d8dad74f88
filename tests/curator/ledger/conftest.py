"""What several tests of the ledger use."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import noiseless as nl
from noiseless.curator.ledger import checkpoint as room
from tests.curator.ledger.histories import SCHEMAS


@pytest.fixture
def often(monkeypatch):
    """A checkpoint at every second entry."""
    monkeypatch.setattr(room, "EVERY", 2)


@pytest.fixture
def people(tmp_path):
    """A schema file that may be widened twice."""
    rows = range(60)
    table = {
        "age": [20 + 7 * k % 60 for k in rows],
        "height": [150 + k % 40 for k in rows],
        "region": ["north", "south", "east", "west"] * 15,
        "sex": ["f", "m", "m"] * 20,
    }
    pq.write_table(pa.table(table), tmp_path / "people.parquet")
    path = tmp_path / "people.toml"
    path.write_text(nl.Declaration(SCHEMAS[0], "people.parquet", None, 400, prepare=False).write())
    return path
