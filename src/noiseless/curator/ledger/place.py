"""Where a database keeps entries: what differs between a SQLite file and a Postgres server."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from noiseless.curator.ledger.entry import Entry, Link
from noiseless.errors import LedgerError

T = TypeVar("T")
ENTRIES = """CREATE TABLE IF NOT EXISTS noiseless_entries (
dataset TEXT NOT NULL, number BIGINT NOT NULL, kind TEXT NOT NULL, time TEXT NOT NULL, analyst TEXT NOT NULL,
body TEXT NOT NULL, previous TEXT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (dataset, number))"""
CHECKPOINTS = """CREATE TABLE IF NOT EXISTS noiseless_checkpoints (
dataset TEXT NOT NULL, number BIGINT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (dataset, number))"""
PATIENCE = 60
"""Seconds to wait for other processes to finish writing."""


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


def unwritable_error(where: str) -> LedgerError:
    """The error for a database that cannot be used."""
    return LedgerError(
        f"the ledger {where!r} cannot be read or written: check that it exists, that you may write to it "
        f"and to its folder, and that nobody has held it for more than {PATIENCE} seconds"
    )
