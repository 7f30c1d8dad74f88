"""The spread of finitely many points: each value of a function, with its number of points."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Any

from noiseless.errors import RangeError, TooLargeError
from noiseless.exact.number import as_integer, exact_number

MOST_ATOMS = 1 << 17
MOST_ADDITIONS = 1 << 24


@dataclass(frozen=True, slots=True)
class Atoms:
    """The values in increasing order, and the number of points of each.

    >>> Atoms.of({1: 2, 0: 1, 2: 1})
    Atoms(values=(Fraction(0, 1), Fraction(1, 1), Fraction(2, 1)), points=(1, 2, 1))
    """

    values: tuple[Fraction, ...]
    points: tuple[int, ...]

    @classmethod
    def of(cls, points: Mapping[Any, int]) -> Atoms:
        """Make atoms from each value with its number of points."""
        exact: dict[Fraction, int] = {}
        for value, number in points.items():
            whole = as_integer(number)
            if whole is None or whole < 1:
                raise RangeError(
                    f"{number!r} is not a number of points for the value {value}; give an integer of at least 1"
                )
            at = exact_number(value, "value")
            exact[at] = exact.get(at, 0) + whole
        if not exact:
            raise RangeError("no value is given; give at least one")
        values = sorted(exact)
        return cls(tuple(values), tuple(exact[value] for value in values))

    @property
    def total(self) -> int:
        """The total number of points."""
        return sum(self.points)

    @property
    def starts(self) -> list[int]:
        """The place of each value's first point, when all are listed in order; then the end of the list."""
        return list(accumulate(self.points, initial=0))

    @property
    def low(self) -> Fraction:
        """The smallest value."""
        return self.values[0]

    @property
    def high(self) -> Fraction:
        """The largest value."""
        return self.values[-1]


def sums_of_equal(n: int, top: int) -> list[int]:
    """For each sum, how many of the (top+1)ⁿ choices of n numbers from 0..top have it.

    Q = (1 + z + … + z^top)ⁿ satisfies (1−z)(1−z^(top+1)) Q' = nQ·(1 − (top+1)z^top + top·z^(top+1)), which gives each
    coefficient from three before it.

    >>> sums_of_equal(2, 2)
    [1, 2, 3, 2, 1]
    """
    if n * top >= MOST_ATOMS:
        raise TooLargeError(f"{n} values of {top + 1} kinds have more than {MOST_ATOMS} sums; use a coarser step")
    found = [1]
    for s in range(n * top):
        after = (n + s) * found[s]
        if s >= top:
            after += (s - top - n * (top + 1)) * found[s - top]
        if s > top:
            after += (n * top - (s - top - 1)) * found[s - top - 1]
        found.append(after // (s + 1))
    return found


def sums_of(people: Iterable[Sequence[int]]) -> dict[int, int]:
    """The number of ways to each sum, where each person adds one of their numbers.

    >>> sums_of([(0, 1), (0, 2)])
    {0: 1, 1: 1, 2: 1, 3: 1}
    """
    ways, additions = {0: 1}, 0
    for numbers in people:
        additions += len(ways) * len(numbers)
        if additions > MOST_ADDITIONS:
            raise TooLargeError("these weights and values have too many sums to count; use fewer or rounder ones")
        grown: dict[int, int] = {}
        for number in numbers:
            for total, times in ways.items():
                grown[total + number] = grown.get(total + number, 0) + times
        ways = grown
    if len(ways) > MOST_ATOMS:
        raise TooLargeError(f"these weights and values have more than {MOST_ATOMS} sums; use fewer or rounder ones")
    return dict(sorted(ways.items()))
