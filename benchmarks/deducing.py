"""Deductions: from a partition of 10^4 cells, from several facts by linear programs, and from the cells of a copy."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
import numpy as np

import noiseless as nl
from benchmarks.measure import Row, compared, seconds, shown
from noiseless.curator.microdata.counts import counted
from noiseless.curator.microdata.plan import Wanted, plan_copy

PEOPLE, COPIED = 100_000, 10_000_000
SCHEMA = nl.Schema(age=nl.Integer(0, 99), pay=nl.Integer(0, 99), ill=nl.Category("no", "yes"))
FOLLOWS = (
    "SELECT COUNT(*) FROM people WHERE age >= 30 AND pay < 40",
    "SELECT AVG(pay) FROM people WHERE age BETWEEN 20 AND 60",
    "SELECT SUM(age) FROM people WHERE pay >= 50",
    "SELECT MEDIAN(age) FROM people WHERE pay < 25 OR age > 50",
    "SELECT VAR_POP(pay) FROM people WHERE age < 33",
    "SELECT COUNT(*) FROM people WHERE age > pay",
    "SELECT AVG(age) FROM people WHERE ill = 'yes' AND pay > 10",
)
FACTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("SELECT age, COUNT(*) FROM people GROUP BY age", {}),
    ("SELECT pay, COUNT(*) FROM people GROUP BY pay", {}),
    ("SELECT ill, COUNT(*) FROM people GROUP BY ill", {}),
    ("SELECT COUNT(*) FROM people WHERE age >= 30 AND pay < 60", {}),
    ("SELECT AVG(pay) FROM people WHERE age >= 50", {"bits": 6}),
    ("SELECT MEDIAN(age) FROM people WHERE pay >= 50", {"bits": 4}),
)


def rows() -> list[Row]:
    """The measured figures."""
    return [*_partition(), *_linear(), *_copy()]


def opened() -> nl.Curator:
    """People with two numbers of a hundred values each."""
    import pandas

    random = np.random.default_rng(29)
    columns = {"age": random.integers(0, 100, PEOPLE), "pay": random.integers(0, 100, PEOPLE)}
    table = pandas.DataFrame({**columns, "ill": random.choice(["no", "yes"], PEOPLE)})
    return nl.Curator.open(table, SCHEMA, budget=200, table="people", store=":memory:")


def _partition() -> Iterator[Row]:
    with opened() as curator:
        curator.ask("SELECT age, pay, COUNT(*) FROM people GROUP BY age, pay")
        times = _times(curator)
    told = f"{shown(median(times))}, {shown(max(times))}"
    yield Row("deducing from a partition of 10^4 cells: median, slowest", told, "", "", "≤ 50 ms")


def _linear() -> Iterator[Row]:
    with opened() as curator:
        for question, terms in FACTS:
            curator.ask(question, **terms)
        times = _times(curator)
    told = f"{shown(median(times))}, {shown(max(times))}"
    yield Row("deducing from six facts, by linear programs: median, slowest", told, "", "", "≤ 1 s")


def _times(curator: nl.Curator) -> list[float]:
    return [seconds(partial(curator.deduce, question)) for question in FOLLOWS]


def _copy() -> Iterator[Row]:
    """The cells of a copy are counted once, when it is released; later deductions read these counts."""
    with TemporaryDirectory(prefix="noiseless-") as folder:
        source, out = Path(folder) / "people.parquet", Path(folder) / "copy.parquet"
        made = "hash(3 * i) % 100 AS age, hash(3 * i + 1) % 100 AS pay, "
        made += "CASE WHEN hash(3 * i + 2) % 4 = 0 THEN 'yes' ELSE 'no' END AS ill"
        duckdb.connect().execute(f"COPY (SELECT {made} FROM range({COPIED}) t(i)) TO '{source}'")
        with nl.Curator.open(source, SCHEMA, budget=200, table="people") as curator:
            cells = {"age": 5, "pay": 4, "ill": 1}
            curator.release(out, bits=cells)
            plan = plan_copy(curator._dataset, Wanted(bits=cells))
            counting = seconds(lambda: counted(plan, curator._dataset))
            deducing = max(_times(curator))
        raw = seconds(lambda: duckdb.connect().execute(_grouped(out)).fetchall())
        asked = seconds(lambda: duckdb.connect().execute(f"SELECT AVG(pay) FROM '{out}' WHERE age < 50").fetchall())
    told = f"GROUP BY of DuckDB on the copy of {COPIED:,} rows"
    yield compared("counting the cells of a copy, once", counting, raw, told, "≤ 3×")
    yield compared("deducing from the copy: slowest", deducing, asked, "one mean by DuckDB on the copy", "≤ 3×")


def _grouped(out: Path) -> str:
    return f"SELECT age, pay, ill, COUNT(*) FROM '{out}' GROUP BY age, pay, ill"
