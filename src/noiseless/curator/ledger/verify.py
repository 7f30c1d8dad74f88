"""Checks that a ledger is as it was written: no entry changed, removed or added, and all sums right."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from noiseless.curator.ledger.charge import bits_between, payers
from noiseless.curator.ledger.compact import paid_in, unrepeated
from noiseless.curator.ledger.entry import CHARGED, Entry, damaged_error
from noiseless.curator.releases.written import numbers_in
from noiseless.errors import LedgerError
from noiseless.exact.rounding import bits_down

Account = tuple[int, Mapping[str, int]]
"""What was spent on the people of a cell, and what is left of narrowed columns."""
FRESH: Account = (1, {})


def verify_ledger(entries: Sequence[Entry]) -> int:
    """The number of entries. Refused at the first entry that is wrong.

    The chain reveals entries that were changed, removed or inserted. It contains no secret: someone who can rewrite the
    whole ledger can write another consistent one, or cut off its end. Certificates protect against that. They are
    signed, and they carry the numbers and hashes of their entries.
    """
    ledger = _Ledger()
    for place, entry in enumerate(entries):
        if not entry.follows(entries[place - 1] if place else None) or (entry.kind == "open") != (place == 0):
            raise damaged_error(place)
        try:
            adds_up = ledger.takes(entry)
        except (KeyError, ValueError, TypeError, AttributeError, LookupError):
            adds_up = False
        if not adds_up:
            raise LedgerError(f"entry {place} of the ledger does not add up; restore the ledger from a backup")
    return len(entries)


@dataclass(frozen=True, slots=True)
class Spent:
    """A charged entry: its number among these, who paid, and what the most charged group lost and has left."""

    number: int
    entry: Entry
    paid_by: str
    taken: float
    left: float


def spending(entries: Iterable[Entry]) -> Iterator[Spent]:
    """Every charged entry, in order."""
    ledger, number = _Ledger(), 0
    for entry in entries:
        before, spent = dict(ledger.accounts), ledger.spent
        ledger.takes(entry)
        if entry.kind in CHARGED:
            number += 1
            grown = [name for name, (product, _) in ledger.accounts.items() if product > before.get(name, FRESH)[0]]
            taken = bits_between(spent, ledger.spent)
            yield Spent(number, entry, payers(grown, ledger.names or [""]), taken, ledger.left)


class _Ledger:
    """The accounts, added up independently of `State`."""

    def __init__(self) -> None:
        self.budget = 0
        self.names: list[str] = []
        self.accounts: dict[str, Account] = {}

    @property
    def left(self) -> float:
        """What the most charged group can still spend, in bits."""
        return bits_down(max(1, self.budget // self.spent))

    @property
    def spent(self) -> int:
        """What the most charged group spent, as a product."""
        return max((product for product, _ in self.accounts.values()), default=1)

    def takes(self, entry: Entry) -> bool:
        body = entry.body
        if entry.kind == "open":
            self.budget, self.names = int(body["budget"]), list(body.get("cells", []))
        elif entry.kind == "change":
            return self._changed(body)
        elif entry.kind in CHARGED:
            return self._charged(body)
        return True

    def _changed(self, body: Mapping[str, Any]) -> bool:
        """Whether the budget did not grow and no account shrank."""
        lower = 1 <= int(body["budget"]) <= self.budget
        self.budget, names = int(body["budget"]), list(body["cells"])
        if origin := [int(place) for place in unrepeated(body["from"])]:
            known = {name: self.accounts.get(name, FRESH) for name in body["before"]}
            if names == [""]:
                left = {column: width for _, shrunk in known.values() for column, width in shrunk.items()}
                for column in left:
                    left[column] = max((shrunk.get(column, 0) for _, shrunk in known.values()), default=0)
                everywhere = all(column in shrunk for column in left for _, shrunk in known.values())
                self.accounts = {"": (max(product for product, _ in known.values()), left if everywhere else {})}
            else:
                self.accounts = {name: known[body["before"][old]] for name, old in zip(names, origin, strict=True)}
        self.names = names
        return lower

    def _charged(self, body: Mapping[str, Any]) -> bool:
        """Whether the largest growth is the factor charged, no account passed the budget, and nothing was forgotten."""
        factor, largest = int(body["factor"]), 1
        for name, grown, left in self._grown(body):
            before, known = self.accounts.get(name, FRESH)
            if grown < 1 or before * grown > self.budget or any(w > known.get(column, w) for column, w in left.items()):
                return False
            largest = max(largest, grown)
            self.accounts[name] = before * grown, {**known, **left}
        return largest == factor and (factor == 1 or any(True for _ in paid_in(body)))

    def _grown(self, body: Mapping[str, Any]) -> Iterator[tuple[str, int, Mapping[str, int]]]:
        for name, cell in body.get("cells", {}).items():  # format 1 stores products
            grown, rest = divmod(int(cell["product"]), self.accounts.get(name, FRESH)[0])
            yield name, 0 if rest else grown, {column: int(width) for column, width in cell["remaining"].items()}
        for cells, factor, left in body.get("charged", ()):
            for name in [self.names[index] for index in numbers_in(cells)] if cells else [""]:
                yield name, int(factor), {column: int(width) for column, width in left.items()}
