"""JOIN with public tables: what is understood, and what is refused."""

from __future__ import annotations

import pytest

import noiseless as nl
from noiseless.curator.sql.read import read
from tests.curator.joined import TABLES, curator
from tests.curator.small import FIRST, SCHEMA

SAME = [
    [
        "SELECT weight, COUNT(*) AS n FROM t JOIN sizes USING (s) GROUP BY weight",
        "SELECT weight, COUNT(*) AS n FROM t INNER JOIN sizes ON t.s = sizes.s GROUP BY weight",
        "SELECT z.weight AS weight, COUNT(*) AS n FROM t AS u JOIN SIZES AS z ON ((z.s = u.s)) GROUP BY 1",
        "SELECT weight, COUNT(*) AS n FROM sizes AS z JOIN t ON t.s = z.s GROUP BY weight",
        "WITH j AS (SELECT * FROM t JOIN sizes USING (s)) SELECT weight, COUNT(*) AS n FROM j GROUP BY weight",
        "SELECT weight, COUNT(*) AS n FROM (SELECT z.* FROM t JOIN sizes AS z USING (s)) AS j GROUP BY weight",
        "SELECT CASE s WHEN 'no' THEN 1 ELSE 5 END AS weight, COUNT(*) AS n FROM t WHERE s <> 'unknown' GROUP BY 1",
    ],
    [
        "SELECT COUNT(*) AS n FROM t JOIN lands USING (g) WHERE area >= 20 AND land = 'up'",
        "SELECT COUNT(*) AS n FROM t LEFT OUTER JOIN lands AS l ON g = l.g WHERE l.area = 20",
        "SELECT COUNT(*) AS n FROM t WHERE g = 's'",
    ],
    [
        "SELECT COUNT(*) AS n FROM t WHERE s IN (SELECT s FROM sizes WHERE weight > 2 OR word = 'none')",
        "SELECT COUNT(*) AS n FROM t WHERE s IN (SELECT DISTINCT z.s FROM sizes AS z WHERE z.maybe = 7.5)",
        "SELECT COUNT(*) AS n FROM t WHERE NOT s IN (SELECT s FROM sizes WHERE maybe IS NULL) AND s <> 'unknown'",
        "WITH y AS (SELECT h FROM t WHERE s IN (SELECT LOWER(s) FROM sizes WHERE maybe > 1)) "
        "SELECT COUNT(*) AS n FROM y",
        "SELECT COUNT(*) AS n FROM t WHERE s = 'yes'",
    ],
    [
        "SELECT SUM(weight) AS n FROM t JOIN bands ON a = band JOIN sizes AS z ON bands.s = z.s",
        "SELECT SUM(CASE WHEN a = 2 THEN 5 ELSE 1 END) AS n FROM t",
        "SELECT SUM(CASE WHEN a <> 2 THEN 1 ELSE 5 END) AS n FROM t",
    ],
]
REFUSED = [
    ("SELECT COUNT(*) FROM t, sizes WHERE t.s = sizes.s", "joined by its key alone; write ON x = sizes.s"),
    ("SELECT COUNT(*) FROM t LEFT JOIN sizes ON t.s = sizes.s AND weight > 1", "joined by its key alone"),
    ("SELECT COUNT(*) FROM t JOIN sizes ON t.h = sizes.weight", "joined by its key alone"),
    ("SELECT COUNT(*) FROM t JOIN sizes ON t.h > sizes.s", "joined by its key alone"),
    ("SELECT COUNT(*) FROM t JOIN sizes USING (weight)", "joined by its key alone"),
    ("SELECT COUNT(*) FROM t JOIN bands USING (band)", "joined by its key alone"),
    ("SELECT COUNT(*) FROM t JOIN lands ON g = g", "joined by its key alone"),
    ("SELECT COUNT(*) FROM t JOIN sizes ON LOWER(sizes.s) = t.s", "joined by its key alone"),
    ("SELECT COUNT(*) FROM t RIGHT JOIN sizes USING (s)", "RIGHT JOIN is not supported; write JOIN sizes"),
    ("SELECT COUNT(*) FROM t FULL OUTER JOIN sizes USING (s)", "FULL OUTER JOIN is not supported"),
    ("SELECT COUNT(*) FROM t CROSS JOIN sizes", "CROSS JOIN is not supported"),
    ("SELECT COUNT(*) FROM t NATURAL JOIN sizes", "NATURAL JOIN is not supported"),
    ("SELECT COUNT(*) FROM t SEMI JOIN sizes USING (s)", "SEMI JOIN is not supported"),
    ("SELECT COUNT(*) FROM t AS x JOIN t AS y ON x.a = y.a", "a join of 't' with itself is not supported"),
    ("SELECT COUNT(*) FROM t JOIN cities USING (s)", "'cities' is not one; public tables are sizes, lands"),
    ("SELECT COUNT(*) FROM sizes", "table 'sizes' does not exist; write FROM t"),
    ("SELECT COUNT(*) FROM t JOIN (SELECT * FROM sizes) AS z USING (s)", "a subquery in"),
    ("SELECT COUNT(*) FROM (SELECT s FROM t) AS x JOIN sizes USING (s)", "join the public table inside it"),
    ("SELECT COUNT(*) FROM t JOIN sizes USING (s) JOIN sizes USING (s)", "two tables are called 'sizes'"),
    ("SELECT COUNT(*) FROM t JOIN sizes AS t USING (s)", "two tables are called 't'"),
    ("SELECT s, COUNT(*) FROM t JOIN sizes ON t.s = sizes.s GROUP BY s", "column 's' is in t and sizes; write t.s"),
    ("SELECT s, COUNT(*) FROM t JOIN sizes USING (s) JOIN bands ON a = band GROUP BY s", "is in t and bands"),
    ("SELECT AVG(sizes.weigt) FROM t JOIN sizes USING (s)", "no column 'weigt'; did you mean 'weight'"),
    ("SELECT COUNT(*) FROM t JOIN sizes ON t.h = sizes.s", "'t.h' is a number, and the key of 'sizes' is a text"),
    ("SELECT COUNT(*) FROM t JOIN sizes ON UPPER(t.s) = sizes.s", "no value that .* can have is a key of 'sizes'"),
    ("SELECT COUNT(*) FROM t JOIN bands ON a + h = band", "must be about one column"),
    ("SELECT COUNT(*) FROM t JOIN bands ON 2 = band", "must be about one column"),
    ("SELECT COUNT(*) FROM t WHERE x IN (SELECT maybe FROM sizes)", "has missing values in 'sizes'"),
    ("SELECT COUNT(*) FROM t WHERE s IN (SELECT s, word FROM sizes)", "needs exactly one column"),
    ("SELECT COUNT(*) FROM t WHERE s IN (SELECT s FROM sizes LIMIT 1)", "LIMIT"),
    ("SELECT COUNT(*) FROM t WHERE s IN (SELECT weight FROM sizes)", "of different kinds"),
    ("SELECT COUNT(*) FROM t WHERE s IN (SELECT t.s FROM sizes)", "'t' is not the table of this question; use 'sizes'"),
    ("SELECT AVG(word) FROM t JOIN sizes USING (s)", "AVG needs numbers, and 'word' is a text"),
    ("SELECT * FROM t JOIN sizes USING (s)", "lists single rows"),
]


