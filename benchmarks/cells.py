"""Private groups of 10^5 cells: a preview reads, plans and prices them; the answer shows them all."""

from __future__ import annotations

import time
from typing import Any

import pyarrow as pa

import noiseless as nl
from benchmarks.measure import Row, shown

PEOPLE, TIMES = 20_000, 3
COUNTS = "SELECT a, b, COUNT(*) FROM t GROUP BY a, b"
ASKED: list[tuple[str, str, dict[str, Any]]] = [
    ("exact counts", COUNTS, {}),
    ("counts to ±3", COUNTS, {"error": 3}),
    ("counts at a stable level", COUNTS, {"error": 3, "stable": True}),
    ("counts and means", "SELECT a, b, COUNT(*), AVG(x) FROM t GROUP BY a, b", {"bits": 20}),
]


def rows() -> list[Row]:
    columns = {name: [place * step % top for place in range(PEOPLE)] for name, step, top in COLUMNS}
    schema = nl.Schema(a=nl.Integer(0, 315), b=nl.Integer(0, 316), x=nl.Integer(0, 999))
    with nl.Curator.open(pa.table(columns), schema, 900, table="t") as curator:
        curator.preview("SELECT AVG(x) FROM t WHERE a > b", bits=4)  # so that everything is loaded
        return [_row(curator, *each) for each in ASKED]


COLUMNS = (("a", 7919, 316), ("b", 104_729, 317), ("x", 613, 1000))


def _row(curator: nl.Curator, what: str, sql: str, terms: dict[str, Any]) -> Row:
    texts = [sql.replace("SELECT", "SELECT" + " " * (place + 1)) for place in range(TIMES)]  # none of them known
    planned = min(_processor_time(curator.preview, text, terms) for text in texts)
    asked = _processor_time(curator.ask, sql, terms)
    return Row(f"{what} of 10^5 cells: planning; asking", f"{shown(planned)}; {shown(asked)}", "", "", "≤ 1 s to plan")


def _processor_time(work: Any, sql: str, terms: dict[str, Any]) -> float:
    start = time.process_time()
    work(sql, **terms)
    return time.process_time() - start
