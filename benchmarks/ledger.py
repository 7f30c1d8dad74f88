"""The ledger on SQLite with full durability, and how many questions a second a small table answers."""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path

import pyarrow as pa

import noiseless as nl
from benchmarks.measure import Row, shown
from noiseless.curator.certificate.issue import certify_answer
from noiseless.curator.certificate.keys import PrivateKey
from noiseless.curator.execute import execute
from noiseless.curator.promise import guarantee
from noiseless.curator.question import understand

ASKS = 300
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
    return [
        Row("reserve, commit and certificate on SQLite, median", shown(kept), "", "", "< 10 ms"),
        Row("new questions answered on 10,000 rows", f"{new:.0f} a second", "", "", "≥ 100 a second"),
        Row("repeated questions answered", f"{again:.0f} a second", "", "", ""),
    ]


def _kept(curator: nl.Curator, place: int) -> float:
    """The seconds that being accountable takes; the answer itself is computed in between, and not counted."""
    dataset, account = curator._dataset, curator._account
    question = understand(f"SELECT COUNT(*) FROM people WHERE age BETWEEN 5 AND {10 + place}", dataset, None, None)
    started = time.perf_counter()
    entry = account.reserve([question], "bench", None)
    reserved = time.perf_counter()
    found = execute(question.plan, question.lines, question.widths, dataset)
    computed = time.perf_counter()
    account.commit(entry, "bench", found)
    released = account.released(question.widths)
    promise = guarantee(question.widths, curator._prices)
    certify_answer(dataset, question, question.rows(released), released, promise, entry, curator._key)
    return reserved - started + time.perf_counter() - computed
