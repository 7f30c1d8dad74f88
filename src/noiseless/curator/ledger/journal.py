"""Where entries are kept: in the memory, or in a database that several processes share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from threading import RLock
from typing import Protocol

from noiseless.curator.ledger.entry import Entry


class Journal(Protocol):
    """A list of entries that only grows."""

    def exclusive(self) -> AbstractContextManager[None]:
        """A context within which nobody else can append; what is appended is kept when it ends, or nothing of it."""

    def since(self, number: int) -> list[Entry]:
        """All entries from a number on."""

    def append(self, entry: Entry) -> None:
        """One more, within `exclusive`."""

    def close(self) -> None:
        """Let go of it."""


class MemoryJournal:
    """Entries that go with the process."""

    def __init__(self) -> None:
        self._entries: list[Entry] = []
        self._lock = RLock()

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        """One thread at a time."""
        with self._lock:
            yield

    def since(self, number: int) -> list[Entry]:
        """All entries from a number on."""
        return self._entries[number:]

    def append(self, entry: Entry) -> None:
        """One more."""
        self._entries.append(entry)

    def close(self) -> None:
        """Nothing to let go of."""
