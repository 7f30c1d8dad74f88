"""A boundary xᵢ = g(other coordinates), and integrals that depend on it.

A set cut out of a box along coordinate i by surfaces g + c has slices that depend on the other coordinates only through
v = g. Its measure is ∫ φ(g), where φ(v) is the length of the slice at v, a piecewise linear function.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import prod
from typing import TYPE_CHECKING, Any

from noiseless.errors import RangeError, UnknownVariableError
from noiseless.exact.enclosure import Enclosure
from noiseless.exact.number import Number, exact_number
from noiseless.exact.polynomial import Polynomial, understood
from noiseless.theory.ranges.boxes import Box
from noiseless.theory.ranges.intervals import Intervals
from noiseless.theory.ranges.profile import Profile

if TYPE_CHECKING:
    from noiseless.theory.ranges.region import Region

ONE = Fraction(1)


@dataclass(frozen=True, slots=True, init=False)
class Boundary:
    """The hypothesis that a coordinate is at least a function of others: xᵢ ≥ g.

    `function` takes the other coordinates by name. With + − · / and whole powers it is treated exactly, as a
    polynomial; otherwise use numpy's functions, which are bounded by interval arithmetic.

    >>> obese = Boundary("weight", lambda height: 0.003 * height**2)
    >>> obese.at(height=170), obese.polynomial
    (Fraction(867, 10), Polynomial(coefficients=(Fraction(0, 1), Fraction(0, 1), Fraction(3, 1000))))
    """

    axis: str
    function: Callable[..., Any]
    others: tuple[str, ...]
    """The coordinates that the function takes."""
    polynomial: Polynomial | None
    """The function of the one other coordinate, if it is a polynomial."""

    def __init__(self, axis: str, function: Callable[..., Any] | Number) -> None:
        """A number stands for a threshold: the function that is that number everywhere."""
        if not callable(function):
            threshold = exact_number(function, "function")

            def function() -> Fraction:
                return threshold

        others = tuple(inspect.signature(function).parameters)
        if axis in others:
            raise RangeError(f"the function of the boundary takes {axis!r} itself; let it take only other coordinates")
        object.__setattr__(self, "axis", axis)
        object.__setattr__(self, "function", function)
        object.__setattr__(self, "others", others)
        object.__setattr__(self, "polynomial", understood(function, len(others)))

    def at(self, **others: Number) -> Fraction:
        """g, exactly where it is a polynomial."""
        if missing := [name for name in self.others if name not in others]:
            raise UnknownVariableError(f"the boundary depends on {', '.join(self.others)}; give {missing[0]!r} too")
        given = [exact_number(others[name], name) for name in self.others]
        if self.polynomial is not None:
            return self.polynomial(given[0]) if given else self.polynomial(Fraction(0))
        return Fraction(float(self.function(*map(float, given))))

    def same(self, other: Boundary) -> bool:
        """Whether two boundaries are certainly the same surface."""
        known = self.polynomial is not None and self.polynomial == other.polynomial
        same = (self.axis, self.others) == (other.axis, other.others)
        return same and (known or self.function is other.function)

    def within(self, box: Box) -> Intervals:
        """The range of the coordinate, which must be one interval; the others must be in the box as well."""
        if not isinstance(box, Box):
            raise RangeError(f"a {type(box).__name__} is not a range; give a Box, as in nl.Box({self.axis}=(0, 100))")
        for name in self.others:
            box[name]
        side = box[self.axis]
        if len(side.components) > 1:
            raise RangeError(f"the range of {self.axis!r} is {side}; use a range of one interval")
        if box.measure == 0:
            raise RangeError(
                f"the box {box} has no measure, so no share of it can be hidden; give every side a length above 0"
            )
        if side != Intervals.closed(side.low, side.high):
            raise RangeError(f"the range of {self.axis!r} is {side}; use a range that includes both ends")
        return side

    def above(self, box: Box, offset: Number = 0) -> Region:
        """Where the hypothesis holds: xᵢ ≥ g + offset."""
        from noiseless.theory.ranges.region import above

        return above(self, box, offset)

    def below(self, box: Box, offset: Number = 0) -> Region:
        """Where the hypothesis does not hold: xᵢ < g + offset."""
        return ~self.above(box, offset)

    def band(self, box: Box, half_width: Number) -> Region:
        """|xᵢ − g| ≤ half_width."""
        from noiseless.theory.ranges.region import band

        return band(self, box, half_width)

    def integral(self, box: Box, profile: Profile) -> Enclosure:
        """∫ φ(g) over the other coordinates of the box."""
        side = self.within(box)
        factor = prod((box[name].measure for name in box.names if name not in (self.axis, *self.others)), start=ONE)
        if self.polynomial is not None:
            if not self.others:
                return _times(_once(profile(self.at())), factor)
            parts = (_along(self.polynomial, each, profile, side.measure) for each in box[self.others[0]].components)
            return _times(_total(parts), factor)
        from noiseless.theory.ranges.quadrature import quadrature

        return _times(quadrature(self.function, {name: box[name] for name in self.others}, profile), factor)

    def attains(self, box: Box, value: Fraction) -> bool:
        """Whether g can take a value anywhere in the box; True if undecided."""
        if self.polynomial is None:
            return True
        if not self.others:
            return self.at() == value
        level = self.polynomial - value
        return any(
            level.degree < 0
            or any(end in each and level(end) == 0 for end in (each.low, each.high))
            or bool(level.roots(each.low, each.high))
            for each in box[self.others[0]].components
        )

    def passes(self, box: Box, low: Fraction | None, high: Fraction | None) -> bool:
        """Whether g can take a value strictly between two numbers anywhere in the box; True if undecided."""
        if self.polynomial is None:
            return True
        if not self.others:
            values = [Enclosure(self.at(), self.at())]
        else:
            values = [self.polynomial.extremes(each.low, each.high) for each in box[self.others[0]].components]
        return any((low is None or each.upper > low) and (high is None or each.lower < high) for each in values)


def _along(g: Polynomial, side: Intervals, profile: Profile, longest: Fraction) -> Enclosure:
    """Between two neighbouring places where g is on a bend, φ(g) is a polynomial."""
    places = {_once(side.low), _once(side.high)}
    for bend in profile.bends:
        places |= set((g - bend).roots(side.low, side.high))
    ordered = sorted(places, key=lambda place: (place.lower, place.upper))
    return _total(
        _piece(g, start, stop, profile)
        if start.upper < stop.lower
        else Enclosure(Fraction(0), longest * (stop.upper - start.lower))  # closer than roots can be separated
        for start, stop in pairwise(ordered)
    )


def _piece(g: Polynomial, start: Enclosure, stop: Enclosure, profile: Profile) -> Enclosure:
    slope, constant = profile.line(g((start.upper + stop.lower) / 2))
    whole = (g * slope + constant).integral
    first, last = whole.over(start), whole.over(stop)
    return Enclosure(last.lower - first.upper, last.upper - first.lower)


def _once(number: Fraction) -> Enclosure:
    return Enclosure(number, number)


def _total(parts: Iterable[Enclosure]) -> Enclosure:
    lower = upper = Fraction(0)
    for part in parts:
        lower, upper = lower + part.lower, upper + part.upper
    return Enclosure(lower, upper)


def _times(part: Enclosure, factor: Fraction) -> Enclosure:
    return Enclosure(part.lower * factor, part.upper * factor)
