"""The last entry of every dataset, kept in a file beside a SQLite ledger and written before the ledger.

A database that lost entries, through a damaged disk or a careless copy, would give budget back. So it must end where
the head says, or one entry earlier. In that case the process died in between, and the entry is added now. Anything else
is damage.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from noiseless.curator.dataset.snapshot import changed_error
from noiseless.curator.ledger.entry import Entry, Link, damaged_error
from noiseless.errors import LedgerError

FORMAT = "1"


class Head:
    """A small file that is always replaced as a whole."""

    def __init__(self, ledger: str) -> None:
        self._path = Path(f"{ledger}.head")

    def write(self, dataset: str, entry: Entry) -> None:
        """Record that this entry comes next."""
        heads = {**self._read(), dataset: entry.write()}
        text = json.dumps({"format": FORMAT, "heads": heads})
        part = f"{self._path}.part"
        _write(part, text)
        os.replace(part, self._path)
        folder = os.open(self._path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def copy(self, to: str) -> None:
        """Copy the file, if there is one."""
        if self._path.exists():
            _write(to, self._path.read_text(encoding="utf-8"))

    def check_new(self) -> None:
        """Refuse if there was a ledger here that is gone now."""
        if heads := self._read():
            numbers = ", ".join(f"{name!r} up to entry {head['number']}" for name, head in heads.items())
            raise changed_error(f"the ledger is gone, and its head, {self._path.name}, remembers one of {numbers}")

    def lost(self, dataset: str, last: Link | None) -> Entry | None:
        """The entry that a ledger ending with `last` does not have yet. Refused if it lost more than that."""
        head = self._read().get(dataset)
        number, digest = (-1, "") if last is None else (last.number, last.hash)
        if head is None or (head["number"], head["hash"]) == (number, digest):
            return None
        if "body" not in head or head["number"] != number + 1:
            raise LedgerError(
                f"the ledger ends with entry {number}, but its head, {self._path.name}, with entry {head['number']}: "
                f"one of them was damaged or replaced; restore both from a backup"
            )
        entry = Entry.read(head)
        if not entry.follows(last):
            raise damaged_error(entry.number)
        return entry

    def _read(self) -> dict[str, Any]:
        """The content, empty if there is no file: the ledger is older, or was copied without it."""
        try:
            text = self._path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return {}
        except (OSError, UnicodeDecodeError):
            text = ""
        try:
            whole = json.loads(text)
            heads = whole["heads"]
            if whole["format"] == FORMAT and all({"number", "hash"} <= set(head) for head in heads.values()):
                return dict(heads)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            pass
        raise LedgerError(f"the head of the ledger, {self._path.name}, was damaged; restore it from a backup")


def _write(path: str, text: str) -> None:
    """Write durably, readable by the owner only."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
