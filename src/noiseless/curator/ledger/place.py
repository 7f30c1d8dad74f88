"""Where a database keeps entries, and what differs between a SQLite file and a Postgres server."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Protocol, TypeVar
from urllib.parse import urlsplit

from noiseless.curator.ledger.entry import Entry, Link
from noiseless.curator.ledger.head import Head
from noiseless.errors import LedgerError, SnapshotError

T = TypeVar("T")
ENTRIES = """CREATE TABLE IF NOT EXISTS noiseless_entries (
dataset TEXT NOT NULL, number BIGINT NOT NULL, kind TEXT NOT NULL, time TEXT NOT NULL, analyst TEXT NOT NULL,
body TEXT NOT NULL, previous TEXT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (dataset, number))"""
HEADS = """CREATE TABLE IF NOT EXISTS noiseless_heads (
dataset TEXT NOT NULL, number BIGINT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (dataset))"""
"""In Postgres, the last entry of every dataset. For SQLite a file beside it serves instead."""
PATIENCE = 60
"""Seconds to wait for other processes to finish writing."""
PAUSE = 0.0005
"""Seconds between two attempts: the same for every process, so that none waits longer than others."""
MISSING = -1
SCHEMES = ("postgres", "postgresql", "postgresql+psycopg")


class Place(Protocol):
    """A database. Its connections commit every statement, except between `begin` and COMMIT."""

    tries: int
    """How often to try. A lost connection to a server is made again."""

    def connect(self) -> tuple[Any, int]:
        """A new connection, and the version it is connected to."""

    def version(self) -> int:
        """A number that changes when the database is replaced by another."""

    def rows(self, connection: Any, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """Run a statement, with a ? for each value."""

    def begin(self, connection: Any) -> None:
        """Begin a transaction, and keep others from appending until it ends."""

    def prepare(self, connection: Any) -> None:
        """Check the database, and create the tables it does not have."""

    def in_turn(self, run: Callable[[], T]) -> T:
        """Run `run` and return its result while other processes wait."""

    def check_new(self) -> None:
        """Refuse if there was a ledger here that is gone now."""

    def announce(self, dataset: str, entry: Entry) -> None:
        """Record, outside the database, that this entry comes next."""

    def move_head(self, connection: Any, dataset: str, entry: Entry) -> None:
        """Record, in the transaction that inserts it, that this entry is the last one."""

    def lost(self, connection: Any, dataset: str, last: Link | None) -> Entry | None:
        """The entry that was announced and not inserted. Refused if more were lost."""

    def tidy(self, connection: Any) -> None:
        """Remove what is only needed while a connection is open."""

    def unwritable_error(self) -> LedgerError:
        """The error for a database that cannot be used."""


class FilePlace:
    """A SQLite file. Its head is a file beside it, written first."""

    tries = 1

    def __init__(self, path: str) -> None:
        self._path = path
        self._head = Head(path)

    def connect(self) -> tuple[Any, int]:
        """A connection whose commits reach the disk before they return, with no log file that is merged later.

        The journal, from which SQLite undoes an interrupted commit, is kept and emptied instead of made for every
        commit. SQLite itself would wait longer and longer for others, up to 100 ms at a time. So `rows` waits instead.
        """
        os.close(self._opened(self._path))
        version = self.version()
        connection = sqlite3.connect(self._path, timeout=0, isolation_level=None, check_same_thread=False)
        self.rows(connection, "PRAGMA synchronous = FULL")
        with suppress(Exception):  # an earlier version has the file open in its own mode
            connection.execute("PRAGMA journal_mode = PERSIST")
        return connection, version

    def version(self) -> int:
        """The inode, which changes when the file is replaced."""
        try:
            return os.stat(self._path).st_ino
        except (OSError, ValueError):
            return MISSING

    def rows(self, connection: Any, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """Run a statement. While another process is writing, wait."""
        deadline = 0.0
        while True:
            try:
                found: list[tuple[Any, ...]] = connection.execute(statement, values).fetchall()
                return found
            except sqlite3.OperationalError as failed:
                if not _busy(failed):
                    raise
            deadline = deadline or monotonic() + PATIENCE
            if monotonic() > deadline:
                raise self.unwritable_error()
            sleep(PAUSE)

    def begin(self, connection: Any) -> None:
        """Let others read, but not write."""
        self.rows(connection, "BEGIN IMMEDIATE")

    def prepare(self, connection: Any) -> None:
        """Check that every page is whole."""
        if self.rows(connection, "PRAGMA quick_check(1)") != [("ok",)]:
            raise LedgerError(f"the ledger {self._path!r} was damaged; restore it from a backup")
        self.rows(connection, ENTRIES)

    def in_turn(self, run: Callable[[], T]) -> T:
        """Lock a file beside the ledger. This is only for speed, so a file system without such locks will do."""
        opened = None
        try:
            with os.fdopen(self._opened(f"{self._path}.lock"), "rb") as opened:
                self._wait(opened.fileno())
                return run()
        finally:
            if opened is not None:
                opened.close()

    def _wait(self, file: int) -> None:
        import fcntl

        deadline = monotonic() + PATIENCE
        while True:
            try:
                return fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if monotonic() > deadline:
                    raise self.unwritable_error() from None
            except OSError:
                return None
            sleep(PAUSE)

    def check_new(self) -> None:
        """A head without its ledger, unless another process is just beginning both, the ledger first."""
        if self.version() == MISSING:
            try:
                self._head.check_new()
            except SnapshotError:
                if self.version() == MISSING:
                    raise

    def announce(self, dataset: str, entry: Entry) -> None:
        """Write the head."""
        self._head.write(dataset, entry)

    def move_head(self, connection: Any, dataset: str, entry: Entry) -> None:
        """Nothing: the head was written first."""

    def lost(self, connection: Any, dataset: str, last: Link | None) -> Entry | None:
        """What the head has and the ledger does not."""
        return self._head.lost(dataset, last)

    def copy(self, to: Path) -> None:
        """Copy the file and its head, within a transaction.

        Through a second connection: SQLite cannot copy through the one that holds the lock.
        """
        os.close(os.open(to, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        with closing(sqlite3.connect(self._path)) as source, closing(sqlite3.connect(to)) as target:
            source.backup(target)
        self._head.copy(f"{to}.head")

    def tidy(self, connection: Any) -> None:
        """Remove the empty journal."""
        connection.execute("PRAGMA journal_mode = DELETE")

    def unwritable_error(self) -> LedgerError:
        """A file that cannot be used, or that others hold for too long."""
        return _unwritable_error(self._path)

    def _opened(self, path: str) -> int:
        """Open the file. A missing file is created, readable by its owner only."""
        try:
            return os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except (OSError, ValueError):
            pass
        raise self.unwritable_error()


class ServerPlace:
    """A Postgres database. Its head is a table, written in the same transaction."""

    tries = 2

    def __init__(self, url: str) -> None:
        import psycopg

        self._url = url
        self._connect = psycopg.connect
        psycopg.conninfo.conninfo_to_dict(url)

    def connect(self) -> tuple[Any, int]:
        """A new connection."""
        return self._connect(self._url, autocommit=True), 0

    def version(self) -> int:
        """A server is never replaced."""
        return 0

    def rows(self, connection: Any, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """Run a statement."""
        cursor = connection.execute(statement.replace("?", "%s"), values)
        return cursor.fetchall() if cursor.description else []

    def begin(self, connection: Any) -> None:
        """Lock the table, for which writers queue."""
        self.rows(connection, "BEGIN")
        self.rows(connection, "LOCK TABLE noiseless_entries IN EXCLUSIVE MODE")

    def prepare(self, connection: Any) -> None:
        """Create the tables."""
        for table in (ENTRIES, HEADS):
            self.rows(connection, table)

    def in_turn(self, run: Callable[[], T]) -> T:
        """Run it at once: the table lock keeps a queue."""
        return run()

    def check_new(self) -> None:
        """Nothing: entries and heads are in one database."""

    def announce(self, dataset: str, entry: Entry) -> None:
        """Nothing: the head is written in the transaction."""

    def move_head(self, connection: Any, dataset: str, entry: Entry) -> None:
        """Write the head."""
        self.rows(connection, "DELETE FROM noiseless_heads WHERE dataset = ?", dataset)
        self.rows(connection, "INSERT INTO noiseless_heads VALUES (?, ?, ?)", dataset, entry.number, entry.hash)

    def lost(self, connection: Any, dataset: str, last: Link | None) -> Entry | None:
        """Never an entry: one transaction writes both."""
        found = self.rows(connection, "SELECT number, hash FROM noiseless_heads WHERE dataset = ?", dataset)
        if found and (last is None or found[0] != (last.number, last.hash)):
            raise LedgerError(
                f"the ledger ends with entry {-1 if last is None else last.number} and its head with entry "
                f"{found[0][0]}: entries were lost; restore the database from a backup"
            )
        return None

    def tidy(self, connection: Any) -> None:
        """Nothing: a server keeps its own files."""

    def unwritable_error(self) -> LedgerError:
        """A server that cannot be reached, or refuses."""
        return _unwritable_error(shown(self._url))


def place_of(where: str | Path) -> Place:
    """The place that a path or a URL names."""
    given = str(where)
    if "://" not in given:
        if not Path(given).absolute().parent.is_dir():
            raise LedgerError(
                f"ledger={given!r}: the folder {str(Path(given).parent)!r} does not exist; create it first"
            )
        return FilePlace(given)
    scheme, _, rest = given.partition("://")
    if scheme in SCHEMES:
        with suppress(Exception):  # the driver's own message may quote a password
            return ServerPlace(f"postgresql://{rest}")
    raise LedgerError(
        "cannot open the ledger; give a file, or a URL such as postgresql://user@host/database (pip install psycopg)"
    )


def shown(url: str) -> str:
    """A URL without anything secret. Passwords can also be in its query part.

    >>> shown("postgresql://ann:secret@host:5432/db?password=secret")
    'postgresql://ann@host:5432/db'
    """
    parts = urlsplit(url)
    names, at, host = parts.netloc.rpartition("@")
    return f"{parts.scheme}://{names.partition(':')[0]}{at}{host}{parts.path}"


def _busy(failed: sqlite3.OperationalError) -> bool:
    return getattr(failed, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _unwritable_error(where: str) -> LedgerError:
    return LedgerError(
        f"the ledger {where!r} cannot be read or written: check that it exists, that you may write to it "
        f"and to its folder, and that nobody has held it for more than {PATIENCE} seconds"
    )
