"""Entries in a database: a SQLite file, or Postgres for several machines.

An entry is appended in one transaction, which first checks that it is the next one. It is durable when the transaction
ends. So two processes can never append after the same entry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any, TypeVar

from noiseless.curator.ledger.collecting import not_collecting
from noiseless.curator.ledger.entry import FIELDS, Entry, Link, damaged_error
from noiseless.curator.ledger.file_place import FilePlace
from noiseless.curator.ledger.journal import Checkpoint
from noiseless.curator.ledger.place import Place
from noiseless.curator.ledger.server_place import ServerPlace
from noiseless.curator.ledger.turn import Turn
from noiseless.errors import LedgerError, NoiselessError

T = TypeVar("T")
SINCE = f"SELECT {', '.join(FIELDS)} FROM noiseless_entries WHERE dataset = ? AND number >= ? ORDER BY number"
ONE = f"SELECT {', '.join(FIELDS)} FROM noiseless_entries WHERE dataset = ? AND number = ?"
CHECKPOINT = "SELECT number, text FROM noiseless_checkpoints WHERE dataset = ? AND number = ?"
ALL_CHECKPOINTS = "SELECT number, text FROM noiseless_checkpoints WHERE dataset = ? ORDER BY number"
LAST_CHECKPOINT = "SELECT number, text FROM noiseless_checkpoints WHERE dataset = ? ORDER BY number DESC LIMIT 1"
KEEP = "INSERT INTO noiseless_checkpoints (dataset, number, text) VALUES (?, ?, ?)"
LAST = "SELECT number, hash, previous FROM noiseless_entries WHERE dataset = ? ORDER BY number DESC LIMIT 1"
DATASETS = "SELECT dataset FROM noiseless_entries WHERE number = 0 ORDER BY dataset"
SCHEMES = ("postgres", "postgresql", "postgresql+psycopg")
INSERT = f"INSERT INTO noiseless_entries (dataset, {', '.join(FIELDS)}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"


class DatabaseJournal:
    """The entries of one dataset in a database, which may also hold those of other datasets."""

    lasts = True

    def __init__(self, where: str | Path, dataset: str) -> None:
        self._dataset = dataset
        self._place: Place = place_of(where)
        self._turn = Turn()
        self._connection: Any = None
        self._version = 0
        self._place.check_new()
        self._run(self._begin_with)

    def _begin_with(self, connection: Any) -> None:
        """Create the tables, and finish what an interrupted process left undone."""
        self._place.prepare(connection)
        self._alone(connection)
        self._settle(connection)
        self._commit(connection)

    def in_turn(self, run: Callable[[], T]) -> T:
        """Make processes that share a file take turns. In Postgres the table lock already keeps a queue."""
        return self._place.in_turn(run)

    def since(self, number: int) -> list[Entry]:
        """All entries from this number on."""
        with not_collecting() if number == 0 else nullcontext():
            rows = self._run(lambda connection: self._place.rows(connection, SINCE, self._dataset, number))
            return [_entry(row) for row in rows]

    def datasets(self) -> list[str]:
        """The names of all datasets that have entries here."""
        return [str(name) for (name,) in self._run(lambda connection: self._place.rows(connection, DATASETS))]

    def read(self, numbers: Iterable[int]) -> list[Entry]:
        """The entries with these numbers."""
        wanted = list(numbers)

        def found(connection: Any) -> list[tuple[Any, ...]]:
            return [row for each in wanted for row in self._place.rows(connection, ONE, self._dataset, each)]

        return [_entry(row) for row in self._run(found)]

    def checkpoint(self, number: int | None = None) -> Checkpoint | None:
        """The checkpoint with this number, or the last one. None if there is none."""
        which = (LAST_CHECKPOINT, self._dataset) if number is None else (CHECKPOINT, self._dataset, number)
        rows = self._run(lambda connection: self._place.rows(connection, *which))
        return Checkpoint(*rows[0]) if rows else None

    def checkpoints(self) -> list[Checkpoint]:
        """All checkpoints."""
        rows = self._run(lambda connection: self._place.rows(connection, ALL_CHECKPOINTS, self._dataset))
        return [Checkpoint(*row) for row in rows]

    def append(self, entry: Entry, checkpoint: Checkpoint | None = None) -> bool:
        """Append an entry, and the checkpoint whose hash it carries. False if another process was faster."""
        return self._run(lambda connection: self._append(connection, entry, checkpoint))

    def _append(self, connection: Any, entry: Entry, checkpoint: Checkpoint | None) -> bool:
        self._alone(connection)
        last = self._settle(connection)
        stored = last is not None and last.hash == entry.hash  # it was appended, and only the confirmation was lost
        follows = not stored and entry.follows(last)
        if follows:
            self._place.announce(self._dataset, entry)
            self._insert(connection, entry)
            if checkpoint is not None:
                self._place.rows(connection, KEEP, self._dataset, checkpoint.number, checkpoint.text)
        self._commit(connection)
        return stored or follows

    def _insert(self, connection: Any, entry: Entry) -> None:
        fields = entry.write()
        self._place.rows(connection, INSERT, self._dataset, *(fields[name] for name in FIELDS))
        self._place.move_head(connection, self._dataset, entry)

    def _settle(self, connection: Any) -> Link | None:
        """The last entry, after completing what an interrupted process began. Refused if entries were lost."""
        last = self._last(connection)
        lost = self._place.lost(connection, self._dataset, last)
        if lost is None:
            return last
        self._insert(connection, lost)
        self._commit(connection)  # so that the ledger is never behind a head that is being written
        self._alone(connection)
        return self._settle(connection)

    def _last(self, connection: Any) -> Link | None:
        found = self._place.rows(connection, LAST, self._dataset)
        return Link(*found[0]) if found else None

    def _alone(self, connection: Any) -> None:
        """Begin a transaction, and keep others from appending until it ends."""
        self._place.begin(connection)

    def _commit(self, connection: Any) -> None:
        self._place.rows(connection, "COMMIT")

    def _run(self, work: Callable[[Any], T]) -> T:
        """Run `work` and return its result. If the server was away, try once more."""
        return self._turn.take(lambda: self._tried(work))

    def _tried(self, work: Callable[[Any], T]) -> T:
        for _ in range(self._place.tries):
            done = False
            try:
                found = work(self._connected())
                done = True
                return found
            except NoiselessError:
                raise
            except Exception:  # the database's own message may quote a password
                pass
            finally:
                if not done:
                    self._drop()
        raise self._place.unwritable_error()

    def _connected(self) -> Any:
        """The connection. A new one if the file was replaced."""
        if self._connection is not None and self._place.version() != self._version:
            self._drop()
        if self._connection is None:
            self._connection, self._version = self._place.connect()
        return self._connection

    def _drop(self) -> None:
        """Drop the open connection, so that no forgotten connection holds a lock."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(Exception):
                connection.close()

    def copy(self, to: Path) -> None:
        """Copy the whole file, with all its datasets, and its head, as of one moment. Only for files."""
        place = self._place
        assert isinstance(place, FilePlace)

        def copied(connection: Any) -> None:
            self._alone(connection)  # now no other process writes the head either
            place.copy(to)
            self._commit(connection)

        self.in_turn(lambda: self._run(copied))

    def close(self) -> None:
        """Close the database."""
        self._turn.take(self._close)

    def _close(self) -> None:
        if self._connection is not None:
            with suppress(Exception):
                self._place.tidy(self._connection)
        self._drop()


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


def _entry(row: tuple[Any, ...]) -> Entry:
    try:
        return Entry.stored(*row)
    except (ValueError, RecursionError):
        pass
    raise damaged_error(row[0])
