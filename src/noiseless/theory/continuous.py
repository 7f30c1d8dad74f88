"""Uncertain variables with a continuous range, and maps of them with finitely many cells.

The size of a set of X-values is its measure (theory C1). For Y = g(X) the leakage is finite only if Y has finitely many
values, each with a preimage of positive measure (C6): where Y repeats X, the cells are single points.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import inf
from operator import or_
from typing import Any

from noiseless.errors import RangeError, UnknownVariableError
from noiseless.theory.ranges.boxes import Box, Boxes
from noiseless.theory.ranges.finite import FiniteRange
from noiseless.theory.ranges.intervals import EMPTY, Intervals

Set = Intervals | Boxes


@dataclass(frozen=True, slots=True, eq=False, init=False, repr=False)
class Continuous:
    """X, known only to lie in a set of positive measure: a union of intervals or of boxes.

    >>> x = Continuous("[0, 1]")
    >>> half = x.map({"low": "[0, 1/2)", "high": "[1/2, 1]"})
    >>> half.range, half.cells["low"].measure
    ({'low', 'high'}, Fraction(1, 2))
    """

    range: Set

    def __init__(self, within: Set | Box | str) -> None:
        made: Any = Intervals(within) if isinstance(within, str) else within.all if isinstance(within, Box) else within
        if not isinstance(made, (Intervals, Boxes)) or made.measure == 0:
            raise RangeError(f"{within!r} has no measure; give intervals such as '[0, 1]', or a box")
        object.__setattr__(self, "range", made)

    def map(self, cells: Mapping[Hashable, Set | Box | str], repeats: Set | Box | str | None = None) -> CellMap:
        """Y = g(X): each value with the set it comes from; on the set `repeats`, Y is X itself.

        The sets must not overlap, and together be the whole range.
        """
        found = {value: _set(each) for value, each in dict(cells).items()}
        whole: Any = self.range
        if not isinstance(cells, Mapping) or not all(isinstance(each, type(whole)) for each in found.values()):
            raise RangeError("the cells do not fit the range; give each value with a set of the same kind as the range")
        kept = whole - whole if repeats is None else _set(repeats)
        parts = [*found.values(), kept]
        together: Any = reduce(or_, parts)
        if together != self.range or sum(part.measure for part in parts) != self.range.measure or _overlap(parts):
            raise RangeError("the cells overlap or do not fill the range; give disjoint cells whose union is the range")
        if isinstance(kept, Intervals) and any(isinstance(v, (int, float, Fraction)) and v in kept for v in found):
            raise RangeError("a value of the map is also among the values it repeats; give it another name")
        return CellMap(self, {value: each for value, each in found.items() if each}, kept)

    def __repr__(self) -> str:
        return f"⟦X⟧ = {self.range!r}"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CellMap:
    """A map of a continuous variable: the preimage of each of its values, and a part on which it repeats X."""

    source: Continuous
    cells: Mapping[Hashable, Set]
    repeats: Set

    @property
    def range(self) -> FiniteRange:
        """⟦Y⟧, without the infinitely many values where it repeats X."""
        return FiniteRange(self.cells)

    @property
    def finite(self) -> bool:
        """Whether it has finitely many values; a part that repeats only single points is finite."""
        return not self.repeats or (isinstance(self.repeats, Intervals) and self.repeats.finite)

    @property
    def count(self) -> int | float:
        """|⟦Y⟧|."""
        if not self.finite:
            return inf
        return len(self.cells) + (len(self.repeats.components) if isinstance(self.repeats, Intervals) else 0)

    def given(self, value: Hashable) -> Set:
        """⟦X|y⟧."""
        if value not in self.cells:
            raise UnknownVariableError(
                f"{value!r} is not a value of the map; use one of {', '.join(map(repr, self.cells))}"
            )
        return self.cells[value]

    @property
    def measures(self) -> list[Fraction]:
        """μ⟦X|y⟧ for every y; all single points count once, as 0."""
        return [cell.measure for cell in self.cells.values()] + ([Fraction(0)] if self.repeats else [])

    def __repr__(self) -> str:
        parts = [f"{value!r} from {cell!r}" for value, cell in self.cells.items()]
        return "; ".join([*parts, *([f"X itself on {self.repeats!r}"] if self.repeats else [])])


def _set(given: Set | Box | str) -> Any:
    if isinstance(given, str):
        return Intervals(given)
    return given.all if isinstance(given, Box) else given


def _overlap(parts: list[Any]) -> bool:
    seen: Any = EMPTY if isinstance(parts[0], Intervals) else parts[0] - parts[0]
    for part in parts:
        if seen & part:
            return True
        seen = seen | part
    return False
