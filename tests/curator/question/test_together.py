"""A batch in few statements has the numbers of its questions one by one."""

from __future__ import annotations

import random

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import noiseless as nl
from noiseless.curator.question import together

DRAW = random.Random(3)
ROWS = 400
TABLE = {
    "g": [DRAW.randrange(5) for _ in range(ROWS)],
    "x": [DRAW.randrange(21) for _ in range(ROWS)],
    "y": [DRAW.choice([None, *range(11)]) for _ in range(ROWS)],
    "c": [DRAW.choice(["a", "b", None]) for _ in range(ROWS)],
}
SCHEMA = nl.Schema(
    x=nl.Integer(0, 20),
    y=nl.Integer(0, 10, missing="apart"),
    c=nl.Category("a", "b", missing="apart"),
    g=nl.Public(*range(5)),
)
COUNTS = [f"SELECT COUNT(*) FROM t WHERE x >= {k}" for k in range(21)]
QUESTIONS = [
    *COUNTS,
    *(f"SELECT g, AVG(x), SUM(y), COUNT(y) FROM t WHERE y IN ({k}, {k + 2}, 9) GROUP BY g" for k in range(7)),
    *(f"SELECT g, AVG(y) FROM t WHERE x < {k} GROUP BY g" for k in range(1, 9)),
    *(f"SELECT SUM(x) FROM t WHERE g = {k}" for k in range(3)),
    *(f"SELECT COUNT(*) FROM t WHERE c = '{k}'" for k in "ab"),
    "SELECT c, COUNT(*) FROM t GROUP BY c",
    "SELECT MEDIAN(x) FROM t WHERE y > 2",
    "SELECT MAX(x) FROM t WHERE y > 3",
    "SELECT VAR_POP(x) FROM t",
    "SELECT COUNT(*) FROM t WHERE y IS NULL",
    "SELECT SUM(x), COUNT(*) FROM t WHERE g >= 3",
    "SELECT SUM(y) FROM t WHERE x BETWEEN 3 AND 9 AND g = 1",
]


def asked(monkeypatch, prepare: bool, rows_each: int):
    """What is told, what is recorded, and how many statements were run."""
    monkeypatch.setattr(together, "ROWS_EACH", rows_each)
    with nl.Curator.open(pa.table(TABLE), SCHEMA, budget=9000, table="t", prepare=prepare) as curator:
        engine = curator._dataset.engine
        run, statements = type(engine).run, list[str]()

        def noted(self, text):
            statements.append(text)
            return run(self, text)

        monkeypatch.setattr(type(engine), "run", noted)
        answers = curator.batch(QUESTIONS, bits=4)
        monkeypatch.setattr(type(engine), "run", run)
        recorded = [(entry.body.get("paid"), entry.body.get("released")) for entry in curator.entries()]
        return [answer.rows for answer in answers], answers.count, answers.factor, recorded, len(statements)


@pytest.mark.parametrize("prepare", [True, False])
def test_a_batch_has_the_numbers_of_its_questions(monkeypatch, prepare):
    *few, statements = asked(monkeypatch, prepare, together.ROWS_EACH)
    *many, each = asked(monkeypatch, prepare, -1)
    assert few == many
    assert statements < each / 2
    rows = few[0][: len(COUNTS)]
    assert [row.value for [row] in rows] == [sum(x >= k for x in TABLE["x"]) for k in range(21)]


def test_a_range_without_its_last_code_is_noticed(monkeypatch):
    """A wrong way to add up."""
    rows = asked(monkeypatch, True, together.ROWS_EACH)[0]
    find = np.searchsorted
    monkeypatch.setattr(np, "searchsorted", lambda places, wanted, side="left": find(places, wanted))
    assert asked(monkeypatch, True, together.ROWS_EACH)[0] != rows


def test_a_key_that_a_table_in_flight_got_later_is_in_no_range(monkeypatch, tmp_path):
    """Its code lies before all others, and must not count as the last one of the group before."""
    schema = nl.Schema(x=nl.Integer(0, 9), g=nl.Public(0, 1, 2), h=nl.Public(0, 1, 2, 3))
    sums = [f"SELECT g, SUM(x) FROM t WHERE h = {key} GROUP BY g" for key in range(4)]
    told = []
    for rows_each in (together.ROWS_EACH, -1):
        monkeypatch.setattr(together, "ROWS_EACH", rows_each)
        rows = {"x": [1, 2, 3, 4, 5, 6] * 10, "g": [0, 1, 2] * 20, "h": [0, 1, 2, 3] * 15}
        pq.write_table(pa.table(rows), tmp_path / "t.parquet")
        with nl.Curator.open(tmp_path / "t.parquet", schema, budget=99, table="t", prepare=False) as curator:
            pq.write_table(pa.table(rows | {"h": [0, 1, 2, 8] * 15}), tmp_path / "t.parquet")
            told.append([answer.rows for answer in curator.batch(sums, bits=60)])
    assert told[0] == told[1]
