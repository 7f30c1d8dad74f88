"""Entries in a Postgres database, for several machines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import urlsplit

from noiseless.curator.ledger.entry import Entry, Link
from noiseless.curator.ledger.place import CHECKPOINTS, ENTRIES, unwritable_error
from noiseless.errors import LedgerError

T = TypeVar("T")
HEADS = """CREATE TABLE IF NOT EXISTS noiseless_heads (
dataset TEXT NOT NULL, number BIGINT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (dataset))"""
"""The last entry of every dataset."""


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
        for table in (ENTRIES, HEADS, CHECKPOINTS):
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
        return unwritable_error(shown(self._url))


def shown(url: str) -> str:
    """A URL without anything secret. Passwords can also be in its query part.

    >>> shown("postgresql://ann:secret@host:5432/db?password=secret")
    'postgresql://ann@host:5432/db'
    """
    parts = urlsplit(url)
    names, at, host = parts.netloc.rpartition("@")
    return f"{parts.scheme}://{names.partition(':')[0]}{at}{host}{parts.path}"
