"""The ledger: what it remembers, refuses and shows."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import noiseless as nl
from noiseless.curator.ledger.database import DatabaseJournal
from noiseless.curator.ledger.entry import Entry
from noiseless.curator.ledger.verify import verify_ledger
from noiseless.curator.opening import ledger_of
from tests.curator.ledger.test_processes import SCHEMA, SQL, written

AGE = "SELECT AVG(age) FROM people"


@pytest.fixture
def path(tmp_path):
    return written(tmp_path, budget=6)


def test_what_was_asked_is_known_to_the_next_process(path):
    with nl.Curator.open(path, analyst="ada") as curator:
        first, id_ = curator.ask(SQL, bits=2), curator.dataset
    with nl.Curator.open(path, analyst="bob") as curator:
        again = curator.ask(SQL, bits=2)
        assert (again.rows, again.factor, curator.dataset) == (first.rows, 1, id_)
        assert curator.ask("SELECT SUM(age) FROM people WHERE region = 'north'", bits=2).factor == 1
        kinds = [(entry.kind, entry.analyst) for entry in curator.entries()]
        assert kinds == [("open", ""), ("ask", "ada"), ("answer", "ada")]  # a repeat adds nothing
        assert verify_ledger(curator.entries()) == 3


def test_the_codes_are_kept_and_the_source_is_not_missed(path):
    nl.Curator.open(path).close()
    (path.parent / "people.parquet").unlink()
    with nl.Curator.open(path) as curator:
        assert curator.ask("SELECT COUNT(*) FROM people WHERE age > 30").rows[0].value > 0
        assert curator.check().clean


def test_a_ledger_without_codes_prepares_them_again(path):
    with nl.Curator.open(path) as curator:
        first, id_ = curator.ask(SQL, bits=1), curator.dataset
    (path.parent / "people.codes.duckdb").unlink()
    with nl.Curator.open(path) as curator:
        assert curator.dataset == id_
        assert curator.ask(SQL, bits=1).factor == 1
        assert curator.ask(SQL, bits=1).rows == first.rows


NARROWER = nl.Schema(age=nl.Integer(0, 99), region=nl.Public("north", "south"))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda d: replace(d, schema=NARROWER), "schema.* use the old schema, or start a new dataset"),
        (lambda d: replace(d, version="2"), "declared version is '2', but was ''.* start a new dataset"),
        (lambda d: replace(d, budget=7), "larger than the 6 bits .* declare that one again"),
    ],
)
@pytest.mark.parametrize("codes", [True, False])
def test_a_changed_declaration_is_refused_with_the_ways_forward(path, change, words, codes):
    nl.Curator.open(path).close()
    path.write_text(change(nl.Declaration.parse(path.read_text())).write())
    if not codes:
        (path.parent / "people.codes.duckdb").unlink()
    with pytest.raises(nl.SnapshotError, match=words):
        nl.Curator.open(path)


@pytest.mark.parametrize("codes", [True, False])
def test_a_changed_source_is_refused(path, codes):
    nl.Curator.open(path).close()
    pq.write_table(pa.table({"age": [3, 4], "region": ["north"] * 2}), path.parent / "people.parquet")
    if not codes:
        (path.parent / "people.codes.duckdb").unlink()
    with pytest.raises(nl.SnapshotError, match="has 2 rows, but had 50"):
        nl.Curator.open(path)


def test_codes_whose_ledger_is_gone_are_refused(path):
    nl.Curator.open(path).close()
    (path.parent / "people.ledger.sqlite").unlink()
    with pytest.raises(nl.SnapshotError, match="the ledger is gone, and its head"):
        nl.Curator.open(path)
    (path.parent / "people.ledger.sqlite.head").unlink()
    with pytest.raises(nl.SnapshotError, match="holds codes whose ledger is gone"):
        nl.Curator.open(path)


def test_a_new_dataset_has_another_id(path):
    with nl.Curator.open(path) as curator:
        first = curator.dataset
    for name in ("people.ledger.sqlite", "people.ledger.sqlite.head", "people.codes.duckdb"):
        (path.parent / name).unlink()
    with nl.Curator.open(path) as curator:
        assert curator.dataset != first


def test_quotas_are_inside_the_budget(path):
    path.write_text(replace(nl.Declaration.parse(path.read_text()), quotas={"ada": 2, "*": 1}).write())
    with nl.Curator.open(path) as curator:
        assert curator.ask(AGE, bits=2, analyst="ada").factor == 4
        with pytest.raises(nl.BudgetExceededError, match="the quota of 'ada'; nothing was charged"):
            curator.ask("SELECT MAX(age) FROM people", bits=1, analyst="ada")
        assert curator.ask(AGE, bits=2, analyst="ada").factor == 1
        assert curator.ask("SELECT MAX(age) FROM people", bits=1, analyst="bob").factor == 2
        with pytest.raises(nl.BudgetExceededError, match="quota of 'bob'"):
            curator.ask("SELECT MIN(age) FROM people", bits=1, analyst="bob")
        assert curator.sequence.spent() == 8
        with pytest.raises(nl.BudgetExceededError, match="quota of 'bob2'"):  # all others share one quota
            curator.ask("SELECT MIN(age) FROM people", bits=1, analyst="bob2")
    path.write_text(replace(nl.Declaration.parse(path.read_text()), quotas={"ada": 2}).write())
    with nl.Curator.open(path, analyst="eve") as curator, pytest.raises(nl.BudgetExceededError, match="quota of 'eve'"):
        curator.ask("SELECT MIN(age) FROM people", bits=1)


def changed(path, statement: str) -> None:
    with sqlite3.connect(path.parent / "people.ledger.sqlite") as connection:
        connection.execute(statement)
    connection.close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE noiseless_entries SET analyst = 'eve' WHERE number = 1",
        'UPDATE noiseless_entries SET body = replace(body, \'"factor":"4"\', \'"factor":"2"\') WHERE number = 1',
        "UPDATE noiseless_entries SET time = '2020-01-01' WHERE number = 2",
        "DELETE FROM noiseless_entries WHERE number = 1",
        "DELETE FROM noiseless_entries WHERE number = 2",
        "UPDATE noiseless_entries SET hash = previous WHERE number = 3",
    ],
)
def test_tampering_is_noticed(path, statement):
    with nl.Curator.open(path) as curator:
        curator.ask(AGE, bits=2)
        curator.ask("SELECT MAX(age) FROM people", bits=1)
        entries = curator.entries()
    verify_ledger(entries)
    changed(path, statement)
    with pytest.raises(nl.LedgerError, match="not what was written"):
        verify_ledger(ledger_of(path).entries)
    with pytest.raises(nl.LedgerError, match="not what was written"):
        nl.Curator.open(path)


def test_ledgers_that_are_none(tmp_path):
    (tmp_path / "text.sqlite").write_text("this is no database, but long enough to be taken for one" * 20)
    for ledger, words in (
        (tmp_path / "no" / "l.sqlite", "does not exist; create it"),
        (tmp_path / "text.sqlite", "cannot be read or written"),
        ("oracle://nowhere", "a URL such as"),
    ):
        with pytest.raises(nl.LedgerError, match=words):
            nl.Curator.open(pa.table({"age": [1]}), nl.Schema(age=nl.Integer(0, 9)), 3, ledger=ledger, store=":memory:")


def test_a_ledger_in_postgres(postgres, tmp_path):
    import psycopg

    with psycopg.connect(postgres, autocommit=True) as connection:  # other tests ask of other people there
        connection.execute("DROP TABLE IF EXISTS noiseless_entries, noiseless_heads")
    written(tmp_path)
    source = tmp_path / "people.parquet"
    for _ in range(2):
        with nl.Curator.open(source, SCHEMA, 6, ledger=postgres, store=tmp_path / "codes.duckdb") as curator:
            curator.ask(AGE, bits=2)
            verify_ledger(curator.entries())
    with nl.Curator.open(source, SCHEMA, 6, ledger=postgres, store=tmp_path / "codes.duckdb") as curator:
        assert [entry.body.get("factor") for entry in curator.entries()] == [None, "4", None]
        one = nl.Curator.open(source, SCHEMA, 6, ledger=postgres, store=tmp_path / "codes.duckdb")
        assert one.ask("SELECT MAX(age) FROM people", bits=1).factor == 2
        assert curator.ask("SELECT MAX(age) FROM people", bits=1).factor == 1
        one.close()


def test_what_was_written_before_a_failure_is_charged_once(path, monkeypatch):
    """The disk is full when a charge is kept: it stays charged, since nobody can tell; its retry is free."""
    with nl.Curator.open(path) as curator:
        right = DatabaseJournal._insert

        def full(self, connection, entry):
            raise OSError("the disk is full")

        monkeypatch.setattr(DatabaseJournal, "_insert", full)
        with pytest.raises(nl.LedgerError, match="cannot be read or written"):
            curator.ask(AGE, bits=2)
        monkeypatch.setattr(DatabaseJournal, "_insert", right)
        assert curator.sequence.spent() == 1
        curator.ask(AGE, bits=2)
        assert curator.sequence.spent() == 4
        assert curator.ask(AGE, bits=2).factor == 1
        assert verify_ledger(curator.entries()) == 3


def rewritten(entries: list[Entry], number: int, change) -> list[Entry]:
    """The whole chain written anew after a change, by somebody who knows how."""
    chain: list[Entry] = []
    for entry in entries:
        body = change(json.loads(json.dumps(entry.body))) if entry.number == number else entry.body
        chain.append(Entry.after(chain[-1] if chain else None, entry.kind, entry.analyst, body))
    return chain


def with_factor(body, factor: str):
    for each in body["charged"]:
        each[1] = factor
    return body


def with_width(body):
    for each in body["charged"]:
        each[2]["age"] = "101"
    return body


@pytest.mark.parametrize(
    "change",
    [
        lambda body: with_factor(body, "1"),
        lambda body: with_factor(body, "3"),
        lambda body: with_factor(body, "0"),
        lambda body: {**with_factor(body, "4096"), "factor": "4096"},
        lambda body: {**body, "factor": "1"},
        lambda body: {**body, "paid": []},
        lambda body: {},
        with_width,
    ],
)
def test_sums_that_are_wrong_are_noticed_whatever_the_hashes_say(path, change):
    with nl.Curator.open(path) as curator:
        curator.ask(AGE, bits=1)
        curator.ask("SELECT AVG(age) FROM people", bits=3)
        entries = curator.entries()
    assert verify_ledger(rewritten(entries, 3, lambda body: body)) == len(entries)
    with pytest.raises(nl.LedgerError, match="does not add up"):
        verify_ledger(rewritten(entries, 3, change))


@pytest.mark.parametrize("body", ["{}", "[]", "nonsense", '{"cells": 1}'])
@pytest.mark.parametrize("number", [0, 1, 2])
def test_a_damaged_ledger_says_so(path, body, number):
    with nl.Curator.open(path) as curator:
        curator.ask(AGE, bits=2)
    changed(path, f"UPDATE noiseless_entries SET body = '{body}' WHERE number = {number}")
    with pytest.raises(nl.LedgerError):
        nl.Curator.open(path)


def test_a_commit_that_fails_locks_nobody_out(path, monkeypatch):
    with nl.Curator.open(path) as curator:
        journal: Any = curator._account._journal
        right = journal._commit

        def failing(connection):
            monkeypatch.setattr(journal, "_commit", right)
            raise sqlite3.OperationalError("disk I/O error")

        monkeypatch.setattr(journal, "_commit", failing)
        with pytest.raises(nl.LedgerError):
            curator.ask(AGE, bits=2)
        curator.ask(AGE, bits=2)
        assert curator.sequence.spent() == 4  # once
    with nl.Curator.open(path) as curator:
        assert curator.ask(AGE, bits=2).factor == 1


def test_the_files_are_for_their_owner_only(path):
    nl.Curator.open(path).close()
    for name in ("people.codes.duckdb", "people.ledger.sqlite", "people.ledger.sqlite.head"):
        assert (path.parent / name).stat().st_mode & 0o777 == 0o600


def test_a_ledger_needs_its_codes(tmp_path):
    with pytest.raises(nl.SourceError, match="store="):
        nl.Curator.open(pa.table({"age": [1]}), nl.Schema(age=nl.Integer(0, 9)), 3, ledger=tmp_path / "l.sqlite")


def failing(*_):
    raise nl.EngineError("gone")


def test_what_was_charged_and_never_computed_can_be_recalled(path, monkeypatch):
    with nl.Curator.open(path) as curator:
        with monkeypatch.context() as patch:
            patch.setattr("noiseless.curator.asking.execute", failing)
            with pytest.raises(nl.EngineError):
                curator.ask(AGE, bits=2)
        recalled = curator.recall(1)
        assert recalled.rows == curator.ask(AGE, bits=2).rows
        with pytest.raises(nl.QuestionError, match="question 99"):
            curator.recall(99)


def test_coarser_bins_follow_from_what_was_released(path, monkeypatch):
    """No data are read for them, so that they agree with what was said before whatever happens to the data."""
    with nl.Curator.open(path) as curator:
        fine = curator.ask("SELECT SUM(age) FROM people", error=4)  # bins of 9
        monkeypatch.setattr("noiseless.curator.asking.execute", None)
        coarse = curator.ask("SELECT SUM(age) FROM people", error=13)
        assert ([*fine.widths.values()], [*coarse.widths.values()], coarse.factor) == ([9], [9], 1)
        assert coarse.rows[0].lower <= fine.rows[0].lower <= fine.rows[0].upper <= coarse.rows[0].upper


def test_rows_that_are_not_kept_leave_no_trace(tmp_path):
    schema = nl.Schema(v=nl.Integer(0, 9), o=nl.Public(), unit="u", rows=1, order_by="o")
    facts = []
    for extra in (0, 3):
        data = {"v": [1] * (4 + extra), "u": [0, 1, 2, 3, *[3] * extra], "o": list(range(4 + extra))}
        files = {"ledger": tmp_path / f"{extra}.sqlite", "store": tmp_path / f"{extra}.duckdb"}
        with nl.Curator.open(pa.table(data), schema, 5, table="t", **files) as curator:
            facts.append({**curator.entries()[0].body, "id": ""})
    assert facts[0] == facts[1]
