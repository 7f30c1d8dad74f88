"""The accounts of a ledger: what a charge changes in them, and how an entry names them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from noiseless.curator.releases.written import numbers_in, spans
from noiseless.privacy.composition.sequence import EVERYBODY, Cell, Sequence
from noiseless.privacy.composition.weights import Product


def charged_fields(before: Sequence, after: Sequence, factors: Mapping[str, Product], names: list[str]) -> list[Any]:
    """The fields of a charge: cells, their factor, and what is left of narrowed columns. Equal cells are grouped."""
    places = {name: place for place, name in enumerate(names)}
    groups: dict[tuple[Product, tuple[tuple[str, int], ...]], list[int]] = {}
    everybody: list[Any] = []
    for name, factor in factors.items():
        old, new = before.cells[name].remaining, after.cells[name].remaining
        left = tuple((column, width) for column, width in new.items() if width != old[column])
        if name == EVERYBODY:
            everybody = [["", str(factor), {column: str(width) for column, width in left}]]
        else:
            groups.setdefault((factor, left), []).append(places[name])
    return everybody + [
        [spans(cells), str(factor), {column: str(width) for column, width in left}]
        for (factor, left), cells in groups.items()
    ]


def accounts_in(cells: str, names: list[str]) -> list[str]:
    """The accounts that a charge names by their places."""
    return [names[place] for place in numbers_in(cells)] if cells else [EVERYBODY]


def largest(cells: Iterable[Cell]) -> Cell:
    """One account for everybody: the most that anyone spent, and the widest range left of each column."""
    known = list(cells)
    columns = {column for cell in known for column in cell.remaining}
    remaining = {c: max(cell.remaining[c] for cell in known if c in cell.remaining) for c in columns}
    return Cell(max(cell.product for cell in known), remaining)
