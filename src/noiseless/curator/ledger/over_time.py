"""What was spent of the budget of every public group, from the first entry of a ledger to the last."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from noiseless.curator.ledger.checkpoint import Kept, checkpoint_error, fields_of, restored, spent_in
from noiseless.curator.ledger.entry import Entry
from noiseless.curator.ledger.journal import Journal
from noiseless.curator.ledger.replay import Declared
from noiseless.curator.ledger.state import State
from noiseless.curator.ledger.status import group_name
from noiseless.curator.schema.declaration import Declaration
from noiseless.exact.rounding import bits_down, bits_up
from noiseless.privacy.composition.weights import Product

MOST = 200
"""The most moments that are kept. A picture would not show more."""
LONG = 10_000
"""A ledger of more entries is read at its checkpoints, not entry by entry."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The bits that each public group had spent by some time, and the budget then."""

    entry: int
    time: str
    budget: float
    spent: Mapping[str, float]

    @property
    def most(self) -> float:
        """The bits of the most charged group."""
        return max(self.spent.values())


def over_time(entries: Sequence[Entry], most: int = MOST) -> list[Moment]:
    """The moments after some entries, evenly chosen, and after the last one. What is only reserved is not spent."""
    if not entries:
        return []
    return list(_folded(State(_ground(entries)), entries, most))


def over_time_of(journal: Journal, most: int = MOST, long: int = LONG) -> list[Moment]:
    """The moments of a journal. For a long one: before every checkpoint, then after some entries since the last one."""
    checkpoints = journal.checkpoints()
    if not checkpoints or checkpoints[-1].number < long:
        return over_time(journal.since(0), most)
    every = [(each, fields_of(each)) for each in checkpoints]
    whole = [place for place, (_, fields) in enumerate(every) if not fields["before"]]
    if not whole or every[0][1]["before"]:  # a checkpoint was lost
        return over_time(journal.since(0), most)
    last, new = checkpoints[-1], journal.since(checkpoints[-1].number)
    if not new or new[0].body.get("checkpoint") != last.digest:
        raise checkpoint_error(last.number)
    ground = _ground([*journal.read(every[-1][1]["schemas"]), *new])
    state = restored(ground, every[whole[-1] :], journal.read)
    return [*_before(every, journal, most), *_folded(state, new, most)]


def _before(every: Sequence[Kept], journal: Journal, most: int) -> Iterator[Moment]:
    """The moments before some checkpoints, evenly chosen, each with the time of the entry that carries it."""
    stride, facts = -(-len(every) // most), dict[str, Any]()
    entries = journal.read([0, *(each.number for each, _ in every[::stride])])
    times = {entry.number: entry.time for entry in entries}
    for place, (checkpoint, fields) in enumerate(every):
        facts = fields["facts"] or facts
        if place == 0:
            yield _moment(0, times[0], int(facts["budget"]), facts["cells"], {})
        if place % stride == 0:
            raised = fields.get("decisions", {}).get("budget") or facts["budget"]
            spent = spent_in(fields, facts["cells"])
            yield _moment(checkpoint.number - 1, times[checkpoint.number], int(raised), facts["cells"], spent)


def _folded(state: State, entries: Sequence[Entry], most: int) -> Iterator[Moment]:
    stride = -(-len(entries) // most)
    for place, entry in enumerate(entries, 1):
        state.fold(entry)
        if place % stride == 0 or place == len(entries):
            spent = {name: cell.product for name, cell in state.charged_cells.items()}
            yield _moment(entry.number, entry.time, state.budget, state.names, spent)


def _moment(entry: int, time: str, budget: int, names: Sequence[str], spent: Mapping[str, Product]) -> Moment:
    bits = {group_name(name): bits_up(spent[name]) if name in spent else 0.0 for name in names}
    return Moment(entry, time, bits_down(budget), bits)


def _ground(entries: Sequence[Entry]) -> Declared:
    text = next(entry.body["schema"] for entry in reversed(entries) if "schema" in entry.body)
    return Declared(text, Declaration.parse(text).schema)
