"""Subqueries beside results: the true result of the same SQL is inside, whatever the table is."""

from __future__ import annotations

from copy import deepcopy
from fractions import Fraction
from itertools import product

import duckdb
import pyarrow as pa
import pytest

import noiseless as nl
from noiseless.curator.question.after.one_of import OneOf
from noiseless.curator.releases.reported import Reported
from noiseless.errors import CertificateError, QuestionError
from tests.curator.small import fresh
from tests.curator.worlds import worlds

SCHEMA = nl.Schema(x=nl.Integer(0, 3), y=nl.Boolean(), g=nl.Public("a", "b"))
MEAN = "(SELECT AVG(x) FROM t)"
QUESTIONS = [
    f"SELECT g, AVG(x) - {MEAN} AS apart, AVG(x) > {MEAN} AS above FROM t GROUP BY g",
    "SELECT y, COUNT(*) * 1.0 / (SELECT COUNT(*) FROM t) AS share FROM t GROUP BY y HAVING COUNT(*) > 0",
    "SELECT COUNT(*) * 100.0 / NULLIF((SELECT SUM(x) FROM t), 0) AS share FROM t WHERE y",
    f"SELECT {MEAN} AS mean, COUNT(*) AS n FROM t WHERE y",
    "WITH u AS (SELECT g, SUM(x) AS s FROM t GROUP BY g) SELECT g, s - (SELECT MAX(s) FROM u) AS behind FROM u",
    f"SELECT MAX(d) AS most FROM (SELECT g, ABS(AVG(x) - {MEAN}) AS d FROM t GROUP BY g) AS u",
    f"SELECT g, RANK() OVER (ORDER BY ABS(AVG(x) - {MEAN})) AS place FROM t GROUP BY g",
]
"""Their truth is that of the same SQL, as no subquery in a condition is a constant."""


@pytest.fixture(scope="module")
def opened():
    connection, tables = duckdb.connect(), []
    for place, numbers in enumerate(product(range(4), repeat=3)):
        data = pa.table({"x": numbers, "y": [x > 1 for x in numbers], "g": ["a", "a", "b"]})
        connection.execute(f"CREATE TABLE t{place} AS FROM data")
        tables.append(data)
    return connection, [nl.Curator(dataset, None) for dataset in worlds(tables, SCHEMA)]


def holds(shown, true):
    if isinstance(shown, OneOf):
        return true in shown.options or (true is None and shown.empty)
    if isinstance(shown, Reported):
        near = Fraction(1, 10**9)  # DuckDB computes with doubles
        return not shown.sure if true is None else shown.lower - near <= Fraction(str(true)) <= shown.upper + near
    return shown == true


@pytest.mark.parametrize("bits", [1, 2])
@pytest.mark.parametrize("sql", QUESTIONS)
def test_the_truth_is_inside_for_every_table(opened, sql, bits):
    connection, curators = opened
    keys = [key for key in ("g", "y") if sql.split("SELECT ")[-1 if "WITH" in sql else 1].startswith(f"{key},")]
    for place, curator in enumerate(curators):
        answer = fresh(curator).ask(sql, bits=bits)
        true = {row[: len(keys)]: row for row in connection.execute(sql.replace("FROM t", f"FROM t{place}")).fetchall()}
        found = {tuple(row[key] for key in keys): row for row in answer.rows}
        for key in true.keys() & found.keys():
            for label, value in zip(answer.labels, true[key], strict=True):
                assert holds(found[key][label], value), (sql, place, label)
        assert not true.keys() - found.keys()
        if place % 16 == 5:
            for each in (*answer.before, answer):
                assert nl.verify(each.certificate).count == each.guarantee.count


@pytest.fixture(scope="module")
def curator(opened):
    return opened[1][27]


def test_the_answer_says_what_was_asked_first(curator):
    asked = fresh(curator)
    answer = asked.ask(QUESTIONS[0], bits=1)
    [mean] = answer.before
    said = "asked first, as question 1: SELECT AVG(x) FROM t; what it reported is used with its interval"
    assert answer.computed[0] == f"{said}: {mean.rows[0]['AVG(x)']}"
    assert "REPORTED(" in answer.question
    assert asked.recall(answer.entry).rows == answer.rows == asked.ask(answer.question, bits=1).rows
    assert answer.factor == asked.sequence.spent()


def test_what_is_grouped_by_is_a_constant(curator):
    test = "x > (SELECT COUNT(*) FROM t WHERE y)"
    for sql in (
        f"SELECT {test} AS k, COUNT(*) FROM t GROUP BY {test}",
        f"SELECT {test} AS k, COUNT(*) FROM t GROUP BY 1",
        f"SELECT {test} AS k, COUNT(*) FROM t GROUP BY k",
        f"SELECT {test} AS k, COUNT(*) FROM t GROUP BY ALL",
        f"SELECT SUM(CASE WHEN {test} THEN 1 ELSE 0 END), COUNT(*) FILTER (WHERE {test}) FROM t WHERE {test}",
        "SELECT AVG(d) FROM (SELECT x - (SELECT COUNT(*) FROM t WHERE y) AS d FROM t) AS u",
    ):
        answer = fresh(curator).ask(sql, bits=4)
        assert "REPORTED" not in answer.question
        assert "is a constant of the rest" in answer.computed[0]


@pytest.mark.parametrize(
    ("number", "why"),
    [
        ("REPORTED(5, 6, 7)", "not between its ends"),
        ("REPORTED(5)", "needs three numbers or dates"),
        ("REPORTED(5, AVG(x), 9)", "needs three numbers or dates"),
        ("REPORTED('a', 'a', 'b')", "needs three numbers or dates"),
        ("REPORTED(5, 4, DATE '2024-01-01')", "needs three numbers or dates"),
        ("AVG(x + REPORTED(1, 1, 1))", "REPORTED in"),
    ],
)
def test_other_numbers_are_refused(curator, number, why):
    with pytest.raises(QuestionError, match=why):
        fresh(curator).preview(f"SELECT COUNT(*) + {number} AS n FROM t WHERE y")


def test_without_bounds_it_is_refused_after_it_was_asked(curator):
    asked = fresh(curator)
    with pytest.raises(QuestionError, match="it was answered and is known now"):
        asked.ask("SELECT COUNT(*) / (SELECT 1 / SUM(x) FROM t WHERE NOT y) AS n FROM t WHERE y", bits=1)
    assert asked.sequence.spent() > 1


FORGED = [
    ("a number that is not between its ends", lambda tree: tree.__setitem__(2, ["number", "1000"])),
    ("an end that is a column", lambda tree: tree.__setitem__(3, ["column", "AVG(x)"])),
    ("two ends", lambda tree: tree.pop()),
    ("narrower than the answer", lambda tree: tree.__setitem__(slice(2, 4), [tree[1], tree[1]])),
]


def reported_trees(tree):
    if isinstance(tree, dict):
        tree = list(tree.values())
    if isinstance(tree, list):
        if tree[:1] == ["reported"]:
            yield tree
        for part in tree:
            yield from reported_trees(part)


@pytest.mark.parametrize(("what", "forge"), FORGED)
def test_forged_numbers_are_noticed(curator, what, forge):
    content = deepcopy(dict(fresh(curator).ask(QUESTIONS[0], bits=1).certificate.content))
    trees = list(reported_trees(content["plan"]))
    assert len(trees) == 2
    forge(trees[0])
    with pytest.raises(CertificateError):
        nl.verify(content)
