"""Which SELECT of a statement is about the table, and which are about the results of another."""

from __future__ import annotations

import pytest
from sqlglot import parse_one

from noiseless.curator.sql.nesting import MOST_LEVELS, asks, nested
from noiseless.errors import QuestionError

COUNTED = "SELECT region, COUNT(*) AS n FROM people GROUP BY region"


def parsed(text):
    return parse_one(text, dialect="duckdb")


def chain(text):
    """The number of SELECTs about rows, and of those about results."""
    found = nested(parsed(text))
    return len(found.rows), len(found.results)


@pytest.mark.parametrize(
    ("text", "levels"),
    [
        (COUNTED, (1, 0)),
        (f"SELECT MAX(n) FROM ({COUNTED}) AS t", (1, 1)),
        (f"SELECT n FROM ({COUNTED})", (1, 1)),
        (f"WITH t AS ({COUNTED}) SELECT n FROM t", (1, 1)),
        (f"WITH t AS ({COUNTED}), u AS (SELECT n + 1 AS m FROM t) SELECT MAX(m) FROM (SELECT m FROM U) AS v", (1, 3)),
        ("WITH t AS (SELECT * FROM people WHERE age > 17) SELECT COUNT(*) FROM t", (2, 0)),
        ("SELECT AVG(b) FROM (SELECT a AS b FROM (SELECT * FROM people) AS t) AS u", (3, 0)),
        ("SELECT MAX(m) FROM (SELECT AVG(b) AS m FROM (SELECT a AS b, g FROM people) AS t GROUP BY g) AS u", (2, 1)),
        ("SELECT age FROM (SELECT age FROM people) AS t", (2, 0)),
        ("WITH people AS (SELECT * FROM people WHERE age > 17) SELECT COUNT(*) FROM people", (2, 0)),
        ("WITH t AS (WITH u AS (SELECT age FROM people) SELECT age FROM u) SELECT COUNT(*) FROM t", (3, 0)),
        ("SELECT COUNT(*) FROM people WHERE age > (SELECT AVG(age) FROM people)", (1, 0)),
        ("SELECT d FROM (SELECT DISTINCT gender AS d FROM people) AS t", (1, 1)),
    ],
)
def test_levels(text, levels):
    assert chain(text) == levels


def test_names_of_with():
    """A query knows only the names before it, and a name of WITH comes before the table."""
    text = "WITH t AS (SELECT age FROM people), people AS (SELECT age FROM t) SELECT AVG(age) FROM people"
    found = nested(parsed(text))
    assert [each.sql() for each in found.rows[:2]] == ["SELECT age FROM people", "SELECT age FROM t"]
    assert set(found.scope) == {"t", "people"}


@pytest.mark.parametrize(
    ("text", "true"),
    [
        ("SELECT age FROM people", False),
        ("SELECT AVG(age) OVER () FROM people", False),
        ("SELECT SUM(age) FILTER (WHERE age > 3) OVER () FROM people", False),
        ("SELECT RANK() OVER (ORDER BY age) FROM people", False),
        ("SELECT FIRST_VALUE(age IGNORE NULLS) OVER () FROM people", False),
        ("SELECT SUM(AVG(age)) OVER () FROM people", True),
        ("SELECT RANK() OVER (ORDER BY AVG(age)) FROM people", True),
        ("SELECT SUM(age) FILTER (WHERE COUNT(*) > 3) OVER () FROM people", True),
        ("SELECT (SELECT AVG(age) FROM people) FROM people", False),
        ("SELECT 1 FROM people ORDER BY COUNT(*)", True),
        ("SELECT gender FROM people GROUP BY gender", True),
        ("SELECT DISTINCT gender FROM people", True),
        ("SELECT COUNT(*) FILTER (WHERE age > 3) FROM people", True),
        ("SELECT 1 FROM people HAVING TRUE", True),
    ],
)
def test_which_select_asks(text, true):
    assert asks(parsed(text)) is true


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("WITH RECURSIVE t AS (SELECT 1) SELECT * FROM t", "WITH RECURSIVE is not supported"),
        ("WITH t AS (SELECT 1), T AS (SELECT 2) SELECT * FROM t", "twice"),
        ("WITH t AS (SELECT 1) SELECT COUNT(*) FROM people", "'t', which is not used"),
        ("WITH t(a) AS (SELECT 1) SELECT * FROM t", "list of columns of 't'"),
        ("SELECT * FROM (SELECT 1) AS t(a)", "list of columns of 't'"),
        ("WITH t AS (SELECT 1 AS a) SELECT * FROM t AS u(b)", "list of columns of 'u'"),
        ("SELECT * FROM (SELECT 1 UNION ALL SELECT 2) AS t", "'t' is a UNION"),
        ("WITH t AS MATERIALIZED (SELECT 1) SELECT * FROM t", "MATERIALIZED"),
        ("SELECT a FROM " + "(SELECT a FROM " * MOST_LEVELS + "people" + ")" * MOST_LEVELS, "levels"),
    ],
)
def test_refusals(text, why):
    with pytest.raises(QuestionError, match=why):
        nested(parsed(text))
