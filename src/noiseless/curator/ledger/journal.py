"""Where entries are kept: in the memory, or in a database that several processes share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from noiseless.curator.ledger.entry import Entry

T = TypeVar("T")


class Journal(Protocol):
    """A list of entries that only grows."""

    def in_turn(self, run: Callable[[], T]) -> T:
        """What `run` returns; others that append wait meanwhile, each for its turn. Nothing rests on it but speed."""

    def since(self, number: int) -> list[Entry]:
        """All entries from a number on."""

    def append(self, entry: Entry) -> bool:
        """One more, kept for ever when this returns; False, and nothing kept, if it does not follow the last one."""

    def datasets(self) -> list[str]:
        """The names of all datasets that have entries where this one's are."""

    def close(self) -> None:
        """Let go of it."""


class MemoryJournal:
    """Entries that go with the process."""

    def __init__(self) -> None:
        self._entries: list[Entry] = []

    def in_turn(self, run: Callable[[], T]) -> T:
        """There are no others."""
        return run()

    def since(self, number: int) -> list[Entry]:
        """All entries from a number on."""
        return self._entries[number:]

    def append(self, entry: Entry) -> bool:
        """One more."""
        if entry.number != len(self._entries):
            return False
        self._entries.append(entry)
        return True

    def datasets(self) -> list[str]:
        """One of one."""
        return []

    def close(self) -> None:
        """Nothing to let go of."""
