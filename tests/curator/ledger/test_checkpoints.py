"""Checkpoints: what is left is what a fold of all entries gives, and none that was changed gives anything back."""

from __future__ import annotations

import random
import shutil
import sqlite3
from contextlib import closing
from itertools import pairwise

import psycopg
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import noiseless as nl
from noiseless.curator.backup import backup
from noiseless.curator.ledger import checkpoint as room
from noiseless.curator.ledger import followed
from noiseless.curator.ledger import state as folding
from noiseless.curator.ledger.account import Account
from noiseless.curator.ledger.database import DatabaseJournal
from noiseless.curator.ledger.head import Head
from noiseless.curator.ledger.journal import Checkpoint
from noiseless.curator.ledger.verify import verify_ledger
from noiseless.curator.opening import ledger_of
from tests.curator.formats import make
from tests.curator.formats.test_old_formats import NEW, WRITTEN, named
from tests.curator.ledger.histories import facts_of, folded, kept, orders
from tests.curator.ledger.test_processes import FORK, in_a_process, killed, written

SQL = "SELECT COUNT(*) FROM people WHERE age BETWEEN 5 AND {}"


@pytest.fixture
def spent(tmp_path, often):
    """A ledger with checkpoints in which 8 of 10 bits are spent, and its folder."""
    path = written(tmp_path, budget=10)
    with nl.Curator.open(path) as curator:
        for top in range(20, 28):
            curator.ask(SQL.format(top))
        assert [each.number for each in kept(curator)] == [*range(2, 17, 2)]
    return path


def altered(path, statement: str, *values) -> None:
    with closing(sqlite3.connect(path.with_suffix(".ledger.sqlite"))) as connection, connection:
        assert connection.execute(statement, values).rowcount > 0


def refused(path) -> bool:
    try:
        with nl.Curator.open(path) as curator:
            assert curator.sequence.spent() == 1 << 8
        return False
    except nl.LedgerError:
        return True


TEXT = "UPDATE noiseless_checkpoints SET text = "
BODY = "UPDATE noiseless_entries SET body = "
NOTHING_SPENT = f"""{TEXT} replace(text, '"cells":[["0-1","256"', '"cells":[["0-1","1"') WHERE number = 16"""


@pytest.mark.parametrize(
    "statement",
    [
        NOTHING_SPENT,
        f"""{TEXT} replace(text, '"cells":[["0-1","', '"cells":[["0-1","1') WHERE number = 16""",
        f"""{TEXT} replace(text, ',"paid":[[', ',"paid":[["0",0,"1",1,false],[') WHERE number = 2""",
        f"{TEXT} (SELECT text FROM noiseless_checkpoints WHERE number = 14) WHERE number = 16",
        "UPDATE noiseless_checkpoints SET number = 17 WHERE number = 16",
        "UPDATE noiseless_checkpoints SET number = 99 WHERE number = 16",
        "UPDATE noiseless_checkpoints SET number = 15 WHERE number = 16",
        TEXT + "'{}' WHERE number = 16",
        TEXT + "'[]' WHERE number = 16",
        f"""{TEXT} replace(text, '"before":[14,', '"before":[16,') WHERE number = 16""",
        f"""{TEXT} replace(text, '"before":[14,', '"before":[99,') WHERE number = 16""",
        f"""{TEXT} replace(text, '"before":[14,', '"before":[null,') WHERE number = 16""",
        f"""{TEXT} replace(text, '"before":[14,', '"before":[{{}},') WHERE number = 16""",
        f"""{TEXT} replace(text, '"before":[14,', '"before":[12,') WHERE number = 16""",
        TEXT + "'nonsense' WHERE number = 8",
        TEXT + "substr(text, 1, length(text) / 2) WHERE number = 16",
        f"""{BODY} replace(body, '"checkpoint"', '"checkpaint"') WHERE number = 16""",
        f"""{BODY} replace(body, '"checkpoint":"', '"checkpoint":"0') WHERE number = 16""",
        "UPDATE noiseless_entries SET hash = previous WHERE number = 16",
        "DELETE FROM noiseless_entries WHERE number >= 15",
    ],
)
def test_a_changed_checkpoint_is_refused(spent, statement):
    altered(spent, statement)
    assert refused(spent)


