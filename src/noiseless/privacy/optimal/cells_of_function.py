"""Cells of a vector function on a box, with certain bounds for all policies.

The box is cut into small boxes. On each, interval arithmetic encloses the values of the function: within δ of a middle.

- A policy: cells of small boxes whose values fit into one ball of radius e. A small box may be divided among cells.
- A limit for all policies: the points of one cell have values in a ball of radius e, so the middles of their small
  boxes lie in a ball of radius e + δ. Every policy is thus a policy on the middles with that error, which may divide
  the data of each. Its smallest cell is no larger, and its cells are no fewer, than the best of those.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, product
from math import hypot, lcm, prod
from typing import Any

import numpy as np

from noiseless.errors import DomainError, InputError, NumberError, RangeError, TooLargeError
from noiseless.exact.number import Number, exact_number
from noiseless.exact.roots import integer_root
from noiseless.exact.rounding import float_down, float_up
from noiseless.exact.span import Span, span
from noiseless.privacy.optimal.best import Against
from noiseless.privacy.optimal.dealing import Dealt
from noiseless.privacy.optimal.fewest_cells import Family, fewest_of_all
from noiseless.privacy.optimal.largest_smallest import largest_smallest
from noiseless.privacy.optimal.maximal_cells import (
    Norm,
    Point,
    in_boxes,
    largest_of,
    maximal_cells,
    report_of,
)
from noiseless.privacy.optimal.measured import Measured
from noiseless.theory.capacity.deadline import Deadline
from noiseless.theory.ranges.boxes import Box
from noiseless.theory.ranges.quadrature import values_on

MOST_BOXES = 196
EVEN = 22
"""Small boxes are divided into a multiple of 1, 2, …, EVEN units."""
Sides = tuple[tuple[Fraction, Fraction], ...]


@dataclass(frozen=True)
class FunctionCells(Measured):
    """A policy for a vector function on a box, and bounds for all others with this error.

    `smallest` is the exact share of this policy's smallest cell, and no policy's is larger than `limit`. No policy has
    fewer cells than `least`.
    """

    error: Fraction
    norm: Norm
    against: Against
    box: Box
    parts: tuple[Sides, ...]
    """The small boxes."""
    portions: tuple[tuple[tuple[int, Fraction], ...], ...]
    """For each small box, its cells and the share of the box, from low to high along the first coordinate."""
    reports: tuple[Point, ...]
    smallest: Fraction
    limit: Fraction
    least: int

    @property
    def cells(self) -> int:
        """The number of different answers."""
        return len(self.reports)

    @property
    def proved(self) -> bool:
        """Whether the policy attains the bound of what was asked for."""
        return self.cells == self.least if self.against == "maximin" else self.smallest == self.limit

    @property
    def quality(self) -> Fraction:
        """The papers' γ."""
        return 1 / self.error

    def apply(self, **coordinates: Number) -> Point:
        """The report for one point of the box."""
        if set(coordinates) != set(self.box.names):
            raise DomainError(f"the point does not fit the box; give {', '.join(self.box.names)}")
        point = [exact_number(coordinates[name], name) for name in self.box.names]
        for sides, portions in zip(self.parts, self.portions, strict=True):
            if all(low <= value <= high for value, (low, high) in zip(point, sides, strict=True)):
                low, high = sides[0]
                ends = list(accumulate(share for _, share in portions))
                place = min(bisect_right(ends, (point[0] - low) / (high - low)), len(portions) - 1)
                return self.reports[portions[place][0]]
        raise DomainError("the point lies outside the box; declare a larger box")


def cells_of_function(
    function: Callable[..., Any], box: Box, error: Fraction, norm: Norm, against: Against, deadline: Deadline
) -> FunctionCells:
    """The best cells of small boxes, and the bounds that hold for every policy."""
    small = SmallBoxes.of(function, box, norm)
    numbers = small.shares
    inside, outside = small.surely(error, norm), small.possibly(error, norm)
    if against == "maximin":
        given, _ = fewest_of_all(inside, numbers, deadline.share(1 / 2))
        least = fewest_of_all(outside, numbers, deadline)[1]
        limit = Fraction(1, least)
    else:
        given = largest_smallest(inside, numbers, True, deadline.share(1 / 2)).given
        least = sum(map(outside.pairwise_separate, outside.components()))
        limit = _limit(outside, numbers, deadline)
    smallest = Fraction(min(sum(own.values()) for own in given), sum(numbers))
    reports = tuple(small.report(list(own), norm) for own in given)
    portions = tuple(_portions(given, place, numbers[place]) for place in range(len(small.parts)))
    return FunctionCells(error, norm, against, box, small.parts, portions, reports, smallest, limit, least)


