"""Uncertain variables with a continuous range, their coordinates, and maps of them with finitely many cells.

The size of a set of X-values is its measure (theory C1). For Y = g(X) the leakage is finite only if Y has finitely many
values, each with a preimage of positive measure (C6): where Y repeats X, the cells are single points.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Set
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any

from noiseless.errors import RangeError, SpaceError, UnknownVariableError
from noiseless.theory.cell_map import CellMap, is_number
from noiseless.theory.ranges.boxes import Box, Boxes
from noiseless.theory.ranges.intervals import EMPTY, Intervals, point

Subset = Intervals | Boxes
Maps = Mapping[CellMap, Any]


@dataclass(frozen=True, slots=True, eq=False, init=False, repr=False)
class Continuous:
    """X, known only to lie in a set of positive measure: a union of intervals or of boxes.

    >>> x = Continuous("[0, 1]")
    >>> half = x.map({"low": "[0, 1/2)", "high": "[1/2, 1]"})
    >>> half.range, half.cells["low"].measure
    ({'low', 'high'}, Fraction(1, 2))
    """

    range: Subset

    def __init__(self, within: Subset | Box | str) -> None:
        made: Any = Intervals(within) if isinstance(within, str) else within.all if isinstance(within, Box) else within
        if not isinstance(made, (Intervals, Boxes)) or made.measure == 0:
            raise RangeError(f"{within!r} has no measure; give intervals such as '[0, 1]', or a box")
        object.__setattr__(self, "range", made)

    @property
    def names(self) -> tuple[str, ...]:
        """The coordinates; none if X is a number."""
        return self.range.names if isinstance(self.range, Boxes) else ()

    def __getitem__(self, names: str | tuple[str, ...]) -> Coordinates:
        """One coordinate, or several, as a variable.

        >>> person = Continuous(Box(weight=(0, 200), height=(0, 250)))
        >>> person["weight"].range
        [0, 200]
        """
        wanted = names if isinstance(names, tuple) else (names,)
        for name in wanted:
            if name not in self.names:
                raise UnknownVariableError(
                    f"X has no coordinate {name!r}; use one of {', '.join(self.names) or 'none'}"
                )
        if not wanted or len(set(wanted)) < len(wanted):
            raise SpaceError("no coordinate is named, or one twice; write x['weight'] or x['weight', 'height']")
        return Coordinates(self, wanted)

    def given(self, maps: Maps | None = None, /, **sides: Any) -> Any:
        """⟦X|y⟧, the set still possible once maps of X, or its coordinates, are known.

        A map is known by its value, or a set of values of which one is true; a coordinate by a number or a range.
        Several conditions hold together.

        >>> Continuous(Box(weight=(0, 200), height=(0, 250))).given(height=(150, 160), weight=70)
        weight ∈ {70}, height ∈ [150, 160]
        """
        left: Any = self.range
        if not isinstance(maps, Mapping | None):
            raise SpaceError("conditions on maps are a dict from maps to values; write x.given({y: 'low'})")
        for each, value in (maps or {}).items():
            if not isinstance(each, CellMap) or each.source is not self:
                raise SpaceError("a condition is not about a map of this variable; make the map with its .map(…)")
            left = left & _preimage(each, value)
        for name, side in sides.items():
            whole = {other: self[other].range for other in self[name].source.names}
            left = left & Box(**{**whole, name: _known(side)})
        if not left:
            raise UnknownVariableError("no point of the range meets all conditions; give values that occur jointly")
        return left

    def map(self, cells: Mapping[Hashable, Subset | Box | str], repeats: Subset | Box | str | None = None) -> CellMap:
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
        if isinstance(kept, Intervals) and any(is_number(value) and value in kept for value in found):
            raise RangeError("a value of the map is also among the values it repeats; give it another name")
        return CellMap(self, {value: each for value, each in found.items() if each}, kept)

    def __repr__(self) -> str:
        return f"⟦X⟧ = {self.range!r}"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Coordinates:
    """Some coordinates of a continuous variable, read as a variable.

    >>> corner = Continuous(Box(x=(0, 2), y=(0, 2)) - Box(x=(1, 2), y=(1, 2)))
    >>> corner["x"].range, corner["x"].given(y="3/2")
    ([0, 2], [0, 1))
    """

    source: Continuous
    names: tuple[str, ...]

    @property
    def range(self) -> Subset:
        """The values they can take: intervals for one coordinate, otherwise boxes."""
        return _plain(self.source.range, self.names)

    def given(self, maps: Maps | None = None, /, **sides: Any) -> Subset:
        """What is still possible once maps of X, or other coordinates, are known."""
        return _plain(self.source.given(maps, **sides), self.names)

    def __repr__(self) -> str:
        return f"⟦{', '.join(self.names)}⟧ = {self.range!r}"


def _plain(boxes: Any, names: tuple[str, ...]) -> Subset:
    """The values of one coordinate as intervals, of several as boxes."""
    shadow: Boxes = boxes.onto(*names)
    return shadow.first if len(names) == 1 else shadow


def _preimage(each: CellMap, value: Any) -> Any:
    values = list(value) if isinstance(value, Set) else [value]
    return reduce(or_, [each.given(one) for one in values], each.source.range - each.source.range)  # type: ignore[operator]


def _known(side: Any) -> Any:
    """A number as the set that holds it; other descriptions of a set as they are."""
    described = isinstance(side, (tuple, Intervals)) or (isinstance(side, str) and side.strip()[:1] in ("[", "(", "{"))
    return side if described else point(side)


def _set(given: Subset | Box | str) -> Any:
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
