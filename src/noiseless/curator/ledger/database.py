"""Entries in a database: a SQLite file, or Postgres for several machines.

An entry is appended in one transaction, which first checks that it is the next one. It is durable when the transaction
ends. So two processes can never append after the same entry.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Any, TypeVar

from sqlalchemy import (
    URL,
    BigInteger,
    Column,
    Connection,
    MetaData,
    Table,
    Text,
    create_engine,
    delete,
    event,
    insert,
    select,
    text,
)
from sqlalchemy.engine import Engine, make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

from noiseless.curator.ledger.entry import Entry, damaged_error
from noiseless.curator.ledger.head import Head
from noiseless.curator.ledger.turn import Turn
from noiseless.errors import LedgerError, NoiselessError

T = TypeVar("T")
KEPT = MetaData()
ENTRIES = Table(
    "noiseless_entries",
    KEPT,
    Column("dataset", Text, primary_key=True),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("kind", Text, nullable=False),
    Column("time", Text, nullable=False),
    Column("analyst", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("previous", Text, nullable=False),
    Column("hash", Text, nullable=False),
)
HEADS = Table(
    "noiseless_heads",
    KEPT,
    Column("dataset", Text, primary_key=True),
    Column("number", BigInteger, nullable=False),
    Column("hash", Text, nullable=False),
)
"""In Postgres, the last entry of every dataset. For SQLite a file beside it serves instead."""
PATIENCE = 60
"""Seconds to wait for other processes to finish writing."""
MISSING = -1
PAUSE = 0.002
"""Seconds between attempts to get a turn: the same for every process, so that none waits longer than others."""


class DatabaseJournal:
    """The entries of one dataset in a database, which may also hold those of other datasets."""

    def __init__(self, where: str | Path, dataset: str) -> None:
        self._dataset = dataset
        self._file = None if "://" in str(where) else str(where)
        self._engine = _engine(where)
        self._shown = self._file or shown(self._engine.url)
        self._head = None if self._file is None else Head(self._file)
        self._turn = Turn()
        self._connection: Connection | None = None
        self._inode = 0
        if self._head is not None and _inode(self._file or "") == MISSING:
            self._head.check_new()
        self._run(self._begin_with)

    def _begin_with(self, connection: Connection) -> None:
        """Create the tables, and finish what an interrupted process left undone."""
        if self._file is not None and connection.execute(text("PRAGMA quick_check(1)")).scalar() != "ok":
            raise LedgerError(f"the ledger {self._shown!r} was damaged; restore it from a backup")
        KEPT.create_all(connection, tables=[ENTRIES] if self._file is not None else None)
        connection.commit()
        self._alone(connection)
        self._settle(connection)

    def in_turn(self, run: Callable[[], T]) -> T:
        """Make processes that share a file take turns. In Postgres the table lock already keeps a queue."""
        if self._file is None:
            return run()
        opened = None
        try:
            with os.fdopen(_opened(f"{self._file}.lock", self._unwritable_error), "rb") as opened:
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
                    raise self._unwritable_error() from None
            except OSError:  # a file system without such locks, which only make it faster
                return None
            sleep(PAUSE)

    def since(self, number: int) -> list[Entry]:
        """All entries from this number on."""
        wanted = (
            select(ENTRIES)
            .where(ENTRIES.c.dataset == self._dataset, ENTRIES.c.number >= number)
            .order_by(ENTRIES.c.number)
        )
        return self._run(lambda connection: [_entry(row) for row in connection.execute(wanted)])

    def datasets(self) -> list[str]:
        """The names of all datasets that have entries here."""
        wanted = select(ENTRIES.c.dataset).where(ENTRIES.c.number == 0).order_by(ENTRIES.c.dataset)
        return self._run(lambda connection: [str(name) for (name,) in connection.execute(wanted)])

    def append(self, entry: Entry) -> bool:
        """Append an entry. False if another process was faster."""
        return self._run(lambda connection: self._append(connection, entry))

    def _append(self, connection: Connection, entry: Entry) -> bool:
        self._alone(connection)
        last = self._settle(connection)
        if last is not None and last.hash == entry.hash:
            return True  # it was stored, and only the confirmation was lost
        if not entry.follows(last):
            return False
        if self._head is not None:
            self._head.write(self._dataset, entry)
        self._insert(connection, entry)
        return True

    def _insert(self, connection: Connection, entry: Entry) -> None:
        connection.execute(insert(ENTRIES), {"dataset": self._dataset, **entry.write()})
        if self._head is None:
            connection.execute(delete(HEADS).where(HEADS.c.dataset == self._dataset))
            connection.execute(insert(HEADS), {"dataset": self._dataset, "number": entry.number, "hash": entry.hash})

    def _settle(self, connection: Connection) -> Entry | None:
        """The last entry, after finishing what an interrupted process had begun. Refused if entries were lost."""
        last = self._last(connection)
        if self._head is None:
            head = connection.execute(select(HEADS).where(HEADS.c.dataset == self._dataset)).first()
            if head is not None and (last is None or (head.number, head.hash) != (last.number, last.hash)):
                raise LedgerError(
                    f"the ledger ends with entry {-1 if last is None else last.number} and its head with entry "
                    f"{head.number}: entries were lost; restore the database from a backup"
                )
            return last
        lost = self._head.lost(self._dataset, last)
        if lost is not None:
            self._insert(connection, lost)
        return lost or last

    def _last(self, connection: Connection) -> Entry | None:
        wanted = select(ENTRIES).where(ENTRIES.c.dataset == self._dataset).order_by(ENTRIES.c.number.desc()).limit(1)
        row = connection.execute(wanted).first()
        return None if row is None else _entry(row)

    def _alone(self, connection: Connection) -> None:
        """Keep others from appending until the transaction ends."""
        if self._file is not None:
            connection.execute(text("BEGIN IMMEDIATE"))
        else:
            connection.execute(text(f"LOCK TABLE {ENTRIES.name} IN EXCLUSIVE MODE"))

    def _run(self, work: Callable[[Connection], T]) -> T:
        """Run `work` in a transaction and return its result. If the server was away, try once more."""
        return self._turn.take(lambda: self._tried(work, 2 if self._file is None else 1))

    def _tried(self, work: Callable[[Connection], T], tries: int) -> T:
        for _ in range(tries):
            done = False
            try:
                connection = self._connected()
                found = work(connection)
                connection.commit()
                done = True
                return found
            except NoiselessError:
                raise
            except Exception:  # the database's own message may quote a password
                pass
            finally:
                if not done:
                    self._drop()
        raise self._unwritable_error()

    def _connected(self) -> Connection:
        """The connection. A new one if the file was replaced."""
        inode = 0 if self._file is None else _inode(self._file)
        if self._connection is not None and inode != self._inode:
            self._drop()
        if self._connection is None:
            if self._file is not None:
                os.close(_opened(self._file, self._unwritable_error))
                inode = _inode(self._file)
            self._connection, self._inode = self._engine.connect(), inode
        return self._connection

    def _drop(self) -> None:
        """Drop the open connection, so that no forgotten connection holds a lock."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(Exception):
                connection.invalidate()
            with suppress(Exception):
                connection.close()

    def _unwritable_error(self) -> LedgerError:
        return LedgerError(
            f"the ledger {self._shown!r} cannot be read or written: check that it exists, that you may write to it "
            f"and to its folder, and that nobody has held it for more than {PATIENCE} seconds"
        )

    def copy(self, to: Path) -> None:
        """Copy the whole file, with all its datasets, and its head, as of one moment. Only for files."""
        head = self._head
        assert head is not None

        def copied(connection: Connection) -> None:
            self._alone(connection)  # now no other process writes the head either
            os.close(os.open(to, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            # through a second connection: SQLite cannot copy through the one that holds the lock
            with closing(sqlite3.connect(str(self._file))) as source, closing(sqlite3.connect(to)) as target:
                source.backup(target)
            head.copy(f"{to}.head")

        self.in_turn(lambda: self._run(copied))

    def close(self) -> None:
        """Close the database."""
        self._turn.take(self._drop)
        self._engine.dispose()


def shown(url: URL) -> str:
    """A URL without anything secret. Passwords can also be in its query part."""
    return url.set(password=None, query={}).render_as_string()


def _entry(row: Any) -> Entry:
    try:
        return Entry.read(row._mapping)
    except (ValueError, RecursionError):
        pass
    raise damaged_error(row.number)


def _inode(path: str) -> int:
    try:
        return os.stat(path).st_ino
    except (OSError, ValueError):
        return MISSING


def _opened(path: str, otherwise: Callable[[], LedgerError]) -> int:
    """Open the file. A missing file is created, readable by its owner only."""
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except (OSError, ValueError):
        pass
    raise otherwise()


def _engine(where: str | Path) -> Engine:
    given = str(where)
    if "://" not in given:
        if not Path(given).absolute().parent.is_dir():
            raise LedgerError(
                f"ledger={given!r}: the folder {str(Path(given).parent)!r} does not exist; create it first"
            )
        engine = create_engine(URL.create("sqlite", database=given), poolclass=NullPool)
        event.listen(engine, "connect", _durable)
        return engine
    for short in ("postgres://", "postgresql://"):
        if given.startswith(short):
            given = "postgresql+psycopg://" + given.removeprefix(short)
    with suppress(SQLAlchemyError, ImportError, ValueError):
        url = make_url(given)
        if url.get_backend_name() == "postgresql":
            return create_engine(url, poolclass=NullPool)
    raise LedgerError(
        "cannot open the ledger; give a file, or a URL such as postgresql://user@host/database (pip install psycopg)"
    )


def _durable(connection: Any, _: Any) -> None:
    """Make every commit reach the disk before it returns, with no separate log file that is merged later."""
    connection.isolation_level = None  # this module begins transactions, not the driver
    cursor = connection.cursor()
    for pragma in (f"busy_timeout = {1000 * PATIENCE}", "synchronous = FULL"):
        cursor.execute(f"PRAGMA {pragma}")
    with suppress(Exception):  # an earlier version has the file open in its own mode
        cursor.execute("PRAGMA journal_mode = DELETE")
    cursor.close()
