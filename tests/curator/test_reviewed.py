"""What a fresh attack on promises, facts and errors found, each as it was found."""

from __future__ import annotations

import threading
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import noiseless as nl
from noiseless.curator.backup import backup

TABLE = pa.table({"x": [1, 2, None, 3, None, 4, 5, 6, 7, 8], "y": [10 * k for k in range(1, 11)]})
SCHEMA = nl.Schema(x=nl.Integer(0, 10, missing="apart"), y=nl.Integer(0, 100))


@pytest.mark.parametrize(
    "first", ["SELECT AVG(y) FROM t WHERE x IS NULL", "SELECT AVG(y), COUNT(*) FROM t WHERE x IS NULL"]
)
def test_a_mean_of_those_with_missing_values_tells_their_number(first):
    """Not that of the others, which the same fact is known by."""
    with nl.Curator.open(TABLE, SCHEMA, budget=60, table="t") as curator:
        answer = curator.ask(first, bits=3)
        assert "COUNT(*)" not in answer.labels or answer.rows[0]["COUNT(*)"] == 2
        for sql, truth in (("SELECT COUNT(*) FROM t WHERE x IS NULL", 2), ("SELECT COUNT(x) FROM t", 8)):
            told = curator.ask(sql)
            assert (told.rows[0].value, told.factor) == (truth, 1)
            assert nl.verify(told.certificate).count == 2


def test_the_same_of_a_category():
    schema = nl.Schema(s=nl.Category("no", "yes", missing="unknown"), y=nl.Integer(0, 100))
    table = pa.table({"s": ["no", "yes", None, "yes"], "y": [1, 2, 3, 4]})
    with nl.Curator.open(table, schema, budget=60, table="t") as curator:
        curator.ask("SELECT AVG(y) FROM t WHERE s = 'unknown'", bits=3)
        assert curator.ask("SELECT COUNT(*) FROM t WHERE s IS NULL").rows[0].value == 1
        assert curator.ask("SELECT COUNT(s) FROM t").rows[0].value == 3


def test_an_error_after_such_a_mean_is_kept():
    table = pa.table({"x": [None if k % 100 == 0 else 1 for k in range(1000)], "y": [k % 101 for k in range(1000)]})
    with nl.Curator.open(table, SCHEMA, budget=50, table="t") as curator:
        sql = "SELECT AVG(y) FROM t WHERE x IS NULL"
        curator.ask(sql, bits=2)
        promised, row = curator.preview(sql, error=1).error, curator.ask(sql, error=1).rows[0]
        assert (row.upper - row.lower) / 2 <= promised <= 1


def test_a_backup_ends_and_does_not_stop_others(tmp_path):
    pq.write_table(TABLE, tmp_path / "t.parquet")
    path = tmp_path / "t.toml"
    path.write_text('source = "t.parquet"\nbudget = 20\n[columns.y]\nkind = "integer"\nlow = 0\nhigh = 100\n')
    with nl.Curator.open(path) as curator:
        curator.ask("SELECT SUM(y) FROM t", bits=2)
        done = threading.Thread(target=backup, args=(path, tmp_path / "b"), daemon=True)
        done.start()
        done.join(60)
        assert not done.is_alive()
        assert curator.ask("SELECT SUM(y) FROM t", bits=3).factor > 1
    with nl.Curator.open(tmp_path / "b" / "t.toml") as curator:
        assert len(curator.entries()) == 3


def test_rows_of_a_text_file_are_ordered_as_those_of_a_table(tmp_path):
    """Day 2 comes before day 10."""
    rows = {"id": ["a", "a", "b"], "day": [2, 10, 1], "y": [2, 9, 5]}
    schema = nl.Schema(y=nl.Integer(0, 10), day=nl.Public(), unit="id", rows=1, order_by="day")
    pd.DataFrame(rows).to_csv(tmp_path / "t.csv", index=False)
    for source in (pa.table(rows), tmp_path / "t.csv"):
        with nl.Curator.open(source, schema, budget=9, table="t") as curator:
            assert curator.ask("SELECT SUM(y) FROM t", error=0).rows[0].value == 7


