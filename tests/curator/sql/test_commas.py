"""The commas of a plain statement are counted without writing it; whatever else it is, it is written."""

from __future__ import annotations

from itertools import product

import pytest

from noiseless.curator.sql import read as reading
from noiseless.curator.sql.read import DUCKDB
from noiseless.errors import QuestionError

LISTED = ["COUNT(*)", "region, AVG(x)", 'region, SUM(x) AS "a, b", COUNT(x) AS n', "-SUM(x) + 2 * AVG(x)", "SUM(x) / 2"]
PLAIN = (*LISTED[:4], "x, , y")
LISTED += [
    "MEDIAN(x)",
    "QUANTILE(x, 0.5)",
    "COUNT(x, y)",
    "AVG(x, 2)",
    "COUNT(DISTINCT x)",
    "* EXCLUDE (a, b)",
    "x, , y",
]
WHERE = [
    "",
    "WHERE a > 1 AND NOT (b = 'c, d' OR c BETWEEN 1 AND 2)",
    "WHERE a IN (1, 2, 3)",
    "WHERE a = TRUE OR b <> -3",
]
WHERE += ["WHERE COALESCE(a, b) > 1", "WHERE a = DATE '2020-01-01'", "WHERE a IS NULL", "WHERE a LIKE 'x,%'"]
REST = ["", "GROUP BY region, kind", "GROUP BY 1 ORDER BY 1 DESC, 2 LIMIT 3", "GROUP BY a HAVING SUM(x) > 1 ORDER BY a"]


@pytest.mark.parametrize("listed", LISTED)
def test_a_plain_statement_has_the_commas_that_it_is_written_with(listed):
    plain = 0
    for where, rest in product(WHERE, REST):
        text = f"SELECT {listed} FROM people AS p {where} {rest}"
        try:
            statement, _ = reading._parsed(text)
        except QuestionError:
            continue
        found = reading._listed(statement)
        written = reading._commas(DUCKDB.tokenize(statement.sql(dialect=DUCKDB)))
        assert found in (None, written), text
        plain += found is not None
    assert (plain > 0) == (listed in PLAIN)


def test_a_dropped_comma_is_noticed():
    statement, commas = reading._parsed("SELECT x, , y FROM people")
    assert (commas, reading._listed(statement)) == (2, 1)
    with pytest.raises(QuestionError, match="too many arguments"):
        reading._check_complete(commas, statement)
