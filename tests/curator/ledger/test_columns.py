"""What is said of very many groups at once: short, kept for ever, and never a discount on what was not paid for."""

from __future__ import annotations

import random
from collections import Counter
from math import log2
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import noiseless as nl
from noiseless.curator.ledger import account as accounts
from noiseless.curator.ledger import due
from noiseless.curator.ledger.column import Column, column_of, read, written
from noiseless.curator.ledger.compact import one_by_one, shortly, unrepeated
from noiseless.curator.ledger.entry import Entry
from noiseless.curator.ledger.packed import packed, unpacked
from noiseless.curator.ledger.state import State
from noiseless.curator.ledger.verify import verify_ledger
from noiseless.curator.question import groups, price

MEAN = "SELECT g, AVG(x) FROM t GROUP BY g"
KEYS = 40


@pytest.fixture(autouse=True)
def understood_by_samples(monkeypatch):
    monkeypatch.setattr(price, "MOST_CELLS", 3)
    monkeypatch.setattr(groups, "FEWEST", 2)
    monkeypatch.setattr(groups, "WORTH", 1)


def table(keys: int = KEYS) -> pa.Table:
    draw = random.Random(5)
    g = [key for key in range(keys) for _ in range(draw.choice([0, 2, 3, 5]))]
    return pa.table({"g": g, "x": [draw.randrange(101) for _ in g], "h": [k % 2 for k in range(len(g))]})


def declared(keys: int = KEYS, **more: Any) -> nl.Schema:
    return nl.Schema({"x": nl.Integer(0, 100), "g": nl.Public(*range(keys)), **more})


def opened(folder, **more: Any) -> nl.Curator:
    path = folder / "t.parquet"
    if not path.exists():
        pq.write_table(table(), path)
    where = {"store": folder / "codes.duckdb", "ledger": folder / "ledger.sqlite"}
    return nl.Curator.open(path, declared(**more), budget=99, **where)


@pytest.mark.parametrize("top", [0, 1, 255, 256, 70_000, (1 << 62) - 1])
def test_integers_are_read_as_they_were_written(top):
    draw = random.Random(top)
    for size in (0, 1, 2, 999):
        numbers = np.array([draw.randint(0, top) for _ in range(size)], np.int64)
        assert unpacked(packed(numbers)).tolist() == numbers.tolist()


RIGHT = packed(np.arange(9)).split(" ")[2]
OTHERS = [
    "",
    "0",
    "0 1",
    "0 9 " + RIGHT,
    "0 2 " + RIGHT,
    "0 1 " + RIGHT[:-3],
    "0 1 ~~~~~~",
    "x 1 " + RIGHT,
    "0 1 00000",
]


@pytest.mark.parametrize("text", OTHERS)
def test_other_texts_are_refused(text):
    with pytest.raises(ValueError, match=r"column|base85|literal|unpack"):
        unpacked(text)


def test_a_column_has_each_cell_once_and_is_as_long_as_its_parts():
    cells, which = np.array([1, 4, 6]), np.array([0, 1, 0])
    column = column_of([np.array([4]), np.array([6, 1])], [8, 4], [np.array([[5]]), np.array([[7, 9]])])
    assert (column.cells.tolist(), column.bins, column.which.tolist()) == ([1, 4, 6], (8, 4), [1, 0, 1])
    assert [column.released(place) for place in range(3)] == [(9,), (5,), (7,)]
    assert [column.place("4"), column.place("4", 8), column.place("4", 4), column.place("5"), column.place("1-4")] == [
        1,
        1,
        None,
        None,
        None,
    ]
    assert column.seen(np.array([6, 7, -1, 1])).tolist() == [1, -1, -1, 1]
    again = read(written({"kind": "total"}, column), column.bins)
    assert (again.cells.tolist(), again.which.tolist()) == (column.cells.tolist(), column.which.tolist())
    assert again.numbers is not None
    assert again.numbers.tolist() == [[9, 5, 7]]
    for wrong in [
        (cells[::-1], which),
        (cells[[0, 0, 2]], which),
        (cells, which[:2]),
        (cells, which + 1),
        (cells[:0],) * 2,
    ]:
        with pytest.raises(ValueError, match="columns of different lengths, or cells twice"):
            Column(wrong[0], (8, 4), wrong[1])


def test_an_answer_in_the_columns_of_its_ask():
    paid = column_of([np.array([2, 3])], [8])
    told = column_of([np.array([2, 3])], [8], [np.array([[1, 2]])])
    short = written({"kind": "total"}, told, paid)
    assert "cells" not in short
    assert read(short, (), paid).released(1) == (2,)
    assert "cells" in written({"kind": "total"}, told, column_of([np.array([2, 4])], [8]))
    with pytest.raises(ValueError, match="ask that has none"):
        read(short, ())


def test_few_different_texts_are_written_shortly():
    texts = random.Random(1).choices(["8", "16", "24"], k=3000)
    short = shortly(texts)
    assert set(short) == {"bins", "which"}
    assert unrepeated(short) == texts
    assert shortly(["8"] * 3000) == [["8", "3000"]]


