"""Whether a ledger is what was written: no entry changed, left out or added, and the sums right."""

from __future__ import annotations

from collections.abc import Sequence

from noiseless.curator.ledger.entry import START, Entry
from noiseless.errors import LedgerError


def verify_ledger(entries: Sequence[Entry]) -> int:
    """How many entries there are; refused with the first that is wrong.

    The chain shows every change but one: that entries at the end were cut off. Against that, keep the hash of the last
    entry elsewhere; every certificate has one.
    """
    previous = START
    products: dict[str, int] = {}
    for place, entry in enumerate(entries):
        if entry.number != place or entry.previous != previous or not entry.intact:
            raise LedgerError(f"entry {place} of the ledger is not what was written; restore it from a backup")
        if (entry.kind == "open") != (place == 0):
            raise LedgerError(f"entry {place} of the ledger opens a dataset for a second time, or the first does not")
        if entry.kind == "ask":
            _check_charge(entry, products, int(entries[0].body["budget"]))
        previous = entry.hash
    return len(entries)


def _check_charge(entry: Entry, products: dict[str, int], budget: int) -> None:
    """No account grows by more than the factor that was charged, shrinks, or passes the budget."""
    factor = int(entry.body["factor"])
    for name, cell in entry.body["cells"].items():
        product, before = int(cell["product"]), products.get(name, 1)
        if not before <= product <= before * factor or product > budget:
            raise LedgerError(f"entry {entry.number} of the ledger does not add up; restore it from a backup")
        products[name] = product
