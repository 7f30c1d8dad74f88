"""What a boundary cuts out of a box along its coordinate: one side, a band, and set operations on these."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from noiseless.errors import RangeError
from noiseless.exact.enclosure import Enclosure
from noiseless.exact.number import Number, exact_number
from noiseless.theory.ranges.boundary import Boundary
from noiseless.theory.ranges.boxes import Box
from noiseless.theory.ranges.intervals import Intervals
from noiseless.theory.ranges.profile import Profile


@dataclass(frozen=True, slots=True, eq=False)
class Region:
    """A set whose slice along the boundary's coordinate depends on the others only through the boundary's value.

    >>> people = Box(weight=(0, 200), height=(0, 250))
    >>> obese = above(Boundary("weight", lambda height: 0.003 * height**2), people)
    >>> obese.measure, obese.slice(height=200)
    (34375, [120, 200])
    """

    boundary: Boundary
    box: Box
    offsets: frozenset[Fraction]
    """The surfaces g + c that bound it."""
    sliced: Callable[[Fraction], Intervals]
    """The slice, for each value of g."""

    @property
    def measure(self) -> Enclosure:
        """μ, enclosed by two numbers; if g is a polynomial it is exact, except for irrational roots."""
        return self.boundary.integral(self.box, Profile.of(lambda v: self.sliced(v).measure, self._bends))

    @property
    def _bends(self) -> list[Fraction]:
        """Where the surfaces meet the ends of the range: there the slices change."""
        side = self.boundary.within(self.box)
        return sorted({end - offset for end in (side.low, side.high) for offset in self.offsets})

    def slice(self, **others: Number) -> Intervals:
        """The values of the coordinate in the set, for given values of the others."""
        return self.sliced(self.boundary.at(**others))

    def __contains__(self, point: Mapping[str, Number]) -> bool:
        if point not in self.box:
            return False
        others = {name: point[name] for name in self.boundary.others}
        return exact_number(point[self.boundary.axis]) in self.slice(**others)

    def __or__(self, other: Region) -> Region:
        return self._with(other, Intervals.__or__)

    def __and__(self, other: Region) -> Region:
        return self._with(other, Intervals.__and__)

    def __sub__(self, other: Region) -> Region:
        return self._with(other, Intervals.__sub__)

    def __xor__(self, other: Region) -> Region:
        return self._with(other, Intervals.__xor__)

    def __invert__(self) -> Region:
        """The rest of the box."""
        return whole(self.boundary, self.box) - self

    def __le__(self, other: Region) -> bool:
        """Whether every point of it is in the other."""
        return not self - other

    def __bool__(self) -> bool:
        """Whether it has any point: slices between two bends are alike, so one of each is checked."""
        bends = self._bends
        between = [bends[0] - 1, *((a + b) / 2 for a, b in pairwise(bends)), bends[-1] + 1]
        ends = [None, *bends, None]
        kinds = zip(between, ends, ends[1:], strict=False)
        return any(self.sliced(v) and self.boundary.attains(self.box, v) for v in bends) or any(
            self.sliced(v) and self.boundary.passes(self.box, low, high) for v, low, high in kinds
        )

    def _with(self, other: Region, operation: Callable[[Intervals, Intervals], Intervals]) -> Region:
        if not isinstance(other, Region):
            return NotImplemented
        if (self.boundary, self.box) != (other.boundary, other.box):
            raise RangeError("these regions belong to different boundaries or boxes; make both from the same ones")
        return Region(
            self.boundary,
            self.box,
            self.offsets | other.offsets,
            lambda v: operation(self.sliced(v), other.sliced(v)),
        )


def whole(boundary: Boundary, box: Box) -> Region:
    """All of the box."""
    side = boundary.within(box)
    return Region(boundary, box, frozenset({Fraction(0)}), lambda _: side)


def above(boundary: Boundary, box: Box, offset: Number = 0) -> Region:
    """Where the hypothesis holds: xᵢ ≥ g + offset."""
    side, moved = boundary.within(box), exact_number(offset, "offset")
    far = max(side.high - side.low, Fraction(1))
    return Region(
        boundary,
        box,
        frozenset({moved}),
        lambda v: side & Intervals.closed(v + moved, max(v + moved, side.high) + far),
    )


def band(boundary: Boundary, box: Box, half_width: Number) -> Region:
    """|xᵢ − g| ≤ half_width."""
    side, reach = boundary.within(box), exact_number(half_width, "half_width")
    if reach < 0:
        raise RangeError(f"half_width={half_width} is below 0; use 0 or more")
    return Region(boundary, box, frozenset({-reach, reach}), lambda v: side & Intervals.closed(v - reach, v + reach))
