"""A quotient by what may be 0: empty for the reported numbers, perhaps, and a number in truth."""

from __future__ import annotations

import pyarrow as pa
import pytest

import noiseless as nl

NOTE = "in truth it may be a number"
SCHEMA = nl.Schema(x=nl.Integer(-4, 4), g=nl.Public("a", "b"))


@pytest.fixture(scope="module")
def curator():
    table = pa.table({"x": [1, 2, 4, 4, 3, -3], "g": ["a"] * 6})
    with nl.Curator.open(table, SCHEMA, budget=20, table="t", store=":memory:") as curator:
        yield curator


@pytest.mark.parametrize("quotient", ["1 / SUM(x)", "COUNT(*) / NULLIF(SUM(x), 0)", "ABS(2 / SUM(x))"])
def test_notes_say_that_something_may_be_a_number(curator, quotient):
    answer = curator.deduce(f"SELECT {quotient} AS a FROM t")
    assert answer.rows[0]["a"] is None  # nothing is known of the sum: it is reported as 0
    assert answer.notes == (f"a in 1 row is empty only for the numbers as reported: {NOTE}",)
    assert "a in 1 row is empty" in repr(answer)


def test_what_is_certainly_empty_has_no_note(curator):
    answer = curator.deduce("SELECT g, 1 / SUM(x) AS a, AVG(x) AS m FROM t WHERE g = 'b' GROUP BY g")
    assert [row["a"] for row in answer.rows] == [None, None]
    assert answer.notes == ()
    assert "no rows" not in repr(answer)
