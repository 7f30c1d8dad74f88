"""Questions in the SQL of Postgres and Spark mean what they mean there, or are refused."""

from __future__ import annotations

import pytest

import noiseless as nl
from noiseless.curator.sql.dialects import in_duckdb
from noiseless.curator.sql.read import read
from noiseless.errors import QuestionError
from tests.curator.question.test_subtotals import SCHEMA as SMALL
from tests.curator.question.test_subtotals import TABLE
from tests.curator.small import SCHEMA, fresh

SAME = [
    (
        "spark",
        "SELECT `g`, COUNT(*) FROM t GROUP BY `g` ORDER BY `g`",
        "SELECT g, COUNT(*) FROM t GROUP BY g ORDER BY g",
    ),
    ("spark", "SELECT PERCENTILE(h, 0.3) FROM t", "SELECT QUANTILE_CONT(h, 0.3) FROM t"),
    ("spark", 'SELECT COUNT(*) FROM t WHERE s = "yes"', "SELECT COUNT(*) FROM t WHERE s = 'yes'"),
    ("spark", "SELECT SUM(CAST(h / 2 AS INT)) FROM t", "SELECT SUM(TRUNC(h / 2)) FROM t"),
    ("spark", "SELECT SUM(IF(h > 1, h, 0)) FROM t", "SELECT SUM(IF(h > 1, h, 0)) FROM t"),
    ("spark", "SELECT COUNT_IF(h <=> 1) FROM t", "SELECT COUNT_IF(h IS NOT DISTINCT FROM 1) FROM t"),
    ("spark", "SELECT AVG(LOG(h + 1)) FROM t", "SELECT AVG(LN(h + 1)) FROM t"),
    ("spark", "SELECT SUM(a DIV 2) FROM t", "SELECT SUM(a // 2) FROM t"),
    ("spark", "SELECT SUM(a / 4) FROM t", "SELECT SUM(a / 4) FROM t"),
    (
        "spark",
        "SELECT YEAR(d) AS y, COUNT(*) FROM t GROUP BY YEAR(d)",
        "SELECT YEAR(d) AS y, COUNT(*) FROM t GROUP BY 1",
    ),
    ("postgres", "SELECT SUM(h::int) FROM t", "SELECT SUM(CAST(h AS INT)) FROM t"),
    ("postgres", "SELECT SUM(h ^ 2) FROM t", "SELECT SUM(h * h) FROM t"),
    (
        "postgres",
        "SELECT g, SUM(h) AS v FROM t GROUP BY g ORDER BY v DESC",
        "SELECT g, SUM(h) AS v FROM t GROUP BY g ORDER BY v DESC",
    ),
    (
        "postgres",
        "SELECT PERCENTILE_CONT(0.3) WITHIN GROUP (ORDER BY h), PERCENTILE_DISC(0.3) WITHIN GROUP (ORDER BY h) FROM t",
        "SELECT QUANTILE_CONT(h, 0.3), QUANTILE(h, 0.3) FROM t",
    ),
    (
        "postgres",
        "SELECT COUNT(*) FROM t WHERE s ILIKE 'Y%' AND g ~~ 'n'",
        "SELECT COUNT(*) FROM t WHERE s ILIKE 'Y%' AND g LIKE 'n'",
    ),
    ("postgres", "SELECT COUNT(*) FROM t FETCH FIRST 3 ROWS ONLY", "SELECT COUNT(*) FROM t LIMIT 3"),
    ("postgres", "SELECT SUM(1.0 * a / 4), AVG(h / 2) FROM t", "SELECT SUM(1.0 * a / 4), AVG(h / 2) FROM t"),
    ("postgres", "SELECT SUM(a / 4) FROM t", "SELECT SUM(TRUNC(a / 4)) FROM t"),
    (
        "postgres",
        "SELECT 100 * COUNT(*) FILTER (WHERE h > 1) / COUNT(*) FROM t",
        "SELECT TRUNC(100 * COUNT(*) FILTER (WHERE h > 1) / COUNT(*)) FROM t",
    ),
    (
        "postgres",
        "SELECT COUNT(*) FILTER (WHERE a / 4 = 1) / 2 FROM t",
        "SELECT TRUNC(COUNT(*) FILTER (WHERE TRUNC(a / 4) = 1) / 2) FROM t",
    ),
    (
        "postgres",
        "SELECT g, 100 * COUNT(*) / SUM(COUNT(*)) OVER () FROM t GROUP BY g",
        "SELECT g, 100 * COUNT(*) / SUM(COUNT(*)) OVER () FROM t GROUP BY g",
    ),
    ("postgres", "SELECT ROUND(AVG(h)::numeric, 2) FROM t", "SELECT ROUND(CAST(AVG(h) AS DOUBLE), 2) FROM t"),
    ("spark", "SELECT CAST(AVG(h) AS DECIMAL) FROM t", "SELECT CAST(AVG(h) AS DECIMAL(10, 0)) FROM t"),
    ("duckdb", "SELECT ROUND(AVG(h)::numeric, 2) FROM t", "SELECT ROUND(CAST(AVG(h) AS DECIMAL(18, 3)), 2) FROM t"),
    (
        "duckdb",
        "SELECT g, COUNT(*) FROM t GROUP BY g FETCH FIRST 2 ROWS ONLY",
        "SELECT g, COUNT(*) FROM t GROUP BY g LIMIT 2",
    ),
    ("postgres", "SELECT MODE() WITHIN GROUP (ORDER BY s) AS m FROM t", "SELECT MODE(s) AS m FROM t"),
    ("duckdb", "SELECT MODE() WITHIN GROUP (ORDER BY s) AS m FROM t", "SELECT MODE(s) AS m FROM t"),
    ("postgres", "SELECT COUNT(*) FROM t WHERE s NOT LIKE 'y%'", "SELECT COUNT(*) FROM t WHERE NOT s LIKE 'y%'"),
    ("spark", "SELECT MIN(DATE_SUB(d, 5)), AVG(DATEDIFF(d, d)) FROM t", "SELECT MIN(d + -5), AVG(d - d) FROM t"),
    ("duckdb", "SELECT SUM(a / 4) FROM t", "SELECT SUM(a / 4) FROM t"),
]


