"""Very many public keys, and batches, beside raw DuckDB on the same file; and how long entries are."""

from __future__ import annotations

import tempfile
from pathlib import Path

import duckdb

import noiseless as nl
from benchmarks.measure import Row, compared, seconds

ROWS_OF_A_KEY = 10
KEYS = {10_000: ("≤ 2 s", "≤ 100 ms", "≤ 100 ms", ""), 100_000: ("≤ 5 s", "≤ 1 s", "≤ 1 s", "≤ 100 kB")}
MEAN = "SELECT region, AVG(height) FROM people GROUP BY region"
QUESTIONS, REGIONS = 1000, 5
AGES = 1000
COUNTS = [f"SELECT COUNT(*) FROM people WHERE age >= {k}" for k in range(1, QUESTIONS + 1)]
MEANS = [f"SELECT region, AVG(height) FROM people WHERE age >= {k} GROUP BY region" for k in range(1, QUESTIONS + 1)]


def rows() -> list[Row]:
    return [row for keys, wanted in KEYS.items() for row in _many(keys, wanted)] + _batches()


def table(source: Path, keys: int, rows: int) -> None:
    """The rows of a key are not equally many, and some keys have none, as in any real table."""
    with duckdb.connect(str(source)) as connection:
        connection.execute("SELECT setseed(0.5)")
        connection.execute(
            "CREATE TABLE people AS SELECT 100 + 150 * random() AS height, "
            f"floor({AGES + 1} * random())::INTEGER AS age, floor({keys} * random())::INTEGER AS region "
            f"FROM range({rows})"
        )


def schema_of(keys: int) -> nl.Schema:
    height, age = nl.Real(100, 250, step="0.1"), nl.Integer(0, AGES)
    return nl.Schema(height=height, age=age, region=nl.Public(*range(keys)))


def _many(keys: int, wanted: tuple[str, str, str, str]) -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "people.duckdb"
        table(source, keys, keys * ROWS_OF_A_KEY)
        schema, what = schema_of(keys), f"{keys:,} public keys"
        codes, ledger = Path(folder) / "codes.duckdb", Path(folder) / "ledger.sqlite"

        def opening() -> nl.Curator:
            return nl.Curator.open(source, schema, budget=100, store=codes, ledger=ledger)

        opened = seconds(lambda: opening().close(), repeat=1)
        with duckdb.connect(str(source), read_only=True) as raw, opening() as curator:
            read = seconds(lambda: raw.execute("SELECT DISTINCT region FROM people").fetchall())
            mean = [seconds(lambda: raw.execute(MEAN).fetchall(), repeat=1)]
            previewed = seconds(lambda: curator.preview(MEAN, bits=2))
            asked = []
            for bits in (2, 3, 4):  # a new question each time: narrower bins
                asked.append(seconds(lambda bits=bits: curator.ask(MEAN, bits=bits), repeat=1))  # type: ignore[misc]
                mean.append(seconds(lambda: raw.execute(MEAN).fetchall(), repeat=1))
            lengths = [len(each.write()["body"]) for each in curator.entries() if each.kind != "open"]
            first = max(lengths[:2]) / 1000  # what 2 bits took: an ask and its answer
        return [
            compared(f"{what}: open", opened, read, "SELECT DISTINCT", wanted[0]),
            compared(f"{what}: preview of a mean of each", previewed, min(mean), "raw AVG", wanted[1]),
            compared(f"{what}: ask for a mean of each, new", min(asked), min(mean), "raw AVG", wanted[2]),
            Row(f"{what}: longest entry of a mean of 2 bits", f"{first:.3g} kB", "", "", wanted[3]),
            Row(f"{what}: longest entry of one of 4 bits", f"{max(lengths) / 1000:.3g} kB", "", "", ""),
        ]


def _batches() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "people.duckdb"
        table(source, REGIONS, 100_000)
        with duckdb.connect(str(source), read_only=True) as raw:
            raws = [seconds(lambda: _asked(raw, questions), repeat=1) for questions in (COUNTS, MEANS)]  # noqa: B023
        ours = [min(batch(source, asked, bits) for _ in range(3)) for asked, bits in ((COUNTS, None), (MEANS, 2))]
        name = f"{QUESTIONS:,} raw queries"
        return [
            compared(f"a batch of {QUESTIONS:,} counts", ours[0], raws[0], name, "≤ 0.3 s"),
            compared(f"a batch of {QUESTIONS:,} grouped means", ours[1], raws[1], name, "≤ 1.5 s"),
        ]


def _asked(raw: duckdb.DuckDBPyConnection, questions: list[str]) -> None:
    for sql in questions:
        raw.execute(sql).fetchall()


def batch(source: Path, questions: list[str], bits: int | None) -> float:
    """The time of a new batch, of a curator who was asked something before."""
    with nl.Curator.open(source, schema_of(REGIONS), budget=10_000) as curator:
        curator.ask("SELECT AVG(age) FROM people", bits=1)
        return seconds(lambda: curator.batch(questions, bits=bits), repeat=1)
