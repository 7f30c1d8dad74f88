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


def _alternatives(number: int, first: int) -> str:
    return " OR ".join(f"age = {3 * k + first}" for k in range(number))


def listed(number: int, first: int) -> str:
    return f"age IN ({', '.join(str(3 * k + first) for k in range(number))})"


QUESTIONS: list[tuple[str, Callable[[int], str], str]] = [
    ("preview with IN of 1,000 values", lambda first: listed(1000, first), "≤ 30 ms"),
    ("preview with OR of 500 comparisons", lambda first: _alternatives(500, first), "≤ 0.1 s"),
    ("preview with OR of 1,000 comparisons", lambda first: _alternatives(1000, first), "accepted"),
]


def _previewed(curator: nl.Curator, what: str, where: Callable[[int], str], wanted: str) -> Row:
    """A new text in every turn, because recent ones are remembered."""
    texts = [f"SELECT COUNT(*) FROM people WHERE {where(first)}" for first in range(TIMES)]
    times = [
        (
            seconds(lambda: curator.preview(sql), repeat=1),  # noqa: B023
            seconds(lambda: sqlglot.parse_one(sql, dialect="duckdb"), repeat=1),  # noqa: B023
        )
        for sql in texts
    ]
    ours, parsed = (min(each) for each in zip(*times, strict=True))
    return compared(what, ours, parsed, "sqlglot parses it", wanted)
