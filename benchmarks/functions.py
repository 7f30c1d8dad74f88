"""Functions of a row: planning of typical questions, and the engine's part against the raw query on the same file."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import duckdb

import noiseless as nl
from benchmarks.measure import Row, compared, seconds, shown
from noiseless.curator.dataset.dataset import Dataset
from noiseless.curator.question.execute import execute
from noiseless.curator.question.line import Asked
from noiseless.curator.question.resolve import resolve
from noiseless.curator.sql.read import read

PEOPLE, TIMES = 10_000_000, 7
SCHEMA = nl.Schema(
    a=nl.Integer(0, 1000),
    b=nl.Integer(1, 250),
    h=nl.Real(100, 250, step="0.1"),
    w=nl.Real(30, 200, step="0.1"),
    d=nl.Date("2020-01-01", "2024-12-31"),
    s=nl.Category("no", "yes", "maybe"),
    g=nl.Public("n", "s"),
)
TYPICAL = [
    "SUM(a * b)",
    "AVG(w / ((h / 100) * (h / 100)))",
    "SUM(w * a) / SUM(w)",
    "AVG(a / 10.0)",
    "AVG(CASE WHEN a > 500 THEN b ELSE 0 END)",
    "SUM(a) FILTER (WHERE s LIKE 'y%')",
    "COUNT(*) FILTER (WHERE a > b)",
    "AVG(EXTRACT(year FROM d))",
    "MAX(DATE_TRUNC('month', d))",
    "AVG(ROUND(a / b, 2))",
    "AVG(LN(1 + a))",
    "AVG(SQRT(a * a + b * b))",
    "MEDIAN(LEAST(a, b))",
]
RAW = ("SUM(a * b)", "AVG(a / (b * b))")


def rows() -> list[Row]:
    with TemporaryDirectory() as folder:
        source = Path(folder) / "t.parquet"
        duckdb.sql(
            f"COPY (SELECT CAST(hash(i) % 1001 AS INTEGER) a, CAST(1 + hash(i + 1) % 250 AS INTEGER) b, "
            f"100.0 + hash(i) % 1501 / 10 h, 30.0 + hash(i) % 1701 / 10 w, DATE '2020-01-01' + CAST(i % 1800 AS INT) d,"
            f" CASE i % 3 WHEN 0 THEN 'no' WHEN 1 THEN 'yes' ELSE 'maybe' END s, "
            f"CASE i % 2 WHEN 0 THEN 'n' ELSE 's' END g FROM range({PEOPLE}) AS r(i)) TO '{source}' (FORMAT parquet)"
        )
        with nl.Curator.open(source, SCHEMA, 9000, table="t", store=Path(folder) / "codes") as curator:
            planned = [_planned(curator, f"SELECT {call} FROM t") for call in TYPICAL]
            slowest = max(zip(planned, TYPICAL, strict=True))
            what = f"planning of {len(TYPICAL)} questions with functions; the slowest, {slowest[1]}"
            return [
                Row(what, f"{shown(median(planned))}; {shown(slowest[0])}", "", "", "≤ 20 ms each"),
                *(_engine(curator, call, source) for call in RAW),
            ]


def _planned(curator: nl.Curator, sql: str) -> float:
    """Processor time of a preview: reading, planning and pricing. The best of several."""
    texts = [sql.replace("SELECT", "SELECT" + " " * (place + 1)) for place in range(TIMES)]  # none of them known
    return min(_processor_time(partial(curator.preview, text, bits=5)) for text in texts)


def _engine(curator: nl.Curator, call: str, source: Path) -> Row:
    """The engine's integers for a question against the same aggregate of the raw file, in turn."""
    data: Dataset = curator._dataset
    plan = read(f"SELECT {call} FROM t", data.schema, "t")
    lines = resolve(plan, data)
    asked = [number for line in lines for number in line.numbers.values() if isinstance(number, Asked)]
    widths = {release: 1_000 for number in asked for release in number.releases}

    def ours() -> object:
        return execute(plan, lines, widths, data)

    connection = duckdb.connect()

    def raw() -> object:
        return connection.sql(f"SELECT {call} FROM '{source}'").fetchall()

    times = [(seconds(ours, 1), seconds(raw, 1)) for _ in range(TIMES)]
    mine, theirs = (min(each) for each in zip(*times, strict=True))
    return compared(f"the engine's part of {call}, 10⁷ rows", mine, theirs, "DuckDB, raw file", "≤ 1.3×")


def _processor_time(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start