def test_entries_come_near_the_entropy_of_what_they_hold(monkeypatch):
    keys = 3000
    monkeypatch.setattr(groups, "WORTH", 4)
    with nl.Curator.open(table(keys), declared(keys), budget=99, table="t") as curator:
        answer = curator.ask(MEAN, error=4)
        ask, told = curator.entries()[1:]
        chosen = Counter(map(str, answer.widths.values()))
        bins = Counter(str(row["AVG(x)"]) for row in answer.rows)
    for counted, entry in ((chosen, ask), (bins, told)):
        least = sum(n * -log2(n / counted.total()) for n in counted.values()) / 8
        assert len(entry.write()["body"]) < 1.25 * 1.1 * least + 700


def test_all_is_there_after_opening_again(tmp_path):
    with opened(tmp_path) as curator:
        first, one = curator.ask(MEAN, error=4), curator.ask("SELECT AVG(x) FROM t WHERE g = 3", bits=9)
        finer = curator.refine(first, error=0)
        entries = curator.entries()
    with opened(tmp_path) as curator:
        assert verify_ledger(curator.entries()) == len(entries) == 7
        assert [curator.recall(place).rows for place in (1, 2, 3)] == [first.rows, one.rows, finer.rows]
        assert (
            curator.ask(MEAN, error=4).factor
            == curator.preview("SELECT AVG(x) FROM t WHERE g = 9", error=4).factor
            == 1
        )
        assert nl.verify(curator.recall(1).certificate).count == first.guarantee.count


def test_cells_that_are_split_keep_what_they_know(tmp_path):
    with opened(tmp_path) as curator:
        first = curator.ask(MEAN, bits=2)
    with opened(tmp_path, h=nl.Public(0, 1)) as curator:
        again = curator.ask(MEAN, bits=2)
        assert (again.rows, again.factor) == (first.rows, 1)
        assert curator.ask("SELECT g, h, AVG(x) FROM t GROUP BY g, h", bits=2).factor == 4
        verify_ledger(curator.entries())


def _interrupted(curator, other, monkeypatch, sql):
    """Another curator asks something after the bins are chosen and before they are charged."""
    right = accounts.Account.reserve

    def reserve(self, *given, **more):
        monkeypatch.setattr(accounts.Account, "reserve", right)
        other.ask(sql, bits=2)
        return right(self, *given, **more)

    monkeypatch.setattr(accounts.Account, "reserve", reserve)
    return curator.ask(MEAN, bits=2)


@pytest.mark.parametrize("check", [True, False], ids=["right", "wrong"])
def test_a_group_that_was_paid_for_meanwhile_pays_for_no_other(tmp_path, monkeypatch, check):
    """A sample may be paid for before the others are. If that were not noticed, all others would be free."""
    with opened(tmp_path) as curator, opened(tmp_path) as other:
        firsts = [g for g, line in enumerate(curator.preview(MEAN, bits=2).rows) if line["errors"]]
        if not check:
            for where in (accounts, due):
                monkeypatch.setattr(where, "alike", lambda _, asked, __: asked)
        sizes = Counter(table()["g"].to_pylist())
        kinds: dict[int, list[int]] = {}
        for g in firsts:
            kinds.setdefault(sizes[g], []).append(g)
        samples = ", ".join(str(g) for each in kinds.values() for g in each[:2])
        interrupting = f"SELECT g, AVG(x) FROM t WHERE g IN ({samples}) GROUP BY g"
        if not check:
            with pytest.raises(KeyError):  # nothing was paid for the others, so nothing is known of them
                _interrupted(curator, other, monkeypatch, interrupting)
            assert [entry.kind for entry in curator.entries()].count("ask") == 1
            return
        answer = _interrupted(curator, other, monkeypatch, interrupting)
        assert [entry.kind for entry in curator.entries()].count("ask") == 2
        with nl.Curator.open(table(), declared(), budget=99, table="t") as alone:
            first = alone.ask(MEAN, bits=2)
        assert (answer.rows, answer.factor) == (first.rows, first.factor)


def test_an_earlier_format_continues():
    with nl.Curator.open(table(), declared(), budget=99, table="t") as curator:
        journal: Any = curator._account._journal
        journal._entries[0] = Entry.after(None, "open", "", {**journal._entries[0].body, "format": "3"})
        curator._account._state = State(curator._account._prices)
        curator.ask(MEAN, bits=2)
        assert [entry.kind for entry in curator.entries()] == ["open", "change", "ask", "answer"]
        assert not one_by_one(curator.entries()[2].body["paid"])
        assert verify_ledger(curator.entries()) == 4


def test_a_crash_before_the_answer_is_made_good(tmp_path, monkeypatch):
    from noiseless.curator import asking

    with opened(tmp_path) as curator:
        monkeypatch.setattr(asking, "execute_groups", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            curator.ask(MEAN, error=4)
        monkeypatch.undo()
    with opened(tmp_path) as curator:
        groups_again = curator.ask(MEAN, error=4)
        assert groups_again.factor == 1
        assert len(curator.entries()) == 3
        assert groups_again.rows == curator.recall(1).rows
