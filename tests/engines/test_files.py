"""What only files have: codes in flight from a file, and less memory than data."""

from __future__ import annotations

from datetime import date, timedelta
from math import inf, nan

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import csv

import noiseless as nl

SCHEMA = nl.Schema(age=nl.Integer(0, 100), region=nl.Public("n", "s"))
SUM = "SELECT SUM(age) FROM people"


@pytest.fixture
def files(tmp_path):
    import duckdb

    rows = "SELECT i % 101 AS age, CASE WHEN i % 3 = 0 THEN 's' ELSE 'n' END AS region FROM range(1000) t(i)"
    with duckdb.connect(str(tmp_path / "people.duckdb")) as connection:
        connection.execute(f"CREATE TABLE people AS {rows}")
        for kind in ("parquet", "csv"):
            connection.execute(f"COPY people TO '{tmp_path}/people.{kind}'")
    return tmp_path


@pytest.mark.parametrize("kind", ["parquet", "csv", "duckdb"])
def test_every_kind_of_file_in_flight(files, kind):
    with nl.Curator.open(files / f"people.{kind}", SCHEMA, 20, prepare=False) as curator:
        assert curator.ask(SUM, bits=8).rows[0].value == sum(i % 101 for i in range(1000))
        engine = curator._dataset.engine
        for statement in ("SELECT * FROM read_csv('/etc/passwd')", f"COPY (SELECT 1) TO '{files}/new.csv'"):
            with pytest.raises(nl.EngineError):
                engine.run(statement)
    assert {file.name for file in files.iterdir()} == {"people.parquet", "people.csv", "people.duckdb"}


def test_a_ledger_knows_a_file_in_flight(files):
    for factor in (16, 1):
        with nl.Curator.open(files / "people.parquet", SCHEMA, 20, prepare=False, ledger=files / "l.sqlite") as curator:
            assert curator.ask(SUM, bits=4).factor == factor


def test_a_dataframe_in_flight_has_no_ledger_to_be_found_by(files):
    people = pa.table({"age": [1], "region": ["n"]})
    with pytest.raises(nl.SourceError, match="a ledger needs a file for the codes"):
        nl.Curator.open(people, SCHEMA, 20, prepare=False, ledger=files / "l.sqlite")
    with pytest.raises(nl.SourceError, match="leave one of them out"):
        nl.Curator.open(files / "people.csv", SCHEMA, 20, prepare=False, store=files / "codes.duckdb")


@pytest.mark.parametrize("prepare", [True, False])
def test_less_memory_than_data(tmp_path, prepare):
    """A table of 200 MB in 64 MB; DuckDB says how much it ever used."""
    import duckdb

    with duckdb.connect() as connection:
        rows = ", ".join(f"hash(i + {n}) / 1e15 AS x{n}" for n in range(8))
        connection.execute(f"COPY (SELECT {rows} FROM range(3_000_000) t(i)) TO '{tmp_path}/big.parquet'")
    assert (tmp_path / "big.parquet").stat().st_size > 150_000_000
    schema = nl.Schema({f"x{n}": nl.Real(0, 20000, step=1) for n in range(8)})
    with nl.Curator.open(tmp_path / "big.parquet", schema, 99, prepare=prepare, memory="64MB") as curator:
        answer = curator.ask(f"SELECT {', '.join(f'AVG(x{n})' for n in range(8))} FROM big", bits=40)
        assert 9000 < answer.rows[0]["AVG(x3)"].value < 9500


def test_a_text_file_larger_than_memory(tmp_path):
    import duckdb

    duckdb.sql(f"COPY (SELECT i % 7 AS x, repeat('-', 300) AS y FROM range(200000) t(i)) TO '{tmp_path}/t.csv'")
    assert (tmp_path / "t.csv").stat().st_size > 60_000_000
    with nl.Curator.open(tmp_path / "t.csv", nl.Schema(x=nl.Integer(0, 9)), 9, memory="40MB") as curator:
        assert curator.ask("SELECT COUNT(*) FROM t WHERE x > 5").rows[0].value == 200000 // 7


def test_a_memory_that_is_none(files):
    with pytest.raises(nl.SourceError, match="is not a size; write it as '4GB'"):
        nl.Curator.open(files / "people.csv", SCHEMA, 20, memory="a lot'; DROP TABLE codes")


