"""Private groups: the same true answers from every engine, prepared and in flight."""

from __future__ import annotations

from collections import Counter

import pytest

import noiseless as nl
from tests.curator.small import OTHERS, SCHEMA, shown, table

QUESTIONS = [
    ("SELECT s, b, COUNT(*) FROM t GROUP BY s, b", {}),
    ("SELECT x, COUNT(*) FROM t GROUP BY x", {}),
    ("SELECT g, FLOOR(h / 2), DATE_TRUNC('week', d) AS w, COUNT(*) FROM t WHERE a > 2 GROUP BY 1, 2, 3", {}),
    ("SELECT LEFT(s, 1), EXTRACT(DAY FROM d), COUNT(*) FROM t GROUP BY 1, 2", {}),
    ("SELECT h + a, CASE WHEN b THEN 'yes' WHEN h > 1 THEN 'no' END, COUNT(*) FROM t GROUP BY 1, 2", {}),
    ("SELECT WIDTH_BUCKET(x, -1, 0.5, 3), s, COUNT(*), COUNT(x), AVG(x), SUM(x) FROM t GROUP BY 1, 2", {"bits": 20}),
    ("SELECT b, SUM(h * a), AVG(h * a) FROM t WHERE s <> 'no' GROUP BY b", {"bits": 9}),
    ("SELECT s, VAR_POP(h), AVG(a), STDDEV(x) FROM t GROUP BY s", {"bits": 12}),
    ("SELECT b, LEFT(s, 1) AS first, COUNT(*), SUM(a) FROM t GROUP BY b, first", {"error": 8}),
    ("SELECT d, AVG(h) FROM t WHERE g <> 'e' GROUP BY d", {"error": 3}),
    ("SELECT MODE(s) FROM t", {}),
]
ROWS = [row for rows in OTHERS for row in rows]


@pytest.fixture(scope="module")
def expected():
    with nl.Curator.open(table(ROWS), SCHEMA, 900, table="t", store=":memory:") as curator:
        return [shown(curator.ask(sql, **given)) for sql, given in QUESTIONS]


def test_the_same_answers(way, expected):
    with way.open(table(ROWS), SCHEMA) as curator:
        assert [shown(curator.ask(sql, **given)) for sql, given in QUESTIONS] == expected


def test_the_truth():
    """Counted from the raw rows: texts that are not declared are unknown, and days are clamped."""
    with nl.Curator.open(table(ROWS), SCHEMA, 900, table="t", store=":memory:") as curator:
        answer = curator.ask(QUESTIONS[0][0])
        reported = {(row["s"], row["b"]): row["COUNT(*)"].value for row in answer.rows}
        kept = Counter((s or "unknown", b) for _, _, _, _, s, b, _, _ in ROWS)
        assert reported == {(s, b): kept[s, b] for s in ("no", "yes", "unknown") for b in (False, True, None)}
        sums = curator.ask(QUESTIONS[6][0], bits=30)
        for row in sums.rows:
            own = [h * a for h, _, a, _, s, b, _, _ in ROWS if s != "no" and b is row["b"]]
            assert row["SUM(h * a)"].lower <= sum(own) <= row["SUM(h * a)"].upper
            if own:
                assert row["AVG(h * a)"].lower <= sum(own) / len(own) <= row["AVG(h * a)"].upper
        for sql, given in QUESTIONS:
            asked = curator.ask(sql, **given)
            assert nl.verify(asked.certificate).count == asked.guarantee.count
