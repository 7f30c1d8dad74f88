"""Tests of texts that may be absent: unknown where they are, as in SQL, compared with DuckDB itself."""

from __future__ import annotations

from itertools import product

import duckdb
import pyarrow as pa
import pytest

import noiseless as nl

SCHEMA = nl.Schema(c=nl.Category("a", "b", "Bo"), x=nl.Integer(0, 2, missing="apart"), b=nl.Boolean(missing="apart"))
TEXTS = [
    "NULLIF(c, 'a')",
    "UPPER(NULLIF(c, 'b'))",
    "CASE WHEN x > 0 THEN c END",
    "CASE WHEN b THEN c ELSE 'zz' END",
    "LOWER(CASE WHEN b THEN c WHEN x = 1 THEN 'bo' END)",
    "(CASE WHEN b THEN 'k' ELSE 'zz' END || c)",
]
TESTS = [
    "{} LIKE 'b%'",
    "{} NOT LIKE 'b%'",
    "{} = 'B'",
    "{} <> 'zzb'",
    "NOT ({} = 'a' OR x > 1)",
    "({} LIKE '_') IS NULL",
    "{} IS DISTINCT FROM 'BO'",
    "NOT STARTS_WITH({}, 'k') AND UPPER(c) > 'A'",
    "{} < UPPER(c)",
]
ROWS = list(product(("a", "b", "Bo"), (0, 1, 2, None), (True, False, None)))


@pytest.fixture(scope="module")
def people():
    texts, numbers, truths = (list(values) for values in zip(*ROWS, strict=True))
    return pa.table({"c": texts, "x": pa.array(numbers, pa.int64()), "b": truths})


@pytest.mark.parametrize("text", TEXTS)
def test_texts_are_tested_as_in_duckdb(text, people):
    with nl.Curator.open(people, SCHEMA, budget=200, table="t", store=":memory:") as curator:
        for test in TESTS:
            told = f"SELECT COUNT(*) FILTER (WHERE {test}) AS n, COUNT({test}) AS m FROM ".format(text, text)
            answer = curator.ask(f"{told} t", bits=4)
            assert [tuple(answer.rows[0].values())] == duckdb.sql(f"{told} people").fetchall(), told
            assert nl.verify(answer.certificate).count == answer.guarantee.count
