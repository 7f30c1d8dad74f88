"""One entry of the ledger. It carries the hash of the entry before it, so that none can be changed or left out."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Literal, NamedTuple

from noiseless.curator.releases.written import canonical
from noiseless.curator.schema.plain import why_not
from noiseless.errors import LedgerError, QuestionError
from noiseless.exact.readable import bits_shown, printable

Event = Literal["open", "change", "ask", "answer", "release"]
Decision = Literal[
    "hold", "approve", "refuse", "withdraw", "expire", "request", "grant", "freeze", "unfreeze", "rotate"
]
Kind = Event | Decision
"""open: a dataset was opened. change: it continues under a wider schema or a lower budget. ask: a question was charged.
answer: what was paid for was computed. release: a copy of the table was charged. All others are decisions: hold, a
question waits for the custodian, who can approve or refuse it, unless its asker withdraws it or it expires; request,
somebody asks for more budget, which the custodian can grant; rotate, another key signs from now on."""
CHARGED = ("ask", "release")
"""The kinds that cost something."""
START = "0" * 64
FIELDS = ("number", "kind", "time", "analyst", "body", "previous", "hash")
"""The fields of an entry in the order in which they are stored."""
LONGEST_SHOWN = 3500
"""Digits of a factor, more than any budget has."""


class Link(NamedTuple):
    """What the next entry must follow: the number and the hash of an entry, and the hash of the one before."""

    number: int
    hash: str
    previous: str


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
    _text: str = field(default="", init=False, compare=False)
    """The body as it was hashed or stored, so that checking the hash need not write it again."""

    @classmethod
    def after(cls, last: Entry | Link | None, kind: Kind, analyst: str, body: Mapping[str, Any]) -> Entry:
        """The next entry, with the current time, exactly as it will be read again."""
        number, previous = (0, START) if last is None else (last.number + 1, last.hash)
        time = datetime.now(UTC).isoformat(timespec="seconds")
        normal = _normal(body)
        text, fields = canonical(normal), (number, kind, time, analyst_name(analyst))
        return cls(*fields, normal, previous, _hash(fields, text, previous))._known(text)

    def __repr__(self) -> str:
        who = f" by {self.analyst}" if self.analyst else ""
        factor = self.body.get("factor") if isinstance(self.body, Mapping) else None
        known = isinstance(factor, str) and factor.isdecimal() and 0 < len(factor) < LONGEST_SHOWN and int(factor) > 0
        cost = f", charged {bits_shown(int(str(factor)))}" if self.kind in CHARGED and known else ""
        return printable(f"Entry {self.number}: {self.kind}{who} at {self.time}{cost}")

    def follows(self, last: Entry | Link | None) -> bool:
        """Whether this is the next entry, unchanged since it was written."""
        expected = (0, START) if last is None else (last.number + 1, last.hash)
        return (self.number, self.previous) == expected and self._unchanged()

    def _unchanged(self) -> bool:
        """Whether the hash matches the fields. If it matches the stored text, then this text was hashed."""
        fields = self.number, self.kind, self.time, self.analyst
        if self._text and self.hash == _hash(fields, self._text, self.previous):
            return True
        return self.hash == _hash(fields, canonical(self.body), self.previous)  # earlier versions stored another text

    @property
    def length(self) -> int:
        """How many characters the body has, as it was stored."""
        return len(self._text)

    def write(self) -> dict[str, Any]:
        """The entry as fields, with its body as text."""
        return {
            "number": self.number,
            "kind": self.kind,
            "time": self.time,
            "analyst": self.analyst,
            "body": self._text or canonical(self.body),
            "previous": self.previous,
            "hash": self.hash,
        }

    @classmethod
    def read(cls, fields: Mapping[str, Any]) -> Entry:
        """The entry that `write` wrote."""
        return cls.stored(*(fields[name] for name in FIELDS))

    @classmethod
    def stored(cls, number: int, kind: Kind, time: str, analyst: str, body: str, previous: str, digest: str) -> Entry:
        """The entry with these fields, in this order."""
        return cls(number, kind, time, analyst, json.loads(body), previous, digest)._known(body)

    def _known(self, text: str) -> Entry:
        object.__setattr__(self, "_text", text)
        return self


def analyst_name(given: object) -> str:
    """The name of the analyst: a text that every database can store."""
    if wrong := why_not(given):
        raise QuestionError(f"analyst= {wrong}; give the name of the analyst")
    if given == "*":  # the use of the quota would not be counted
        raise QuestionError("analyst='*' stands for all others in quotas; give the name of the analyst")
    return str(given)


def damaged_error(number: int) -> LedgerError:
    """The error for an entry that cannot be right."""
    return LedgerError(f"entry {number} of the ledger is not what was written; restore the ledger from a backup")


def _normal(body: Any) -> Any:
    """The body in the form in which it is read again. Only this form may be hashed."""
    if _is_plain(body):
        return body  # most parts are plain
    kind = type(body)
    if kind is list or kind is tuple:
        return [_normal(each) for each in body]
    if kind is dict and all(map(_is_plain, body)):
        return {name: _normal(value) for name, value in body.items()}
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


def _is_plain(text: object) -> bool:
    """Whether every file and database keeps a text as it is."""
    return type(text) is str and text.isascii() and "\x00" not in text


def _hash(fields: tuple[Any, ...], body: str, previous: str) -> str:
    """The hash of all parts as one list, whose fifth part is already written."""
    return sha256(f"{canonical(fields)[:-1]},{body},{canonical(previous)}]".encode()).hexdigest()
