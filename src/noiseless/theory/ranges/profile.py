"""The length of a slice of a set for each value of the boundary: a piecewise linear function."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction

Line = tuple[Fraction, Fraction]
"""Slope and constant."""


@dataclass(frozen=True, slots=True)
class Profile:
    """φ(v): linear between the bends, where it may jump; `at` are its values at the bends."""

    bends: tuple[Fraction, ...]
    lines: tuple[Line, ...]
    at: tuple[Fraction, ...]

    @classmethod
    def of(cls, lengths: Callable[[Fraction], Fraction], bends: Iterable[Fraction]) -> Profile:
        """The profile of a function that is linear except at the bends.

        >>> Profile.of(lambda v: max(v, Fraction(0)), [Fraction(0)]).lines
        ((Fraction(0, 1), Fraction(0, 1)), (Fraction(1, 1), Fraction(0, 1)))
        """
        places = sorted(set(bends))
        starts, stops = [places[0] - 3, *places], [*places, places[-1] + 3]
        lines = [_line(lengths, *ends) for ends in zip(starts, stops, strict=True)]
        return cls(tuple(places), tuple(lines), tuple(map(lengths, places)))

    def line(self, value: Fraction) -> Line:
        """The linear piece of a value; at a bend, the one value there."""
        place = bisect_left(self.bends, value)
        if place < len(self.bends) and self.bends[place] == value:
            return Fraction(0), self.at[place]
        return self.lines[place]

    def __call__(self, value: Fraction) -> Fraction:
        """φ at a value."""
        slope, constant = self.line(value)
        return slope * value + constant

    def limits(self, place: int) -> tuple[Fraction, Fraction]:
        """The smallest and largest value of φ at a bend, including its limits from both sides."""
        bend = self.bends[place]
        near = [self.at[place], *(slope * bend + constant for slope, constant in self.lines[place : place + 2])]
        return min(near), max(near)


def _line(lengths: Callable[[Fraction], Fraction], start: Fraction, stop: Fraction) -> Line:
    first, second = (2 * start + stop) / 3, (start + 2 * stop) / 3
    slope = (lengths(second) - lengths(first)) / (second - first)
    return slope, lengths(first) - slope * first
