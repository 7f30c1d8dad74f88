"""Codes that are kept in a database: found again with their ledger, refused without it, and a snapshot in any case."""

from __future__ import annotations

import psycopg
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import noiseless as nl
from tests.engines.ways import Postgres, Spark

PEOPLE = pa.table({"age": pa.array([20, 30, 40, 70], pa.int32()), "region": ["n", "s", "n", "n"]})
SCHEMA = nl.Schema(age=nl.Integer(0, 100), region=nl.Public("n", "s", "e"))
SUM = "SELECT region, SUM(age) FROM t GROUP BY region"


def add(way, loaded, age):
    """One more person in the north."""
    if isinstance(way, Postgres):
        with psycopg.connect(way.url, autocommit=True) as connection:
            connection.execute(f"INSERT INTO {loaded['table']} VALUES ({age}, 'n')")
    elif isinstance(way, Spark):
        more = pa.table({"age": pa.array([age], pa.int32()), "region": ["n"]})
        pq.write_table(more, f"{loaded['table']}/{age}.parquet")
    else:
        pq.write_table(pa.concat_tables([PEOPLE, PEOPLE.slice(0, 1)]), loaded["source"])


def test_a_dataset_is_a_snapshot(way):
    """What is written to the table while it is open changes nothing."""
    loaded = way.load(PEOPLE)
    if not way.prepare and not isinstance(way, (Postgres, Spark)):
        pytest.skip("a file that is overwritten is another file: DuckDB opens it anew for every question")
    with nl.Curator.open(schema=SCHEMA, budget=99, **loaded, **way.options(loaded)) as curator:
        add(way, loaded, 99)
        assert [row["SUM(age)"].value for row in curator.ask(SUM, bits=8).rows] == [130, 30, 0]


def test_a_table_with_other_rows_is_another_dataset(way):
    loaded = way.load(PEOPLE)
    options = way.options(loaded) | {"ledger": way.folder / "l.sqlite"}
    for _ in range(2):
        with nl.Curator.open(schema=SCHEMA, budget=20, **loaded, **options) as curator:
            curator.ask(SUM, bits=4)
            assert [entry.body.get("factor") for entry in curator.entries()][1] == "16"
    with pytest.raises(nl.SnapshotError, match="budget is larger"):
        nl.Curator.open(schema=SCHEMA, budget=21, **loaded, **options)
    add(way, loaded, 50)
    with pytest.raises(nl.SnapshotError, match="5 rows"):
        nl.Curator.open(schema=SCHEMA, budget=20, **loaded, **options)


def test_prepared_codes_do_not_need_their_source_but_their_ledger(way):
    if not way.prepare:
        pytest.skip("there is nothing but the source")
    loaded = way.load(PEOPLE)
    options = way.options(loaded)
    with nl.Curator.open(schema=SCHEMA, budget=20, **loaded, **options) as curator:
        before = curator.ask(SUM, bits=4)
    if isinstance(way, Postgres):
        with psycopg.connect(way.url, autocommit=True) as connection:
            connection.execute(f"DROP TABLE {loaded['table']}")
    elif isinstance(way, Spark):
        for file in list((way.folder).glob("spark*/t.parquet/*")):
            file.unlink()
    else:
        loaded["source"].unlink()
    with nl.Curator.open(schema=SCHEMA, budget=20, **loaded, **options) as curator:
        again = curator.ask(SUM, bits=4)
        assert (again.rows, again.factor, again.certificate.content["dataset"]) == (
            before.rows,
            1,
            before.certificate.content["dataset"],
        )
    with pytest.raises(nl.SnapshotError, match="ledger is gone"):
        nl.Curator.open(schema=SCHEMA, budget=20, **loaded, **(options | {"ledger": way.folder / "new.sqlite"}))
    other = nl.Schema(age=nl.Integer(0, 50), region=nl.Public("n", "s", "e"))
    with pytest.raises(nl.SnapshotError, match="schema differs"):
        nl.Curator.open(schema=other, budget=20, **loaded, **options)


def test_codes_that_nobody_will_find_again_are_refused(way):
    loaded = way.load(PEOPLE)
    if not isinstance(way, (Postgres, Spark)):
        pytest.skip("a file's codes are a temporary file without a ledger")
    with pytest.raises(nl.SourceError, match="name a file with ledger="):
        nl.Curator.open(schema=SCHEMA, budget=20, **loaded, prepare=True)
    with pytest.raises(nl.SourceError, match="add prepare=True"):
        nl.Curator.open(schema=SCHEMA, budget=20, **loaded, store="somewhere")
    with pytest.raises(nl.SourceError, match="in its own settings"):
        nl.Curator.open(schema=SCHEMA, budget=20, **loaded, memory="1GB")
