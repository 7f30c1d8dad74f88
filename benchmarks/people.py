"""Synthetic people in any number, written by DuckDB without ever being in the memory as a whole."""

from __future__ import annotations

from pathlib import Path

import duckdb

import noiseless as nl
from noiseless.curator.dataset.dataset import Dataset
from noiseless.curator.engines.kept import Kept
from noiseless.curator.ledger.account import Account
from noiseless.curator.ledger.database import DatabaseJournal
from noiseless.curator.ledger.journal import MemoryJournal
from noiseless.curator.question.price import Prices
from noiseless.curator.sql.shapes import SHAPES

KEYS = tuple(f"r{number}" for number in range(10))
SCHEMA = nl.Schema(
    height=nl.Real(100, 250, step="0.1"), age=nl.Integer(0, 120), smoker=nl.Boolean(), region=nl.Public(*KEYS)
)
QUESTION = "SELECT region, AVG(height) FROM people GROUP BY region"
PEOPLE = """
SELECT i AS person, 100 + 50 * (hash(6 * i) / 2e19 + hash(6 * i + 1) / 2e19 + hash(6 * i + 2) / 2e19) AS height,
       (hash(6 * i + 3) % 121)::TINYINT AS age, hash(6 * i + 4) % 5 = 0 AS smoker, 'r' || hash(6 * i + 5) % 10 AS region
FROM range({rows}) t(i)
"""


def write(path: Path, rows: int) -> dict[str, float]:
    """A parquet file of so many people, the same ones each time; tells the true mean of every region."""
    with duckdb.connect() as connection:
        connection.execute("SET preserve_insertion_order = false")
        connection.execute(f"COPY ({PEOPLE.format(rows=rows)}) TO '{path}' (FORMAT parquet)")
        return dict(connection.execute(f"SELECT region, AVG(height) FROM '{path}' GROUP BY region").fetchall())


def fresh(curator: nl.Curator, ledger: Path | None = None, kept: Kept | None = None) -> nl.Curator:
    """The same table with nothing asked yet and nothing remembered: what was asked before is no measure of anything."""
    dataset = curator._dataset
    forget(dataset, kept)
    journal = MemoryJournal() if ledger is None else DatabaseJournal(ledger, "people")
    account = Account(journal, Prices(dataset))
    account.open(2**100, {"id": "", "name": "people"})
    return nl.Curator(dataset, account)


def forget(dataset: Dataset, kept: Kept | None = None) -> None:
    """Forget what questions meant and which sums the engine gave, except those `kept`."""
    SHAPES.known.clear()
    dataset.understood.clear()
    dataset.concluded.clear()
    dataset.engine.kept = Kept() if kept is None else kept
