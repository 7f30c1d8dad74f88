"""How time grows along other axes than rows: keys, columns, entries, alternatives, questions.

`make bench-scale` puts them into SCALE.md; `python -m benchmarks.scale axes` makes only these again.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from itertools import count
from math import log10
from pathlib import Path

import duckdb

import noiseless as nl
from benchmarks.__main__ import machine
from benchmarks.conditions import listed
from benchmarks.keys import COUNTS, MEAN, REGIONS, ROWS_OF_A_KEY, batch, schema_of, table
from benchmarks.ledger import long_ledger
from benchmarks.measure import seconds, shown
from benchmarks.opening import wide

Found = dict[str, float]
"""Seconds by what was done."""
OTHER_AXES = "## Other axes"
HEAD = "| what grows | so many | what is done | time | exponent |\n|---|---|---|---|---|\n"


def _keys(number: int) -> Found:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "people.duckdb"
        table(source, number, number * ROWS_OF_A_KEY)
        schema = schema_of(number)
        opened = seconds(lambda: nl.Curator.open(source, schema, 100).close(), repeat=1)
        with nl.Curator.open(source, schema, 100) as curator, duckdb.connect(str(source), read_only=True) as raw:
            return {
                "open": opened,
                "preview of a mean of each": seconds(lambda: curator.preview(MEAN, bits=2)),
                "ask for a mean of each": min(_new(curator, bits) for bits in (2, 3, 4)),
                "the same of raw DuckDB": seconds(lambda: raw.execute(MEAN).fetchall()),
            }


def _new(curator: nl.Curator, bits: int) -> float:
    return seconds(lambda: curator.ask(MEAN, bits=bits), repeat=1)


def _columns(number: int) -> Found:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "wide.parquet"
        schema = wide(source, number)
        return {"open, 10^5 rows": seconds(lambda: nl.Curator.open(source, schema, 100).close(), repeat=2)}


def _entries(number: int) -> Found:
    found = long_ledger(number)
    return {"open": found.opened, "recall a question": found.recalled, "repeat a question": found.repeated}


def _alternatives(number: int) -> Found:
    with tempfile.TemporaryDirectory() as folder:
        source, first = Path(folder) / "people.duckdb", count()
        table(source, REGIONS, 10_000)
        with nl.Curator.open(source, schema_of(REGIONS), 9000, table="people") as curator:
            return {"preview": seconds(lambda: curator.preview(_in(number, next(first))))}


def _in(number: int, first: int) -> str:
    return f"SELECT COUNT(*) FROM people WHERE {listed(number, first)}"


def _questions(number: int) -> Found:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "people.duckdb"
        table(source, REGIONS, 100_000)
        return {"a batch of counts": min(batch(source, COUNTS[:number], None) for _ in range(2))}


def _earlier(number: int) -> Found:
    """Asked when so many questions about the same column were asked before."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "people.duckdb"
        table(source, REGIONS, 10_000)
        with nl.Curator.open(source, schema_of(REGIONS), 9000, table="people") as curator:
            for sql in COUNTS[:number]:
                curator.ask(sql)
            new = iter(range(1, 100))
            return {
                "ask for one more count": seconds(lambda: curator.ask(_more(next(new))), repeat=9),
                "preview of a mean": seconds(lambda: curator.preview("SELECT AVG(age) FROM people", bits=2)),
            }


def _more(age: int) -> str:
    return f"SELECT COUNT(*) FROM people WHERE age < {age} AND region = 1"


AXES: dict[str, tuple[Callable[[int], Found], tuple[int, ...]]] = {
    "public keys": (_keys, (1000, 10_000, 100_000)),
    "private columns": (_columns, (3, 30, 300)),
    "entries of the ledger": (_entries, (1001, 10_001, 100_001)),
    "values of IN": (_alternatives, (10, 100, 1000)),
    "questions of a batch": (_questions, (10, 100, 1000)),
    "earlier questions about the column": (_earlier, (10, 100, 1000)),
}


def lines() -> Iterator[str]:
    """A line of the table for every size of every axis. The exponent is that of the tenfold before it."""
    for axis, (measure, sizes) in AXES.items():
        before: Found = {}
        for size in sizes:
            found = measure(size)
            for what, time in found.items():
                exponent = f"{log10(time / before[what]):.2f}" if before else ""
                yield f"| {axis} | {size:,} | {what} | {shown(time)} | {exponent} |\n"
            before = found


def section() -> str:
    """The section of SCALE.md."""
    said = "*exponent* is that of the last tenfold: 1 if it takes ten times as long, 0 if it takes no longer."
    where = machine("duckdb", "sqlglot")
    return f"{OTHER_AXES}\n\n{where} {said}\n\n{HEAD}{''.join(lines())}"
