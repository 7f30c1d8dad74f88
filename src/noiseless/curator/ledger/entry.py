"""One line of the ledger. Every entry carries the hash of the one before, so that none can be changed or left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Literal

from noiseless.curator.releases.written import canonical
from noiseless.errors import LedgerError

Kind = Literal["open", "ask", "answer", "release"]
"""A dataset was opened; a question was charged; what was paid for was computed; a copy of the table was charged."""
CHARGED = ("ask", "release")
"""The kinds that cost."""
START = "0" * 64


@dataclass(frozen=True, slots=True)
class Entry:
    """Who did what, when. `body` holds texts, lists and mappings only; integers are written as text."""

    number: int
    kind: Kind
    time: str
    analyst: str
    body: Mapping[str, Any]
    previous: str
    hash: str

    @classmethod
    def after(cls, last: Entry | None, kind: Kind, analyst: str, body: Mapping[str, Any]) -> Entry:
        """The next entry, now."""
        number, previous = (0, START) if last is None else (last.number + 1, last.hash)
        time = datetime.now(UTC).isoformat(timespec="seconds")
        return cls(number, kind, time, analyst, body, previous, _hash(number, kind, time, analyst, body, previous))

    def follows(self, last: Entry | None) -> bool:
        """Whether this is the next entry, unchanged since it was written."""
        expected = (0, START) if last is None else (last.number + 1, last.hash)
        own = _hash(self.number, self.kind, self.time, self.analyst, self.body, self.previous)
        return (self.number, self.previous) == expected and self.hash == own


def damaged(number: int) -> LedgerError:
    """The error for an entry that cannot be right."""
    return LedgerError(f"entry {number} of the ledger is not what was written; restore the ledger from a backup")


def _hash(*parts: Any) -> str:
    return sha256(canonical(parts).encode()).hexdigest()
