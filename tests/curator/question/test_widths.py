"""Refusals name functions as questions do."""

from __future__ import annotations

import pyarrow as pa
import pytest

import noiseless as nl

TABLE = pa.table({"x": [0, 3, 4, 4], "s": [True, False, True, True]})
SCHEMA = nl.Schema(x=nl.Integer(0, 4), s=nl.Boolean())


@pytest.mark.parametrize(
    ("sql", "bits", "words"),
    [
        ("SELECT MEDIAN(x) FROM t", "0.5", "one bit that QUANTILE costs"),
        ("SELECT s, COUNT(*) FROM t GROUP BY s", "0.5", "one bit that COUNT costs"),
        ("SELECT AVG(x) FROM t WHERE s", "0.5", "one bit that AVG costs"),
        ("SELECT MAX(x) FROM t", None, "^QUANTILE needs bits="),
    ],
)
def test_a_function_that_costs_too_much_is_named(sql, bits, words):
    with nl.Curator.open(TABLE, SCHEMA, budget=9, table="t") as curator, pytest.raises(nl.BudgetError, match=words):
        curator.ask(sql, bits=bits)
