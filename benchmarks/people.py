"""Synthetic people in any number, written by DuckDB without ever being in the memory as a whole."""

from __future__ import annotations

from pathlib import Path

import duckdb

import noiseless as nl

KEYS = tuple(f"r{number}" for number in range(10))
SCHEMA = nl.Schema(
    height=nl.Real(100, 250, step="0.1"), age=nl.Integer(0, 120), smoker=nl.Boolean(), region=nl.Public(*KEYS)
)
QUESTION = "SELECT region, AVG(height) FROM people GROUP BY region"
PEOPLE = """
SELECT 100 + 50 * (hash(i) / 2e19 + hash(i + 1) / 2e19 + hash(i + 2) / 2e19) AS height,
       (hash(i + 3) % 121)::TINYINT AS age, hash(i + 4) % 5 = 0 AS smoker, 'r' || (hash(i + 5) % 10) AS region
FROM range({rows}) t(i)
"""


def write(path: Path, rows: int) -> None:
    """A parquet file of so many people, the same ones each time."""
    with duckdb.connect() as connection:
        connection.execute("SET preserve_insertion_order = false")
        connection.execute(f"COPY ({PEOPLE.format(rows=rows)}) TO '{path}' (FORMAT parquet)")
