"""Random questions of several numbers that share counts and sums: they end, verify, and repeat for free."""

from __future__ import annotations

import random

import pyarrow as pa
import pytest

import noiseless as nl

SCHEMA = nl.Schema(
    x=nl.Integer(0, 10, missing="apart"), y=nl.Real(-2, 3, step="0.5"), s=nl.Boolean(), g=nl.Public("a", "b")
)
NUMBERS = ["AVG(x)", "AVG(y)", "VAR_POP(x)", "STDDEV_POP(x)", "COUNT(*)", "SUM(x)", "MEDIAN(x)", "MIN(y)"]
NUMBERS += ["SUM(x) / COUNT(x)", "SUM(y) / SUM(x)", "QUANTILE(y, 0.8)", "STDDEV_POP(y)"]
CONDITIONS = ["", " WHERE s", " WHERE s AND x >= 3"]


def drawn(draw: random.Random) -> pa.Table:
    rows, share = draw.choice([1, 2, 5, 30, 300, 2000]), draw.random()
    return pa.table(
        {
            "x": pa.array([draw.choice([None, *range(11)]) for _ in range(rows)], pa.int64()),
            "y": [draw.randrange(-4, 7) / 2 for _ in range(rows)],
            "s": [draw.random() < share for _ in range(rows)],
            "g": [draw.choice("ab") for _ in range(rows)],
        }
    )


def asked(draw: random.Random) -> tuple[str, dict]:
    numbers = ", ".join(f"{each} AS n{place}" for place, each in enumerate(draw.sample(NUMBERS, draw.randint(1, 4))))
    keys, groups = ("g, ", " GROUP BY g") if draw.random() < 0.3 else ("", "")
    sql = f"SELECT {keys}{numbers} FROM t{draw.choice(CONDITIONS)}{groups}"
    return sql, {"error": draw.choice(["0", "0.3", "0.5", "1", "2", "5", "40"]), "stable": draw.random() < 0.4}


@pytest.mark.parametrize("seed", range(12))
def test_questions_end_and_can_be_asked_again(seed):
    draw, answered, refused = random.Random(seed), 0, list[str]()
    with nl.Curator.open(drawn(draw), SCHEMA, budget=draw.choice([2, 6, 60, 300]), table="t") as curator:
        for _ in range(6):
            sql, terms = asked(draw)
            try:
                answer = curator.ask(sql, **terms)
            except nl.NoiselessError as reason:
                refused.append(str(reason))
                continue
            answered += 1
            assert nl.verify(answer.certificate)
            assert curator.ask(sql, **terms).factor == 1
            if answer.factor != 1:
                assert curator.recall(answer.entry).labels == answer.labels
    assert answered + len(refused) == 6
    assert not any("too many steps" in reason for reason in refused)