@dataclass(frozen=True)
class SmallBoxes:
    """The small boxes, and bounds of the function's values on each."""

    parts: tuple[Sides, ...]
    lows: list[Point]
    highs: list[Point]
    middles: list[Point]
    away: Fraction
    """δ: how far values can be from the middle."""

    @classmethod
    def of(cls, function: Callable[..., Any], box: Box, norm: Norm) -> SmallBoxes:
        """Cut the box, and follow the function by interval arithmetic."""
        parts = _cut(box)
        lows, highs = _values(function, parts)
        ends = [list(zip(low, high, strict=True)) for low, high in zip(lows, highs, strict=True)]
        middles = [tuple((a + b) / 2 for a, b in sides) for sides in ends]
        return cls(parts, lows, highs, middles, max(_size([(b - a) / 2 for a, b in sides], norm) for sides in ends))

    @property
    def shares(self) -> list[int]:
        """The volumes, as integers."""
        volumes = [prod((high - low for low, high in sides), start=Fraction(1)) for sides in self.parts]
        unit = lcm(*(volume.denominator for volume in volumes))
        return [int(volume * unit) for volume in volumes]

    def surely(self, error: Fraction, norm: Norm) -> Family:
        """Which small boxes fit into one cell, wherever in them the data are."""
        if norm == "largest" or len(self.middles[0]) == 1:
            cells = largest_of(in_boxes(self.lows, self.highs, 2 * error))
        else:
            cells = maximal_cells(self.middles, error - self.away, norm) if error > self.away else []
        family = Family.of(cells, len(self.parts))
        if not all(family.near):
            raise TooLargeError(
                f"on one of {len(self.parts)} small boxes the function varies by more than the error allows; use a "
                f"larger error, or a smaller box"
            )
        return family

    def possibly(self, error: Fraction, norm: Norm) -> Family:
        """Which small boxes can hold data of one cell."""
        return Family.of(maximal_cells(self.middles, error + self.away, norm), len(self.parts))

    def report(self, own: list[int], norm: Norm) -> Point:
        """A point within the error of all values of these small boxes."""
        if norm == "largest" or len(self.middles[0]) == 1:
            return report_of([corner for k in own for corner in (self.lows[k], self.highs[k])], "largest")
        return report_of([self.middles[k] for k in own], norm)


def _cut(box: Box) -> tuple[Sides, ...]:
    """Small boxes, each side of the box cut evenly."""
    if box.measure == 0:
        raise RangeError("the box has no measure; give every side a length above 0")
    pieces = [box[name].components for name in box.names]
    if any(part.high == part.low for components in pieces for part in components):
        raise RangeError("a side of the box has an isolated point, which no share of the data can hide; leave it out")
    each = max(1, integer_root(MOST_BOXES // prod(map(len, pieces)), len(pieces)))
    sides = [
        [
            (part.low + k * (part.high - part.low) / each, part.low + (k + 1) * (part.high - part.low) / each)
            for part in components
            for k in range(each)
        ]
        for components in pieces
    ]
    return tuple(product(*sides))


def _values(function: Callable[..., Any], parts: Sequence[Sides]) -> tuple[list[Point], list[Point]]:
    """The lowest and highest value of every coordinate on each small box: exact for + − · / **, else from floats."""
    corners = [np.array(ends, dtype=object).T for ends in zip(*parts, strict=True)]
    found = _exactly(function, [Span(low, high) for low, high in corners])
    if found is None:
        lows = np.array([[float_down(low) for low in side[0]] for side in corners])
        highs = np.array([[float_up(high) for high in side[1]] for side in corners])
        count = len(_coordinates(function, [Span(low, high) for low, high in zip(lows, highs, strict=True)]))
        found = [values_on(lambda *sides, k=k: function(*sides)[k], lows, highs) for k in range(count)]
    return _points(value.low for value in found), _points(value.high for value in found)


def _exactly(function: Callable[..., Any], sides: list[Span]) -> list[Span] | None:
    try:
        found = _coordinates(function, sides)
    except (TypeError, ValueError, AttributeError, ArithmeticError, LookupError):
        return None
    return found if all(value.low.dtype == object for value in found) else None


def _coordinates(function: Callable[..., Any], sides: list[Span]) -> list[Span]:
    try:
        found = function(*sides)
        if isinstance(found, (tuple, list)) and found:
            return [span(each) for each in found]
    except (TypeError, ValueError, AttributeError, ArithmeticError, LookupError, NumberError) as wrong:
        raise RangeError(
            "the function cannot be followed by interval arithmetic; write it with + - * / ** and "
            "numpy's sqrt, exp, log, abs, minimum, maximum"
        ) from wrong
    raise InputError("the function of a box must return its coordinates, such as (x + y, x * y); return a tuple")


def _points(ends: Iterable[Any]) -> list[Point]:
    """One point for each small box, from one array for each coordinate."""
    return list(zip(*([Fraction(value) for value in end.tolist()] for end in ends), strict=True))


def _size(halves: list[Fraction], norm: Norm) -> Fraction:
    """How far a value can be from the middle."""
    if norm == "largest" or len(halves) == 1:
        return max(halves)
    if norm == "sum":
        return sum(halves, Fraction(0))
    return Fraction(float_up(Fraction(hypot(*(float_up(half) for half in halves))) * (1 + Fraction(1, 10**12))))


def _limit(family: Family, numbers: list[int], deadline: Deadline) -> Fraction:
    """The largest share of a smallest cell, where data can be divided at will.

    For cells that cover all points it is the least share of some of them divided by how many they are, which is a whole
    number of units up to EVEN cells. More than EVEN cells have less each. Otherwise one unit more is allowed.
    """
    unit = lcm(*range(1, EVEN + 1))
    fine = [number * unit for number in numbers]
    found = largest_smallest(family, fine, True, deadline).limit
    return Fraction(found if found * EVEN >= sum(fine) else found + 1, sum(fine))


def _portions(given: Dealt, place: int, whole: int) -> tuple[tuple[int, Fraction], ...]:
    return tuple((cell, Fraction(own[place], whole)) for cell, own in enumerate(given) if own.get(place))
