"""What was spent of the budget of every public group, from the first entry of a ledger to the last."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from noiseless.curator.ledger.entry import Entry
from noiseless.curator.ledger.replay import Declared
from noiseless.curator.ledger.state import State
from noiseless.curator.ledger.status import group_name
from noiseless.curator.schema.declaration import Declaration
from noiseless.exact.rounding import bits_down, bits_up

MOST = 200
"""Moments that are kept: more would not be seen in a picture."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The bits that were spent until then, for each public group, and the budget."""

    entry: int
    time: str
    budget: float
    spent: Mapping[str, float]

    @property
    def most(self) -> float:
        """What was spent for the most charged group."""
        return max(self.spent.values())


def over_time(entries: Sequence[Entry], most: int = MOST) -> list[Moment]:
    """The moments after some entries, evenly chosen, and after the last one. What is only reserved is not spent."""
    if not entries:
        return []
    text = next(entry.body["schema"] for entry in reversed(entries) if "schema" in entry.body)
    state, found, apart = (
        State(Declared(text, Declaration.parse(text).schema)),
        list[Moment](),
        -(-len(entries) // most),
    )
    for place, entry in enumerate(entries, 1):
        state.fold(entry)
        if place % apart == 0 or place == len(entries):
            charged = {name: state.charged_cells.get(name) for name in state.names}
            spent = {group_name(name): 0.0 if cell is None else bits_up(cell.product) for name, cell in charged.items()}
            found.append(Moment(entry.number, entry.time, bits_down(state.budget), spent))
    return found
