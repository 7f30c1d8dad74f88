"""A row of a result, which may be there in truth or not, and how rows are ordered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from noiseless.curator.question.after.cell import Cell

Ends = tuple[Any, ...]
LAST = (1, 0)
"""The place of nothing in an order, in both directions."""


@dataclass(frozen=True, slots=True)
class Row:
    """Its cells by label, and its `place` among all rows, which decides between rows that an order leaves equal.

    `shown` says that it is there by the reported numbers, and `sure` that it is there in truth. A row that is not sure
    to come after the one above it may be `higher`.
    """

    cells: Mapping[str, Cell]
    place: int
    shown: bool = True
    sure: bool = True
    higher: bool = False


@dataclass(frozen=True, slots=True)
class Ordered:
    """Where a row is ordered: at the earliest, at the latest, and by the reported numbers.

    Rows are compared by one column after another. So one comes certainly before another if the latest is less than the
    earliest of the other, and possibly if the earliest is less than the latest.
    """

    earliest: Ends
    latest: Ends
    reported: Ends

    def at(self, place: int) -> Ordered:
        """The same place, extended so that rows that are equal keep their places."""
        return Ordered((*self.earliest, place), (*self.latest, place), (*self.reported, place))


def ordered(columns: Sequence[Sequence[Cell]], descending: Sequence[bool], rows: int) -> list[Ordered]:
    """How rows are ordered by some columns, each with its direction. Nothing comes last in both."""
    found = [_column(cells, falls) for cells, falls in zip(columns, descending, strict=True)]
    return [Ordered(*zip(*(column[row] for column in found), strict=True)) if found else NOWHERE for row in range(rows)]


NOWHERE = Ordered((), (), ())


def _column(cells: Sequence[Cell], falls: bool) -> list[tuple[Ends, Ends, Ends]]:
    """The earliest, the latest and the reported place of every cell, as numbers. Texts are numbered in their order."""
    texts = sorted({option for cell in cells for option in cell.options})
    numbers = {text: place for place, text in enumerate(texts)}
    found = []
    for cell in cells:
        ends = [cell.form.low, cell.form.high] if cell.form is not None else [numbers[each] for each in cell.options]
        value = cell.value if cell.form is not None or cell.value is None else numbers[cell.value]
        if falls:
            ends, value = [-end for end in ends], None if value is None else -value
        earliest = (0, min(ends)) if ends else LAST
        latest = LAST if cell.empty or not ends else (0, max(ends))
        found.append((earliest, latest, LAST if value is None else (0, value)))
    return found
