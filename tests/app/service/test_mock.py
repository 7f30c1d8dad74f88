"""The mock table: the right types and ranges, from the schema alone, marked, and free to ask."""

from __future__ import annotations

import io
from datetime import date

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from tests.app import running as commands
from tests.app.service.small import MEAN, running, write

import noiseless as nl
from noiseless.app.mock import MARK, SAID, mock_curator, mock_table

SCHEMA = nl.Schema(
    height=nl.Real(100, 250, step="0.1", missing="apart"),
    age=nl.Integer(0, 120),
    born=nl.Date("1900-01-01", "2020-12-31"),
    smoker=nl.Boolean(),
    mock=nl.Category("no", "yes", missing="unknown"),
    day=nl.Public(),
    region=nl.Public("north", "south", other="abroad"),
    unit="patient",
    rows=3,
    order_by="day",
)


def test_every_value_is_declared_and_every_row_is_marked():
    table = mock_table(SCHEMA, 2000)
    found = table.to_pydict()
    assert table.schema.metadata[b"noiseless"].decode() == SAID["noiseless"]
    assert found["mock_"] == [True] * 2000
    present = [each for each in found["height"] if each is not None]
    assert all(100 <= each <= 250 for each in present)
    assert 0 < 2000 - len(present) < 400
    assert (min(found["age"]), max(found["age"])) == (0, 120)
    assert all(date(1900, 1, 1) <= each <= date(2020, 12, 31) for each in found["born"])
    assert set(found["smoker"]) == {False, True}
    assert set(found["mock"]) == {"no", "yes", "unknown"}
    assert set(found["region"]) == {"north", "south", "abroad"}
    assert max(found["patient"].count(each) for each in set(found["patient"])) == 3
    assert MARK == "mock"


def test_it_is_the_same_for_a_seed_and_needs_no_data(tmp_path):
    assert mock_table(SCHEMA, 50, 1) == mock_table(SCHEMA, 50, 1) != mock_table(SCHEMA, 50, 2)
    file = write(tmp_path)
    (tmp_path / "people.parquet").unlink()
    with mock_curator(file) as curator:
        assert curator.ask(MEAN, error=5).rows[0].lower >= 0
    for rows in (0, 1_000_001):
        with pytest.raises(nl.InputError, match="whole number from 1"):
            mock_table(SCHEMA, rows)


def test_a_mock_table_fits_its_schema():
    with nl.Curator.open(mock_table(SCHEMA, 300), SCHEMA, budget=12, table="visits") as curator:
        assert curator.ask("SELECT COUNT(*) FROM visits WHERE smoker").rows[0].value > 0
        assert not curator.check().broken


def test_it_can_be_downloaded_and_asked_for_nothing(tmp_path):
    with running(write(tmp_path)) as served:
        table = pq.read_table(io.BytesIO(served.get("/datasets/people/mock?n=7").content))
        text = served.get("/datasets/people/mock?n=7", headers={"Accept": "text/csv"}).content
        assert table.column_names == ["age", "smoker", "region", MARK]
        assert pyarrow.csv.read_csv(io.BytesIO(text)).to_pylist() == table.to_pylist()
        tried = served.post("/datasets/people/mock/ask", {"sql": MEAN, "error": 1}).json()
        assert (tried["mock"], tried["question"], tried["certificate"]["signature"]) == (True, MEAN, "")
        assert served.get("/datasets/people").json()["remaining"] == 12
        assert served.get("/datasets/people/ledger").json()["total"] == 0


def test_the_command_writes_it_once(tmp_path):
    file = write(tmp_path)
    done = commands.run("mock", file, "-n", 20)
    assert b"20 made-up rows" in done.stdout
    assert pq.read_table(tmp_path / "people.mock.parquet").num_rows == 20
    again, csv, wrong = (
        commands.run("mock", file),
        commands.run("mock", file, "-o", tmp_path / "a.csv"),
        commands.run("mock", file, "-o", tmp_path / "a.xlsx"),
    )
    assert (again.returncode, csv.returncode, wrong.returncode) == (1, 0, 1)
    assert b"exists already" in again.stderr
    assert pa.csv.read_csv(tmp_path / "a.csv").num_rows == 1000
