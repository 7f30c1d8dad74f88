"""The last entry of every dataset, kept in a file beside a SQLite ledger and written before the ledger.

A database that lost entries, through a damaged disk or a careless copy, would give budget back. So it must end where
the head says, or one entry earlier. In that case the process died in between, and the entry is added now. Anything else
is damage.

The file has two halves, each with its own hash. They are written in turn and in place, which takes a third of the time
of a new file. If the power fails, or a bit of one half flips, the other half is whole. It is one entry older, and the
ledger has the entry in between if it was ever confirmed.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from noiseless.curator.dataset.snapshot import changed_error
from noiseless.curator.ledger.entry import Entry, Link, damaged_error
from noiseless.errors import LedgerError

FIRST, FORMAT = "1", "2"
"""In format 1 the file was one text without a hash, and replaced as a whole."""
SMALLEST = 4096
"""The fewest bytes of a half."""


@dataclass(frozen=True, slots=True)
class Half:
    """The last entry of every dataset, as fields, and how often the file had been written."""

    turn: int
    heads: dict[str, Any]

    def write(self) -> bytes:
        """The half as a text and its hash."""
        text = json.dumps({"format": FORMAT, "turn": str(self.turn), "heads": self.heads}).encode()
        return b"%s\n%s" % (text, sha256(text).hexdigest().encode())


class Head:
    """A small file that is always whole."""

    def __init__(self, ledger: str) -> None:
        self._path = Path(f"{ledger}.head")

    def write(self, dataset: str, entry: Entry) -> None:
        """Record durably that this entry comes next."""
        size, halves = self._halves()
        newest = _newest(halves)
        written = Half(newest.turn + 1, {**newest.heads, dataset: entry.write()}).write()
        if len(written) > size or None in halves:
            half = written.ljust(max(SMALLEST, 1 << (2 * len(written)).bit_length()))
            self._replace(half + half)
            return
        file = os.open(self._path, os.O_WRONLY)
        try:
            os.pwrite(file, written.ljust(size), 0 if halves[1] is newest else size)
            os.fsync(file)
        finally:
            os.close(file)

    def _replace(self, content: bytes) -> None:
        part = f"{self._path}.part"
        _write(part, content)
        os.replace(part, self._path)
        folder = os.open(self._path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def copy(self, to: str) -> None:
        """Copy the file, if there is one."""
        if self._path.exists():
            _write(to, self._path.read_bytes())

    def check_new(self) -> None:
        """Refuse if there was a ledger here that is gone now."""
        if heads := _newest(self._halves()[1]).heads:
            numbers = ", ".join(f"{name!r} up to entry {head['number']}" for name, head in heads.items())
            raise changed_error(f"the ledger is gone, and its head, {self._path.name}, remembers one of {numbers}")

    def lost(self, dataset: str, last: Link | None) -> Entry | None:
        """The entry that a ledger ending with `last` does not have yet. Refused if it lost more than that."""
        size, halves = self._halves()
        head = _newest(halves).heads.get(dataset)
        number, digest = (-1, "") if last is None else (last.number, last.hash)
        if head is None or (head["number"], head["hash"]) == (number, digest):
            return None
        damaged = size > 0 and None in halves
        if damaged and last is not None and (head["number"] + 1, head["hash"]) == (number, last.previous):
            return None  # the newer half was damaged
        if damaged or "body" not in head or head["number"] != number + 1:
            raise LedgerError(
                f"the ledger ends with entry {number}, but its head, {self._path.name}, with entry {head['number']}: "
                f"one of them was damaged or replaced; restore both from a backup"
            )
        entry = Entry.read(head)
        if not entry.follows(last):
            raise damaged_error(entry.number)
        return entry

    def _halves(self) -> tuple[int, list[Half | None]]:
        """The size of a half, and both halves, None if damaged. Without a file, as in an older ledger, both are new."""
        try:
            content = self._path.read_bytes()
        except FileNotFoundError:
            return 0, [Half(0, {}), None]
        except OSError:
            content = b""
        size = len(content) // 2
        halves = [_checked(content[:size]), _checked(content[size:])]
        if halves != [None, None]:
            return size, halves
        if (whole := _read(content, FIRST)) is not None:
            return 0, [whole, None]
        raise LedgerError(f"the head of the ledger, {self._path.name}, was damaged; restore it from a backup")


def _newest(halves: list[Half | None]) -> Half:
    return max((half for half in halves if half is not None), key=lambda half: half.turn)


@lru_cache(maxsize=4)
def _checked(content: bytes) -> Half | None:
    """A half, if its hash is right. Most have been seen before."""
    text, _, rest = content.partition(b"\n")
    return _read(text, FORMAT) if rest.startswith(sha256(text).hexdigest().encode()) else None


def _read(content: bytes, known: str) -> Half | None:
    try:
        whole = json.loads(content)
        heads = whole["heads"]
        if whole["format"] == known and all({"number", "hash"} <= set(head) for head in heads.values()):
            return Half(int(whole.get("turn", "0")), dict(heads))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        pass
    return None


def _write(path: str, content: bytes) -> None:
    """Write durably, readable by the owner only."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