ODD = [1, 2, 3, None]
WAYS = {
    "objects": lambda: pd.DataFrame({"s": pd.Series(ODD, dtype=object)}),
    "floats": lambda: pd.DataFrame({"s": [1.0, 2.0, 3.0, np.nan]}),
    "Int64": lambda: pd.DataFrame({"s": pd.array(ODD, dtype="Int64")}),
    "arrow": lambda: pa.table({"s": ODD}),
    "polars": lambda: pl.DataFrame({"s": ODD}),
    "dictionary": lambda: pa.table({"s": pa.array(ODD).dictionary_encode()}),
}


@pytest.mark.parametrize("way", [*WAYS, "csv", "csv of floats"])
@pytest.mark.parametrize("keys", [(1, 2, 8, 9), ("1", "2", "else", "none")])
def test_numbers_that_are_not_declared_are_other_values_everywhere(way, keys, tmp_path):
    first, second, other, missing = keys
    if way.startswith("csv"):
        (tmp_path / "t.csv").write_text("s\n1\n2\n3\n\n" if way == "csv" else "s\n1.0\n2.0\n3.0\n\n")
    source = WAYS[way]() if way in WAYS else tmp_path / "t.csv"
    with pytest.raises(nl.PromiseError, match="not declared"):
        nl.Curator.open(source, nl.Schema(s=nl.Category(first, second, missing=missing)), budget=9, table="t")
    schema = nl.Schema(s=nl.Category(first, second, other=other, missing=missing))
    with nl.Curator.open(source, schema, budget=9, table="t") as curator:
        assert [row.value for row in curator.ask("SELECT s, COUNT(*) FROM t GROUP BY s").rows] == [1, 1, 1, 1]


HEIGHTS = pa.table({"h": [1.0, None, 3.5, 4.0, None, 9.0] * 4})
HEIGHT = nl.Schema(h=nl.Real(0, 10, step="0.5", missing="apart"))
BOTH = "SELECT COUNT(h), AVG(h) FROM t"


@pytest.mark.parametrize(
    ("policy", "error", "words"),
    [
        (None, "0.01", "cannot be had"),
        ({"round_counts": 5}, 2, "steps of 5"),
        ({"most_bits": 1}, "0.3", "the policy allows 1"),
    ],
)
def test_what_is_refused_anyhow_is_refused_unpaid(policy, error, words):
    with nl.Curator.open(HEIGHTS, HEIGHT, budget=20, table="t", policy=policy) as curator:
        with pytest.raises(nl.NoiselessError, match=words):
            curator.ask(BOTH, error=error)
        assert curator.remaining == 20


def test_a_price_that_only_the_count_shows_is_said():
    with nl.Curator.open(HEIGHTS, HEIGHT, budget=20, table="t", policy={"most_bits": "3.4"}) as curator:
        with pytest.raises(nl.BudgetExceededError, match="only the earlier steps were charged, and are known now"):
            curator.ask(BOTH, error="0.3")
        assert curator.sequence.spent() == 2


def test_a_mean_of_nobody_costs_as_little_as_can_be():
    nobody = pa.table({"h": pa.array([None] * 5, pa.float64())})
    with nl.Curator.open(nobody, HEIGHT, budget=20, table="t") as curator:
        answer = curator.ask(BOTH, error=1)
        assert answer.rows[0]["AVG(h)"] is None
        assert answer.factor <= 6
        assert answer.taken == pytest.approx(answer.cost, abs=0.01)


def test_the_names_of_an_answer_come_first_in_order_by():
    table = pa.table({"x": [1, 2, 3, 4], "g": ["b", "a", "a", "a"]})
    schema = nl.Schema(x=nl.Integer(0, 9), g=nl.Public("a", "b"))
    with nl.Curator.open(table, schema, budget=9, table="t") as curator:
        assert [row["g"] for row in curator.ask("SELECT COUNT(*) AS g FROM t GROUP BY g ORDER BY g").rows] == [1, 3]
        assert [row["g"] for row in curator.ask("SELECT g, COUNT(*) FROM t GROUP BY g ORDER BY g").rows] == ["a", "b"]


def test_other_kinds_of_numbers_compare():
    from noiseless.curator.releases.reported import Reported

    number, open_ = Reported(15, 15, 15), Reported(Fraction(3, 2), Fraction(1), Fraction(2))
    assert number == Decimal(15) == number
    assert number == np.int64(15)
    assert number < Decimal("15.5")
    assert open_ != Decimal("2.5")
    for inside in (Decimal("1.5"), np.int64(1), np.float64(1.5)):
        with pytest.raises(nl.UndecidedError):
            assert open_ == inside
