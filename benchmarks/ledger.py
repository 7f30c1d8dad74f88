"""The ledger on SQLite with full durability, and how many questions a second a small table answers."""

from __future__ import annotations

import json
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

import noiseless as nl
from benchmarks.measure import Row, compared, seconds, shown
from noiseless.curator.certificate.issue import certify_answer
from noiseless.curator.certificate.keys import PrivateKey
from noiseless.curator.ledger.database import INSERT, KEEP, DatabaseJournal
from noiseless.curator.ledger.entry import Entry
from noiseless.curator.ledger.purchase import Purchase
from noiseless.curator.question.execute import execute
from noiseless.curator.question.guarantee import guarantee
from noiseless.curator.question.understand import Wanted, understand

ASKS = 300
PROCESSES, SECONDS, LONG = 16, 10, 100_001
TWICE = "2 processes committing two rows in sqlite3"
SCHEMA = nl.Schema(age=nl.Integer(0, 1000), region=nl.Public("north", "south"))


def rows() -> list[Row]:
    table = pa.table({"age": [7 * k % 1000 for k in range(10_000)], "region": ["north", "south"] * 5000})
    with tempfile.TemporaryDirectory() as folder:
        key = Path(folder) / "key.pem"
        PrivateKey.new(key)
        store, ledger = Path(folder) / "codes.duckdb", Path(folder) / "ledger.sqlite"
        with nl.Curator.open(table, SCHEMA, 9000, table="people", store=store, ledger=ledger, key=key) as curator:
            kept = statistics.median(_kept(curator, place) for place in range(ASKS))
            started = time.perf_counter()
            for place in range(ASKS):
                curator.ask(f"SELECT AVG(age) FROM people WHERE age > {ASKS + place}", bits=3)
            new = ASKS / (time.perf_counter() - started)
            started = time.perf_counter()
            for place in range(ASKS):
                curator.ask(f"SELECT AVG(age) FROM people WHERE age > {ASKS + place}", bits=3)
            again = ASKS / (time.perf_counter() - started)
    p99, shares = _taking_turns(PROCESSES)
    fast, both = _taking_turns(2)
    raw, raws = _taking_turns(2, _committing)
    long = long_ledger(LONG)
    appended, committed = _appended()
    return [
        Row("reserve, commit and certificate on SQLite, median", shown(kept), "", "", "< 10 ms"),
        Row("new questions answered on 10,000 rows", f"{new:.0f} a second", "", "", "≥ 100 a second"),
        Row("repeated questions answered", f"{again:.0f} a second", "", "", ""),
        compared("append one entry to SQLite and its head", appended, committed, "commit one row in sqlite3", ""),
        compared("2 processes asking one SQLite ledger: p99 of an ask", fast, raw, TWICE, "≤ 20 ms"),
        compared("… one question of both together", SECONDS / sum(both), SECONDS / sum(raws), TWICE, "≤ 2 ms"),
        Row(f"{PROCESSES} processes asking one SQLite ledger for {SECONDS} s: p99 of an ask", shown(p99), "", "", ""),
        Row("… entries of the luckiest and the unluckiest of them", f"{max(shares)} and {min(shares)}", "", "", ""),
        compared(f"read and verify {LONG} entries", long.read, long.parsed, "SELECT and json.loads", ""),
        compared(f"opening a ledger of {LONG} entries", long.opened, long.parsed, "SELECT and json.loads", "≤ 1 s"),
        compared(
            "… recalling a question in it", long.recalled, long.found, "SELECT and json.loads of 2 entries", "≤ 5 ms"
        ),
        compared("… repeating a question in it", long.repeated, long.found, "SELECT and json.loads of 2 entries", ""),
        Row("opening 400 private columns of 1,000 rows", shown(_many_columns()), "", "", "< 2 s"),
    ]


