"""One entry of the ledger. It carries the hash of the entry before it, so that none can be changed or left out."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Literal

from noiseless.curator.releases.written import canonical
from noiseless.curator.schema.plain import why_not
from noiseless.errors import LedgerError, QuestionError
from noiseless.exact.readable import bits_shown, printable

Kind = Literal["open", "change", "ask", "answer", "release"]
"""open: a dataset was opened. change: it continues under a wider schema or a lower budget. ask: a question was charged.
answer: what was paid for was computed. release: a copy of the table was charged."""
CHARGED = ("ask", "release")
"""The kinds that cost something."""
START = "0" * 64
LONGEST_SHOWN = 3500
"""Digits of a factor, more than any budget has."""


@dataclass(frozen=True, slots=True, repr=False)
class Entry:
    """Who did what, and when. `body` holds only texts, booleans, lists and mappings. Integers are written as text."""

    number: int
    kind: Kind
    time: str
    analyst: str
    body: Mapping[str, Any]
    previous: str
    hash: str

    @classmethod
    def after(cls, last: Entry | None, kind: Kind, analyst: str, body: Mapping[str, Any]) -> Entry:
        """The next entry, with the current time, exactly as it will be read again."""
        number, previous = (0, START) if last is None else (last.number + 1, last.hash)
        time = datetime.now(UTC).isoformat(timespec="seconds")
        normal = _normal(body)
        name = analyst_name(analyst)
        return cls(number, kind, time, name, normal, previous, _hash(number, kind, time, name, normal, previous))

    def __repr__(self) -> str:
        who = f" by {self.analyst}" if self.analyst else ""
        factor = self.body.get("factor") if isinstance(self.body, Mapping) else None
        known = isinstance(factor, str) and factor.isdecimal() and 0 < len(factor) < LONGEST_SHOWN and int(factor) > 0
        cost = f", charged {bits_shown(int(str(factor)))}" if self.kind in CHARGED and known else ""
        return printable(f"Entry {self.number}: {self.kind}{who} at {self.time}{cost}")

    def follows(self, last: Entry | None) -> bool:
        """Whether this is the next entry, unchanged since it was written."""
        expected = (0, START) if last is None else (last.number + 1, last.hash)
        own = _hash(self.number, self.kind, self.time, self.analyst, self.body, self.previous)
        return (self.number, self.previous) == expected and self.hash == own

    def write(self) -> dict[str, Any]:
        """The entry as fields, with its body as text."""
        return {
            "number": self.number,
            "kind": self.kind,
            "time": self.time,
            "analyst": self.analyst,
            "body": json.dumps(self.body, ensure_ascii=False),
            "previous": self.previous,
            "hash": self.hash,
        }

    @classmethod
    def read(cls, fields: Mapping[str, Any]) -> Entry:
        """The entry that `write` wrote."""
        rest = (fields["previous"], fields["hash"])
        return cls(
            fields["number"], fields["kind"], fields["time"], fields["analyst"], json.loads(fields["body"]), *rest
        )


def analyst_name(given: object) -> str:
    """The name of the analyst: a text that every database can store."""
    if wrong := why_not(given):
        raise QuestionError(f"analyst= {wrong}; give the name of the analyst")
    return str(given)


def damaged_error(number: int) -> LedgerError:
    """The error for an entry that cannot be right."""
    return LedgerError(f"entry {number} of the ledger is not what was written; restore the ledger from a backup")


def _normal(body: Any) -> Any:
    """The body in the form in which it is read again. Only this form may be hashed."""
    match body:
        case None | bool():
            return body
        case str() if why_not(body, sys.maxsize) is None:
            return str(body)
        case list() | tuple():
            return [_normal(each) for each in body]
        case Mapping() if all(why_not(name, sys.maxsize) is None for name in body):
            return {name: _normal(value) for name, value in body.items()}
    raise QuestionError("the ledger cannot keep NUL characters or lone surrogates; remove them from the question")


def _hash(*parts: Any) -> str:
    return sha256(canonical(parts).encode()).hexdigest()
