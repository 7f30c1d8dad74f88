"""Whether a ledger is what was written: no entry changed, left out or added, and the sums right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from noiseless.curator.ledger.entry import CHARGED, Entry, damaged
from noiseless.errors import LedgerError


def verify_ledger(entries: Sequence[Entry]) -> int:
    """How many entries there are; refused with the first that is wrong.

    The chain shows that entries were changed, left out or put in between. It has no secret: who can rewrite the whole
    ledger can write another one that holds together, or cut off its end. Against that stand the certificates, which are
    signed and carry the numbers and hashes of their entries.
    """
    accounts: dict[str, Any] = {}
    for place, entry in enumerate(entries):
        if not entry.follows(entries[place - 1] if place else None) or (entry.kind == "open") != (place == 0):
            raise damaged(place)
        try:
            adds_up = entry.kind not in CHARGED or _adds_up(entry, accounts, int(entries[0].body["budget"]))
        except (KeyError, ValueError, TypeError, AttributeError):
            adds_up = False
        if not adds_up:
            raise LedgerError(f"entry {place} of the ledger does not add up; restore the ledger from a backup")
    return len(entries)


def _adds_up(entry: Entry, accounts: dict[str, Any], budget: int) -> bool:
    """Some account grew by just the factor charged, none by more; none shrank, passed the budget or forgot anything."""
    factor, largest = int(entry.body["factor"]), 1
    for name, cell in entry.body["cells"].items():
        product = int(cell["product"])
        left = {column: int(number) for column, number in cell["remaining"].items()}
        before, known = accounts.get(name, (1, left))
        grown, rest = divmod(product, before)
        if rest or product > budget or any(number > known[column] for column, number in left.items()):
            return False
        largest = max(largest, grown)
        accounts[name] = product, left
    return largest == factor and (factor == 1 or bool(entry.body["paid"]))
