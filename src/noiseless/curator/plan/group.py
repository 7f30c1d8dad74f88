"""What rows are grouped by if it is private: a column or a function of the row, with all values it can have."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, timedelta
from fractions import Fraction
from math import prod

from noiseless.curator.plan.functions.arithmetic import added, multiplied
from noiseless.curator.plan.functions.function import Function, Value
from noiseless.curator.plan.functions.leaves import ColumnOf, Constant
from noiseless.curator.plan.functions.place import MOST_VALUES, place_of, possible_values
from noiseless.curator.schema.categories import Key
from noiseless.curator.schema.dates import EPOCH
from noiseless.errors import TooLargeError

Shown = Key | Fraction | date | None
"""A value of a group, as answers show it."""


@dataclass(frozen=True, slots=True)
class Group:
    """A private GROUP BY expression. Every value it can have is a group, in a public order."""

    label: str
    function: Function
    values: tuple[Value, ...] = field(hash=False, repr=False)

    @property
    def keys(self) -> tuple[Shown, ...]:
        """The values as answers show them."""
        return tuple(shown(value, self.function.kind) for value in self.values)

    @property
    def column(self) -> str | None:
        """The column, if the group is a column. Otherwise None."""
        return self.function.name if isinstance(self.function, ColumnOf) else None


def shown(value: Value, kind: str) -> Shown:
    """A day as a date, and a whole number as an integer."""
    if not isinstance(value, Fraction):
        return value
    if kind == "date":
        return EPOCH + timedelta(days=int(value))
    return int(value) if value.denominator == 1 else value


def group(label: str, function: Function) -> Group:
    """A group with all values that its function can have."""
    return Group(label, function, possible_values(function))


def number_of_cells(groups: Iterable[Group]) -> int:
    """The number of cells in which rows are counted."""
    return prod(len(each.values) for each in groups)


def check_cells(cells: int) -> None:
    """Refuse more cells than can be counted."""
    if cells > MOST_VALUES:
        raise TooLargeError(
            f"GROUP BY makes {cells} groups, and at most {MOST_VALUES} can be counted; group by fewer columns, or by "
            f"wider buckets, such as FLOOR(x / 10) * 10"
        )


def cell_of(groups: Iterable[Group]) -> Function:
    """The number of the cell of a row: the places of its values as digits, the last one fastest."""
    found: Function = Constant(Fraction(0))
    for each in groups:
        place = place_of(each.function, {value: at for at, value in enumerate(each.values)})
        found = added(multiplied(found, Constant(Fraction(len(each.values)))), place)
    return found
