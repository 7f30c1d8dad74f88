"""Subqueries that only filter, rename or compute mean one SELECT about the table."""

from __future__ import annotations

from itertools import permutations, product

import duckdb
import pyarrow as pa
import pytest

import noiseless as nl
from noiseless.curator.sql.read import read
from noiseless.errors import QuestionError, TooLargeError, UnknownVariableError
from tests.curator.small import SCHEMA


def plan(text):
    return read(text, SCHEMA, "t")


@pytest.mark.parametrize(
    ("nested", "flat"),
    [
        ("WITH u AS (SELECT * FROM t WHERE h > 1) SELECT COUNT(*) FROM u", "SELECT COUNT(*) FROM t WHERE h > 1"),
        ("SELECT AVG(y) FROM (SELECT h AS y FROM t)", 'SELECT AVG(h) AS "AVG(y)" FROM t'),
        (
            "SELECT g, AVG(u.y) AS m FROM (SELECT h * 2 AS y, * FROM t AS p WHERE p.s = 'yes') AS u "
            "WHERE y < 4 GROUP BY g",
            "SELECT g, AVG(h * 2) AS m FROM t WHERE s = 'yes' AND h * 2 < 4 GROUP BY g",
        ),
        (
            "WITH u AS (SELECT h AS a, a AS h FROM t), v AS (SELECT a AS h FROM u WHERE h > 3) SELECT SUM(h) FROM v",
            "SELECT SUM(h) FROM t WHERE a > 3",
        ),
        (
            "SELECT y, COUNT(*) FROM (SELECT FLOOR(h / 2) AS y FROM t) AS u GROUP BY y HAVING y > 0 ORDER BY y",
            "SELECT FLOOR(h / 2) AS y, COUNT(*) FROM t GROUP BY y HAVING FLOOR(h / 2) > 0 ORDER BY FLOOR(h / 2)",
        ),
        (
            "SELECT y AS s, COUNT(*) AS n FROM (SELECT g AS y, s AS z FROM t) AS u GROUP BY s, z ORDER BY z, n",
            "SELECT g AS x, COUNT(*) AS n FROM t GROUP BY g, s ORDER BY t.s, n",
        ),
        ("SELECT COUNT(one) FROM (SELECT 1 AS one FROM t WHERE b)", "SELECT COUNT(1) FROM t WHERE b"),
        ("SELECT DISTINCT z FROM (SELECT s AS z FROM t)", "SELECT DISTINCT s AS z FROM t"),
        (
            "SELECT COUNT(*) FILTER (WHERE y) FROM (SELECT h > 1 AS y FROM t)",
            "SELECT COUNT(*) FILTER (WHERE h > 1) FROM t",
        ),
        ("SELECT z, COUNT(*) FROM (SELECT s AS z FROM t) GROUP BY 1", "SELECT s AS z, COUNT(*) FROM t GROUP BY 1"),
        (
            "SELECT g AS k, COUNT(*) AS n FROM (SELECT g, k FROM t) AS u GROUP BY k, g HAVING k > 1 ORDER BY k",
            "SELECT g AS x, COUNT(*) AS n FROM t GROUP BY k, g HAVING k > 1 ORDER BY g",
        ),
        ("SELECT AVG(T.H) FROM (SELECT H FROM T) AS T", "SELECT AVG(h) FROM t"),
    ],
)
def test_one_select(nested, flat):
    one, two = plan(nested), plan(flat)
    labels = [[item.label for item in each.items] for each in (one, two)]
    assert one.aggregates() == two.aggregates()
    assert (one.having, one.order, one.where, one.keys, one.groups, one.category) == (
        two.having,
        two.order,
        two.where,
        two.keys,
        two.groups,
        two.category,
    )
    assert [item.expression for item in one.items] == [item.expression for item in two.items]
    assert len(labels[0]) == len(set(labels[0])) == len(labels[1])


