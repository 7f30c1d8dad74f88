"""What the service itself keeps: tokens, quotas, idempotency keys and jobs, in one database beside the ledger.

A SQLite file beside the schema file, or the ledger's Postgres. Every change is a single statement, so processes and
machines that share it need no other locks.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import Any, Protocol

from noiseless.curator.engines.request import Request
from noiseless.errors import LedgerError

FILE = "noiseless.service.sqlite"
PATIENCE = 30
"""Seconds to wait for other processes that write."""
TABLES = (
    """CREATE TABLE IF NOT EXISTS noiseless_tokens (
id TEXT PRIMARY KEY, name TEXT NOT NULL, role TEXT NOT NULL, datasets TEXT NOT NULL, digest TEXT NOT NULL,
made TEXT NOT NULL, expires TEXT, revoked TEXT)""",
    """CREATE TABLE IF NOT EXISTS noiseless_quotas (
dataset TEXT NOT NULL, project TEXT NOT NULL, name TEXT NOT NULL, bits TEXT NOT NULL,
PRIMARY KEY (dataset, project, name))""",
    """CREATE TABLE IF NOT EXISTS noiseless_members (
dataset TEXT NOT NULL, name TEXT NOT NULL, project TEXT NOT NULL, PRIMARY KEY (dataset, name, project))""",
    """CREATE TABLE IF NOT EXISTS noiseless_once (
owner TEXT NOT NULL, dataset TEXT NOT NULL, key TEXT NOT NULL, digest TEXT NOT NULL, made TEXT NOT NULL,
status INTEGER, type TEXT, body TEXT, PRIMARY KEY (owner, dataset, key))""",
    """CREATE TABLE IF NOT EXISTS noiseless_jobs (
id TEXT PRIMARY KEY, dataset TEXT NOT NULL, owner TEXT NOT NULL, kind TEXT NOT NULL, wanted TEXT NOT NULL,
made TEXT NOT NULL, state TEXT NOT NULL, share REAL NOT NULL, seen TEXT NOT NULL, result TEXT)""",
    """CREATE TABLE IF NOT EXISTS noiseless_published (
id TEXT NOT NULL UNIQUE, dataset TEXT NOT NULL, entry INTEGER NOT NULL, place INTEGER NOT NULL,
custodian TEXT NOT NULL, asker TEXT NOT NULL, made TEXT NOT NULL, PRIMARY KEY (dataset, entry, place))""",
    "CREATE TABLE IF NOT EXISTS noiseless_declared (file TEXT PRIMARY KEY, made TEXT NOT NULL)",
    """CREATE TABLE IF NOT EXISTS noiseless_counts (
server TEXT NOT NULL, process TEXT NOT NULL, counts TEXT NOT NULL, PRIMARY KEY (server, process))""",
)


class State(Protocol):
    """A database of the service."""

    def rows(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """Run one statement, with a ? for each value. It is durable when this returns."""

    def close(self) -> None:
        """Close it."""


def place_of(file: str | Path) -> str:
    """Where the state of the service of a schema file is kept: with its ledger if that is in Postgres."""
    ledger = str(Request(file).declared().ledger)
    return ledger if "://" in ledger else str(Path(file).absolute().parent / FILE)


def states_of(files: Sequence[str | Path]) -> list[tuple[State, list[str]]]:
    """The states of some schema files, each with the names of its datasets."""
    found: dict[str, list[str]] = {}
    for file in files:
        found.setdefault(place_of(file), []).append(Request(file).declared().name)
    return [(open_state(place), names) for place, names in found.items()]


def open_state(place: str) -> State:
    """The state at a place."""
    if "://" in place:
        return ServerState(place)
    return FileState(place)


class FileState:
    """A SQLite file, readable by its owner only."""

    def __init__(self, path: str) -> None:
        self._path, self._lock = path, Lock()
        try:
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
            self._connection = sqlite3.connect(path, PATIENCE, isolation_level=None, check_same_thread=False)
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = FULL")
            for table in TABLES:
                self._connection.execute(table)
        except (OSError, ValueError, sqlite3.Error):
            raise self._error() from None

    def rows(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """Run one statement."""
        try:
            with self._lock:
                return self._connection.execute(statement, values).fetchall()
        except sqlite3.Error:
            raise self._error() from None

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    def _error(self) -> LedgerError:
        return LedgerError(
            f"the state of the service, {self._path!r}, cannot be read or written; check that you may write to it and "
            f"to its folder"
        )


class ServerState:
    """The Postgres database of the ledger."""

    def __init__(self, url: str) -> None:
        self._url, self._lock = f"postgresql://{url.partition('://')[2]}", Lock()
        self._connection: Any = None
        for table in TABLES:
            self.rows(table)

    def rows(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """Run one statement. A lost connection is made again."""
        import psycopg

        with self._lock:
            for attempt in range(2):
                try:
                    if self._connection is None:
                        self._connection = psycopg.connect(self._url, autocommit=True, connect_timeout=PATIENCE)
                    cursor = self._connection.execute(statement.replace("?", "%s"), values)
                    return cursor.fetchall() if cursor.description else []
                except psycopg.Error as failed:  # its own message may quote a password
                    self._drop()
                    if attempt or not isinstance(failed, psycopg.OperationalError):
                        break
        raise LedgerError("the state of the service cannot be read or written; check that the ledger's Postgres runs")

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def close(self) -> None:
        """Close the connection."""
        with self._lock:
            self._drop()