@pytest.mark.parametrize("texts", SAME, ids=["private", "public", "list", "chain"])
def test_several_ways_to_say_the_same(texts):
    asked = curator(3, FIRST)
    first, *others = [asked.ask(text, bits=4) for text in texts]
    for answer in others:
        assert answer.rows == first.rows
        assert answer.guarantee.count == first.guarantee.count


@pytest.mark.parametrize(("sql", "words"), REFUSED, ids=[sql for sql, _ in REFUSED])
def test_refused_with_a_sentence_and_a_question_that_is_accepted(sql, words):
    with pytest.raises(nl.InputError, match=words) as refused:
        read(sql, SCHEMA, "t", TABLES)
    example = str(refused.value).partition("This would be accepted: ")[2]
    assert read(example, SCHEMA, "t", TABLES)


def test_labels_stay_as_they_are_written():
    sql = "SELECT sizes.word, l.land, SUM(weight) / COUNT(*), AVG(z.h * area) FROM t AS z JOIN sizes USING (s)"
    answer = curator(3, FIRST).ask(sql + " JOIN lands AS l USING (g) GROUP BY 1, 2", bits=30)
    assert answer.labels == ("word", "land", "SUM(weight) / COUNT(*)", "AVG(z.h * area)")


def test_public_groups_are_free_and_may_be_any_function_of_public_columns():
    asked = curator(3, FIRST)
    sql = "SELECT FLOOR(area / 20) AS f, k > 1 AS big, COUNT(*) FROM t JOIN lands USING (g) GROUP BY 1, 2 HAVING f = 0"
    answer = asked.ask(sql)
    assert [(row["f"], row["big"], row["COUNT(*)"].value) for row in answer.rows] == [(0, False, 2), (0, True, 1)]
    assert (answer.guarantee.count, answer.cost) == (1, 0)
    assert nl.verify(answer.certificate).count == 1


def test_texts_and_dates_of_public_tables():
    asked = curator(3, FIRST)
    sql = "SELECT COUNT(DISTINCT word), COUNT(DISTINCT land), COUNT(word), MAX(next) FROM t LEFT JOIN days ON d = day"
    answer = asked.ask(sql + " LEFT JOIN sizes USING (s) JOIN lands USING (g)", bits=20)
    numbers = [answer.rows[0][label].value for label in answer.labels]
    assert [str(number) for number in numbers] == ["2", "1", "3", "2024-02-01"]
    assert nl.verify(answer.certificate).count == answer.guarantee.count
