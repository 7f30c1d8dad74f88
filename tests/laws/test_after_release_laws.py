"""From the table to the answer: over all tables of three people, SQL about the table itself is inside what is shown."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import duckdb
import pyarrow as pa
import pytest

import noiseless as nl
from noiseless.curator.question import question
from noiseless.curator.question.after.one_of import OneOf
from noiseless.curator.releases.reported import Reported
from tests.curator.small import fresh
from tests.curator.worlds import worlds

SCHEMA = nl.Schema(x=nl.Integer(0, 2), y=nl.Boolean(), g=nl.Public("a", "b"))
GROUPS = ("a", "a", "b")
QUESTIONS = [
    ("SELECT g, SUM(x) * 1.0 / NULLIF(SUM(SUM(x)) OVER (), 0) AS share FROM t GROUP BY g", 1),
    (
        "SELECT g, RANK() OVER (ORDER BY AVG(x)) AS r, SUM(x) - LAG(SUM(x)) OVER (ORDER BY g) AS d FROM t GROUP BY g",
        2,
    ),
    ("SELECT g, SUM(x) AS s, SUM(SUM(x)) OVER (ORDER BY SUM(x)) AS running FROM t GROUP BY g", 1),
    (
        "SELECT MAX(s) - MIN(s) AS gap, COUNT(*) FILTER (WHERE s > 1) AS k "
        "FROM (SELECT g, SUM(x) AS s FROM t GROUP BY g) AS u",
        1,
    ),
    (
        "SELECT y, n * 1.0 / SUM(n) OVER () AS share "
        "FROM (SELECT y, COUNT(*) AS n FROM t GROUP BY y HAVING COUNT(*) > 0) AS u",
        1,
    ),
    ("SELECT CASE WHEN AVG(x) > 1 THEN 'high' ELSE 'low' END AS how, ROUND(SUM(x) / 5.0) AS about FROM t", 1),
    ("SELECT SUM(m) AS top FROM (SELECT g, MAX(x) AS m FROM t GROUP BY g ORDER BY MAX(x) DESC, g LIMIT 1) AS u", 2),
    ("SELECT g, COALESCE(AVG(x), -1) AS m, AVG(x) IS NULL AS none FROM t WHERE y GROUP BY g", 2),
    ("SELECT COALESCE(AVG(x), -1) AS m, COUNT(*) AS n FROM t WHERE y", {"error": 1}),
]


@pytest.fixture(scope="module")
def opened():
    """A curator for every table, and the table in DuckDB."""
    connection, tables = duckdb.connect(), []
    for place, numbers in enumerate(product(range(3), repeat=3)):
        data = pa.table({"x": numbers, "y": [x > 0 for x in numbers], "g": GROUPS})
        connection.execute(f"CREATE TABLE t{place} AS FROM data")
        tables.append(data)
    curators = [nl.Curator(dataset, None) for dataset in worlds(tables, SCHEMA)]
    return connection, [(f"t{place}", curator) for place, curator in enumerate(curators)]


def holds(shown: Any, true: Any) -> bool:
    """Whether a field may be what is true. DuckDB computes with doubles."""
    if isinstance(shown, OneOf):
        return true in shown.options
    if true is None:
        return shown is None or (isinstance(shown, Reported) and not shown.sure)
    if isinstance(shown, Reported):
        near = Fraction(1, 10**9)
        return bool(shown.lower - near <= Fraction(true) <= shown.upper + near)
    return shown is not None and bool(shown == true)


def breaks(opened: Any, sql: str, given: Any) -> list[Any]:
    """What is true of some table but not inside its answer."""
    connection, curators = opened
    wrong = []
    for name, curator in curators:
        asked = fresh(curator).ask  # nothing was asked before, from which it would follow
        answer = asked(sql, **given) if isinstance(given, dict) else asked(sql, bits=given)
        if given == 1:
            nl.verify(answer.certificate.to_json())
        cursor = connection.execute(sql.replace("FROM t", f"FROM {name}"))
        labels = [each[0] for each in cursor.description]
        keys = [label for label in labels if label in ("g", "y")]
        for values in cursor.fetchall():
            true = dict(zip(labels, values, strict=True))
            same = [row for row in answer.rows if all(row[key] == true[key] for key in keys)]
            if len(same) != 1 or not all(holds(same[0][label], true[label]) for label in labels):
                wrong.append((name, true, answer.rows))
    return wrong


@pytest.mark.parametrize(("sql", "given"), QUESTIONS)
def test_what_is_true_of_every_table_is_inside(opened, sql, given):
    assert breaks(opened, sql, given) == []


def test_numbers_that_may_not_be_there_are_marked(opened, monkeypatch):
    """Without the mark, COALESCE would take a mean of perhaps nobody for a number."""
    monkeypatch.setattr(question, "replace", lambda each, **changed: each if "sure" in changed else None)
    sql, given = QUESTIONS[-1]
    assert breaks(opened, sql, given) != []