def test_a_file_is_read_by_its_own_name(tmp_path):
    for name, age in (("m[1].parquet", 1), ("m1.parquet", 9), ("a*.csv", 2), ("ab.csv", 8)):
        table = pa.table({"age": [age], "region": ["n"]})
        (pq.write_table if name.endswith("parquet") else csv.write_csv)(table, tmp_path / name)
    for name, age in (("m[1].parquet", 1), ("a*.csv", 2)):
        with nl.Curator.open(tmp_path / name, SCHEMA, 20, table="people") as curator:
            assert curator.ask(SUM, bits=8).rows[0].value == age
        with pytest.raises(nl.SourceError, match="in its name, which prepare=False cannot read; rename it"):
            nl.Curator.open(tmp_path / name, SCHEMA, 20, table="people", prepare=False)


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_no_time_is_too_far_away(unit):
    ends = {"s": 10**13, "ms": 10**17, "us": 2**62, "ns": 2**62}[unit]
    far = pa.table({"d": pa.array([0, ends, -ends, None], pa.timestamp(unit))})
    with nl.Curator.open(
        far, nl.Schema(d=nl.Date("1970-01-01", "1970-01-05", missing="apart")), 20, table="far"
    ) as curator:
        assert curator.check().rows == 4


def test_a_column_may_be_called_like_our_own():
    table = pa.table({"noiseless_place": [7, 7], "who": [1, 2], "when": [1, 1]})
    schema = nl.Schema({"noiseless_place": nl.Integer(0, 9), "when": nl.Public()}, unit="who", rows=1, order_by="when")
    with nl.Curator.open(table, schema, 20, table="t") as curator:
        assert curator._dataset.engine.fetch(curator._dataset.engine.table("codes")) == [(7, 1), (7, 1)]


def test_a_float_of_32_bits_is_not_compared_as_one():
    table = pa.table({"x": pa.array([16777216.0], pa.float32())})
    with nl.Curator.open(table, nl.Schema(x=nl.Category(16777217, 1, other=1)), 20, table="t") as curator:
        assert curator._dataset.engine.fetch(curator._dataset.engine.table("codes")) == [(1,)]


def test_keys_of_kinds_that_databases_write_variously_are_refused(tmp_path):
    """In files; objects of a dataframe are read one by one."""
    for kind, value in ((pa.binary(), b"a"), (pa.timestamp("us"), 0), (pa.list_(pa.int8()), [1])):
        pq.write_table(pa.table({"x": pa.array([value], kind)}), tmp_path / "t.parquet")
        with pytest.raises(nl.SchemaError, match="the schema declares texts"):
            nl.Curator.open(tmp_path / "t.parquet", nl.Schema(x=nl.Category("a", "b")), 20)


HOSTILE = [None, nan, inf, -inf, -1.0, 0.0, -0.0, 0.04, 0.05, 3.3, 9.95, 10.0, 11.0, 1e308]
SWIFT = [
    "SELECT SUM(x), SUM(large) FROM t",
    "SELECT region, SUM(x), COUNT(x) FROM t GROUP BY region",
    "SELECT region, MEDIAN(x) FROM t WHERE x > 2 GROUP BY region",
    "SELECT region, side, AVG(large) FROM t GROUP BY region, side",
    "SELECT region, MIN(day) FROM t WHERE x < 4 GROUP BY region",
    "SELECT SUM(large) FROM t WHERE region = 'ü' AND side = 2",
]


@pytest.mark.parametrize("top", [1 << 30, 1 << 46])
def test_texts_and_doubles_give_the_same_integers_as_codes(tmp_path, monkeypatch, top):
    """In flight, rows are grouped by texts and doubles are added up; sums beyond 2^53 are added up as integers."""
    rows = 40 * len(HOSTILE)
    days = [date(2000, 1, 1) + timedelta(i % 50) for i in range(rows)]
    table = pa.table(
        {
            "x": pa.array((HOSTILE * 40)[:rows], pa.float64()),
            "region": pa.array([["n", "ü", "", "s'"][i % 4] for i in range(rows)]).dictionary_encode(),
            "side": pa.array([i % 3 for i in range(rows)], pa.int8()),
            "day": pa.array(days),
            "large": pa.array([i * (top // rows) + i for i in range(rows)], pa.int64()),
        }
    )
    pq.write_table(table, tmp_path / "t.parquet")
    schema = nl.Schema(
        x=nl.Real(0, 10, step="0.1", missing="apart"),
        day=nl.Date("2000-01-10", "2000-02-01"),
        large=nl.Integer(0, top),
        region=nl.Public("n", "ü", "", "s'"),
        side=nl.Public(0, 1, 2),
    )
    found = []
    for swift in (True, False):
        with nl.Curator.open(tmp_path / "t.parquet", schema, 9000, prepare=False) as curator:
            engine, statements = curator._dataset.engine, []
            monkeypatch.setattr(engine, "swift", swift)
            run = engine._rows
            monkeypatch.setattr(engine, "_rows", lambda text, run=run, to=statements: to.append(text) or run(text))
            answers = [curator.ask(question, bits=60).rows for question in SWIFT]
            found.append([[tuple(row.values()) for row in rows] for rows in answers])
            assert any("c3_text" in text for text in statements) == swift
            assert any("SUM(c2)" in text for text in statements) == (not swift or top > 2**40)
    assert found[0] == found[1]