@pytest.mark.parametrize(
    ("text", "error", "why"),
    [
        ("SELECT AVG(h) FROM (SELECT a FROM t)", UnknownVariableError, "column 'h' does not exist in the subquery"),
        ("SELECT COUNT(*) FROM (SELECT a FROM t) WHERE h > 1", UnknownVariableError, "it has a"),
        ("SELECT COUNT(*) FROM (SELECT a FROM t) GROUP BY g", UnknownVariableError, "'g' does not exist"),
        ("SELECT AVG(v.a) FROM (SELECT a FROM t) AS u", QuestionError, "use 'u'"),
        ("SELECT AVG(t.a) FROM (SELECT a FROM t) AS u", QuestionError, "use 'u'"),
        ("SELECT AVG(a) FROM (SELECT a + 1 FROM t)", QuestionError, "AS name"),
        ("SELECT AVG(a) FROM (SELECT a, h AS a FROM t)", QuestionError, "two columns 'a'"),
        ("SELECT AVG(a) FROM (SELECT *, h AS a FROM t)", QuestionError, "two columns 'a'"),
        ("SELECT AVG(a) FROM (SELECT a, UNNEST([1, 2]) AS x FROM t)", QuestionError, "not supported"),
        ("SELECT AVG(a) FROM (SELECT a, ROW_NUMBER() OVER () AS x FROM t)", QuestionError, "OVER"),
        ("SELECT AVG(a) FROM (SELECT a FROM t LIMIT 3)", QuestionError, "LIMIT in a subquery"),
        ("SELECT AVG(a) FROM (SELECT a FROM t ORDER BY a)", QuestionError, "ORDER BY in a subquery"),
        ("SELECT AVG(a) FROM (SELECT a FROM other)", QuestionError, "'other' does not exist"),
        ("SELECT AVG(a) FROM (SELECT a, nothing FROM t)", UnknownVariableError, "'nothing' does not exist"),
        ("SELECT AVG(a) FROM (SELECT u.* FROM t)", QuestionError, "'u'"),
        ("SELECT a FROM (SELECT a FROM t)", QuestionError, "aggregated"),
        ("SELECT * FROM (SELECT a FROM t) GROUP BY a", QuestionError, "lists single rows"),
    ],
)
def test_refused(text, error, why):
    with pytest.raises(error, match="accepted") as refused:
        plan(text)
    assert why in str(refused.value)


def test_names_cannot_grow_without_bound():
    inner = "SELECT a AS x FROM t"
    for _ in range(18):
        inner = f"SELECT x + x AS x FROM ({inner})"
    with pytest.raises(TooLargeError, match="too long"):
        plan(f"SELECT SUM(x) FROM ({inner})")


def test_names_mean_what_they_mean_in_duckdb():
    """Names are swapped in two levels, and the outer SELECT filters, groups and orders by any of them."""
    rows = [(*codes, place) for place, codes in enumerate(product("xy", "yz", "xz")) for _ in range(place + 1)]
    table = pa.table(dict(zip("abcv", map(list, zip(*rows, strict=True)), strict=True)))
    letters = nl.Public("x", "y", "z")
    schema = nl.Schema(a=letters, b=letters, c=letters, v=nl.Integer(0, 10))
    curator = nl.Curator.open(table, schema, budget=1, table="t")
    connection = duckdb.connect()
    connection.register("t", table)
    renamed = ("*", "b AS a, a AS b, c, v", "a AS c, b AS a, c AS b, v")
    for first, second, (key, label) in product(renamed, renamed, permutations("abc", 2)):
        text = (
            f"WITH u AS (SELECT {first} FROM t WHERE a <> 'x') SELECT v.{key} AS {label}, COUNT(*) AS n "
            f"FROM (SELECT {second} FROM u) AS v WHERE {label} <> 'z' GROUP BY v.{key} HAVING v.{key} <> 'x' "
            f"ORDER BY n, {label}"
        )
        found = [(row[label], int(row["n"].value)) for row in curator.ask(text).rows]
        assert [row for row in found if row[1]] == connection.sql(text).fetchall()
