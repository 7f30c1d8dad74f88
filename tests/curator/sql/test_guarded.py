"""Quotients and curves that have a value wherever rows count: WHERE keeps the others out, as in SQL."""

from __future__ import annotations

import re

import duckdb
import pyarrow as pa
import pytest

import noiseless as nl
from noiseless.curator.plan.condition import TRUE
from noiseless.curator.sql.conditions import condition
from noiseless.curator.sql.derive import parsed
from noiseless.curator.sql.functions import RowReader
from noiseless.errors import QuestionError

SCHEMA = nl.Schema(h=nl.Integer(-2, 2), x=nl.Integer(0, 3, missing="apart"), z=nl.Integer(0, 50), p=nl.Public(0, 1))
ROWS = [(h, x, (7 * h + 11) % 50 * (x != 1), (h + 2) % 2) for h in range(-2, 3) for x in (0, 1, 2, 3, None)]
CONDITIONS = [
    "h > 0 AND x / h > 1",
    "h <> 0 AND x / h > 0",
    "h IN (-1, 2) AND p = 1 AND 1 / h < 0",
    "NOT (h <> 0 AND x / h > 0)",
    "(h <> 0 AND x / h > 0) IS NOT TRUE",
    "(h > 0 AND (x / h > 1 OR x IS NULL)) OR z = 0",
    "z > 0 AND LN(z) > 2 AND h >= 0 AND SQRT(h) > 1",
    "h >= 1 AND LN(h) > 0",
    "h > 0 AND x / (z + h) > 0.5",
    "x / (2 * h + 1) > 0",
    "h > -2 AND h <> 0 AND h < 2 AND x / h BETWEEN 1 AND 2",
    "CASE WHEN h = 0 THEN FALSE WHEN x / h > 0 THEN TRUE ELSE z > 5 END",
    "CASE WHEN h <> 0 AND x / h > 1 THEN z > 3 END",
]
NUMBERS = [
    ("AVG(ABS(x / h))", "h <> 0"),
    ("SUM(LN(h))", "h > 0"),
    ("AVG(LOG(2, h))", "h >= 1 AND x > 0"),
    ("AVG(SQRT(h + 1))", "h >= -1"),
    ("AVG(x / (z + h))", "h > 0"),
    ("AVG(x / (2 * h + 1))", "z >= 0"),
    ("AVG(POWER(h, -0.5))", "h > 0"),
    ("SUM(CASE WHEN x / h > 0 THEN z ELSE 1 END)", "h <> 0"),
]
REFUSED = [
    "h <> 0 OR x / h > 0",
    "x / h > 0 AND h > 0",
    "h <> 1 AND x / h > 0",
    "h > -2 AND LN(h) > 0",
    "h >= 0 AND LN(h) > 0",
    "h > -2 AND SQRT(h) > 1",
    "h > -2 AND x / (z + h) > 0",
    "NOT (h <> 0) AND x / h > 0",
    "CASE WHEN h > 0 THEN TRUE WHEN x / h > 0 THEN TRUE END",
]


@pytest.fixture(scope="module")
def people():
    h, x, z, p = (list(values) for values in zip(*ROWS, strict=True))
    return pa.table({"h": h, "x": pa.array(x, pa.int64()), "z": z, "p": p})


@pytest.fixture
def curator(people):
    with nl.Curator.open(people, SCHEMA, budget=200, table="t", store=":memory:") as opened:
        yield opened


@pytest.mark.parametrize("condition", CONDITIONS)
def test_conditions_after_a_guard(condition, curator, people):
    """In DuckDB a quotient by 0 has no value, too. LN of 0 and SQRT of −1 fail there, so they are kept above 0."""
    told = f"SELECT COUNT(*) FILTER (WHERE {condition}) AS n FROM "
    safe = re.sub(r"(LN|SQRT)\((\w)\)", r"\1(GREATEST(\2, 1))", told)
    answer = curator.ask(f"{told} t", bits=4)
    assert [tuple(answer.rows[0].values())] == duckdb.sql(f"{safe} people").fetchall()
    assert nl.verify(answer.certificate).count == answer.guarantee.count


@pytest.mark.parametrize(("number", "condition"), NUMBERS)
def test_numbers_of_rows_that_have_a_value(number, condition, curator, people):
    answer = curator.ask(f"SELECT {number} AS n FROM t WHERE {condition}", bits=8)
    [(true,)] = duckdb.sql(f"SELECT {number} FROM (SELECT * FROM people WHERE {condition})").fetchall()
    assert answer.rows[0]["n"].lower <= true <= answer.rows[0]["n"].upper
    assert nl.verify(answer.certificate).count == answer.guarantee.count


@pytest.mark.parametrize("condition", REFUSED)
def test_rows_without_a_value_are_still_refused(condition, curator):
    with pytest.raises(QuestionError, match="may be"):
        curator.ask(f"SELECT COUNT(*) FROM t WHERE {condition}")
    assert curator.sequence.spent() == 1


@pytest.mark.parametrize("number", ["x / (z + 1)", "SQRT(z)", "LN(z + 1)", "POWER(z, 0.3)"])
def test_what_always_has_a_value_is_the_same_function_under_any_condition(number, curator):
    """So its bins and its price are those of the same question before."""
    plain, kept = (RowReader(SCHEMA, "t", each) for each in (TRUE, condition(parsed("h > 0 AND z > 3"), SCHEMA, "t")))
    assert plain.number(parsed(number)) == kept.number(parsed(number))


def test_only_0_is_kept_out_where_nothing_is_below():
    """Its name is in ledgers, so it stays what it was."""
    kept = RowReader(SCHEMA, "t", condition(parsed("z > 0"), SCHEMA, "t"))
    assert str(kept.number(parsed("LN(z)"))) == "LN(NULLIF(z, 0))"
    assert str(kept.number(parsed("SQRT(z)"))) == "SQRT(z)"


def test_what_is_never_0_is_divided_by_as_it_is():
    """Without a case for 0, which would be tried on all codes."""
    plain = RowReader(SCHEMA, "t", TRUE)
    assert str(plain.number(parsed("x / (2 * z + 1)"))) == "(x / (1 + (2 * z)))"
    assert "NULLIF" not in str(plain.number(parsed("x / ((z + 1) * (z + 1))")))
    assert "NULLIF" in str(RowReader(SCHEMA, "t", condition(parsed("z > 0"), SCHEMA, "t")).number(parsed("x / z")))
