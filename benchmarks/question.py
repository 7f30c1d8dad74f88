"""The fixed cost of a question: asked for the first time with a ledger on the disk, and previewed again.

Raw DuckDB on the same file, the parser alone, and single waits of this disk take turns with it.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count
from pathlib import Path

import duckdb
import sqlglot

import noiseless as nl
from benchmarks.measure import Row, compared, seconds
from benchmarks.people import QUESTION, SCHEMA, fresh, write

POWER, TURNS = 5, 40
REPEATED = {
    "preview of a count under a condition": ("SELECT COUNT(*) FROM people WHERE age < 50", None, "≤ 0.5 ms"),
    "preview of a grouped mean": (QUESTION, 1, "≤ 0.8 ms"),
    "preview of grouped counts under a condition": (
        "SELECT region, COUNT(*) FROM people WHERE age < 50 GROUP BY region",
        None,
        "≤ 0.8 ms",
    ),
}


def rows() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        source = home / "people.parquet"
        write(source, 10**POWER)
        store, ledger = home / "codes.duckdb", home / "ledger.sqlite"
        with nl.Curator.open(source, SCHEMA, 9000, table="people", store=store, ledger=ledger) as curator:
            return [*_asked(curator, source, home), *_previewed(curator), *_waits(home)]


def _in_turn(*works: Callable[[], object]) -> list[float]:
    """The least time of each; they take turns, so that all meet the same noise."""
    times = [[seconds(work, repeat=1) for work in works] for _ in range(TURNS)]
    return [min(each) for each in zip(*times, strict=True)]


def _asked(curator: nl.Curator, source: Path, home: Path) -> Iterator[Row]:
    connection, plain = duckdb.connect(), QUESTION.replace("people", f"'{source}'")
    in_memory: list[nl.Curator] = []
    on_disk: list[nl.Curator] = []
    number = count()

    def prepare() -> None:
        for opened in on_disk:
            opened._account.close()
        in_memory[:] = [fresh(curator)]
        on_disk[:] = [fresh(curator, home / f"ledger{next(number)}.sqlite")]

    times = []
    for _ in range(TURNS):
        prepare()
        disk = seconds(lambda: on_disk[0].ask(QUESTION, bits=1), repeat=1)
        prepare()
        memory = seconds(lambda: in_memory[0].ask(QUESTION, bits=1), repeat=1)
        times.append((disk, memory, seconds(lambda: connection.execute(plain).fetchall(), repeat=1)))
    disk, memory, raw = (min(each) for each in zip(*times, strict=True))
    what = f"new grouped AVG, 10^{POWER} rows"
    yield compared(f"{what}, ledger on the disk", disk, raw, "raw DuckDB on the file", "≤ 3 ms, ≤ 1.5×")
    yield compared(f"{what}, ledger in memory", memory, raw, "raw DuckDB on the file", "")
    connection.close()


def _previewed(curator: nl.Curator) -> Iterator[Row]:
    """Of questions that were previewed before."""
    for what, (sql, bits, wanted) in REPEATED.items():
        curator.preview(sql, bits=bits)
        ours, parsed = _in_turn(
            lambda sql=sql, bits=bits: curator.preview(sql, bits=bits),  # type: ignore[misc]
            lambda sql=sql: sqlglot.parse_one(sql, dialect="duckdb"),  # type: ignore[misc]
        )
        yield compared(f"{what}, again", ours, parsed, "sqlglot parses it", wanted)


def _waits(home: Path) -> Iterator[Row]:
    """What this disk makes everybody wait, for the rows of ledgers: a question waits for it twelve times."""
    with open(home / "block", "wb") as block, closing(sqlite3.connect(home / "plain.sqlite")) as plain:
        plain.execute("PRAGMA synchronous = FULL")
        plain.execute("CREATE TABLE entries (body TEXT)")

        def waited() -> None:
            os.pwrite(block.fileno(), b"1" * 4096, 0)
            os.fsync(block.fileno())

        def committed() -> None:
            plain.execute("INSERT INTO entries VALUES (?)", ("1" * 600,))
            plain.commit()

        commit, wait = _in_turn(committed, waited)
    yield compared("for comparison: sqlite3 commits one row", commit, wait, "a write of 4 kB and fsync", "")
