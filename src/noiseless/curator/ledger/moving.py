"""What is paid and released for public cells, after a change of the schema split or joined them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from noiseless.curator.ledger.columns import Columns
from noiseless.curator.releases.written import canonical, numbers_in, spans

if TYPE_CHECKING:
    from noiseless.curator.ledger.state import State


def move(state: State, children: Mapping[int, list[int]], altered: Iterable[str]) -> None:
    """Move what is paid and released for old cells to the new cells that make them up.

    A release with a condition on changed public columns is forgotten. If it is asked again, it is charged again.
    """

    def moved(cells: str) -> str:
        return spans(new for old in numbers_in(cells) for new in children.get(old, ()))

    def kept(family: str) -> bool:
        return not any(canonical(name) in family for name in altered)

    _one_by_one(state)
    state.paid = {(f, moved(c), w): n for (f, c, w), n in state.paid.items() if kept(f)}
    state.released = {(f, moved(c), w): n for (f, c, w), n in state.released.items() if kept(f)}
    state.widths = {(f, moved(c)): widths for (f, c), widths in state.widths.items() if kept(f)}
    state.bins = {(f, moved(c)): widths for (f, c), widths in state.bins.items() if kept(f)}
    state.implied_facts = {(f, moved(c)): None for f, c in state.implied_facts if kept(f)}


def _one_by_one(state: State) -> None:
    """Replace columns with single cells, because the cells are about to change."""
    for text, number, column, refinable in state.columns.all_paid():
        for cells, width in column.rows():
            if (text, cells, width) not in state.paid:
                state.paid[text, cells, width] = number
                state.bins.setdefault((text, cells), []).append(width)
            if refinable:
                state.widths.setdefault((text, cells), set()).add(width)
    for text, column in state.columns.all_implied():
        state.implied_facts |= dict.fromkeys((text, cells) for cells, _ in column.rows())
    for text, column, rest in state.columns.all_released():
        for place, (cells, width) in enumerate(column.rows()):
            state.released.setdefault((text, cells, width), (column.released(place), rest))
    state.columns, state.columned = Columns(), []
