"""Sums that are kept: the same integers as if every question computed them, and no statement where none is needed."""

from __future__ import annotations

from itertools import combinations, product

import pyarrow as pa
import pytest

import noiseless as nl
from noiseless.curator.engines import kept as home
from noiseless.curator.engines.kept import Kept

KEYS = ["c2", "c3", "c4"]
NUMBERS = ["SUM(c0)", "COUNT(c0)", "SUM(c1)", "COUNT(*)"]
CODES = [((i * i) % 5 if i % 3 else None, i % 7, i % 2, i % 3, (i * i) % 4) for i in range(60)]


def computed(keys, numbers):
    """Every group by brute force."""
    columns = [int(key[1]) for key in keys]
    found = {}
    for row in CODES:
        found.setdefault(tuple(row[place] for place in columns), []).append(row)
    return [(*group, *(number(text, rows) for text in numbers)) for group, rows in found.items()]


def number(text, rows):
    if text == "COUNT(*)":
        return len(rows)
    values = [row[int(text[-2])] for row in rows if row[int(text[-2])] is not None]
    return len(values) if text.startswith("COUNT") else sum(values) if values else None


def plain(rows, keys):
    return sorted((*row[: len(keys)], *(value or 0 for value in row[len(keys) :])) for row in rows)


GROUPINGS = [list(keys) for size in range(4) for keys in combinations(KEYS, size)]


@pytest.mark.parametrize(("first", "second"), list(product(GROUPINGS, repeat=2)))
def test_every_grouping_after_every_other(first, second):
    kept, ran = Kept(), []

    def ask(keys, numbers):
        def compute():
            ran.append(keys)
            return computed(keys, numbers)

        assert plain(kept.grouped(keys, numbers, compute), keys) == plain(computed(keys, numbers), keys)

    ask(first, NUMBERS)
    ask(second[::-1], NUMBERS[::-1])
    assert len(ran) == (1 if set(second) <= set(first) else 2)
    ask(second, ["SUM(c1)"])
    assert len(ran) <= 2


def test_what_cannot_be_added_up_is_not_kept(monkeypatch):
    ran = []
    monkeypatch.setattr(home, "MOST_ROWS", 2)

    def compute():
        ran.append(1)
        return [(0, 1), (1, 1), (2, 1)]

    for keys, number in (([], "MIN(c1)"), ([], "SUM(c0) + 1"), (["c3"], "SUM(c1)")):
        kept = Kept()
        for _ in range(2):
            kept.grouped(keys, [number], compute)
    assert len(ran) == 6


def test_only_so_many_are_kept(monkeypatch):
    monkeypatch.setattr(home, "MOST", 3)
    kept = Kept()
    for place in range(10):
        kept.grouped([], [f"SUM(c{place})"], lambda: [(5,)])
        assert len(kept._sums) <= 3


@pytest.mark.parametrize("prepare", [True, False])
def test_a_refinement_of_frozen_codes_needs_no_statement(tmp_path, prepare, monkeypatch):
    """And nothing is read, or taken from memory, before the question is charged."""
    people = pa.table({"age": [i % 90 for i in range(300)], "region": [i % 3 for i in range(300)]})
    schema = nl.Schema(age=nl.Integer(0, 100), region=nl.Public(0, 1, 2))
    options = {} if prepare else {"prepare": False}
    with nl.Curator.open(people, schema, 90, table="people", **options) as curator:
        engine, ran = curator._dataset.engine, []
        run = engine._rows

        def seen(text):
            ran.append(text)
            return run(text)

        monkeypatch.setattr(engine, "_rows", seen)
        question = "SELECT region, AVG(age) FROM people GROUP BY region"
        curator.preview(question, bits=2)
        assert ran == []
        answer = curator.ask(question, bits=2)
        curator.refine(answer, error="0.1")
        total = curator.ask("SELECT SUM(age) FROM people", bits=12)
        assert len(ran) == (1 if prepare else 3)
        assert total.rows[0].lower <= sum(i % 90 for i in range(300)) <= total.rows[0].upper
