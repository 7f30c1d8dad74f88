"""What functions and conditions of a row mean, in the ways in which SQL writes them, judged by DuckDB row by row."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from math import isclose
from typing import Any

import duckdb
import pyarrow as pa
import pytest
import sqlglot

import noiseless as nl
from noiseless.curator.sql.functions import RowReader
from noiseless.curator.sql.read import read

SCHEMA = nl.Schema(
    n=nl.Integer(-10, 20),
    m=nl.Integer(0, 5000, step=100, missing="apart"),
    b=nl.Boolean(missing="apart"),
    s=nl.Category("flu", "cold%", "a_b", "O'Neil", "Ünï", "none"),
    d=nl.Date("1969-12-01", "2024-12-31"),
    e=nl.Date("2019-12-20", "2024-12-31", missing="apart"),
    g=nl.Public("n", "s", "e"),
)
DAYS = [
    date(*day) for day in ((1969, 12, 28), (1970, 1, 1), (2020, 2, 29), (2023, 12, 31), (2024, 1, 1), (2024, 12, 30))
]
ROWS: list[dict[str, Any]] = [
    {
        "n": k % 31 - 10,
        "m": None if k % 7 == 0 else 100 * (k * 37 % 51),
        "b": (None, True, False)[k % 3],
        "s": SCHEMA.columns["s"].keys[k % 6],
        "d": DAYS[k % 6],
        "e": None if k % 5 == 0 else DAYS[2 + k % 4],
        "g": "nse"[k * k % 3],
    }
    for k in range(310)
]
WRITTEN = """
s NOT LIKE '%n%' | NOT s LIKE '%n%' | s NOT ILIKE 'F%' | s !~~ 'f%' | s ~~* 'F%' | s !~~* 'F%' | s ILIKE '_N_'
s LIKE 'cold\\%' | s LIKE 'cold%' | s LIKE 'a_b' | s LIKE '%''%' | s NOT LIKE '' | s LIKE g || '%'
s IN ('flu', 'none') | s NOT IN ('flu', 'none') | s <> 'flu' | s = g | s < g | STARTS_WITH(s, 'O')
CONTAINS(s, 'n') | s ^@ 'f' | CAST(STARTS_WITH(s, 'f') AS INTEGER) | ENDS_WITH(s, '%') | SUBSTR(s, -2) = 'lu'
SUBSTR(s, 0, 2) = 'f' | LEFT(s, -1) = 'fl' | RIGHT(s, -1) = 'lu' | REPLACE(s, 'l', '') = 'fu' | UPPER(s) = 'ÜNÏ'
LENGTH(s) | s || g = 'flun' | CONCAT(s, NULL, 'y') = 'fluy' | CONCAT(CASE WHEN n > 5 THEN s END, 'x') = 'x'
(CASE WHEN n > 5 THEN s END) || 'x' = 'x' | n NOT BETWEEN 1 AND 5 | m NOT BETWEEN 100 AND 2000 | m NOT IN (100, 200)
m <> 500 | m IS NOT NULL | m NOTNULL | m ISNULL | (m IS NULL) = (e IS NULL) | b = (n > 5)
b IS DISTINCT FROM (n > 5) | b IS NOT TRUE | b IS NOT FALSE | (m > 500) IS NOT TRUE | (m > 500) IS NULL
NOT (m > 500 AND b) | m > 500 OR b | m IS NOT DISTINCT FROM NULL | NULL IS DISTINCT FROM m
m IS DISTINCT FROM 100 * n | m IS NOT DISTINCT FROM 100 * n | COALESCE(m > 500, FALSE) | COALESCE(b, n > 3) | -n
- -n | -(n - 5) // 7 | n // -7 | n % 7 | n % -7 | -n % 7 | -n ^ 2 | n ^ 3 | 10 - n - 5 | 100 / (n + 11) / 2 | @(n)
ROUND(n / 4) | ROUND(n, -1) | ROUND(n / 8, 1) | FLOOR(n / 4) | CEIL(n / 4) | TRUNC(n / 4) | CAST(b AS INTEGER)
n::DOUBLE / 3 | LEAST(n, m) | GREATEST(n, m, 5) | GREATEST(e, DATE '2022-06-01') | COALESCE(m, n) | COALESCE(e, d)
COALESCE(NULL, m) | NULLIF(n, 5) | NULLIF(m, n * 100) | NULLIF(s, 'flu') | NULLIF(b, TRUE) | NULLIF(5, n)
NULLIF(m, 0) + 1 | SIGN(n) | CASE WHEN n > 5 THEN 1 END | CASE n WHEN 5 THEN 1 WHEN 6 THEN 2 ELSE 3 END
CASE s WHEN 'O''Neil' THEN 2 END | CASE WHEN m > 500 THEN 1 WHEN NOT m > 500 THEN 2 ELSE 3 END
CASE WHEN n > 5 THEN s ELSE g END | IF(m > 500, 1, 0) | YEAR(d) | DAYOFWEEK(d) | ISODOW(d) | DAYOFYEAR(e)
QUARTER(e) | DATE_PART('dow', e) | EXTRACT('year' FROM e) | DATE_TRUNC('week', d) | DATE_TRUNC('quarter', e)
DATETRUNC('month', d) | e - d | e - DATE '2020-02-29' | e + 5 | 5 + e | e + INTERVAL 5 DAY | e - INTERVAL '2' WEEK
e + INTERVAL '3 days' | DATE_ADD(e, INTERVAL 1 WEEK) | e + INTERVAL (5 * -1) DAY | DATE_DIFF('day', d, e)
DATE_DIFF('week', d, e) | DATE_DIFF('week', e, d) | DATE_DIFF('month', d, e) | DATE_DIFF('quarter', e, d)
DATE_DIFF('year', d, e) | e > d | e = '2020-02-29' | e BETWEEN '2020-02-28' AND '2024-01-01'
e >= DATE '2022-05-31' - INTERVAL 3 MONTH | e > DATE '2020-02-29' + INTERVAL '1 year'
d < DATE '2022-01-31' + INTERVAL 1 QUARTER | d <= DATE_ADD(DATE '2021-10-31', INTERVAL 4 MONTH)
e > DATE '2022-03-31' - INTERVAL '25' MONTH | d > '2022-03-31'::DATE - INTERVAL '2 years' - INTERVAL 3 DAY
"""
EACH = [text.strip() for text in WRITTEN.replace("\n", " | ").split(" | ") if text.strip()]


def code(name: str, value: Any) -> int | None:
    column = SCHEMA.columns[name]
    if value is None:
        return None
    if not isinstance(column, nl.Real | nl.Integer | nl.Date):
        return column.keys.index(value)
    return int((days(value) - column.low) / column.step)


def days(value: Any) -> Any:
    return (value - date(1970, 1, 1)).days if isinstance(value, date) else value


def alike(ours: Any, theirs: Any) -> bool:
    number = isinstance(ours, Fraction) and isinstance(theirs, int | float)
    return isclose(ours, theirs, rel_tol=1e-12) if number else ours == theirs and (ours is None) == (theirs is None)


@pytest.fixture(scope="module")
def raw():
    table = pa.Table.from_pylist(ROWS)
    with duckdb.connect() as connection:
        yield connection.register("t", table)


@pytest.mark.parametrize("written", EACH)
def test_a_function_means_what_it_means_in_duckdb(raw, written):
    function = RowReader(SCHEMA, "t").function(sqlglot.parse_one(written, dialect="duckdb"))
    ours = [function.value({name: code(name, value) for name, value in row.items()}) for row in ROWS]
    theirs = [getattr(found, "date", lambda: found)() for (found,) in raw.sql(f"SELECT {written} FROM t").fetchall()]  # noqa: B023
    wrong = [pair for pair in zip(ours, map(days, theirs), strict=True) if not alike(*pair)]
    assert not wrong


def test_what_is_ambiguous_is_refused():
    for text, match in [
        ("LENGTH(CONCAT_WS('-', s, g))", "CONCAT_WS in .* is not supported; write a [|][|] '-' [|][|] b"),
        ("LENGTH(TRIM(s, 'u'))", "another argument in"),
        ("YEARWEEK(e)", "YEARWEEK in .* is not supported"),
        ("n & 1", "BITWISE AND in 'n & 1' is not supported"),
    ]:
        with pytest.raises(nl.QuestionError, match=f"{match}.*This would be accepted: SELECT"):
            read(f"SELECT SUM({text}) FROM t", SCHEMA, "t")