def test_a_forged_checkpoint_that_nobody_compared_would_give_budget_back(spent, monkeypatch):
    """The deliberately wrong variant: an account that believes the row without asking its entry."""
    altered(spent, NOTHING_SPENT)

    def believing(self) -> None:
        state = room.restored(self._prices, room.latest(self._journal), self._journal.read)
        self._fold(state, self._journal.since(len(state.hashes)))

    monkeypatch.setattr(Account, "_begin", believing)
    with nl.Curator.open(spent) as curator:
        assert curator.sequence.spent() == 1


@pytest.mark.parametrize("statement", ["", " WHERE number = 16", " WHERE number = 8", " WHERE number <= 14"])
def test_without_a_checkpoint_the_entries_are_folded_and_the_next_one_is_whole(spent, statement):
    altered(spent, f"DELETE FROM noiseless_checkpoints{statement}")
    with nl.Curator.open(spent) as curator:
        assert curator.sequence.spent() == 1 << 8
        curator.ask(SQL.format(30))
        verify_ledger(curator.entries(), kept(curator))
    assert not wrong_after(spent, 1 << 9)


def wrong_after(path, spent: int) -> bool:
    with nl.Curator.open(path) as curator:
        assert len(curator._account._state.hashes) == len(curator.entries())
        return curator.sequence.spent() != spent


def test_damage_before_a_checkpoint_is_found_when_it_is_looked_for(spent):
    """Opening reads from the last checkpoint on. Recalling and verifying read the rest."""
    altered(spent, f"""{BODY} replace(body, '"factor":"2"', '"factor":"1"') WHERE number = 1""")
    with nl.Curator.open(spent) as curator:
        assert curator.sequence.spent() == 1 << 8
        with pytest.raises(nl.LedgerError, match="entry 1 of the ledger is not what was written"):
            curator.recall(1)
        assert curator.recall(2).factor == 2
        with pytest.raises(nl.LedgerError, match="entry 1"):
            verify_ledger(curator.entries(), kept(curator))


def test_verifying_finds_a_checkpoint_that_its_entry_has_and_the_fold_does_not_give(spent, monkeypatch):
    """As a version that folds wrongly would write it."""
    right = room.written

    def generous(state, whole=False):
        found = right(state, whole)
        return Checkpoint(found.number, found.text.replace(f'"{state.sequence.spent()}"', '"1"'))

    monkeypatch.setattr(followed, "written", generous)
    with nl.Curator.open(spent) as curator:
        curator.ask(SQL.format(30))
        entries, checkpoints = curator.entries(), kept(curator)
    assert verify_ledger(entries) == 19
    with pytest.raises(nl.LedgerError, match="the checkpoint of entry 18"):
        verify_ledger(entries, checkpoints)


def test_a_checkpoint_of_another_dataset_is_refused(spent, tmp_path):
    other = nl.Schema(age=nl.Integer(0, 100), region=nl.Public("north", "south"))
    options = {"budget": 60, "ledger": spent.with_suffix(".ledger.sqlite"), "store": tmp_path / "others.duckdb"}
    with nl.Curator.open(tmp_path / "people.parquet", other, table="others", new=True, **options) as curator:
        for _ in range(2):
            for top in range(20, 28):
                curator.ask(SQL.format(top).replace("people", "others"))
    altered(spent, "DELETE FROM noiseless_checkpoints WHERE dataset = 'people' AND number = 16")
    altered(spent, "UPDATE noiseless_checkpoints SET dataset = 'people' WHERE dataset = 'others' AND number = 16")
    assert refused(spent)


def killed_at_a_checkpoint(path, place, name: str, when: str) -> None:
    room.EVERY = 2
    killed(path, place, name, when, SQL.format(60))