def _asking(folder: str, process: int, times: Any) -> None:
    """Ask new questions for a while, and note how long each took."""
    source, store, ledger = (Path(folder) / name for name in ("people.parquet", "codes.duckdb", "ledger.sqlite"))
    with nl.Curator.open(source, SCHEMA, 9000, store=store, ledger=ledger) as curator:
        found: list[float] = []
        end = time.perf_counter() + SECONDS
        while (started := time.perf_counter()) < end:
            curator.ask(f"SELECT COUNT(*) FROM people WHERE age BETWEEN {process} AND {process + 1 + len(found) % 900}")
            found.append(time.perf_counter() - started)
    times.put(found)


def _appended() -> tuple[float, float]:
    """An append, and a commit of the same size with the same durability, in turn on one disk."""
    with tempfile.TemporaryDirectory() as folder:
        journal, last = DatabaseJournal(Path(folder) / "ledger.sqlite", "people"), None
        plain = sqlite3.connect(Path(folder) / "plain.sqlite", isolation_level=None)
        plain.execute("PRAGMA synchronous = FULL")
        plain.execute("CREATE TABLE entries (body TEXT)")
        times = []
        for _ in range(ASKS):
            entry = Entry.after(last, "answer", "bench", {"released": [], "ask": "1" * 400})
            started = time.perf_counter()
            journal.append(entry)
            between = time.perf_counter()
            plain.execute("INSERT INTO entries VALUES (?)", ("1" * 600,))
            times.append((between - started, time.perf_counter() - between))
            last = entry
        journal.close()
        plain.close()
    ours, theirs = zip(*times, strict=True)
    return statistics.median(ours), statistics.median(theirs)


def _committing(folder: str, process: int, times: Any) -> None:
    """Commit two rows of the same size with the same durability for each question, and ask nothing."""
    with closing(sqlite3.connect(Path(folder) / "plain.sqlite", timeout=60, isolation_level=None)) as plain:
        plain.execute("PRAGMA synchronous = FULL")
        plain.execute("CREATE TABLE IF NOT EXISTS entries (body TEXT)")
        found: list[float] = []
        end = time.perf_counter() + SECONDS
        while (started := time.perf_counter()) < end:
            for _ in range(2):
                plain.execute("INSERT INTO entries VALUES (?)", ("1" * 600,))
            found.append(time.perf_counter() - started)
    times.put(found)


