"""Processes that die and processes that compete: never overspent, never charged twice, never without its answer."""

from __future__ import annotations

import os
import random
import shutil
import signal
from collections import Counter
from multiprocessing import get_context
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import noiseless as nl
from noiseless.curator import asking as home
from noiseless.curator.ledger.account import Account
from noiseless.curator.ledger.database import DatabaseJournal
from noiseless.curator.ledger.head import Head
from noiseless.curator.ledger.verify import verify_ledger

FORK = get_context("fork")
SCHEMA = nl.Schema(age=nl.Integer(0, 100), region=nl.Public("north", "south"))
SQL = "SELECT region, AVG(age) FROM people GROUP BY region"
STEPS = [
    (Account, "reserve", "before"),
    (DatabaseJournal, "append", "before"),
    (Head, "write", "before"),
    (Head, "write", "after"),
    (DatabaseJournal, "_insert", "after"),
    (DatabaseJournal, "append", "after"),
    (Account, "reserve", "after"),
    (home, "execute", "before"),
    (home, "execute", "after"),
    (Account, "commit", "before"),
    (Account, "commit", "after"),
    (home, "certify_answer", "before"),
    (home, "certify_answer", "after"),
]
"""Every place of ask at which a process is killed."""
RUNS = 3 * len(STEPS)


def written(folder: Path, budget: float = 40) -> Path:
    ages = [20 + 7 * k % 60 for k in range(50)]
    pq.write_table(pa.table({"age": ages, "region": ["north", "south"] * 25}), folder / "people.parquet")
    path = folder / "people.toml"
    path.write_text(nl.Declaration(SCHEMA, "people.parquet", None, budget).write())
    return path


def in_a_process(work, *arguments) -> int | None:
    """Run in a fork of this warm process; its exit code, negative for a signal."""
    process = FORK.Process(target=work, args=arguments)
    process.start()
    process.join()
    return process.exitcode


def killed(path: Path, place, name: str, when: str, sql: str) -> None:
    """Ask, and die at one step."""
    right = getattr(place, name)

    def dying(*arguments, **named):
        if when == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        result = right(*arguments, **named)
        os.kill(os.getpid(), signal.SIGKILL)
        return result

    curator = nl.Curator.open(path)
    setattr(place, name, dying)
    assert curator.ask(sql, bits=2).certificate  # which is written when it is first wanted


def opened_once(path: Path) -> None:
    nl.Curator.open(path).close()


def test_killed_at_every_step(tmp_path):
    """Three deaths at each: what is charged is charged once, and a retry of the same question is not charged again."""
    path = written(tmp_path)
    assert in_a_process(opened_once, path) == 0
    pristine = tmp_path / "pristine"
    pristine.mkdir()
    for name in ("people.ledger.sqlite", "people.codes.duckdb"):
        shutil.copy(tmp_path / name, pristine / name)
    with nl.Curator.open(path) as curator:
        right = curator.ask(SQL, bits=2)
    for run in range(RUNS):
        for leftover in tmp_path.glob("people.ledger.sqlite*"):
            leftover.unlink()
        shutil.copy(pristine / "people.ledger.sqlite", tmp_path / "people.ledger.sqlite")
        place, name, when = STEPS[run % len(STEPS)]
        assert in_a_process(killed, path, place, name, when, SQL) == -signal.SIGKILL
        charged = run % len(STEPS) >= STEPS.index((Head, "write", "after"))
        with nl.Curator.open(path) as curator:
            assert curator.sequence.spent() == (4 if charged else 1), (name, when)
            retry = curator.ask(SQL, bits=2)
            assert retry.rows == right.rows
            assert retry.factor == (1 if charged else 4), (name, when)
            assert curator.sequence.spent() == 4
            verify_ledger(curator.entries())