@pytest.mark.parametrize(
    ("place", "name", "when"),
    [
        (Head, "write", "before"),
        (Head, "write", "after"),
        (DatabaseJournal, "_insert", "after"),
        (DatabaseJournal, "append", "after"),
    ],
)
def test_a_process_dies_between_an_entry_and_its_checkpoint(spent, place, name, when):
    assert in_a_process(killed_at_a_checkpoint, spent, place, name, when) == -9
    charged = (place, name, when) != (Head, "write", "before")
    with nl.Curator.open(spent) as curator:
        assert curator.sequence.spent() == (1 << 9 if charged else 1 << 8)
        assert curator.ask(SQL.format(60)).factor == (1 if charged else 2)
        curator.ask(SQL.format(61))
        verify_ledger(curator.entries(), kept(curator))
    assert not wrong_after(spent, 1 << 10)


def asking_often(path, first: int) -> None:
    room.EVERY = 2
    with nl.Curator.open(path) as curator:
        for top in range(first, first + 10):
            curator.ask(SQL.format(top))


def test_processes_write_checkpoints_at_once(tmp_path, often):
    path = written(tmp_path, budget=100)
    nl.Curator.open(path).close()
    processes = [FORK.Process(target=asking_often, args=(path, 10 + 10 * k)) for k in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0] * 4
    entries, checkpoints, _ = ledger_of(path)
    assert verify_ledger(entries, checkpoints) == 81
    assert [later.number - each.number for each, later in pairwise(checkpoints)] == [2] * (len(checkpoints) - 1)
    assert not wrong_after(path, 1 << 40)


def test_opening_folds_only_what_came_after(spent, monkeypatch):
    seen = []
    right = folding.State.fold

    def counted(self, entry):
        seen.append(entry.number)
        right(self, entry)

    monkeypatch.setattr(folding.State, "fold", counted)
    nl.Curator.open(spent).close()
    assert seen == [16]


def test_a_backup_has_the_checkpoints(spent, tmp_path):
    backup(spent, tmp_path / "copy")
    shutil.copy(tmp_path / "people.parquet", tmp_path / "copy")
    assert [each.number for each in ledger_of(tmp_path / "copy" / "people.toml").checkpoints] == [*range(2, 17, 2)]
    assert not refused(tmp_path / "copy" / "people.toml")


def test_short_ledgers_have_none(tmp_path):
    path = written(tmp_path, budget=10)
    with nl.Curator.open(path) as curator:
        curator.ask(SQL.format(20))
        assert kept(curator) == []
        assert all("checkpoint" not in entry.body for entry in curator.entries())


def test_long_entries_have_them_sooner(tmp_path, monkeypatch):
    monkeypatch.setattr(room, "MOST_UNKEPT", 2000)
    path = written(tmp_path, budget=100)
    with nl.Curator.open(path) as curator:
        for top in range(20, 40):
            curator.ask(SQL.format(top))
        found = [each.number for each in kept(curator)]
        sizes = [sum(entry.length for entry in curator.entries()[a:b]) for a, b in pairwise([0, *found])]
        assert all(2000 <= size < 3000 for size in sizes)


def test_columns_of_very_many_groups_are_read_from_their_entries(tmp_path, often, monkeypatch):
    """A checkpoint has their numbers only. A later schema keeps them one by one, and so does its checkpoint."""
    keys = [f"key {k}" for k in range(1200)]
    where = {"store": tmp_path / "codes.duckdb", "ledger": tmp_path / "ledger.sqlite", "table": "people"}
    table = pa.table({"age": [7 * k % 100 for k in range(2400)], "g": keys + keys})
    schema = nl.Schema(age=nl.Integer(0, 100), g=nl.Public(*keys))
    grouped = "SELECT g, AVG(age) FROM people GROUP BY g"
    with nl.Curator.open(table, schema, 900, **where) as curator:
        first = curator.ask(grouped, bits=2)
        for top in range(20, 24):
            curator.ask(SQL.format(top))
        assert curator._account._state.columned == [1, 2]
        verify_ledger(curator.entries(), kept(curator))
    with nl.Curator.open(table, schema, 900, **where) as curator:
        assert orders(curator._account._read()) == orders(folded(curator))
        again = curator.ask(grouped, bits=2)
        assert (again.rows, again.factor) == (first.rows, 1)
        assert curator.ask("SELECT AVG(age) FROM people WHERE g = 'key 7'", bits=2).factor == 1
        curator.ask(grouped, bits=3)
        spent = curator.sequence.spent()
        verify_ledger(curator.entries(), kept(curator))
    wider, answers = nl.Schema(age=nl.Integer(0, 100), g=nl.Public(*keys, "another")), []
    for _ in range(2):
        with nl.Curator.open(table, wider, 900, **where) as curator:
            assert curator.sequence.spent() == spent
            answers.append([curator.ask(grouped, bits=bits).rows for bits in (2, 3)])
            assert curator.sequence.spent() == spent
            verify_ledger(curator.entries(), kept(curator))
            for top in range(20, 26):
                curator.ask(SQL.format(top + 30))
            spent = curator.sequence.spent()
            verify_ledger(curator.entries(), kept(curator))
    assert answers[0] == answers[1]


