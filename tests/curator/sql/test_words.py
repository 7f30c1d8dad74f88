"""The SQL that analysts write: places, aliases, COUNT(1), qualified names; refusals show what would be accepted."""

from __future__ import annotations

import re

import pyarrow as pa
import pytest

import noiseless as nl
from noiseless.curator.sql.example import example
from noiseless.curator.sql.read import read

SCHEMA = nl.Schema(
    {
        "age": nl.Integer(0, 120),
        "born": nl.Date("1900-01-01", "2024-12-31"),
        "smoker": nl.Category("no", "yes"),
        "well": nl.Boolean(),
        "region": nl.Public("north", "south"),
        "group": nl.Public(1, 2),
        "day": nl.Public(),
    }
)
SAME = [
    ("SELECT region, AVG(age) FROM people GROUP BY 1", "SELECT region, AVG(age) FROM people GROUP BY region"),
    ("SELECT AVG(age), region FROM people GROUP BY 2", "SELECT AVG(age), region FROM people GROUP BY region"),
    ("SELECT region AS r, AVG(age) FROM people GROUP BY r", "SELECT region AS r, AVG(age) FROM people GROUP BY region"),
    ("SELECT region r, AVG(age) FROM people GROUP BY R", "SELECT region r, AVG(age) FROM people GROUP BY region"),
    ("SELECT region, smoker, COUNT(1) FROM people GROUP BY 1, 2", None),
    ("SELECT COUNT(1) AS n FROM people", "SELECT COUNT(*) AS n FROM people"),
    ("SELECT COUNT('x') AS n FROM people", "SELECT COUNT(*) AS n FROM people"),
    ("SELECT COUNT(TRUE) AS n FROM people", "SELECT COUNT(*) AS n FROM people"),
    ("SELECT AVG(p.age) AS a FROM people p WHERE p.age > 3", "SELECT AVG(age) AS a FROM people WHERE age > 3"),
    ("SELECT AVG(P.age) AS a FROM people AS p", "SELECT AVG(age) AS a FROM people"),
    ("SELECT AVG(people.age) AS a FROM people", "SELECT AVG(age) AS a FROM people"),
    ('SELECT p."group" AS g, AVG(age) AS a FROM people p GROUP BY p."group" HAVING AVG(p.age) > 3 ORDER BY p."group"',
     'SELECT "group" AS g, AVG(age) AS a FROM people GROUP BY "group" HAVING AVG(age) > 3 ORDER BY "group"'),
]  # fmt: skip


@pytest.mark.parametrize(("sql", "plain"), SAME)
def test_the_same_question_in_other_words(sql, plain):
    plan = read(sql, SCHEMA, "people")
    if plain is not None:
        assert plan == read(plain, SCHEMA, "people")
    else:
        assert plan.keys == ("region", "smoker")


def test_the_name_of_a_column_comes_before_an_alias():
    """As in SQL: GROUP BY region means the column, whatever else is called so."""
    plan = read('SELECT region, "group" AS x, COUNT(*) FROM people GROUP BY region, x', SCHEMA, "people")
    assert plan.keys == ("region", "group")
    with pytest.raises(nl.QuestionError, match="'group' is neither aggregated nor grouped"):
        read('SELECT "group" AS region, COUNT(*) FROM people GROUP BY region', SCHEMA, "people")


REFUSED = [
    "SELECT QUANTILE(age, 0.5, 3) FROM people",
    "SELECT QUANTILE(age, 0.5, smoker) FROM people",
    "SELECT QUANTILE(age, 0.5, 3, 4) FROM people",
    "SELECT COUNT(age, born) FROM people",
    "SELECT COUNT(NULL) FROM people",
    "SELECT COUNT() FROM people",
    "SELECT region, AVG(age) FROM people GROUP BY 3",
    "SELECT region, AVG(age) FROM people GROUP BY 0",
    "SELECT region, AVG(age) FROM people GROUP BY 1.5",
    "SELECT region, AVG(age) FROM people GROUP BY 2",
    "SELECT AVG(people.age) FROM people AS p",
    "SELECT AVG(q.age) FROM people p",
    "SELECT AVG(age) FROM people p(x, y)",
    "SELECT AVG(age) FROM other",
    "SELECT AVG(age) FROM people JOIN other ON TRUE",
    "SELECT age FROM people",
    "SELECT smoker FROM people",
    "SELECT day, COUNT(*) FROM people GROUP BY day",
    "SELECT age, COUNT(*) FROM people GROUP BY smoker",
    "SELECT AVG(born) FROM people",
    "SELECT AVG(region) FROM people",
    "SELECT nothing FROM people",
    "SELECT AVG(ag) FROM people",
    "SELECT smoker, MEDIAN(age) FROM people GROUP BY smoker",
    "SELECT smoker, FLOOR(age / 10), COUNT(*) FROM people GROUP BY 1, FLOOR(age / 5)",
    "SELECT AVG(age) OVER (PARTITION BY region) FROM people",
    "SELECT COUNT(*) FROM people WHERE smoker = 'maybe'",
    "SELECT COUNT(*) FROM people WHERE age > 'old'",
    "SELECT COUNT(*) FROM people WHERE age IS NULL",
    "SELECT (SELECT 1) FROM people",
    "DROP TABLE people",
    "SELECT",
    "SELECT 1",
    "",
    "   ",
    ";",
    "SELECT COUNT(*) FROM people; SELECT COUNT(*) FROM people",
    "this is not SQL",
    "SELECT COUNT(*)*1e3000 FROM people",
    "SELECT " + "(" * 500 + "COUNT(*)" + ")" * 500 + " FROM people",
]


@pytest.mark.parametrize("sql", REFUSED)
def test_a_refusal_ends_with_a_question_that_is_accepted(sql):
    with pytest.raises((nl.QuestionError, nl.UnknownVariableError)) as caught:
        read(sql, SCHEMA, "people")
    said, _, suggested = str(caught.value).partition(" This would be accepted: ")
    assert said.endswith((".", "?"))
    assert not said[:-1].endswith((".", "?"))
    read(suggested, SCHEMA, "people")


NAMES = ["age", "select", "from", "a b", 'a"b', "a'b", "ü", "1st", "group", "count", "sum", "year", "date", "values"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", [nl.Integer(0, 9), DAY := nl.Date("2024-01-01", "2024-01-02"), nl.Boolean()])
def test_suggestions_are_accepted_whatever_columns_are_called(name, kind):
    schema = nl.Schema({name: kind, f"{name} public": nl.Public("a", "b")})
    for text in ("", f'SELECT "{name}"', f"{name} public"):
        for table in ("people", name):
            read(example(text, schema, table), schema, table)


def test_a_variance_that_is_refused_suggests_too():
    schema = nl.Schema(x=nl.Integer(0, 2**40, missing="apart"))
    with nl.Curator.open(pa.table({"x": [1, 2]}), schema, budget=9, table="t") as curator:
        with pytest.raises(nl.QuestionError, match="too fine for a variance") as caught:
            curator.preview("SELECT VAR_POP(x) FROM t", bits=3)
        [suggested] = re.findall(r"This would be accepted: (.*)$", str(caught.value))
        assert curator.preview(suggested, bits=2).count > 1
