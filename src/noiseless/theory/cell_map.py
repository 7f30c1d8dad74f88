"""A map of a continuous variable, with finitely many cells."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING, Any, TypeGuard

from noiseless.errors import NotCertifiableError, UnknownVariableError
from noiseless.theory.ranges.boxes import Box, Boxes
from noiseless.theory.ranges.finite import FiniteRange
from noiseless.theory.ranges.intervals import Intervals, point

if TYPE_CHECKING:
    from noiseless.theory.continuous import Continuous

Set = Intervals | Boxes


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

    @property
    def all_cells(self) -> dict[Hashable, Set]:
        """The preimage of every value, if there are finitely many."""
        if not self.finite:
            raise NotCertifiableError(
                "the map repeats X and has infinitely many values, so this is not computed; use a map without repeats="
            )
        points = self.repeats.components if isinstance(self.repeats, Intervals) else []
        return {**self.cells, **{each.low: each for each in points}}

    def given(self, value: Any) -> Set:
        """⟦X|y⟧; where the map repeats X, that is X alone."""
        if isinstance(value, Hashable) and value in self.cells:
            return self.cells[value]
        if isinstance(self.repeats, Intervals) and is_number(value) and value in self.repeats:
            return point(value)
        if isinstance(self.repeats, Boxes) and isinstance(value, Mapping) and value in self.repeats:
            return Box(**{name: point(value[name]) for name in self.repeats.names}).all
        raise UnknownVariableError(
            f"{value!r} is not a value of the map; use one of {', '.join(map(repr, self.cells))}"
        )

    def values_given(self, maps: Mapping[CellMap, Any] | None = None, /, **sides: Any) -> FiniteRange:
        """⟦Y|z⟧: the values still possible once other maps of X, or coordinates of X, are known.

        >>> from noiseless.theory.continuous import Continuous
        >>> x = Continuous("[0, 4]")
        >>> half, third = x.map({0: "[0, 2)", 1: "[2, 4]"}), x.map({"a": "[0, 1)", "b": "[1, 3]", "c": "(3, 4]"})
        >>> third.values_given({half: 0}), x.given({half: 0, third: "b"})
        ({'a', 'b'}, [1, 2))
        """
        left: Any = self.source.given(maps, **sides)
        return FiniteRange(value for value, cell in self.all_cells.items() if cell & left)

    @property
    def measures(self) -> list[Fraction]:
        """μ⟦X|y⟧ for every y; all single points count once, as 0."""
        return [cell.measure for cell in self.cells.values()] + ([Fraction(0)] if self.repeats else [])

    def __repr__(self) -> str:
        parts = [f"{value!r} from {cell!r}" for value, cell in self.cells.items()]
        return "; ".join([*parts, *([f"X itself on {self.repeats!r}"] if self.repeats else [])])


def is_number(value: object) -> TypeGuard[int | float | Fraction]:
    """Whether a value of a map could also be a number that it repeats."""
    return isinstance(value, (int, float, Fraction)) and not isinstance(value, bool)
