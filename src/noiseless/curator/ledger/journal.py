"""Where entries are kept: in memory, or in a database that several processes share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from noiseless.curator.ledger.entry import Entry

T = TypeVar("T")


class Journal(Protocol):
    """A list of entries that only grows."""

    def in_turn(self, run: Callable[[], T]) -> T:
        """Run `run` and return its result while other writers wait their turn. This only affects speed."""

    def since(self, number: int) -> list[Entry]:
        """All entries from this number on."""

    def append(self, entry: Entry) -> bool:
        """Append an entry for ever. False, with nothing stored, if it does not follow the last one."""

    def datasets(self) -> list[str]:
        """The names of all datasets in the same place."""

    def close(self) -> None:
        """Release its resources."""


class MemoryJournal:
    """Entries that last as long as the process."""

    def __init__(self) -> None:
        self._entries: list[Entry] = []

    def in_turn(self, run: Callable[[], T]) -> T:
        """Run it at once: there are no other writers."""
        return run()

    def since(self, number: int) -> list[Entry]:
        """All entries from this number on."""
        return self._entries[number:]

    def append(self, entry: Entry) -> bool:
        """Append an entry."""
        if entry.number != len(self._entries):
            return False
        self._entries.append(entry)
        return True

    def datasets(self) -> list[str]:
        """Only this dataset."""
        return []

    def close(self) -> None:
        """Do nothing: there is nothing to close."""
