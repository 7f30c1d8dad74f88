"""The joint range of continuous variables, their coordinates and their maps, as boxes.

A map becomes a further coordinate, whose values 0, 1, 2, … stand for the values of the map. Every question about what
is possible jointly is then one about boxes, and is answered exactly.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import product
from math import prod
from operator import and_, or_
from typing import Any

from noiseless.errors import SpaceError
from noiseless.theory.cell_map import CellMap
from noiseless.theory.continuous import Continuous, Coordinates
from noiseless.theory.ranges.boxes import Boxes, product_of
from noiseless.theory.ranges.finite import FiniteRange
from noiseless.theory.ranges.intervals import Intervals, point

AnyContinuous = Continuous | Coordinates | CellMap
CONTINUOUS = (Continuous, Coordinates, CellMap)
NUMBER = "X"
"""The coordinate of a variable that is a number."""


@dataclass(frozen=True, slots=True)
class JointSet:
    """⟦X1, …, Xn⟧, and which coordinates belong to which variable."""

    boxes: Boxes
    groups: tuple[tuple[str, ...], ...]
    values: dict[str, list[Hashable]]
    """For the coordinate of a map, what its numbers stand for."""

    def size(self, part: Boxes) -> Fraction:
        """m: the measure in continuous coordinates, the number of values in those of maps."""
        one = Fraction(1)
        return sum((prod(map(self._side, part.names, sides), start=one) for sides in part.products), Fraction(0))

    def _side(self, name: str, side: Intervals) -> Fraction:
        return Fraction(len(side.components)) if name in self.values else side.measure

    def sizes_given(self) -> list[Fraction]:
        """m(⟦X1|x2⟧) for every x2, of two variables."""
        return [self.size(left) for _, left in self.fibres()]

    def fibres(self) -> list[tuple[Boxes, Boxes]]:
        """Sets of x2, disjoint, each with what it leaves possible of X1."""
        first, second = self.groups
        return [(product_of(sides), left) for sides, left in _cut(self.boxes.onto(*second, *first), second)]

    @property
    def unrelated(self) -> bool:
        """Whether every combination of values is possible."""
        return is_product(self.boxes, self.groups)

    def blocks(self) -> list[Boxes]:
        """⟦X1|X2⟧⋆: what is left possible of X1, merged where it overlaps until nothing does."""
        merged: list[Boxes] = []
        for _, left in self.fibres():
            touching = [block for block in merged if block & left]
            merged = [block for block in merged if not block & left] + [reduce(or_, touching, left)]
        return merged

    def named(self, part: Boxes) -> Any:
        """Values of one variable as its user writes them: values of a map, intervals, or boxes."""
        if len(part.names) > 1:
            return part
        (name,) = part.names
        if name not in self.values:
            return part.first
        return FiniteRange(self.values[name][int(each.low)] for each in part.first.components)


def joint_set(*variables: AnyContinuous) -> JointSet:
    """The joint range of variables of one source, of which no two share a coordinate."""
    source = same_source(*variables)
    maps = list(dict.fromkeys(each for each in variables if isinstance(each, CellMap)))
    names = {each: f"map {number}" for number, each in enumerate(maps)}
    groups = tuple((names[each],) if isinstance(each, CellMap) else coordinates(each) for each in variables)
    wanted = [name for group in groups for name in group]
    if len(set(wanted)) < len(wanted):
        raise SpaceError("two of the variables share a coordinate or a map; name each once")
    labelled = ((cell, dict(zip(names.values(), labels, strict=True))) for cell, labels in _joint_cells(source, maps))
    found = (_labelled(cell, labels, wanted) for cell, labels in labelled)
    whole = reduce(or_, found)
    return JointSet(whole, groups, {names[each]: list(each.all_cells) for each in maps})


def same_source(*variables: AnyContinuous) -> Continuous:
    """The continuous variable that all of these are made of."""
    sources = [each if isinstance(each, Continuous) else each.source for each in variables]
    if any(each is not sources[0] for each in sources):
        raise not_one_source_error()
    return sources[0]


def not_one_source_error() -> SpaceError:
    """The error for variables whose joint range is unknown."""
    return SpaceError(
        "a continuous variable can only be compared with itself and its maps and coordinates; make both from one"
    )


def coordinates(variable: Continuous | Coordinates) -> tuple[str, ...]:
    """The names of its coordinates in joint sets."""
    return variable.names or (NUMBER,)


def is_product(boxes: Boxes, groups: tuple[tuple[str, ...], ...]) -> bool:
    """Whether the shadow on all coordinates is the product of the shadows on each group."""
    shadows = [boxes.onto(*group) for group in groups]
    return boxes.onto(*(name for group in groups for name in group)) == reduce(Boxes.times, shadows)


def as_boxes(subset: Intervals | Boxes) -> Boxes:
    """A set of numbers as boxes with one coordinate."""
    if isinstance(subset, Boxes):
        return subset
    return product_of([(NUMBER, subset)]) if subset else Boxes((NUMBER,), ())


def _joint_cells(source: Continuous, maps: list[CellMap]) -> Iterator[tuple[Any, tuple[int, ...]]]:
    """The cells that several maps make together, with the number of each map's value."""
    if not maps:
        yield source.range, ()
    for chosen in product(*(enumerate(each.all_cells.values()) for each in maps)) if maps else ():
        cell: Any = reduce(and_, (part for _, part in chosen))
        if cell:
            yield cell, tuple(number for number, _ in chosen)


def _labelled(cell: Any, labels: dict[str, int], wanted: list[str]) -> Boxes:
    """The cell on the wanted coordinates, those of maps included."""
    shadow = as_boxes(cell).onto(*(name for name in wanted if name not in labels))
    numbers = product_of([(name, point(number)) for name, number in labels.items()])
    return shadow.times(numbers).onto(*wanted)


def _cut(boxes: Boxes, names: tuple[str, ...]) -> Iterator[tuple[list[tuple[str, Intervals]], Boxes]]:
    """Products over the first coordinates, disjoint, each with the set of the others above it."""
    if not names:
        yield [], boxes
        return
    for place, rest in boxes.layers:
        for sides, left in _cut(rest, names[1:]):
            yield [(names[0], place), *sides], left
