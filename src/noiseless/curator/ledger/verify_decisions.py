"""Adds up what holds reserve and what grants add, independently of `Custody`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from typing import Any

from noiseless.curator.ledger.entry import Entry
from noiseless.curator.releases.written import canonical, numbers_in

DECISIONS = ("hold", "approve", "refuse", "withdraw", "expire", "request", "grant", "freeze", "unfreeze", "rotate")


@dataclass(slots=True)
class Waiting:
    """A hold: what it reserves, and what the question may still cost once it is approved."""

    entry: Entry
    reserved: Mapping[str, Fraction]
    left: Fraction
    approved: bool = False
    asked: bool = False


@dataclass(slots=True)
class Decisions:
    """The holds and requests of a ledger, whether it is frozen, and which key signs."""

    holds: dict[int, Waiting] = field(default_factory=dict)
    """The holds that were not withdrawn, refused or expired."""
    requests: dict[int, Entry] = field(default_factory=dict)
    frozen: bool = False
    key: str = ""

    def takes(self, entry: Entry, names: list[str]) -> bool:
        """Whether a decision fits those before it. What grants add to the budget is `granted`."""
        body = entry.body
        match entry.kind:
            case "hold":
                return self._holds(entry, names)
            case "approve":
                return self._open(body, lambda hold: not hold.approved) and self._set_approved(body)
            case "refuse" | "withdraw" | "expire":
                return self._ends(entry)
            case "request":
                self.requests[entry.number] = entry
                return body["for"] in ("budget", "quota") and int(body["factor"]) > 1
            case "grant":
                return self.requests.pop(int(body["request"]), None) is not None and int(body["factor"]) >= 1
            case "freeze" | "unfreeze":
                was, self.frozen = self.frozen, entry.kind == "freeze"
                return was is not self.frozen
            case _:
                follows, self.key = self.key in ("", body["old"]) and body["old"] != body["new"], body["new"]
                return follows

    def granted(self, entry: Entry) -> int:
        """The factor by which a grant raises the budget."""
        asked = self.requests[int(entry.body["request"])].body["for"]
        return int(entry.body["factor"]) if asked == "budget" else 1

    def release(self, body: Mapping[str, Any]) -> None:
        """Release what was reserved for a question that is charged now."""
        if "hold" in body and int(body["hold"]) in self.holds:
            self.holds[int(body["hold"])].reserved = {}

    def asks(self, entry: Entry, dearest: Fraction) -> bool:
        """Whether a question that was on hold may be charged: once approved, up to its price, by its asker."""
        if "hold" not in entry.body:
            return True
        hold = self.holds.get(int(entry.body["hold"]))
        if hold is None or hold.entry.analyst != entry.analyst or (hold.approved and dearest > hold.left):
            return False
        hold.asked, hold.left = True, hold.left / dearest
        if not hold.approved:
            del self.holds[hold.entry.number]
        return True

    def reserved(self, without: object = None) -> Iterator[tuple[str, Fraction]]:
        """What every hold reserves for each account."""
        for number, hold in self.holds.items():
            if str(number) != without:
                yield from hold.reserved.items()

    def _holds(self, entry: Entry, names: list[str]) -> bool:
        reserved: dict[str, Fraction] = {}
        for cells, factor in entry.body["reserved"]:
            each = [names[place] for place in numbers_in(cells)] if cells else [""]
            reserved |= dict.fromkeys(each, Fraction(factor))
        price = Fraction(entry.body["price"])
        same = canonical([entry.analyst, entry.body["asked"]])
        twice = any(
            not hold.asked and canonical([hold.entry.analyst, hold.entry.body["asked"]]) == same
            for hold in self.holds.values()
        )
        self.holds[entry.number] = Waiting(entry, reserved, price)
        return bool(reserved) and not twice and price >= 1 and all(1 <= each <= price for each in reserved.values())

    def _open(self, body: Mapping[str, Any], allowed: Any) -> bool:
        hold = self.holds.get(int(body["hold"]))
        return hold is not None and not hold.asked and allowed(hold)

    def _set_approved(self, body: Mapping[str, Any]) -> bool:
        self.holds[int(body["hold"])].approved = True
        return True

    def _ends(self, entry: Entry) -> bool:
        """Whether a hold or a request may end here: never after its question was asked."""
        body = entry.body
        if "request" in body:
            request = self.requests.pop(int(body["request"]), None)
            return request is not None and (entry.kind == "refuse" or request.analyst == entry.analyst)
        if not self._open(body, lambda hold: entry.kind != "withdraw" or hold.entry.analyst == entry.analyst):
            return False
        hold = self.holds.pop(int(body["hold"]))
        expires = datetime.fromisoformat(hold.entry.body["expires"])
        return entry.kind != "expire" or datetime.fromisoformat(body["at"]) >= expires
