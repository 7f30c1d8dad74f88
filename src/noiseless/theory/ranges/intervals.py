"""Finite unions of intervals, with open and closed ends, in one normal form.

A *cut* is a place between numbers: just before a number, (a, 0), or just after it, (a, 1). An interval lies between two
cuts: [a, b] between (a, 0) and (b, 1), (a, b) between (a, 1) and (b, 0). A union is then an increasing sequence of
cuts, alternately in and out, and every operation on sets is a walk along the cuts of both.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from noiseless.errors import RangeError
from noiseless.exact.number import Number, exact_number
from noiseless.theory.ranges.interval import Interval

Cut = tuple[Fraction, int]
PART = re.compile(r"\s*([\[(])\s*([^,\s]+)\s*,\s*([^,\])\s]+)\s*([\])])\s*|\s*\{\s*([^}\s]+)\s*\}\s*")


@dataclass(frozen=True, slots=True, repr=False, init=False)
class Intervals:
    """A set of numbers made of finitely many intervals. Equal sets are equal objects.

    >>> Intervals("[0, 1) ∪ [1, 2] ∪ {5}")
    [0, 2] ∪ {5}
    >>> Intervals("[0, 10]") - Intervals("(2, 3]")
    [0, 2] ∪ (3, 10]
    >>> (Intervals("[0, 10]") - Intervals("(2, 3]")).measure
    Fraction(9, 1)
    """

    cuts: tuple[Cut, ...]

    def __init__(self, text: str = "∅") -> None:
        """Parse a text such as "[0, 1) ∪ {5}", or "∅" for the empty set."""
        if not isinstance(text, str):
            raise RangeError(f"{text!r} is not a text; write it as '[0, 1) ∪ {{5}}'")
        found: Intervals = EMPTY if text.strip() == "∅" else _union(map(_part, re.split("[∪|]", text)))
        object.__setattr__(self, "cuts", found.cuts)

    @classmethod
    def of_cuts(cls, cuts: Iterable[Cut]) -> Intervals:
        """The set between the cuts, which must increase."""
        made = object.__new__(cls)
        object.__setattr__(made, "cuts", tuple(cuts))
        return made

    @classmethod
    def closed(cls, low: Number, high: Number) -> Intervals:
        """All numbers from low to high, both included."""
        inside = Interval(exact_number(low, "low"), exact_number(high, "high"))
        return cls.of_cuts([(inside.low, 0), (inside.high, 1)])

    @property
    def measure(self) -> Fraction:
        """μ, the total length."""
        return sum((high - low for (low, _), (high, _) in self._pairs()), Fraction(0))

    @property
    def components(self) -> list[Intervals]:
        """The single intervals, from left to right."""
        return [Intervals.of_cuts(pair) for pair in self._pairs()]

    @property
    def finite(self) -> bool:
        """Whether it is only finitely many points."""
        return self.measure == 0

    @property
    def low(self) -> Fraction:
        """The largest lower bound."""
        return self._ends()[0]

    @property
    def high(self) -> Fraction:
        """The smallest upper bound."""
        return self._ends()[1]

    def _ends(self) -> tuple[Fraction, Fraction]:
        if not self.cuts:
            raise RangeError("the empty set has no ends; use a nonempty set")
        return self.cuts[0][0], self.cuts[-1][0]

    def _pairs(self) -> Iterator[tuple[Cut, Cut]]:
        return zip(self.cuts[::2], self.cuts[1::2], strict=True)

    def __contains__(self, number: Number) -> bool:
        return bisect_right(self.cuts, (exact_number(number), 0)) % 2 == 1

    def __bool__(self) -> bool:
        return bool(self.cuts)

    def __or__(self, other: Intervals) -> Intervals:
        return self._with(other, lambda a, b: a or b)

    def __and__(self, other: Intervals) -> Intervals:
        return self._with(other, lambda a, b: a and b)

    def __sub__(self, other: Intervals) -> Intervals:
        return self._with(other, lambda a, b: a and not b)

    def __xor__(self, other: Intervals) -> Intervals:
        return self._with(other, lambda a, b: a != b)

    def __le__(self, other: Intervals) -> bool:
        """Whether every number of it is in the other."""
        return NotImplemented if not isinstance(other, Intervals) else not self - other

    def _with(self, other: Intervals, keep: Callable[[bool, bool], bool]) -> Intervals:
        if not isinstance(other, Intervals):
            return NotImplemented
        kept, inside = [], False
        for cut in sorted({*self.cuts, *other.cuts}):
            now = keep(*(bisect_right(each.cuts, cut) % 2 == 1 for each in (self, other)))
            if now != inside:
                kept.append(cut)
                inside = now
        return Intervals.of_cuts(kept)

    def moved(self, scale: Fraction, offset: Fraction) -> Intervals:
        """All scale·x + offset.

        >>> Intervals("[0, 1)").moved(Fraction(-2), Fraction(5))
        (3, 5]
        """
        if scale == 0:
            return point(offset) if self else EMPTY
        ends = [(scale * at + offset, side if scale > 0 else 1 - side) for at, side in self.cuts]
        return Intervals.of_cuts(ends if scale > 0 else reversed(ends))

    def __add__(self, other: Intervals) -> Intervals:
        """All sums of a number of one and a number of the other."""
        if not isinstance(other, Intervals):
            return NotImplemented
        return _union(
            Intervals.of_cuts([_sum(a[0], b[0], 0), _sum(a[1], b[1], 1)]) for a in self._pairs() for b in other._pairs()
        )

    def __repr__(self) -> str:
        return " ∪ ".join(_written(*pair) for pair in self._pairs()) or "∅"


EMPTY = Intervals.of_cuts(())


def point(number: Number) -> Intervals:
    """One number.

    >>> point("0.5")
    {1/2}
    """
    at = exact_number(number)
    return Intervals.of_cuts([(at, 0), (at, 1)])


def _sum(first: Cut, second: Cut, closed: int) -> Cut:
    """An end of a sum is included if both ends are."""
    side = closed if first[1] == second[1] == closed else 1 - closed
    return first[0] + second[0], side


def _union(sets: Iterable[Intervals]) -> Intervals:
    found = EMPTY
    for each in sets:
        found |= each
    return found


def _part(text: str) -> Intervals:
    match = PART.fullmatch(text)
    if match is None:
        raise RangeError(f"{text.strip()!r} is not an interval; write [0, 1], (0, 1], [0, 1), (0, 1) or {{1}}")
    opening, low, high, closing, single = match.groups()
    if single is not None:
        return point(single)
    ends = Interval(exact_number(low, "low"), exact_number(high, "high"))
    first, last = (ends.low, int(opening == "(")), (ends.high, int(closing == "]"))
    return Intervals.of_cuts((first, last) if first < last else ())


def _written(low: Cut, high: Cut) -> str:
    if low[0] == high[0]:
        return f"{{{low[0]}}}"
    return f"{'(' if low[1] else '['}{low[0]}, {high[0]}{']' if high[1] else ')'}"
