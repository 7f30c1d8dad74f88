"""What is left, who paid, and a copy of it all that can be restored."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

import noiseless as nl
from noiseless.app.cli.main import app
from noiseless.curator.backup import KEYS, backup
from noiseless.curator.certificate.keys import PrivateKey
from noiseless.curator.ledger.verify import spending, verify_ledger

SCHEMA = """source = "people.parquet"
budget = 12
[columns.age]
kind = "integer"
low = 0
high = 100
[columns.region]
kind = "public"
keys = ["north", "south", "east", "west", "isle"]
[quotas]
ada = 8
"*" = 6
"""


@pytest.fixture
def path(tmp_path) -> Path:
    keys = ["north", "south", "east", "west", "isle"]
    table = pa.table({"age": [k % 100 for k in range(500)], "region": [keys[k % 5] for k in range(500)]})
    pq.write_table(table, tmp_path / "people.parquet")
    (tmp_path / "people.toml").write_text(SCHEMA)
    return tmp_path / "people.toml"


def asked(path: Path) -> list[nl.Answer]:
    with nl.Curator.open(path, analyst="ada") as curator:
        first = curator.ask("SELECT AVG(age) FROM people WHERE region = 'north'", bits=2)
        second = curator.ask("SELECT region, AVG(age) FROM people WHERE region <> 'north' GROUP BY region", bits=2)
        third = curator.ask("SELECT COUNT(*) FROM people WHERE age > 30 AND region = 'south'", analyst="bob")
        fourth = curator.ask("SELECT COUNT(*) FROM people WHERE age > 50")
        again = curator.ask("SELECT AVG(age) FROM people WHERE region = 'north'", bits=2)
        return [first, second, third, fourth, again]


def test_answers_say_who_paid_and_what_it_took(path):
    first, second, third, fourth, again = asked(path)
    assert [each.entry for each in (first, second, third, fourth, again)] == [1, 2, 3, 4, 1]
    assert (first.cost, first.paid_by, first.taken, first.remaining) == (2, "north", 2, 10)
    assert (second.cost, second.paid_by, second.taken, second.remaining) == (2, "4 of 5 groups", 0, 10)
    assert (third.cost, third.paid_by) == (1, "south")
    assert fourth.paid_by == "everybody"
    assert (again.cost, again.paid_by, again.taken) == (0, "nobody", 0)
    assert "charged 2 bits to north, which took 2 bits from the most charged group; it has 10 bits left" in one_line(
        first
    )
    assert "charged 2 bits to 4 of 5 groups, which took 0 bits from the most charged group" in one_line(second)
    assert "nothing charged" in one_line(again)


def one_line(shown) -> str:
    return " ".join(str(shown).split())


def test_what_is_taken_adds_up(path):
    answers = asked(path)
    with nl.Curator.open(path) as curator:
        assert sum(answer.taken for answer in answers) == pytest.approx(12 - curator.remaining)
        spent = list(spending(curator.entries()))
    assert [each.number for each in spent] == [1, 2, 3, 4]
    assert [(each.paid_by, each.taken, each.left) for each in spent] == [
        (answer.paid_by, answer.taken, answer.remaining) for answer in answers[:4]
    ]


def test_the_ledger_in_a_terminal_numbers_questions(path):
    asked(path)
    shown = CliRunner().invoke(app, ["ledger", str(path)], env={"COLUMNS": "160"}).output
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in shown.splitlines() if line.startswith("│")]
    assert [row[0] for row in rows if row[0]] == ["1", "2", "3", "4"]
    refined = CliRunner().invoke(app, ["refine", str(path), "2", "--error", "0.05"])
    assert refined.exit_code == 0
    assert "question 5 of the ledger" in refined.output


def test_status(path):
    asked(path)
    told = json.loads(CliRunner().invoke(app, ["status", str(path), "--json"]).output)
    groups = {each["name"]: each for each in told["groups"]}
    assert told["budget"] == 12
    assert told["questions"] == 4
    assert told["datasets"] == ["people"]
    assert told["groups"][0]["name"] == "south"  # the dearest first
    assert set(groups) == {"north", "south", "east", "west", "isle"}
    assert told["remaining"] == groups["south"]["left"] == min(each["left"] for each in groups.values())
    with nl.Curator.open(path) as curator:
        assert curator.status().remaining == curator.remaining
        assert repr(curator.status()).startswith("people: 500 rows, 4 questions charged; ")
    quotas = {each["name"]: each for each in told["quotas"]}
    assert quotas["all others"]["spent"] == 1
    assert quotas["ada"]["left"] == pytest.approx(8 - quotas["ada"]["spent"], abs=1)
    shown = CliRunner().invoke(app, ["status", str(path)]).output
    assert "south" in shown
    assert "quota of" in shown


def test_a_backup_is_restored(path, tmp_path, monkeypatch):
    key = tmp_path / "keys" / "key.pem"
    PrivateKey.new(key)
    old = PrivateKey.read(key).public
    PrivateKey.rotate(key)
    monkeypatch.setenv("NOISELESS_KEY", str(key))
    answers = asked(path)
    folder = tmp_path / "backup"
    result = CliRunner().invoke(app, ["backup", str(path), str(folder)])
    assert result.exit_code == 0, result.output
    names = {"people.toml", "people.ledger.sqlite", "people.ledger.sqlite.head", "people.codes.duckdb", KEYS}
    assert {file.name for file in folder.iterdir()} == names
    assert folder.stat().st_mode & 0o777 == 0o700
    assert all(file.stat().st_mode & 0o077 == 0 for file in folder.iterdir())
    assert (folder / KEYS).read_text().split() == [PrivateKey.read(key).public, old]
    assert not any(b"PRIVATE KEY" in file.read_bytes() for file in folder.iterdir())
    restored = tmp_path / "restored"
    shutil.copytree(folder, restored)
    with nl.Curator.open(restored / "people.toml", analyst="ada") as curator, nl.Curator.open(path) as here:
        assert curator.remaining == here.remaining
        assert curator.entries() == here.entries()
        assert verify_ledger(curator.entries()) == len(here.entries())
        again = [curator.recall(number).rows for number in (1, 2, 3, 4)]
        assert again == [answer.rows for answer in answers[:4]]
        assert curator.ask("SELECT COUNT(*) FROM people WHERE age > 51").factor > 1
        assert curator.check().clean


def test_a_backup_while_others_ask_is_of_one_moment(path, tmp_path):
    """Every copy opens, with a head that fits: without the lock the head would be ahead by more than one entry."""
    asked(path)
    done = threading.Event()

    def asking() -> None:
        with nl.Curator.open(path, quotas={"*": 12}, budget=12) as curator:
            for number in range(400):
                if done.is_set():
                    return
                curator.ask("SELECT COUNT(*) FROM people WHERE age > 50 AND region = 'isle'", analyst=f"a{number}")
                try:
                    curator.ask(f"SELECT COUNT(*) FROM people WHERE age = {number % 100} AND region = 'isle'")
                except nl.BudgetExceededError:
                    return

    thread = threading.Thread(target=asking)
    thread.start()
    for number in range(8):
        folder = tmp_path / f"backup{number}"
        backup(path, folder)
        with nl.Curator.open(folder / "people.toml") as curator:
            assert verify_ledger(curator.entries()) >= 9
    done.set()
    thread.join()


def test_backups_that_cannot_be(path, tmp_path):
    with pytest.raises(nl.LedgerError, match="does not exist yet"):
        backup(path, tmp_path / "new")
    asked(path)
    (tmp_path / "there").mkdir()
    for to in (tmp_path / "there", tmp_path / "not" / "there"):
        with pytest.raises(nl.SourceError, match="name a new folder"):
            backup(path, to)
    with pytest.raises(nl.SourceError, match=r"name the \.toml file"):
        backup(tmp_path / "people.parquet", tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_a_backup_that_was_killed_is_not_in_the_way(path, tmp_path):
    """Whatever it had written is removed by the next one."""
    asked(path)
    killed = subprocess.run(
        [
            sys.executable,
            "-c",
            "import os, sys; from noiseless.curator import backup as b; "
            "b.public_keys = lambda key: os._exit(9); b.backup(sys.argv[1], sys.argv[2])",
            path,
            tmp_path / "copy",
        ],
        check=False,
    )
    assert killed.returncode == 9
    assert len(list(tmp_path.glob("copy.*.part"))) == 1
    backup(path, tmp_path / "copy")
    assert (tmp_path / "copy").stat().st_mode & 0o777 == 0o700
    assert not list(tmp_path.glob("*.part"))
