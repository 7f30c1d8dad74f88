"""Questions with many alternatives: read, planned and priced, against parsing the same text."""

from __future__ import annotations

from collections.abc import Callable

import pyarrow as pa
import sqlglot

import noiseless as nl
from benchmarks.measure import Row, compared, seconds

TIMES = 5


def rows() -> list[Row]:
    table = pa.table({"age": [k % 5000 for k in range(10_000)]})
    with nl.Curator.open(table, nl.Schema(age=nl.Integer(0, 5000)), 9000, table="people") as curator:
        return [_previewed(curator, *each) for each in QUESTIONS]


def _alternatives(number: int) -> str:
    return " OR ".join(f"age = {3 * k}" for k in range(number))


QUESTIONS = [
    ("preview with IN of 1,000 values", f"age IN ({', '.join(str(3 * k) for k in range(1000))})", "≤ 30 ms"),
    ("preview with OR of 500 comparisons", _alternatives(500), "≤ 0.1 s"),
    ("preview with OR of 1,000 comparisons", _alternatives(1000), "accepted"),
]


def _previewed(curator: nl.Curator, what: str, where: str, wanted: str) -> Row:
    sql = f"SELECT COUNT(*) FROM people WHERE {where}"
    ours, parsed = _in_turn(lambda: curator.preview(sql), lambda: sqlglot.parse_one(sql, dialect="duckdb"))
    return compared(what, ours, parsed, "sqlglot parses it", wanted)


def _in_turn(*works: Callable[[], object]) -> list[float]:
    """The best of several, in turn, so that all meet the same noise."""
    times = [[seconds(work, repeat=1) for work in works] for _ in range(TIMES)]
    return [min(each) for each in zip(*times, strict=True)]
