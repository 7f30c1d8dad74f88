"""COUNT, SUM, AVG, MIN, MAX and MEDIAN of cells, some of which may not belong to the group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import itemgetter
from typing import Any

from noiseless.curator.question.after.cell import NOTHING, Cell, number
from noiseless.curator.question.after.form import between, shortened, total


@dataclass(frozen=True, slots=True)
class Member:
    """A cell, whether it certainly belongs to the group, and whether it does by the reported numbers."""

    cell: Cell
    sure: bool = True
    shown: bool = True


def gathered(function: str, members: Sequence[Member]) -> Cell:
    """The number over all members that belong and are not nothing. SUM and COUNT of none are 0."""
    found = [
        Member(each.cell, each.sure and not each.cell.empty, each.shown and each.cell.value is not None)
        for each in members
        if each.cell.something
    ]
    values = [each.cell.value for each in found if each.shown]
    match function:
        case "COUNT":
            return number(len(values), sum(each.sure for each in found), len(found))
        case "SUM":
            return Cell(shortened(sum(values), up=False), total(map(_addend, found)))
    if not found:
        return NOTHING
    empty = not any(each.sure for each in found)
    value = shortened(_of_values(function, values), up=False) if values else None
    if len(found) == 1:
        return Cell(value, found[0].cell.form, empty=empty)
    if function == "AVG" and all(each.sure for each in found):
        return Cell(value, total(map(_addend, found)).scaled(Fraction(1, len(found))))
    return number(value, *_ends(function, found), empty)


def _addend(member: Member) -> Any:
    """What a member adds to a sum: 0 if it does not belong."""
    form = member.cell.form
    assert form is not None
    return form if member.sure else between(min(0, form.low), max(0, form.high))


def _of_values(function: str, values: list[Any]) -> Any:
    match function:
        case "AVG":
            return Fraction(sum(values)) / len(values)
        case "MIN":
            return min(values)
        case "MAX":
            return max(values)
    return sorted(values)[(len(values) - 1) // 2]


def _ends(function: str, found: list[Member]) -> tuple[Any, Any]:
    """The least and the most that the number can be, if at least one member belongs."""
    ends = [(each.cell.form.low, each.cell.form.high) for each in found if each.cell.form is not None]
    certain = [pair for pair, each in zip(ends, found, strict=True) if each.sure]
    low, high = min(map(itemgetter(0), ends)), max(map(itemgetter(1), ends))
    if function == "MIN":
        return low, min(map(itemgetter(1), certain), default=high)
    if function == "MAX":
        return max(map(itemgetter(0), certain), default=low), high
    if function == "MEDIAN" and len(certain) == len(found):
        return _of_values(function, [one for one, _ in ends]), _of_values(function, [two for _, two in ends])
    return low, high