def _taking_turns(number: int, work: Callable[[str, int, Any], None] = _asking) -> tuple[float, list[int]]:
    with tempfile.TemporaryDirectory() as folder:
        table = pa.table({"age": [7 * k % 1000 for k in range(10_000)], "region": ["north", "south"] * 5000})
        pq.write_table(table, Path(folder) / "people.parquet")
        fork = get_context("fork")
        times = fork.Queue()
        processes = [fork.Process(target=work, args=(folder, k, times)) for k in range(number)]
        for process in processes:
            process.start()
        found = [times.get() for _ in processes]
        for process in processes:
            process.join()
    waits = sorted(wait for each in found for wait in each)
    return waits[len(waits) * 99 // 100], [len(each) for each in found]


class Long(NamedTuple):
    """Seconds for opening a long ledger, recalling and repeating a question, reading, parsing and finding entries."""

    opened: float
    recalled: float
    repeated: float
    read: float
    parsed: float
    found: float


def long_ledger(entries: int) -> Long:
    """Entries as a busy service would leave them: different questions, and their answers."""
    table = pa.table({"age": [1, 2, 3], "region": ["north", "south", "north"]})
    with tempfile.TemporaryDirectory() as folder:
        where: dict[str, Any] = {"store": Path(folder) / "codes.duckdb", "ledger": Path(folder) / "ledger.sqlite"}

        def opened() -> nl.Curator:
            return nl.Curator.open(table, SCHEMA, 9000, table="people", **where)

        with opened() as curator:
            curator.ask(_sql(0))
            _asked_often(curator, entries)
        opening = seconds(lambda: opened().close())
        with opened() as curator:
            places = range(1, entries // 2, entries // 40)
            recalled = statistics.median(seconds(lambda: curator.recall(k), repeat=1) for k in places)  # noqa: B023
            repeated = statistics.median(seconds(lambda: curator.ask(_sql(k)), repeat=1) for k in places)  # noqa: B023
        ledger = where["ledger"]
        read, parsed = seconds(lambda: _verified(ledger)), seconds(lambda: _parsed(ledger))
        found = seconds(lambda: _parsed(ledger, "dataset = 'people' AND number < 3"))
        return Long(opening, recalled, repeated, read, parsed, found)


def _sql(number: int) -> str:
    return f"SELECT COUNT(*) FROM people WHERE age BETWEEN {1 + number % 300} AND {301 + number // 300}"


def _asked_often(curator: nl.Curator, entries: int) -> None:
    """Append the entries that different questions would, in one transaction for each checkpoint."""
    account, last, rows = curator._account, curator.entries()[-1], list[Any]()
    journal, (_, ask, answer) = account._journal, [entry.body for entry in curator.entries()]
    for k in range(1, entries // 2):
        condition = ["within", "age", [[str(1 + k % 300), str(301 + k // 300)]]]
        family = {**ask["paid"][0]["release"], "condition": condition}
        asked = {"questions": [{**ask["questions"][0], "text": _sql(k)}], "factor": "1", "charged": []}
        asked["paid"] = [{**ask["paid"][0], "release": family}]
        answered = {"ask": str(2 * k + 1), "released": [{**answer["released"][0], "release": family}]}
        for kind, body in (("ask", asked), ("answer", answered)):
            last, checkpoint = account._next(account._state, kind, "bench", body)  # type: ignore[arg-type]
            account._state.fold(last)
            rows.append(("people", *last.write().values()))
            if checkpoint is not None:  # the next one continues it if it is there
                _append(journal, rows, [("people", *checkpoint)])
                rows = []
    _append(journal, rows, [])
    journal._place.announce("people", last)  # type: ignore[attr-defined]


def _append(journal: Any, rows: list[Any], checkpoints: list[Any]) -> None:
    journal._run(lambda connection: _many(connection, rows, checkpoints))


def _verified(ledger: Path) -> None:
    journal = DatabaseJournal(ledger, "people")
    entries = journal.since(0)
    assert all(entry.follows(last) for last, entry in pairwise(entries))
    journal.close()


def _parsed(ledger: Path, which: str = "true") -> None:
    with closing(sqlite3.connect(ledger)) as connection:
        found = connection.execute(f"SELECT * FROM noiseless_entries WHERE {which} ORDER BY number").fetchall()
        assert all(json.loads(row[5]) for row in found)


def _many(connection: Any, rows: list[Any], checkpoints: list[Any]) -> None:
    connection.execute("BEGIN")
    connection.executemany(INSERT, rows)
    connection.executemany(KEEP, checkpoints)
    connection.execute("COMMIT")


def _many_columns() -> float:
    names = [f"c{place}" for place in range(400)]
    table = pa.table({name: [float(k % 100) for k in range(1000)] for name in names})
    schema = nl.Schema({name: nl.Real(0, 100, step="0.5") for name in names})
    return seconds(lambda: nl.Curator.open(table, schema, 12).close())


def _kept(curator: nl.Curator, place: int) -> float:
    """The seconds that being accountable takes; the answer itself is computed in between, and not counted."""
    dataset, account = curator._dataset, curator._account
    question = understand(f"SELECT COUNT(*) FROM people WHERE age BETWEEN 5 AND {10 + place}", dataset, Wanted())
    started = time.perf_counter()
    entry = account.reserve(Purchase.of_questions([question]), "bench", None)
    reserved = time.perf_counter()
    found = execute(question.plan, question.lines, question.widths, dataset)
    computed = time.perf_counter()
    account.commit(entry, "bench", found)
    released = account.released(question.widths)
    promise = guarantee(question.widths, curator._asking.prices)
    certify_answer(dataset, question, question.rows(released), released, promise, entry, curator._asking.key)
    return reserved - started + time.perf_counter() - computed
