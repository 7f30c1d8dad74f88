"""Entries in a database: a SQLite file, or Postgres for several machines.

Every entry is durable when `exclusive` ends, and no two processes are ever inside it together: SQLite takes its write
lock at the beginning, Postgres locks the table.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import RLock
from typing import Any

from sqlalchemy import BigInteger, Column, Connection, MetaData, Table, Text, create_engine, event, insert, select, text
from sqlalchemy.engine import Engine, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlalchemy.pool import NullPool

from noiseless.curator.engines.quiet import quietly
from noiseless.curator.ledger.entry import Entry
from noiseless.errors import LedgerError

ENTRIES = Table(
    "noiseless_entries",
    MetaData(),
    Column("dataset", Text, primary_key=True),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("kind", Text, nullable=False),
    Column("time", Text, nullable=False),
    Column("analyst", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("previous", Text, nullable=False),
    Column("hash", Text, nullable=False),
)
ALONE = "noiseless_alone"
PATIENCE = 60
"""Seconds to wait for others to finish writing."""


class DatabaseJournal:
    """The entries of one dataset in a database, which may hold those of others too."""

    def __init__(self, where: str | Path, dataset: str) -> None:
        self._dataset = dataset
        self._shown = str(where) if "://" not in str(where) else str(where).split("@")[-1]
        self._engine = _engine(where)
        self._lock = RLock()
        self._connection: Connection = self._quietly(self._engine.connect)
        self._inside = False
        self._quietly(self._create)

    def _create(self) -> None:
        with self.exclusive():
            ENTRIES.create(self._connection, checkfirst=True)

    def _quietly(self, run: Any) -> Any:
        return quietly(
            run,
            lambda: LedgerError(
                f"the ledger {self._shown!r} cannot be read or written: check that it exists, that you may write to it "
                f"and to its folder, and that nobody has held it for more than {PATIENCE} seconds"
            ),
        )

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        """A transaction that nobody else can be in."""
        with self._lock:
            self._connection.info[ALONE] = True
            try:
                transaction = self._quietly(self._connection.begin)
            finally:
                self._connection.info[ALONE] = False
            self._inside = True
            try:
                yield
                self._quietly(transaction.commit)
            except BaseException:
                self._reconnect()
                raise
            finally:
                self._inside = False

    def _reconnect(self) -> None:
        """Whatever was open is given up: a new connection cannot hold a lock that nobody knows of."""
        with suppress(Exception):
            self._connection.invalidate()
            self._connection.close()
        self._connection = self._quietly(self._engine.connect)

    def since(self, number: int) -> list[Entry]:
        """All entries from a number on."""
        wanted = (
            select(ENTRIES)
            .where(ENTRIES.c.dataset == self._dataset, ENTRIES.c.number >= number)
            .order_by(ENTRIES.c.number)
        )

        def run() -> list[Entry]:
            with self._lock:
                found = [_entry(row) for row in self._connection.execute(wanted)]
                if not self._inside:
                    self._connection.rollback()  # reading opened a transaction of its own
                return found

        entries: list[Entry] = self._quietly(run)
        return entries

    def append(self, entry: Entry) -> None:
        """One more, within `exclusive`."""
        fields = {
            "dataset": self._dataset,
            "number": entry.number,
            "kind": entry.kind,
            "time": entry.time,
            "analyst": entry.analyst,
            "body": json.dumps(entry.body, ensure_ascii=False),
            "previous": entry.previous,
            "hash": entry.hash,
        }
        self._quietly(lambda: self._connection.execute(insert(ENTRIES), fields))

    def close(self) -> None:
        """Let go of the database."""
        self._connection.close()
        self._engine.dispose()


def _entry(row: Any) -> Entry:
    return Entry(row.number, row.kind, row.time, row.analyst, json.loads(row.body), row.previous, row.hash)


def _engine(where: str | Path) -> Engine:
    given = str(where)
    if "://" not in given:
        if not Path(given).parent.is_dir():
            raise LedgerError(f"ledger={given!r}: there is no folder {str(Path(given).parent)!r}; make it first")
        Path(given).touch(mode=0o600)
        given = f"sqlite:///{given}"
    for short in ("postgres://", "postgresql://"):
        if given.startswith(short):
            given = "postgresql+psycopg://" + given.removeprefix(short)
    try:
        engine = create_engine(make_url(given), poolclass=NullPool)
    except (ArgumentError, SQLAlchemyError, ImportError):
        engine = None
    if engine is None:
        raise LedgerError(
            "the ledger is a file, or a URL such as postgresql://user@host/database (pip install psycopg)"
        )
    event.listen(engine, "begin", _take_the_lock)
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _durable)
    return engine


def _durable(connection: Any, _: Any) -> None:
    """Every commit reaches the disk before it returns."""
    connection.isolation_level = None  # transactions are begun by us, not by the driver
    cursor = connection.cursor()
    for pragma in ("journal_mode = WAL", "synchronous = FULL", f"busy_timeout = {1000 * PATIENCE}"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _take_the_lock(connection: Connection) -> None:
    """Only for those who append: whoever reads waits for nobody."""
    alone = connection.info.get(ALONE, False)
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN IMMEDIATE" if alone else "BEGIN")
    elif alone and connection.dialect.has_table(connection, ENTRIES.name):
        connection.execute(text(f"LOCK TABLE {ENTRIES.name} IN EXCLUSIVE MODE"))
