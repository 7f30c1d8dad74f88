"""What a ledger holds: what changed, once."""

from __future__ import annotations

import logging

import pyarrow as pa
import pytest

import noiseless as nl
from noiseless.curator.ledger.database import DatabaseJournal
from noiseless.curator.ledger.verify import verify_ledger
from tests.curator.ledger.test_processes import SQL, written


@pytest.mark.parametrize("keys", [600, 1500])
def test_many_public_keys_make_short_entries(keys):
    """As many accounts as keys, or one for everybody."""
    named = [f"key number {k}" for k in range(keys)]
    table = pa.table({"x": [k % 100 for k in range(2 * keys)], "g": [*named, *named]})
    schema = nl.Schema(x=nl.Integer(0, 99), y=nl.Integer(0, 99), z=nl.Integer(0, 99), g=nl.Public(*named))
    table = table.append_column("y", table["x"]).append_column("z", table["x"])
    with nl.Curator.open(table, schema, budget=60, table="t") as curator:
        asked = curator.ask("SELECT g, AVG(x) FROM t GROUP BY g", bits=2)
        curator.ask("SELECT g, AVG(y), COUNT(*) FROM t WHERE z > 50 GROUP BY g", bits=6)
        entries = curator.entries()
        sizes = {entry.number: len(entry.write()["body"]) for entry in entries}
        assert [sizes[entry.number] < 1000 for entry in entries if entry.kind == "ask"] == [True, True]
        assert all(sizes[entry.number] < 30 * keys for entry in entries if entry.kind == "answer")
        assert verify_ledger(entries) == 5
        again = curator.recall(1)
        assert again.rows == asked.rows


def test_a_repeat_appends_nothing_and_is_logged(tmp_path, caplog):
    path = written(tmp_path, budget=6)
    with nl.Curator.open(path, analyst="ada") as curator:
        first = curator.ask(SQL, bits=2)
        before = curator.entries()
        with caplog.at_level(logging.INFO, logger="noiseless.recalled"):
            again = curator.ask(SQL, bits=2, analyst="bob")
            sums = curator.ask("SELECT region, SUM(age) AS s FROM people GROUP BY region", bits=2, analyst="bob")
            public = curator.ask("SELECT COUNT(*) FROM people", analyst="bob")
        assert curator.entries() == before
        assert (again.rows, again.factor, again.entry) == (first.rows, 1, first.entry)
        assert (public.factor, public.entry, public.rows[0].value) == (1, 0, 50)
        assert caplog.records[0].getMessage() == "analyst 'bob' recalled question 1"
        assert (sums.factor, sums.entry) == (1, 1)


def test_opening_reads_the_ledger_once(tmp_path, monkeypatch):
    path = written(tmp_path, budget=6)
    with nl.Curator.open(path) as curator:
        curator.ask(SQL, bits=2)
    read = []
    right = DatabaseJournal.since

    def counting(self, number):
        found = right(self, number)
        read.extend(found)
        return found

    monkeypatch.setattr(DatabaseJournal, "since", counting)
    nl.Curator.open(path).close()
    assert [entry.number for entry in read] == [0, 1, 2]


@pytest.mark.parametrize("name", [5, None, b"ada", "a\0b", "\ud800", "x" * 1001, ["ada"]])
def test_whoever_asks_has_a_name_that_can_be_kept(tmp_path, name):
    path = written(tmp_path, budget=6)
    with nl.Curator.open(path) as curator:
        if name is None:
            assert curator.ask(SQL, bits=1, analyst=None).factor == 2
        else:
            with pytest.raises(nl.InputError, match="analyst"):
                curator.ask(SQL, bits=1, analyst=name)
            assert curator.sequence.spent() == 1
        verify_ledger(curator.entries())
    nl.Curator.open(path).close()
