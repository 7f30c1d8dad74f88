"""Further words of SQL about results: what a database answers is what the answer says, and nothing more is charged."""

from __future__ import annotations

import duckdb
import pyarrow as pa
import pytest

import noiseless as nl
from noiseless.errors import QuestionError

ROWS = 60
TABLE = pa.table(
    {
        "x": [(7 * k) % 11 - 3 for k in range(ROWS)],
        "y": [None if k % 5 == 0 else k % 4 for k in range(ROWS)],
        "s": [("no", "yes", "maybe")[k * k % 7 % 3] for k in range(ROWS)],
        "g": [("n", "s", "e")[k * k % 11 % 3] for k in range(ROWS)],
        "d": [("2024-01-05", "2024-02-06", "2025-03-07")[k % 3] for k in range(ROWS)],
    }
)
SCHEMA = nl.Schema(
    x=nl.Integer(-3, 7),
    y=nl.Integer(0, 3, missing="apart"),
    s=nl.Category("no", "yes", "maybe"),
    g=nl.Public("n", "s", "e"),
    d=nl.Date("2024-01-01", "2025-12-31"),
)
SIZES = pa.table({"s": ["no", "yes", "maybe"], "weight": [1, 5, 5], "word": ["small", "large", "large"]})
QUESTIONS = [
    # columns of public tables in windows and stages
    "SELECT weight, RANK() OVER (ORDER BY COUNT(*) DESC) AS r FROM t JOIN sizes USING (s) GROUP BY weight",
    "SELECT sizes.word, ROUND(AVG(x)) AS m FROM t JOIN sizes USING (s) GROUP BY sizes.word ORDER BY sizes.word",
    "SELECT SUM(weight * n) / SUM(n) AS m "
    "FROM (SELECT weight, COUNT(*) AS n FROM t JOIN sizes USING (s) GROUP BY weight) AS u",
    "SELECT word, n FROM (SELECT word, COUNT(*) AS n FROM t JOIN sizes USING (s) GROUP BY word) AS u "
    "WHERE word <> 'small'",
    # calculations with keys
    "SELECT x, COUNT(*) * x AS total FROM t GROUP BY x",
    "SELECT x, x * x AS squared, COUNT(*) FROM t GROUP BY x HAVING COUNT(*) > x + 1",
    "SELECT YEAR(d) + 1 AS next, COUNT(*) FROM t GROUP BY YEAR(d)",
    "SELECT g, UPPER(g) AS large, g || '!' AS loud, CONCAT('in ', g) AS place, COUNT(*) FROM t GROUP BY g",
    "SELECT s, LEFT(s, 1) AS initial, COUNT(*) FROM t GROUP BY s ORDER BY COUNT(*), s",
    "SELECT s, CASE WHEN s LIKE '%y%' THEN 'with y' ELSE 'without' END AS which, COUNT(*) AS n FROM t GROUP BY s",
    "SELECT s, COUNT(*) % 7 AS rest, SQRT(COUNT(*) * COUNT(*)) AS root FROM t GROUP BY s",
    # short forms
    "SELECT g, s, COUNT(*) FROM t GROUP BY ALL",
    "SELECT COUNT(*) FROM t GROUP BY ALL",
    "SELECT s, g, COUNT(*) FROM t GROUP BY ALL ORDER BY ALL DESC",
    "SELECT COUNT(*) AS n, s, RANK() OVER (ORDER BY s) AS r FROM t GROUP BY s ORDER BY ALL",
    "SELECT s, COUNT(*) FROM t GROUP BY s UNION ALL SELECT g, COUNT(*) FROM t GROUP BY g ORDER BY ALL",
    "SELECT s, SUM(n) AS m FROM (SELECT s, g, COUNT(*) AS n FROM t GROUP BY ALL) AS u GROUP BY ALL",
    "SELECT COUNT(*) FROM t WHERE (g, s) IN (('n', 'no'), ('e', 'yes'))",
    "SELECT COUNT(*) FROM t WHERE (y, x) NOT IN ((1, 2), (2, 3))",
    "SELECT COUNT(*) FROM t JOIN sizes AS z ON z.s = t.s AND z.weight > 1",
    "SELECT COUNT(*) FROM t JOIN sizes AS z ON (z.word = 'large' AND z.s = t.s) WHERE x > 3 OR x < 0",
    # weeks and names
    "SELECT WEEK(d) AS w, COUNT(*) FROM t GROUP BY w HAVING COUNT(*) > 0",
    "SELECT WEEKOFYEAR(d), DAYNAME(d), COUNT(*) FROM t GROUP BY 1, 2 HAVING COUNT(*) > 0",
    "SELECT MONTHNAME(d) AS m, COUNT(*) AS n FROM t WHERE DAYNAME(d) IN ('Friday', 'Monday') GROUP BY m HAVING n > 0",
    "SELECT COUNT(*) FILTER (WHERE EXTRACT(week FROM d) = 10) FROM t",
    # which keys a row has
    "SELECT g, s, GROUPING(g) AS a, GROUPING(g, s) AS b, COUNT(*) FROM t GROUP BY CUBE (g, s)",
    "SELECT g, GROUPING_ID(g) AS a, COUNT(*) FROM t GROUP BY ROLLUP (g)",
    "SELECT COALESCE(g, 'all') AS g, COALESCE(s, 'all') AS s, COUNT(*) AS n FROM t GROUP BY ROLLUP (g, s)",
    "SELECT CASE WHEN s IS NULL THEN 'total' ELSE s END AS k, COUNT(*) AS n FROM t GROUP BY ROLLUP (s)",
    "SELECT COALESCE(FLOOR(x / 4), -9) AS k, COUNT(*) AS n FROM t GROUP BY ROLLUP (FLOOR(x / 4))",
    "SELECT COALESCE(word, 'all') AS k, COUNT(*) AS n FROM t JOIN sizes USING (s) GROUP BY ROLLUP (word)",
    "SELECT s IS NULL AS total, COUNT(*) AS n FROM t GROUP BY ROLLUP (s)",
    # keys by themselves
    "SELECT -x AS below, COUNT(*) AS n FROM t GROUP BY x ORDER BY below",
    "SELECT x, COUNT(*) AS n FROM t GROUP BY x HAVING -x < 1 ORDER BY -x LIMIT 4",
    "SELECT x > 2 AS large, COUNT(*) AS n FROM t GROUP BY x",
    "SELECT x BETWEEN 0 AND 3 AS middle, g = 'n' AS north, COUNT(*) AS n FROM t GROUP BY x, g HAVING COUNT(*) > 0",
    "SELECT NOT (x > 2) AS small, COUNT(*) AS n FROM t GROUP BY x > 2",
    "SELECT x > 2 AS large, COUNT(*) AS n FROM t GROUP BY x > 2 HAVING x > 2",
    "SELECT x > 2 AS large, COUNT(*) AS n FROM t GROUP BY x > 2 HAVING NOT (x > 2) AND COUNT(*) > 1",
    # texts of dates
    "SELECT STRFTIME(d, '%Y-%m') AS m, COUNT(*) AS n FROM t GROUP BY m HAVING n > 0 ORDER BY m",
    "SELECT STRFTIME(d, '%d.%m.%y, %A %a %u %w %j %b %B') AS m, COUNT(*) AS n FROM t GROUP BY m HAVING n > 0",
    "SELECT COUNT(*) FROM t WHERE STRFTIME(d, '%Y-%m') IN ('2024-02', '2025-03')",
    # all rows, and rows of public tables
    "SELECT BOOL_OR(x > 6) AS a, BOOL_AND(x > -4) AS b, BOOL_AND(y < 3) AS c, BOOL_OR(y > 9) AS e FROM t",
    "SELECT g, BOOL_OR(y > 3) AS a, BOOL_AND(x <= 7) AS b FROM t WHERE y IS NULL GROUP BY g",
    "SELECT COUNT(*) FROM t WHERE EXISTS (SELECT 1 FROM sizes WHERE sizes.s = t.s AND word = 'large')",
    "SELECT COUNT(*) FROM t WHERE NOT EXISTS (SELECT * FROM sizes AS z WHERE word = 'large' AND z.weight = t.y)",
    "SELECT SUM(CASE WHEN EXISTS (SELECT 1 FROM sizes WHERE y = weight) THEN x ELSE 0 END) AS n FROM t",
    # frames of all rows, as Ibis writes them
    "SELECT s, COUNT(*) * 1.0 / SUM(COUNT(*)) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS p "
    "FROM t GROUP BY s",
    "SELECT s, RANK() OVER (ORDER BY COUNT(*) ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS r, "
    "LAG(s) OVER (ORDER BY s ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS l, "
    "FIRST_VALUE(s) OVER (ORDER BY s ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS f, "
    "SUM(COUNT(*)) OVER (ORDER BY s ROWS BETWEEN 1 preceding AND CURRENT ROW) AS two FROM t GROUP BY s",
    # some of the rows
    "SELECT s, COUNT(*) AS n FROM t GROUP BY s QUALIFY RANK() OVER (ORDER BY COUNT(*) DESC, s) <= 2 ORDER BY n, s",
    "SELECT x, COUNT(*) AS n FROM t GROUP BY x ORDER BY n DESC, x LIMIT 3 OFFSET 2",
    "SELECT n FROM (SELECT x, COUNT(*) AS n FROM t GROUP BY x) AS u ORDER BY n LIMIT 1 OFFSET 1",
]