def test_checkpoints_in_postgres(postgres, tmp_path, often):
    pq.write_table(pa.table({"age": [20 + 7 * k % 60 for k in range(50)]}), tmp_path / "people.parquet")
    where = {"table": "checked", "new": True, "ledger": postgres, "store": tmp_path / "codes.duckdb"}
    schema, asked = nl.Schema(age=nl.Integer(0, 100)), SQL.replace("people", "checked")
    with psycopg.connect(postgres, autocommit=True) as connection:
        for name in ("entries", "heads", "checkpoints"):
            connection.execute(f"DROP TABLE IF EXISTS noiseless_{name}")
        with nl.Curator.open(tmp_path / "people.parquet", schema, 20, **where) as curator:
            for top in range(20, 28):
                curator.ask(asked.format(top))
            assert [each.number for each in kept(curator)] == [*range(2, 17, 2)]
            verify_ledger(curator.entries(), kept(curator))
        with nl.Curator.open(tmp_path / "people.parquet", schema, 20, **where) as curator:
            assert curator.sequence.spent() == 1 << 8
            assert curator.recall(1).factor == 2
        connection.execute("UPDATE noiseless_checkpoints SET text = replace(text, '256', '1') WHERE number = 16")
        with pytest.raises(nl.LedgerError, match="the checkpoint of entry 16"):
            nl.Curator.open(tmp_path / "people.parquet", schema, 20, **where)
        connection.execute("DELETE FROM noiseless_checkpoints WHERE number = 16")
        with nl.Curator.open(tmp_path / "people.parquet", schema, 20, **where) as curator:
            assert curator.sequence.spent() == 1 << 8


@pytest.mark.parametrize("cut", [False, True])
def test_a_flipped_bit_or_a_lost_end_gives_nothing_back(spent, cut):
    """Anywhere in the file: entries, checkpoints or what SQLite needs."""
    file, generator = spent.with_suffix(".ledger.sqlite"), random.Random(5)
    head = file.with_name(f"{file.name}.head")
    whole, noted, noticed = file.read_bytes(), head.read_bytes(), 0
    for _ in range(80):
        damaged = bytearray(whole)
        if cut:
            damaged = damaged[: generator.randrange(len(whole))]
        else:
            damaged[generator.randrange(len(whole))] ^= 1 << generator.randrange(8)
        file.write_bytes(damaged)
        head.write_bytes(noted)
        try:
            with nl.Curator.open(spent) as curator:
                assert curator.sequence.spent() == 1 << 8
        except (nl.LedgerError, nl.SnapshotError):
            noticed += 1
    assert noticed > 0


@pytest.mark.parametrize("written_before", WRITTEN, ids=named)
def test_a_ledger_of_an_earlier_version_gets_a_checkpoint_when_it_is_next_written(tmp_path, often, written_before):
    folder, name = written_before
    toml = make.restore(name, folder, tmp_path)
    question, options = NEW[name]
    with nl.Curator.open(toml) as curator:
        answer = curator.ask(question, **options)
        assert len(kept(curator)) == 1
        assert verify_ledger(curator.entries(), kept(curator)) == len(curator.entries())
        left = curator.sequence
    with nl.Curator.open(toml) as curator:
        assert curator.sequence == left
        assert facts_of(curator._account._state) == facts_of(folded(curator))
        assert make.rows_of(curator.ask(question, **options)) == make.rows_of(answer)
        assert curator.sequence == left
