"""Entries in a SQLite file."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Any, TypeVar

from noiseless.curator.ledger.entry import Entry, Link
from noiseless.curator.ledger.head import Head
from noiseless.curator.ledger.place import CHECKPOINTS, ENTRIES, PATIENCE, unwritable_error
from noiseless.errors import LedgerError, SnapshotError

T = TypeVar("T")
PAUSE = 0.0005
"""Seconds between two attempts. They are the same for every process, so that none waits longer than others."""
SHORT = 0.00005
"""Seconds between two attempts of the process that is next."""
MISSING = -1


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
        for table in (ENTRIES, CHECKPOINTS):
            self.rows(connection, table)

    def in_turn(self, run: Callable[[], T]) -> T:
        """Lock a file beside the ledger. This is only for speed, so a file system without such locks will do.

        One of those who wait is next, and holds another lock on the same file. Only this one looks often, so a turn is
        taken up at once, by the first of them, and many who wait still cost little.
        """
        import fcntl

        opened = None
        try:
            with os.fdopen(self._opened(f"{self._path}.lock"), "rb") as opened:
                file = opened.fileno()
                self._wait(lambda: fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB), PAUSE)
                self._wait(lambda: fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB), SHORT)
                self._wait(lambda: fcntl.lockf(file, fcntl.LOCK_UN), PAUSE)
                return run()
        finally:
            if opened is not None:
                opened.close()

    def _wait(self, lock: Callable[[], None], pause: float) -> None:
        """Try until it succeeds, or fails for another reason than that others have the lock."""
        deadline = monotonic() + PATIENCE
        while True:
            try:
                return lock()
            except (BlockingIOError, PermissionError):
                if monotonic() > deadline:
                    raise self.unwritable_error() from None
            except OSError:
                return None
            sleep(pause)

    def check_new(self) -> None:
        """Refuse a head without its ledger, unless another process is just creating both."""
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
        """The entry that the head has and the ledger does not. None if there is none."""
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
        """The error for a file that cannot be used, or that others hold for too long."""
        return unwritable_error(self._path)

    def _opened(self, path: str) -> int:
        """Open the file. A missing file is created, readable by its owner only."""
        try:
            return os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except (OSError, ValueError):
            pass
        raise self.unwritable_error()


def _busy(failed: sqlite3.OperationalError) -> bool:
    return getattr(failed, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
