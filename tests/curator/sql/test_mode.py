"""MODE(x) is the first of the groups by x in the order of their counts."""

from __future__ import annotations

import pyarrow as pa
import pytest

import noiseless as nl
from tests.curator.small import fresh

SCHEMA = nl.Schema(s=nl.Category("a", "b", "c", "d"), x=nl.Integer(0, 9, missing="apart"), g=nl.Public("n", "s", "e"))
ROWS = [("c", 3, "s"), ("b", None, "s"), ("c", None, "n"), ("b", 7, "s"), ("d", None, "n")]
TABLE = pa.table({name: [row[place] for row in ROWS] for place, name in enumerate("sxg")})
FOUND = [
    ("SELECT MODE(s) FROM t", [{"MODE(s)": "b"}], 4),  # as often as c, which comes later
    ("SELECT MODE(s) AS most FROM t WHERE g = 'n'", [{"most": "c"}], 4),
    ("SELECT MODE(t.s) FROM t WHERE x > 4", [{"MODE(t.s)": "b"}], 5),
    ("SELECT MODE(x) FROM t", [{"MODE(x)": 3}], 11),  # missing values are left out
    ("SELECT MODE(s IN ('b', 'c')) FROM t", [{"MODE(s IN ('b', 'c'))": True}], 2),
    ("SELECT MODE(g) FROM t", [{"MODE(g)": "s"}], 1),
    ("SELECT MODE(s) FROM t WHERE x > 8", [], 5),
]


@pytest.fixture(scope="module")
def curator():
    with nl.Curator.open(TABLE, SCHEMA, budget=900, table="t", store=":memory:") as opened:
        yield opened


@pytest.mark.parametrize(("sql", "rows", "count"), FOUND, ids=[sql for sql, *_ in FOUND])
def test_the_value_that_occurs_most_often(curator, sql, rows, count):
    answer = fresh(curator, 900).ask(sql)
    assert [dict(row) for row in answer.rows] == rows
    assert nl.verify(answer.certificate).count == answer.guarantee.count == count


def test_of_nothing_it_is_refused(curator):
    with pytest.raises(nl.QuestionError, match="is about nothing"):
        curator.ask("SELECT MODE() FROM t")


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT MODE(s), COUNT(*) FROM t",
        "SELECT g, MODE(s) FROM t GROUP BY g",
        "SELECT MODE(s) FROM t LIMIT 2",
        "SELECT 1 + MODE(x) FROM t",
        "SELECT MODE(s) FILTER (WHERE x > 3) FROM t",
    ],
)
def test_beside_others_it_is_refused(curator, sql):
    left = curator.remaining
    with pytest.raises(nl.QuestionError, match=r"by itself only.*GROUP BY"):
        curator.ask(sql)
    assert curator.remaining == left
