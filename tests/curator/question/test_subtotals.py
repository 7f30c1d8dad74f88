"""ROLLUP, CUBE and GROUPING SETS: the truth lies in every interval, at the price of the finest level."""

from __future__ import annotations

from fractions import Fraction

import duckdb
import pyarrow as pa
import pytest

import noiseless as nl
from noiseless.curator.question import subtotals
from noiseless.errors import QuestionError, TooLargeError
from tests.curator.small import fresh

ROWS = 40
TABLE = pa.table(
    {
        "x": [(7 * k) % 11 - 3 for k in range(ROWS)],
        "y": [None if k % 5 == 0 else k % 7 for k in range(ROWS)],
        "s": [("no", "yes")[k % 3 == 0] for k in range(ROWS)],
        "b": [(True, False, True, None)[k % 4] for k in range(ROWS)],
        "g": [("n", "s", "e")[k * k % 7 % 3] for k in range(ROWS)],
        "k": [1 + (k // 3) % 2 for k in range(ROWS)],
    }
)
SCHEMA = nl.Schema(
    x=nl.Integer(-3, 7),
    y=nl.Integer(0, 6, missing="apart"),
    s=nl.Category("no", "yes"),
    b=nl.Boolean(missing="apart"),
    g=nl.Public("n", "s", "e", "w"),
    k=nl.Public(1, 2),
)
QUESTIONS = [
    ("SELECT g, k, COUNT(*) AS n, SUM(x) AS v FROM t GROUP BY ROLLUP (g, k)", {"bits": 3}),
    ("SELECT g, s, COUNT(*) AS n, AVG(x) AS v FROM t GROUP BY CUBE (s, g)", {"bits": 5}),
    ("SELECT s, b, COUNT(*) AS n, SUM(y) AS v, AVG(y) AS w FROM t GROUP BY GROUPING SETS ((s), (b), ())", {"bits": 6}),
    ("SELECT g, COUNT(*) AS n, AVG(y) AS v, MIN(y) AS w, MAX(x) AS u FROM t GROUP BY ROLLUP (g)", {"bits": 9}),
    ("SELECT g, k, MIN(x) AS v, MAX(y) AS w FROM t WHERE s = 'yes' GROUP BY k, CUBE (g)", {"bits": 6}),
    ("SELECT g, MAX(x) AS v, COUNT(*) AS n FROM t WHERE x < 2 GROUP BY ROLLUP (g)", {"error": 2, "stable": True}),
    ("SELECT g, AVG(x) AS v, COUNT(*) AS n FROM t WHERE s = 'yes' GROUP BY ROLLUP (g)", {"error": 2}),
    ("SELECT g, SUM(x) AS v, AVG(x) AS w FROM t GROUP BY ROLLUP (g)", {"error": 3}),
    ("SELECT s, COUNT(y) AS n, COUNT(*) FILTER (WHERE x > 2) AS v FROM t GROUP BY ROLLUP (s) HAVING n > 3", {}),
    ("SELECT x > 2 AS c, k, SUM(y) / SUM(x + 4) AS v FROM t GROUP BY ROLLUP (c, k)", {"bits": 12}),
]


@pytest.fixture(scope="module")
def curator():
    with nl.Curator.open(TABLE, SCHEMA, budget=1000, table="t") as opened:
        yield opened


def truth(sql, labels):
    connection = duckdb.connect()
    connection.register("t", TABLE)
    found = connection.sql(sql).fetchall()
    names = [each[0] for each in connection.sql(sql).description]
    keys = [name for name in names if name not in labels]
    return {tuple(row[names.index(k)] for k in keys): dict(zip(names, row, strict=True)) for row in found}, keys


def within(number, true) -> bool:
    return number.lower <= Fraction(true).limit_denominator(10**9) <= number.upper


@pytest.mark.parametrize(("sql", "given"), QUESTIONS, ids=[sql for sql, _ in QUESTIONS])
def test_the_truth_is_inside(curator, sql, given):
    asked = fresh(curator)
    preview, answer = asked.preview(sql, **given), asked.ask(sql, **given)
    true, keys = truth(sql, answer.numbers)
    seen = set()
    for row in answer.rows:
        name = tuple(row[key] for key in keys)
        assert name not in seen or None in name
        seen.add(name)
        if None in name and "GROUPING SETS ((s), (b)" in sql:
            continue  # a missing b is None, too
        for label in answer.numbers:
            found = true.get(name, {}).get(label)
            assert row[label] is None or found is None or within(row[label], found), (name, label)
            assert found is None or row[label] is not None
    assert set(true) <= seen
    assert nl.verify(answer.certificate).count == answer.guarantee.count
    assert any("fewer keys" in line for line in preview.computed)
    assert len(preview.rows) >= len(answer.rows)


def test_the_price_is_that_of_the_finest_level(curator):
    pairs = [
        ("GROUP BY ROLLUP (g, s)", "GROUP BY g, s"),
        ("GROUP BY CUBE (s, b)", "GROUP BY s, b"),
        ("GROUP BY GROUPING SETS ((s), (k), (s, b))", "GROUP BY s, k, b"),
    ]
    for several, one in pairs:
        sql = "SELECT COUNT(*), SUM(x), AVG(x) FROM t {} HAVING COUNT(*) >= 0"
        found = [fresh(curator).preview(sql.format(by), bits=7).count for by in (several, one)]
        assert found[0] == found[1]


def test_every_level_keeps_the_error(curator):
    answer = fresh(curator).ask("SELECT g, k, SUM(x) AS v, COUNT(*) FROM t GROUP BY CUBE (g, k)", error=4)
    assert all(row["v"].upper - row["v"].lower <= 8 for row in answer.rows)
    assert answer.rows[-1]["v"].upper - answer.rows[-1]["v"].lower > 2


def test_levels_are_those_of_sql(curator):
    """The same rows as DuckDB has, and those of groups without rows."""
    for by in (
        "ROLLUP (g, k, s)",
        "CUBE (g, k)",
        "k, ROLLUP (g)",
        "ROLLUP ((g, k), s)",
        "GROUPING SETS (ROLLUP (g, k), (s))",
        "GROUPING SETS ((g, k), g, ())",
        "GROUPING SETS (CUBE (g), (k, s))",
        "ROLLUP (g), CUBE (k)",
    ):
        sql = f"SELECT g, k, s, COUNT(*) AS n FROM t GROUP BY {by}"
        if "s" not in by.replace("GROUPING SETS", ""):
            sql = f"SELECT g, k, COUNT(*) AS n FROM t GROUP BY {by}"
        answer = fresh(curator).ask(sql)
        rows = [(*(row[label] for label in answer.labels[:-1]), row["n"].value) for row in answer.rows]
        connection = duckdb.connect()
        connection.register("t", TABLE)
        assert sorted(map(str, (row for row in rows if row[-1]))) == sorted(map(str, connection.sql(sql).fetchall()))


@pytest.mark.parametrize(
    ("by", "function", "error", "why"),
    [
        ("ROLLUP (g)", "MEDIAN(x)", QuestionError, "a quantile of a coarser level does not follow"),
        ("CUBE (g)", "STDDEV_POP(x)", QuestionError, "STDDEV_POP of a coarser level"),
        ("CUBE (g)", "COUNT(DISTINCT x)", QuestionError, "each level by itself"),
        ("GROUPING SETS ((g), (g))", "COUNT(*)", QuestionError, "one level twice"),
        ("CUBE (g, k, s, b, x, y, x + 1)", "COUNT(*)", TooLargeError, "more than 64 levels"),
        ("CUBE (g, k, s), CUBE (b, x, y, x + 1)", "COUNT(*)", TooLargeError, "more than 64 levels"),
        ("g WITH ROLLUP", "COUNT(*)", QuestionError, "WITH ROLLUP"),
        ("ROLLUP (h)", "COUNT(*)", nl.errors.UnknownVariableError, "'h' does not exist"),
    ],
)
def test_refused(curator, by, function, error, why):
    with pytest.raises(error) as refused:
        fresh(curator).ask(f"SELECT {function} FROM t GROUP BY {by}", bits=3)
    assert why in str(refused.value)


def test_a_wrong_sum_is_noticed(curator, monkeypatch):
    """If rows of the finest level were left out, the checker would refuse the certificate."""
    right = subtotals._total
    monkeypatch.setattr(subtotals, "_total", lambda aggregate, numbers: right(aggregate, numbers[:1]))
    answer = fresh(curator).ask("SELECT s, COUNT(*) FROM t GROUP BY ROLLUP (s)")
    with pytest.raises(nl.errors.CertificateError, match="does not follow"):
        nl.verify(answer.certificate)


def test_a_group_that_may_have_no_rows_does_not_bound_the_far_end():
    """Nobody in S votes, which is not known: the smallest age of all voters above 50 is 80."""
    rows = {"g": ["N"] * 4 + ["S"] * 4, "age": [80, 81, 10, 5, 51, 60, 7, 8], "vote": [True] * 3 + [False] * 5}
    schema = nl.Schema(g=nl.Public("N", "S"), age=nl.Integer(0, 100), vote=nl.Boolean())
    with nl.Curator.open(pa.table(rows), schema, budget=100, table="t") as curator:
        curator.ask("SELECT age, vote, COUNT(*) FROM t WHERE g = 'N' GROUP BY age, vote")
        curator.ask("SELECT age, COUNT(*) FROM t WHERE g = 'S' GROUP BY age")
        sql = "SELECT g, {} AS m FROM t WHERE vote AND age > 50 GROUP BY ROLLUP (g)"
        for way, true in (("MIN(age)", 80), ("MAX(age)", 81), ("MAX(100 - age)", 20), ("MIN(-age)", -81)):
            for answer in (curator.deduce(sql.format(way)), curator.ask(sql.format(way), error=30)):
                assert answer.rows[-1]["m"].lower <= true <= answer.rows[-1]["m"].upper, way
                assert answer.certificate is None or nl.verify(answer.certificate)