@pytest.mark.parametrize(("dialect", "text", "meant"), SAME, ids=[text for _, text, _ in SAME])
def test_the_same_question(dialect, text, meant):
    one, two = read(in_duckdb(text, dialect, SCHEMA), SCHEMA, "t"), read(meant, SCHEMA, "t")
    assert [item.expression for item in one.items] == [item.expression for item in two.items]
    assert one.stages == two.stages
    assert (one.where, one.keys, one.groups, one.order, one.limit) == (
        two.where,
        two.keys,
        two.groups,
        two.order,
        two.limit,
    )


@pytest.mark.parametrize(
    ("dialect", "text", "why"),
    [
        ("mysql", "SELECT COUNT(*) FROM t", "use duckdb, postgres, spark"),
        (["spark"], "SELECT COUNT(*) FROM t", "use duckdb, postgres, spark"),
        ("postgres", "SELECT SUM(a) / COUNT(*) FROM t", "may divide whole numbers"),
        ("postgres", "SELECT SUM(z / 2) FROM (SELECT a + 1 AS z FROM t) AS u", "may divide whole numbers"),
        ("postgres", "SELECT g, COUNT(*) FROM t GROUP BY g FETCH FIRST 2 ROWS WITH TIES", "WITH TIES"),
        ("spark", "SELECT TO_CHAR(d, 'MM') AS m, COUNT(*) FROM t GROUP BY m", ""),
        ("spark", "SELECT COUNT(*) FROM t WHERE DAYOFWEEK(d) = 1", "days of the week"),
        ("spark", "SELECT COUNT(*) FROM t WHERE EXTRACT(DOW FROM d) = 1", "days of the week"),
        ("spark", "SELECT COUNT(*) FROM t WHERE WEEKDAY(d) = 1", "days of the week"),
        ("postgres", "SELECT COUNT(*) FROM t WHERE s LIKE 'y\\%'", "has a backslash"),
        ("spark", "SELECT COUNT(*) FROM t WHERE NOT s ILIKE 'y\\\\%'", "has a backslash"),
        ("spark", "SELECT AVG(DATEDIFF(MONTH, d, d)) FROM t", "whole units in Spark, and not how many months begin"),
        ("spark", "SELECT COUNT(*) FROM t; SELECT 1", "more than one statement"),
        ("postgres", "DROP TABLE t", "anything but SELECT"),
        ("postgres", "SELECT COUNT(*) FROM t WHERE", "not valid SQL"),
        ("spark", "x" * 30_000, "characters"),
        ("postgres", "SELECT COUNT(*) FROM t WHERE " + "(" * 5000 + "TRUE" + ")" * 5000, ""),
    ],
)
def test_refused(dialect, text, why):
    with pytest.raises(QuestionError) as refused:
        in_duckdb(text, dialect, SCHEMA)
    assert why in str(refused.value)


def test_every_way_to_ask_reads_dialects():
    with nl.Curator.open(TABLE, SMALL, budget=100, table="t") as opened:
        sql, meant = (
            "SELECT `g`, COUNT(*) AS n FROM `t` WHERE x > 2 GROUP BY `g`",
            "SELECT g, COUNT(*) AS n FROM t WHERE x > 2 GROUP BY g",
        )
        right = fresh(opened).ask(meant).rows
        assert fresh(opened).ask(sql, dialect="spark").rows == right
        assert fresh(opened).batch([sql], dialect="spark")[0].rows == right
        assert fresh(opened).preview(sql, dialect="spark").count == 2
        with pytest.raises(QuestionError):
            fresh(opened).ask(sql)