@pytest.fixture(scope="module")
def opened():
    database = duckdb.connect()
    database.register("raw", TABLE)
    database.register("sizes", SIZES)
    database.execute("CREATE TABLE t AS SELECT * REPLACE (d::DATE AS d) FROM raw")
    public = {"sizes": {"source": SIZES, "key": "s"}}
    with nl.Curator.open(TABLE, SCHEMA, budget=2000, table="t", public=public) as curator:
        yield database, curator


def plain(value):
    """A number as a float."""
    number = getattr(value, "value", value)
    return number if number is None or isinstance(number, (str, bool)) else float(number)


@pytest.mark.parametrize("sql", QUESTIONS)
def test_answers_are_those_of_a_database(opened, sql):
    database, curator = opened
    answer = curator.ask(sql, bits=30)
    found = [tuple(plain(row[label]) for label in answer.labels) for row in answer.rows]
    true = [tuple(map(plain, row)) for row in database.execute(sql).fetchall()]
    if "ORDER BY" not in sql.rpartition(")")[2]:
        found, true = sorted(found, key=str), sorted(true, key=str)
    assert found == true
    assert nl.verify(answer.certificate).count == answer.guarantee.count


@pytest.mark.parametrize("dialect", ["postgres", "spark"])
def test_rows_with_missing_values_are_unknown_in_other_dialects(opened, dialect):
    """In standard SQL, whether a row with a missing value is in a list is unknown. DuckDB says no."""
    _, curator = opened
    sql = "SELECT COUNT(*) FROM t WHERE (y, x) NOT IN ((1, 2), (2, 3))"
    standard = "SELECT COUNT(*) FROM t WHERE NOT ((y = 1 AND x = 2) OR (y = 2 AND x = 3))"
    assert curator.ask(sql, dialect=dialect).rows == curator.ask(standard).rows
    assert curator.ask(sql, dialect=dialect).rows != curator.ask(sql).rows


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("SELECT y, GROUPING(y), COUNT(*) FROM t GROUP BY ROLLUP (y)", "cannot tell the rows without 'y'"),
        ("SELECT g, GROUPING(x), COUNT(*) FROM t GROUP BY ROLLUP (g)", "neither aggregated nor grouped"),
        ("SELECT COUNT(*) FROM t WHERE (g, s) IN (('n', 'no'), ('e'))", "needs 2 values"),
        ("SELECT COUNT(*) FROM t LEFT JOIN sizes AS z ON z.s = t.s AND z.weight > 1", "joined by its key alone"),
        ("SELECT g, UPPER(s), COUNT(*) FROM t GROUP BY g", "not supported"),
        ("SELECT COUNT(*) FROM t WHERE EXISTS (SELECT 1 FROM t)", "anything but a subquery about one public table"),
        ("SELECT COUNT(*) FROM t WHERE EXISTS (SELECT 1 FROM sizes WHERE weight > 1)", "a column outside"),
        ("SELECT BOOL_OR(x > 1) FILTER (WHERE y > 1) FROM t", "BOOL_OR and BOOL_AND with FILTER"),
        ("SELECT STRFTIME(d, '%H') AS h, COUNT(*) FROM t GROUP BY h", "format '%H' is not supported"),
        ("SELECT STRFTIME(x, '%Y') AS h, COUNT(*) FROM t GROUP BY h", "needs a column of dates"),
    ],
)
def test_refused(opened, sql, words):
    _, curator = opened
    with pytest.raises(QuestionError, match=words):
        curator.preview(sql, bits=9)


def test_prices_are_those_of_the_numbers_alone(opened):
    _, curator = opened
    for more, plain_sql in (
        ("SELECT x, COUNT(*) * x FROM t GROUP BY x", "SELECT x, COUNT(*) FROM t GROUP BY x"),
        (
            "SELECT s, AVG(x) FROM t GROUP BY s QUALIFY RANK() OVER (ORDER BY AVG(x)) = 1",
            "SELECT s, AVG(x) FROM t GROUP BY s",
        ),
        ("SELECT STDDEV_POP(x) / SQRT(COUNT(*)) FROM t", "SELECT STDDEV_POP(x) FROM t"),
    ):
        assert curator.preview(more, bits=7).count == curator.preview(plain_sql, bits=7).count
