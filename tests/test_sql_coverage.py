"""The two hundred questions of docs/sql_coverage.md: verdict, price and error as written, and the truth inside."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pytest
from benchmarks.coverage import tables
from benchmarks.coverage.page import ours
from benchmarks.coverage.verdict import Verdict, verdicts
from sqlglot import exp, parse_one

import noiseless as nl
from noiseless.curator.releases.reported import Reported

PAGE = (Path(__file__).parents[1] / "docs" / "sql_coverage.md").read_text(encoding="utf-8")
WANTED = 190
ROUNDING = Fraction(1, 10**9)
"""DuckDB computes with doubles."""
VIEWS = {
    "stays": "CREATE VIEW patients AS SELECT COUNT(*) AS stays, LEAST(SUM(days), 120) AS total_days, "
    "SUM(cost) AS total_cost, MAX(age) AS oldest, MAX(emergency::INT) AS ever_emergency FROM stays GROUP BY patient",
    "meters": "CREATE VIEW homes AS SELECT LEAST(SUM(kwh), 1400) AS total, MAX(kwh) AS highest, AVG(kwh) AS typical, "
    "LEAST(SUM(exported), 700) AS exported FROM readings GROUP BY home",
    "trips": "ALTER TABLE trips ADD COLUMN speed DOUBLE; "
    "UPDATE trips SET speed = LEAST(120, ROUND(60 * distance / GREATEST(minutes, 1), 1))",
}
IN_OTHER_WORDS = {
    "AVG(died)": "AVG(died::INT)",
    "WIDTH_BUCKET(cost, 0, 50000, 10)": "LEAST(FLOOR(cost / 5000) + 1, 11)",
    "(SELECT home, SUM(kwh) AS total FROM readings GROUP BY home)": "homes",
}
"""What DuckDB does not have, or that is about a declared view, whose values are clamped."""


@cache
def asked(schema: str) -> list[Verdict]:
    return verdicts(schema)


@cache
def database(schema: str) -> duckdb.DuckDBPyConnection:
    """The same tables: their values are within the declared bounds and on the grid."""
    connection, made = duckdb.connect(), tables.SCHEMAS[schema]()
    for name, rows in {made.private: made.rows, **made.public}.items():
        connection.register("made", rows)
        connection.execute(f"CREATE TABLE {name} AS FROM made")
    connection.execute(VIEWS.get(schema, ""))
    return connection


def plain(value: Any) -> Any:
    """A value as a key: numbers are fractions."""
    if isinstance(value, datetime):
        return value.date()
    return value if value is None or isinstance(value, (bool, str, date)) else Fraction(str(value))


def true_rows(verdict: Verdict, keys: list[int]) -> dict[tuple[Any, ...], tuple[Any, ...]]:
    """The rows that DuckDB answers, by their keys. MEDIAN is the smaller of two middle values, as the docs say."""
    text = verdict.sql
    for written, meant in IN_OTHER_WORDS.items():
        text = text.replace(written, meant)
    tree = parse_one(text, dialect="duckdb").transform(
        lambda node: exp.func("QUANTILE_DISC", node.this, "0.5") if isinstance(node, exp.Median) else node
    )
    rows = database(verdict.schema).execute(tree.sql(dialect="duckdb")).fetchall()
    return {tuple(plain(row[place]) for place in keys): row for row in rows}


def wrong(verdict: Verdict) -> Iterator[str]:
    """What of an answer does not hold the truth."""
    answer = verdict.answer
    assert answer is not None
    keys = [place for place, label in enumerate(answer.labels) if label not in answer.numbers]
    truths = true_rows(verdict, keys)
    found = {tuple(plain(row[answer.labels[place]]) for place in keys): row for row in answer.rows}
    if truths.keys() - found.keys() and not answer.notes:
        yield f"{verdict.sql}: rows are missing"
    for key in truths.keys() & found.keys():
        for label, truth in zip(answer.labels, truths[key], strict=True):
            if label in answer.numbers and not holds(found[key][label], truth):
                yield f"{verdict.sql}: {key} {label} is {truth}"


def holds(cell: Any, truth: Any) -> bool:
    if isinstance(cell, Reported):
        near = 0 if isinstance(truth, date) else ROUNDING * max(1, abs(Fraction(truth)))
        return cell.lower - near <= plain(truth) <= cell.upper + near
    return cell is truth is None or str(truth) in str(cell)


@pytest.mark.parametrize("schema", tables.SCHEMAS)
def test_every_question_has_the_verdict_price_and_error_that_the_page_has(schema):
    assert [row for row in map(ours, asked(schema)) if f"\n{row}" not in PAGE] == []


def test_nearly_all_are_accepted():
    found = [verdict for schema in tables.SCHEMAS for verdict in asked(schema)]
    assert len(found) == 200
    assert sum(verdict.accepted for verdict in found) >= WANTED
    assert all("This would be accepted: SELECT" in verdict.refused for verdict in found if not verdict.accepted)


@pytest.mark.parametrize("schema", tables.SCHEMAS)
def test_answers_hold_what_a_database_answers(schema):
    assert [each for verdict in asked(schema) if verdict.accepted for each in wrong(verdict)] == []


@pytest.mark.parametrize("schema", tables.SCHEMAS)
def test_certificates_can_be_verified(schema):
    for verdict in asked(schema):
        for answer in () if verdict.answer is None else (verdict.answer, *verdict.answer.before):
            assert nl.verify(answer.certificate).count == answer.guarantee.count


def test_an_interval_beside_the_truth_is_caught(monkeypatch):
    """Wrong: no interval holds anything."""
    monkeypatch.setattr(Reported, "lower", property(lambda self: self.upper + 1), raising=False)
    assert any(each for verdict in asked("people") if verdict.accepted for each in wrong(verdict))
