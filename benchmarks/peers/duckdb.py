"""Raw DuckDB, on the parquet file or on a table of its own in memory: what everything else is measured against."""

from __future__ import annotations

import json
import sys

import duckdb

from benchmarks.peers.asked import QUESTION, asked


def table(path: str) -> duckdb.DuckDBPyConnection:
    return _connected(f"CREATE TABLE people AS SELECT region, height FROM '{path}'")


def parquet(path: str) -> duckdb.DuckDBPyConnection:
    return _connected(f"CREATE VIEW people AS SELECT region, height FROM '{path}'")


def _connected(people: str) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute(people)
    return connection


def ask(connection: duckdb.DuckDBPyConnection) -> dict[str, float]:
    return dict(connection.execute(QUESTION).fetchall())


if __name__ == "__main__":
    told = asked({"table": table, "parquet": parquet}[sys.argv[2]], ask)
    print(json.dumps(told | {"version": duckdb.__version__, "setting": "no privacy"}))
