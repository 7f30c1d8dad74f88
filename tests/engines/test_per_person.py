"""Views with one row for each person: the same answers and certificates from every engine, prepared and in flight."""

from __future__ import annotations

import pyarrow as pa
import pytest

import noiseless as nl
from tests.curator.small import shown
from tests.engines.test_same import certificate

SCHEMA = nl.Schema(
    v=nl.Integer(-3, 5),
    x=nl.Real(0, 2, step="0.25", missing="apart", on_grid=True),
    kind=nl.Category("a", "b", missing="a", other="b"),
    double=nl.Derived("2 * v + 1"),
    day=nl.Public(),
    unit="who",
    rows=4,
    order_by="day",
)
VIEW = {
    "n": "COUNT(*)",
    "total": "SUM(v)",
    "mean": {"expression": "AVG(x)", "step": "0.01"},
    "most": "MAX(double)",
    "spread": "MAX(x) - MIN(x)",
    "b": "SUM(CASE WHEN kind = 'b' THEN v * x ELSE 0 END)",
    "third": {"expression": "AVG(v)", "step": "0.001", "low": 0},
}
ASKED = [
    "SELECT COUNT(*), SUM(total), SUM(mean), COUNT(mean), MAX(most) FROM people",
    "SELECT n, COUNT(*), SUM(third) FROM people GROUP BY n",
    "SELECT SUM(spread * b), COUNT(*) FILTER (WHERE mean > 1) FROM people WHERE total <> 0",
]
ROWS = 700
TABLE = pa.table(
    {
        "who": [f"p{k * k % 251}" for k in range(ROWS)],
        "v": [k * k % 11 - 4 for k in range(ROWS)],
        "x": [None if k % 7 == 0 else k * k % 9 / 4 for k in range(ROWS)],
        "kind": [("a", "b", "c", None)[k * k % 4] for k in range(ROWS)],
        "day": list(range(ROWS)),
    }
)


def asked(loaded: dict) -> list:
    views = {"people": VIEW}
    with nl.Curator.open(schema=SCHEMA, budget=900, per_person=views, shares={"people": 700}, **loaded) as curator:
        found = [curator.ask(sql, bits=60) for sql in ASKED]
        return [(shown(answer), answer.factor, answer.guarantee.count, certificate(answer)) for answer in found]


@pytest.fixture(scope="module")
def expected():
    return asked({"source": TABLE, "table": "t"})


def test_the_same_answers_and_certificates_to_views(way, expected):
    loaded = way.load(TABLE)
    assert asked(loaded | way.options(loaded)) == expected


def test_the_truth(expected):
    rows: dict[str, list[dict]] = {}
    for row in TABLE.to_pylist():
        rows.setdefault(row["who"], []).append(row)
    people = [own[:4] for own in rows.values()]
    totals = [sum(min(max(row["v"], -3), 5) for row in own) for own in people]
    x = [[row["x"] for row in own if row["x"] is not None] for own in people]
    [(line, *_), *_] = expected[0][0], expected
    count, total, mean, known, most = (number for _, number in line)
    assert (count.value, known.value, most.value) == (len(people), sum(map(bool, x)), 11)
    assert total.lower <= sum(totals) <= total.upper
    assert mean.lower <= sum(sum(each) / len(each) for each in x if each) <= mean.upper
