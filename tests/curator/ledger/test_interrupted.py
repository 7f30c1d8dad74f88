"""An exception at any line of the ledger: afterwards nothing is free, nothing is locked, and the chain holds."""

from __future__ import annotations

import fcntl
import sqlite3
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from fractions import Fraction
from pathlib import Path

import pytest

import noiseless as nl
from noiseless.curator import ledger
from noiseless.curator.ledger.account import Account
from noiseless.curator.ledger.database import DatabaseJournal
from noiseless.curator.ledger.entry import Entry
from noiseless.curator.ledger.verify import verify_ledger
from noiseless.curator.question.price import Prices
from tests.curator.ledger.test_processes import written

FOLDER = str(Path(ledger.__file__).parent)
SQL = "SELECT COUNT(*) FROM people WHERE age BETWEEN 5 AND {}"
STEPS = "SELECT AVG(age) FROM people WHERE age >= 5"


class Interrupted(BaseException):
    """As a KeyboardInterrupt, a worker's timeout or a MemoryError is."""


class Interrupting:
    """Notes the lines of the ledger that run, and raises at one of them."""

    def __init__(self, at: int | None = None) -> None:
        self.at, self.lines = at, []

    def trace(self, frame, event, _):
        if not frame.f_code.co_filename.startswith(FOLDER):
            return None
        if event == "line":
            self.lines.append((frame.f_code.co_filename, frame.f_lineno))
            if len(self.lines) == self.at:
                raise Interrupted
        return self.trace

    def run(self, work):
        before = sys.gettrace()
        sys.settrace(self.trace)
        try:
            return work()
        finally:
            sys.settrace(before)

    def points(self) -> list[int]:
        """Where to raise: the first and the last time that each line runs."""
        first, last = {}, {}
        for place, line in enumerate(self.lines, 1):
            first.setdefault(line, place)
            last[line] = place
        return sorted({*first.values(), *last.values()})


def asked(curator, top):
    return curator.ask(SQL.format(top))


@pytest.fixture
def dataset(tmp_path):
    """Two bits for some people, a function that opens their ledger as it was, and the file it is in."""
    path = written(tmp_path, budget=2)
    files = [tmp_path / "people.ledger.sqlite", tmp_path / "people.ledger.sqlite.head"]
    with nl.Curator.open(path) as curator:
        pristine = {file: file.read_bytes() for file in files}

        def opened(anew: bool = True) -> nl.Curator:
            if anew:
                for file, whole in pristine.items():
                    file.write_bytes(whole)
            account = Account(DatabaseJournal(files[0], "people"), Prices(curator._dataset))
            return nl.Curator(curator._dataset, account)

        yield opened, files[0]


def free_to_others(file, curator) -> None:
    """Another thread can ask, and another process can write."""
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(lambda: curator.remaining).result(timeout=20) >= 0
    with closing(sqlite3.connect(file, timeout=0, isolation_level=None)) as again:
        again.execute("BEGIN IMMEDIATE")
        again.execute("ROLLBACK")
    with open(f"{file}.lock", "rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # files that were just being closed
def test_nothing_is_free_after_an_exception_at_any_line(dataset):
    opened, file = dataset
    counting, curator = Interrupting(), opened()
    counting.run(lambda: asked(curator, 20))
    curator._account.close()
    assert len(counting.points()) > 150
    missed = 0
    for at in counting.points():
        curator, interrupting = opened(), Interrupting(at)
        try:
            interrupting.run(lambda c=curator: asked(c, 20))
            missed += 1
        except Interrupted:
            pass
        where = interrupting.lines[-1]
        free_to_others(file, curator)
        answers = [refused_or_asked(curator, top) for top in range(20, 23)]
        assert sum(answers) == 2, where  # two bits, two counts
        assert curator.sequence.spent() == 4, where
        verify_ledger(curator.entries())
        curator._account.close()
        again = opened(anew=False)
        assert again.sequence.spent() == 4, where
        again._account.close()
    assert missed < len(counting.points()) / 20, "the exceptions did not come"


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_question_of_two_steps_goes_on_after_an_exception_at_any_line(dataset):
    """The same answer and number, and neither less nor twice the charge. Every seventh line of the two steps."""
    opened, file = dataset
    counting, curator = Interrupting(), opened()
    whole = counting.run(lambda: curator.ask(STEPS, error=20))
    spent = curator.sequence.spent()
    assert len([entry for entry in curator.entries() if entry.kind == "ask"]) == 2
    curator._account.close()
    for at in counting.points()[::7]:
        curator, interrupting = opened(), Interrupting(at)
        with suppress(Interrupted):
            interrupting.run(lambda c=curator: c.ask(STEPS, error=20))
        where = interrupting.lines[-1]
        free_to_others(file, curator)
        again = curator.ask(STEPS, error=20)
        assert (again.rows, again.entry, curator.sequence.spent()) == (whole.rows, 1, spent), where
        assert curator.recall(1).rows == whole.rows, where
        verify_ledger(curator.entries())
        curator._account.close()


def refused_or_asked(curator, top) -> bool:
    try:
        asked(curator, top)
    except nl.BudgetExceededError:
        return False
    return True


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_account_that_remembers_what_was_not_kept_is_caught(dataset, monkeypatch):
    """The deliberately wrong variant: state that is folded in before it is kept, and not forgotten."""

    def rash(self, decide):
        state = self._read()
        decided = decide(state)
        if decided is None:
            return None
        entry = Entry.after(state.last, *decided)
        state.fold(entry)
        assert self._journal.append(entry)
        return entry

    monkeypatch.setattr(Account, "_append", rash)
    opened, _ = dataset
    counting, curator = Interrupting(), opened()
    counting.run(lambda: asked(curator, 20))
    curator._account.close()
    free = 0
    for at in counting.points():
        curator = opened()
        try:
            Interrupting(at).run(lambda c=curator: asked(c, 20))
        except Interrupted:
            kept = any(entry.kind == "ask" for entry in curator.entries())
            free += not kept and bool(curator._account._state.paid)
        curator._account.close()
        if free:
            break
    assert free


GUARDED = "SELECT SUM(age) FROM people"


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_what_is_charged_by_the_answer_is_charged_once(dataset):
    """After an exception at any line, asking again settles one price: neither nothing, nor two."""
    opened, file = dataset
    counting, curator = Interrupting(), opened()
    price = counting.run(lambda: curator.ask(GUARDED, error=1000)).factor
    assert 1 < price < 2
    curator._account.close()
    seen = set()
    for at in counting.points()[::4]:
        curator, interrupting = opened(), Interrupting(at)
        with suppress(Interrupted):
            interrupting.run(lambda c=curator: c.ask(GUARDED, error=1000))
        where = interrupting.lines[-1]
        free_to_others(file, curator)
        seen.add(curator.sequence.spent())
        again = curator.ask(GUARDED, error=1000)
        assert again.rows[0].lower <= sum(20 + 7 * k % 60 for k in range(50)) <= again.rows[0].upper, where
        assert 0 <= curator.sequence.spent() - price < Fraction(1, 1 << 60), where
        verify_ledger(curator.entries())
        curator._account.close()
    assert len(seen) == 3  # nothing yet, reserved, settled
