"""A Postgres that goes away and comes back: errors of our tree, nothing charged in vain, and it goes on."""

from __future__ import annotations

import random

import psycopg
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import noiseless as nl
from noiseless.curator.engines.postgres import Postgres
from noiseless.curator.ledger.database import DatabaseJournal
from noiseless.curator.ledger.verify import verify_ledger

SCHEMA = nl.Schema(age=nl.Integer(0, 100))
SQL = "SELECT COUNT(*) FROM aged WHERE age BETWEEN 5 AND {}"


@pytest.fixture
def admin(postgres):
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute("DROP TABLE IF EXISTS aged")
        connection.execute("DELETE FROM noiseless_entries WHERE dataset = 'aged'") if _has_ledger(connection) else None
        connection.execute("DELETE FROM noiseless_heads WHERE dataset = 'aged'") if _has_ledger(connection) else None
        connection.execute("CREATE TABLE aged AS SELECT (20 + 7 * k % 60)::int AS age FROM generate_series(0, 49) k")
        yield connection


def _has_ledger(connection) -> bool:
    return connection.execute("SELECT to_regclass('noiseless_heads')").fetchone() != (None,)


def cut_off(admin) -> None:
    """Every connection but this one, as when the server is restarted."""
    others = "pid <> pg_backend_pid() AND backend_type = 'client backend'"
    admin.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}")


def test_a_ledger_that_comes_back(postgres, admin, tmp_path, monkeypatch):
    """Cut off between any two statements of the ledger, now and then."""
    pq.write_table(pa.table({"age": [20 + 7 * k % 60 for k in range(50)]}), tmp_path / "aged.parquet")
    generator = random.Random(3)
    where = {"ledger": postgres, "store": tmp_path / "codes.duckdb", "new": True}
    with nl.Curator.open(tmp_path / "aged.parquet", SCHEMA, 40, **where) as curator:
        right = {name: getattr(DatabaseJournal, name) for name in ("_alone", "_settle", "_insert", "_last")}
        for name, run in right.items():

            def cutting(self, *arguments, run=run):
                if generator.random() < 0.15:
                    cut_off(admin)
                return run(self, *arguments)

            monkeypatch.setattr(DatabaseJournal, name, cutting)
        answered, refused = 0, 0
        for top in range(20, 60):
            try:
                curator.ask(SQL.format(top))
                answered += 1
            except nl.LedgerError:
                refused += 1
        assert answered > 10
        assert refused
        monkeypatch.undo()
        for top in range(20, 60):
            curator.ask(SQL.format(top))
        assert curator.sequence.spent() == 2**40
        verify_ledger(curator.entries())


def test_a_source_that_comes_back_and_one_that_does_not(postgres, admin, tmp_path):
    with nl.Curator.open(postgres, SCHEMA, 40, table="aged", ledger=tmp_path / "ledger.sqlite") as curator:
        for top in range(20, 26):
            first = curator.ask(SQL.format(top))
            cut_off(admin)
            assert curator.ask(SQL.format(top)).rows == first.rows
        assert curator.sequence.spent() == 2**6
        cut_off(admin)
        engine = curator._dataset.engine
        assert isinstance(engine, Postgres)
        engine._url = "postgresql://nobody@127.0.0.1:1/nowhere"
        with pytest.raises(nl.SourceError, match="nothing was charged"):
            curator.ask(SQL.format(50))
        assert curator.sequence.spent() == 2**6
        engine._url = postgres
        admin.execute("INSERT INTO aged VALUES (3)")
        with pytest.raises(nl.SnapshotError, match="now has 51 rows instead of 50"):
            curator.ask(SQL.format(50))
        admin.execute("DELETE FROM aged WHERE age = 3")
        cut_off(admin)
        assert curator.ask(SQL.format(50)).factor == 2


def test_lost_entries_are_noticed_in_postgres(postgres, admin, tmp_path):
    pq.write_table(pa.table({"age": [20 + 7 * k % 60 for k in range(50)]}), tmp_path / "aged.parquet")
    where = {"ledger": postgres, "store": tmp_path / "codes.duckdb", "new": True}
    with nl.Curator.open(tmp_path / "aged.parquet", SCHEMA, 40, **where) as curator:
        curator.ask(SQL.format(30))
        admin.execute("DELETE FROM noiseless_entries WHERE dataset = 'aged' AND number = 2")
        with pytest.raises(nl.LedgerError, match="ends with entry 1 and its head with entry 2: entries were lost"):
            curator.ask(SQL.format(31))
    with pytest.raises(nl.LedgerError, match="entries were lost"):
        nl.Curator.open(tmp_path / "aged.parquet", SCHEMA, 40, **where)
