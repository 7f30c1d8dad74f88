"""Operators bind as they do in DuckDB: random expressions without parentheses mean what they mean there."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import duckdb
import pandas as pd
import pytest

import noiseless as nl
from noiseless.curator.plan.condition import holds_for
from noiseless.curator.sql import read as reading
from noiseless.curator.sql.conditions import condition
from noiseless.curator.sql.functions import RowReader
from noiseless.curator.sql.read import whole

SCHEMA = nl.Schema(a=nl.Integer(0, 9), b=nl.Integer(0, 9), c=nl.Integer(1, 9))
ROWS = [{"a": 7, "b": 2, "c": 3}, {"a": 0, "b": 9, "c": 4}, {"a": 5, "b": 5, "c": 1}]
"""Codes; that of c is one below its value."""
SIGNS = ["+", "-", "*", "%", "//"]
TESTS = ["<", "=", "<>", ">="]


def expressions(random: Random) -> tuple[str, str]:
    """A number and a condition, as people write them."""
    signs = [random.choice(SIGNS) for _ in range(3)]
    places = [random.choice("34") if sign in ("%", "//") else random.choice("abc2") for sign in signs]
    number = "".join([random.choice(["a", "b", "-a", "9"]), *(f" {s} {p}" for s, p in zip(signs, places, strict=True))])
    tests = [
        f"{random.choice(['', 'NOT '])}{each} {random.choice(TESTS)} {random.choice('bc4')}" for each in (number, "a")
    ]
    more = ["b IN (2, 5)", "a BETWEEN 1 AND 3 + c", "NOT b > 4", "a % 2 = 1"]
    return number, f" {random.choice(['AND', 'OR'])} ".join([*tests, random.choice(more)])


def ours(number: str, test: str) -> list[tuple[object, bool | None]]:
    """What the expressions are in every row. Nothing if they are refused."""
    try:
        function = RowReader(SCHEMA, "t").function(whole(f"SELECT {number}").expressions[0])
        kept = condition(whole(f"SELECT {test}").expressions[0], SCHEMA, "t")
    except nl.QuestionError:
        return []
    return [(function.value(row), holds_for(kept, row)) for row in ROWS]


def differing(times: int) -> list[str]:
    """The expressions that DuckDB finds another value for."""
    random, found = Random(28), []
    connection = duckdb.connect()
    connection.execute("CREATE TABLE t (a INT, b INT, c INT)")
    connection.executemany("INSERT INTO t VALUES (?, ?, ?)", [[r["a"], r["b"], r["c"] + 1] for r in ROWS])
    for _ in range(times):
        number, test = expressions(random)
        true = connection.execute(f"SELECT {number}, {test} FROM t").fetchall()
        if [(Fraction(value), truth) for value, truth in true] != ours(number, test):
            found.append(f"{number}; {test}")
    return found


def test_operators_bind_as_in_duckdb():
    assert differing(300) == []


def test_the_parser_as_it_comes_is_caught(monkeypatch):
    monkeypatch.setattr(reading, "statements", lambda dialect, tokens, text: dialect.parser().parse(tokens, text))
    assert any("%" in each for each in differing(50))


@pytest.mark.parametrize("dialect", ["duckdb", "postgres", "spark"])
def test_every_dialect_binds_remainders_alike(dialect):
    table = {"a": [7, 9], "b": [1, 2]}
    schema = nl.Schema(a=nl.Integer(0, 9), b=nl.Integer(0, 9))
    with nl.Curator.open(pd.DataFrame(table), schema, 20, table="t") as curator:
        assert curator.ask("SELECT SUM(a - b % 2 * 3) AS s FROM t", bits=9, dialect=dialect).rows[0].value == 13
        for wrong in ("a = b IS NULL", "a > 1 IS NOT TRUE", "a <> b IS DISTINCT FROM 3"):
            with pytest.raises(nl.QuestionError, match=r"put one of them in parentheses\. This would be accepted"):
                curator.preview(f"SELECT COUNT(*) FROM t WHERE {wrong}", dialect=dialect)
        assert curator.ask("SELECT COUNT(*) FROM t WHERE (a > 7) IS TRUE", dialect=dialect).rows[0].value == 1