def asking(path: Path, first: int, asked, refused) -> None:
    curator = nl.Curator.open(path)
    for top in range(first, first + 6):  # with bits they are bought, even if they follow
        try:
            curator.ask(f"SELECT COUNT(*) FROM people WHERE age BETWEEN 5 AND {top}", bits=1)
            with asked.get_lock():
                asked.value += 1
        except nl.BudgetExceededError:
            with refused.get_lock():
                refused.value += 1


@pytest.mark.parametrize("budget", [1, 7, 20])
def test_eight_processes_get_exactly_what_the_budget_allows(tmp_path, budget):
    path = written(tmp_path, budget)
    opened_once(path)
    asked, refused = FORK.Value("i", 0), FORK.Value("i", 0)
    processes = [FORK.Process(target=asking, args=(path, 10 + 6 * k, asked, refused)) for k in range(8)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0] * 8
    assert (asked.value, refused.value) == (budget, 48 - budget)
    with nl.Curator.open(path) as curator:
        assert curator.sequence.spent() == 2**budget
        verify_ledger(curator.entries())


def test_processes_that_open_first_agree_on_the_dataset(tmp_path):
    path = written(tmp_path)
    processes = [FORK.Process(target=opened_once, args=(path,)) for _ in range(6)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0] * 6
    with nl.Curator.open(path) as curator:
        assert len(curator.entries()) == 1
    assert sorted(each.name for each in tmp_path.glob("*.part*")) == []


def test_the_power_fails_between_any_two_writes(tmp_path):
    """The ledger copied at every moment: each copy is whole, and what was computed had been charged."""
    path = written(tmp_path)
    copies: list[tuple[str, Path]] = []

    def copied(when: str) -> None:
        folder = tmp_path / f"copy{len(copies)}"
        folder.mkdir()
        for each in tmp_path.glob("people.*"):
            shutil.copy(each, folder / each.name)
        copies.append((when, folder))

    curator = nl.Curator.open(path)
    with pytest.MonkeyPatch.context() as patch:
        for place, name, _ in STEPS:
            right = getattr(place, name)

            def around(*arguments, right=right, name=name, **named):
                copied(f"before {name}")
                result = right(*arguments, **named)
                copied(f"after {name}")
                return result

            patch.setattr(place, name, around)
        generator = random.Random(1)
        for _ in range(3):
            curator.ask(f"SELECT COUNT(*) FROM people WHERE age BETWEEN 5 AND {generator.randrange(20, 60)}")
    spent = []
    for when, folder in copies:
        with nl.Curator.open(folder / "people.toml") as restored:
            verify_ledger(restored.entries())
            spent.append(restored.sequence.spent())
            if when in ("before execute", "after execute", "before commit", "after certify_answer"):
                assert restored.sequence.spent() > 1
    assert spent == sorted(spent)
    assert max(spent) == 8


def appending(path: Path, name: str, go_on, asked) -> None:
    """Ask new questions for as long as it goes on."""
    curator, top = nl.Curator.open(path, analyst=name), 0
    while go_on.value:
        top += 1
        curator.ask(f"SELECT COUNT(*) FROM people WHERE age BETWEEN {int(name)} AND {int(name) + top % 80}")
        asked.release()


def test_nobody_waits_for_ever(tmp_path):
    """Sixteen processes that never stop asking: each gets its turn."""
    path = written(tmp_path, budget=9000)
    opened_once(path)
    go_on, asked = FORK.Value("b", 1), FORK.Semaphore(0)
    processes = [FORK.Process(target=appending, args=(path, str(k), go_on, asked)) for k in range(16)]
    for process in processes:
        process.start()
    for _ in range(500):
        asked.acquire()
    go_on.value = 0
    for process in processes:
        process.join()
    with nl.Curator.open(path) as curator:
        shares = Counter(entry.analyst for entry in curator.entries() if entry.kind == "ask")
        assert len(shares) == 16
        assert max(shares.values()) < 10 * min(shares.values())
        verify_ledger(curator.entries())
