"""Where entries are kept: in memory, or in a database that several processes share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import NamedTuple, Protocol, TypeVar

from noiseless.curator.ledger.entry import Entry

T = TypeVar("T")


class Checkpoint(NamedTuple):
    """The text of a checkpoint, and the number of the entry that carries its hash.

    The state is from before that entry.
    """

    number: int
    text: str

    @property
    def digest(self) -> str:
        """The hash that the entry carries."""
        return sha256(self.text.encode()).hexdigest()


class Journal(Protocol):
    """A list of entries that only grows, with checkpoints of what they say, if they outlive the process."""

    lasts: bool

    def in_turn(self, run: Callable[[], T]) -> T:
        """Run `run` and return its result while other writers wait their turn. This only affects speed."""

    def since(self, number: int) -> list[Entry]:
        """All entries from this number on."""

    def read(self, numbers: Iterable[int]) -> list[Entry]:
        """The entries with these numbers."""

    def checkpoint(self, number: int | None = None) -> Checkpoint | None:
        """The checkpoint with this number, or the last one. None if there is none."""

    def checkpoints(self) -> list[Checkpoint]:
        """All checkpoints, oldest first."""

    def append(self, entry: Entry, checkpoint: Checkpoint | None = None) -> bool:
        """Append an entry for ever, with the checkpoint whose hash it carries.

        False, with nothing stored, if it does not follow the last one.
        """

    def datasets(self) -> list[str]:
        """The names of all datasets in the same place."""

    def close(self) -> None:
        """Release its resources."""


class MemoryJournal:
    """Entries that last as long as the process."""

    lasts = False

    def __init__(self) -> None:
        self._entries: list[Entry] = []

    def in_turn(self, run: Callable[[], T]) -> T:
        """Run it at once: there are no other writers."""
        return run()

    def since(self, number: int) -> list[Entry]:
        """All entries from this number on."""
        return self._entries[number:]

    def read(self, numbers: Iterable[int]) -> list[Entry]:
        """The entries with these numbers."""
        return [self._entries[number] for number in numbers]

    def checkpoint(self, number: int | None = None) -> Checkpoint | None:
        """None: nobody will open them again."""

    def checkpoints(self) -> list[Checkpoint]:
        """None, for the same reason."""
        return []

    def append(self, entry: Entry, checkpoint: Checkpoint | None = None) -> bool:
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
