"""Boxes with named coordinates, and finite unions of them in one normal form.

A union is kept as layers: disjoint sets of the first coordinate, each with the set of all others above it, no
two of which are equal. Every operation on sets then goes coordinate by coordinate, down to intervals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import or_

from noiseless.errors import RangeError, UnknownVariableError
from noiseless.exact.number import Number
from noiseless.theory.ranges.intervals import EMPTY, Intervals

Side = tuple[Number, Number] | str | Intervals
"""A closed interval as its two ends, or a set of numbers."""
Layer = tuple[Intervals, "Boxes"]


@dataclass(frozen=True, slots=True, repr=False)
class Boxes:
    """A finite union of boxes over the same coordinates. Equal sets are equal objects.

    >>> people = Box(weight=(0, 200), height=(0, 250))
    >>> tall = people.where(height="(150, 250]")
    >>> tall.measure, (people - tall).measure
    (Fraction(20000, 1), Fraction(30000, 1))
    >>> people - tall
    weight ∈ [0, 200], height ∈ [0, 150]
    """

    names: tuple[str, ...]
    layers: tuple[Layer, ...]
    """Without coordinates: one layer for the point, none for nothing."""

    @property
    def measure(self) -> Fraction:
        """μ, the volume; without coordinates, of the point, 1."""
        if not self.names:
            return Fraction(len(self.layers))
        return sum((place.measure * rest.measure for place, rest in self.layers), Fraction(0))

    def __contains__(self, point: Mapping[str, Number]) -> bool:
        if not self.names:
            return bool(self.layers)
        first = self.names[0]
        if not isinstance(point, Mapping) or first not in point:
            raise UnknownVariableError(f"the point has no coordinate {first!r}; give all of {', '.join(self.names)}")
        return any(point[first] in place and point in rest for place, rest in self.layers)

    def __bool__(self) -> bool:
        return bool(self.layers)

    def __or__(self, other: Boxes | Box) -> Boxes:
        return self._with(other, lambda a, b: a or b)

    def __and__(self, other: Boxes | Box) -> Boxes:
        return self._with(other, lambda a, b: a and b)

    def __sub__(self, other: Boxes | Box) -> Boxes:
        return self._with(other, lambda a, b: a and not b)

    def __xor__(self, other: Boxes | Box) -> Boxes:
        return self._with(other, lambda a, b: a != b)

    def __le__(self, other: Boxes | Box) -> bool:
        """Whether every point of it is in the other."""
        return not self - other

    def _with(self, given: Boxes | Box, keep: Callable[[bool, bool], bool]) -> Boxes:
        other = given.all if isinstance(given, Box) else given
        if not isinstance(other, Boxes):
            return NotImplemented
        if self.names != other.names:
            raise RangeError(
                f"sets over {', '.join(self.names)} and {', '.join(other.names)} belong to different spaces; use "
                f"sets over the same coordinates"
            )
        if not self.names:
            return _point if keep(bool(self.layers), bool(other.layers)) else _nothing(())
        nothing, found = _nothing(self.names[1:]), dict[Boxes, Intervals]()
        for place, mine, theirs in _overlaid(self.layers, other.layers, nothing):
            rest = mine._with(theirs, keep)
            if place and rest:
                found[rest] = found.get(rest, EMPTY) | place
        layers = sorted(((place, rest) for rest, place in found.items()), key=lambda layer: layer[0].cuts)
        return Boxes(self.names, tuple(layers))

    def image(self, weights: Mapping[str, Fraction], constant: Fraction) -> Intervals:
        """All values of an affine function on the set."""
        if not self.names:
            return Intervals.closed(constant, constant) if self.layers else EMPTY
        weight = weights.get(self.names[0], Fraction(0))
        images = (place.moved(weight, Fraction(0)) + rest.image(weights, constant) for place, rest in self.layers)
        return reduce(or_, images, EMPTY)

    @property
    def products(self) -> list[tuple[Intervals, ...]]:
        """Disjoint products that it is the union of, each as its sides."""
        if not self.names:
            return [()] if self.layers else []
        return [(place, *others) for place, rest in self.layers for others in rest.products]

    def onto(self, *names: str) -> Boxes:
        """Its shadow on some coordinates, in the order given.

        >>> (Box(x=(0, 2), y=(0, 2)) - Box(x=(1, 2), y=(1, 2))).onto("y", "x")
        y ∈ [0, 1), x ∈ [0, 2] ∪ y ∈ [1, 2], x ∈ [0, 1)
        """
        if names == self.names:
            return self
        sides = [dict(zip(self.names, each, strict=True)) for each in self.products]
        shadows = (product_of([(name, each[name]) for name in names]) for each in sides)
        return reduce(or_, shadows, _nothing(names))

    def times(self, other: Boxes) -> Boxes:
        """The product with a set over other coordinates."""
        pairs = ((*one, *two) for one in self.products for two in other.products)
        names = (*self.names, *other.names)
        found = (product_of(list(zip(names, sides, strict=True))) for sides in pairs)
        return reduce(or_, found, _nothing(names))

    @property
    def first(self) -> Intervals:
        """All values of the first coordinate."""
        return reduce(or_, (place for place, _ in self.layers), EMPTY)

    def __repr__(self) -> str:
        return " ∪ ".join(_written(self)) or "∅"


@dataclass(frozen=True, slots=True, repr=False, init=False)
class Box:
    """A product of ranges, one for each named coordinate.

    >>> Box(weight=(0, 200), height=(0, 250))
    weight ∈ [0, 200], height ∈ [0, 250]
    >>> {"weight": 70, "height": 170} in Box(weight=(0, 200), height=(0, 250))
    True
    """

    sides: tuple[tuple[str, Intervals], ...]

    def __init__(self, **sides: Side) -> None:
        if not sides:
            raise RangeError("a box needs coordinates; write it as Box(weight=(0, 200), height=(0, 250))")
        object.__setattr__(self, "sides", tuple((name, _side(name, given)) for name, given in sides.items()))

    @property
    def names(self) -> tuple[str, ...]:
        """The coordinates."""
        return tuple(name for name, _ in self.sides)

    @property
    def all(self) -> Boxes:
        """The box as a set."""
        return product_of(self.sides)

    @property
    def measure(self) -> Fraction:
        """μ, the volume."""
        return self.all.measure

    def __getitem__(self, name: str) -> Intervals:
        """The range of a coordinate."""
        found = dict(self.sides).get(name)
        if found is None:
            raise UnknownVariableError(f"the box has no coordinate {name!r}; use one of {', '.join(self.names)}")
        return found

    def where(self, **sides: Side) -> Boxes:
        """The part in which the named coordinates lie in the given sets."""
        part = {name: self[name] & _side(name, given) for name, given in sides.items()}
        if not all(part.values()):
            return _nothing(self.names)
        return Box(**{name: part.get(name, side) for name, side in self.sides}).all

    def without(self, name: str) -> Boxes:
        """The set of all other coordinates."""
        others = {other: side for other, side in self.sides if other != name}
        return Box(**others).all if others else _point

    def __contains__(self, point: Mapping[str, Number]) -> bool:
        return point in self.all

    def __or__(self, other: Boxes | Box) -> Boxes:
        return self.all | other

    def __and__(self, other: Boxes | Box) -> Boxes:
        return self.all & other

    def __sub__(self, other: Boxes | Box) -> Boxes:
        return self.all - other

    def __xor__(self, other: Boxes | Box) -> Boxes:
        return self.all ^ other

    def __le__(self, other: Boxes | Box) -> bool:
        return self.all <= other

    def __repr__(self) -> str:
        return repr(self.all)


def product_of(sides: Sequence[tuple[str, Intervals]]) -> Boxes:
    """The product of named sets that are not empty; without any, the point."""
    found = _point
    for name, side in reversed(sides):
        found = Boxes((name, *found.names), ((side, found),))
    return found


_point = Boxes((), ((EMPTY, None),))  # type: ignore[arg-type]


def _nothing(names: tuple[str, ...]) -> Boxes:
    return Boxes(names, ())


def _side(name: str, given: Side) -> Intervals:
    match given:
        case Intervals():
            side = given
        case str():
            side = Intervals(given)
        case (low, high):
            side = Intervals.closed(low, high)
        case _:
            raise RangeError(
                f"{name}={given!r} is not a range; give two ends, such as (0, 200), or a set such as '[0, 200)'"
            )
    if not side:
        raise RangeError(f"{name}={given!r} is empty; give the smaller end first")
    return side


def _overlaid(
    first: tuple[Layer, ...], second: tuple[Layer, ...], nothing: Boxes
) -> Iterable[tuple[Intervals, Boxes, Boxes]]:
    """Where both have a layer, and where only one has."""
    whole = [reduce(or_, (place for place, _ in layers), EMPTY) for layers in (first, second)]
    for place, mine in first:
        yield from ((place & there, mine, theirs) for there, theirs in second)
        yield place - whole[1], mine, nothing
    yield from ((place - whole[0], nothing, theirs) for place, theirs in second)


def _written(boxes: Boxes) -> list[str]:
    first, *others = boxes.names
    lines = []
    for place, rest in boxes.layers:
        here = f"{first} ∈ {place}"
        lines += [f"{here}, {line}" for line in _written(rest)] if others else [here]
    return lines
