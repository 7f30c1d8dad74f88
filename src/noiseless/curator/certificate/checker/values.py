"""What the columns of a released file may hold: middles of cells, names of groups, public keys, reports of policies."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from datetime import date
from fractions import Fraction
from math import ceil, floor, inf, isfinite, lcm, nextafter
from typing import Any, Protocol

from noiseless.curator.certificate.checker.columns import Column, date_of, days
from noiseless.curator.certificate.checker.numbers import rational
from noiseless.curator.certificate.checker.wrong import require

EXACT = 1 << 53
"""Whole numbers up to this are doubles, so a quotient of two of them is rounded once."""
OUTWARD = Fraction(1, 1 << 50)
MOST_REMEMBERED = 1_000_000


class Rule(Protocol):
    """One certified column, with the ends of its interval if there are any."""

    names: list[str]
    kind: str

    def check(self, batch: Any) -> None:
        """Check every value of a batch."""

    def ordered(self, csv: bool) -> bool:
        """Whether the order of the values in the file is the order they were sorted by."""


def distinct(batch: Any, names: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """The different combinations of values."""
    import pyarrow

    found = pyarrow.Table.from_batches([batch]).select(names).group_by(names).aggregate([])
    return zip(*(found.column(name).to_pylist() for name in names), strict=True)


class Cells:
    """The middle of a cell of `width` codes, with the ends of the cell beside it."""

    def __init__(self, name: str, column: Column, width: int, intervals: bool) -> None:
        self.names = [name, f"{name}_lower", f"{name}_upper"] if intervals else [name]
        self.column, self.width, self.seen = column, width, set[tuple[Any, ...]]()
        self.kind = "date" if column.kind == "date" else "number"
        self.cells = column.top // width + 1

    def check(self, batch: Any) -> None:
        """Check the different values of a batch that were not seen before."""
        for values in distinct(batch, self.names):
            if values in self.seen:
                continue
            require(self._fits(values), f"{self.names[0]!r} holds a value that is not one of its cells")
            if len(self.seen) < MOST_REMEMBERED:
                self.seen.add(values)

    def ordered(self, csv: bool) -> bool:
        """Yes: numbers and dates are sorted as they are read."""
        return True

    def _fits(self, values: tuple[Any, ...]) -> bool:
        if values[0] is None:
            return self.column.apart and set(values) == {None}
        if type(values[0]) is not (date if self.kind == "date" else float):
            return False
        place = self._place(values[0])
        wanted = (self._is_middle, self._is_lower, self._is_upper)
        return place is not None and all(test(value, place) for test, value in zip(wanted, values, strict=False))

    def _code(self, value: Any) -> int | None:
        if isinstance(value, float) and not isfinite(value):
            return None
        number = days(value) if isinstance(value, date) else Fraction(value)
        return floor((number - self.column.low) / self.column.step + Fraction(1, 2))

    def _place(self, value: Any) -> int | None:
        code = self._code(value)
        return code // self.width if code is not None and 0 <= code // self.width < self.cells else None

    def _first(self, place: int) -> int:
        """The first code of a cell. For the cell after the last, the first code that does not exist."""
        return min(place * self.width, self.column.top + 1)

    def _is_middle(self, value: Any, place: int) -> bool:
        first, last = self._first(place), self._first(place + 1) - 1
        return self._is(value, self.column.low + self.column.step * Fraction(first + last, 2))

    def _is_lower(self, value: Any, place: int) -> bool:
        column = self.column
        if place == 0:
            return bool(value == (date_of(int(column.low)) if self.kind == "date" else _down(column.low)))
        return self._is(value, column.low + column.step * self._first(place) - self._margin)

    def _is_upper(self, value: Any, place: int) -> bool:
        column = self.column
        if place == self.cells - 1:
            return bool(value == (date_of(int(column.high)) if self.kind == "date" else -_down(-column.high)))
        return self._is(value, column.low + column.step * (self._first(place + 1) - 1) + self._margin)

    def _is(self, value: Any, number: Fraction) -> bool:
        """Whether a value is this day or the nearest double; for very large numbers, a nearby double."""
        if self.kind == "date":
            return bool(value == date_of(floor(number)))
        column = self.column
        bottom = lcm((column.step * self.width).denominator, number.denominator, column.low.denominator)
        size = abs(column.low) + abs(column.high) + column.step
        if isinstance(value, float) and (2 * size + 1) * bottom >= EXACT and isfinite(value):
            return abs(Fraction(value) - number) <= OUTWARD * size
        return bool(value == float(number))

    @property
    def _margin(self) -> Fraction:
        """The rounding of codes, rounded up to whole days or to thousandths of a step."""
        column = self.column
        if not column.rounding:
            return Fraction(0)
        if self.kind == "date":
            return Fraction(ceil(column.rounding))
        wanted = column.rounding + OUTWARD * (abs(column.low) + abs(column.high) + column.step)
        return ceil(1000 * wanted / column.step) * column.step / 1000


class CutCells(Cells):
    """The middle of a cell between two cut points, or a value in it, with the ends of the cell beside it."""

    def __init__(
        self, name: str, column: Column, starts: Sequence[int], intervals: bool, values: Sequence[Fraction] = ()
    ) -> None:
        super().__init__(name, column, 1, intervals)
        self.values = values
        self.starts, self.cells = [*starts, column.top + 1], len(starts)

    def _place(self, value: Any) -> int | None:
        code = super()._code(value)
        return None if code is None or not 0 <= code <= self.column.top else bisect_right(self.starts, code) - 1

    def _first(self, place: int) -> int:
        return self.starts[place]

    def _is_middle(self, value: Any, place: int) -> bool:
        return self._is(value, self.values[place]) if self.values else super()._is_middle(value, place)


class Groups:
    """One of some names. Null is allowed only if missing values are kept separate."""

    def __init__(self, name: str, labels: Sequence[str], column: Column) -> None:
        self.names, self.kind, self.allowed, self.apart = [name], "text", set(labels), column.apart
        self.texts = isinstance(column.keys[0], str)
        self.truths = isinstance(column.keys[0], bool) and self.allowed <= {"False", "True"}

    def check(self, batch: Any) -> None:
        """Check the different values of a batch."""
        for (value,) in distinct(batch, self.names):
            text = str(value).capitalize() if self.truths else str(value)
            fits = self.apart if value is None else text in self.allowed
            require(fits, f"{self.names[0]!r} holds a value that is not one of its names")

    def ordered(self, csv: bool) -> bool:
        """Yes, except whole numbers in a csv file: they are read as texts, which sort differently."""
        return self.texts or self.truths or not csv


class Anything:
    """A public column without declared keys."""

    def __init__(self, name: str) -> None:
        self.names, self.kind = [name], "text"

    def check(self, batch: Any) -> None:
        """Accept everything: nothing is declared about it."""

    def ordered(self, csv: bool) -> bool:
        """No: its type is not known."""
        return False


class Bounds:
    """A number that a policy may have moved by at most its error."""

    def __init__(self, name: str, column: Column, error: str) -> None:
        self.names, self.kind = [name], "number"
        slack = rational(error) + OUTWARD * (abs(column.low) + abs(column.high) + column.step)
        self.low, self.high = column.low - slack, column.high + slack

    def check(self, batch: Any) -> None:
        """Check the different values of a batch."""
        for (value,) in distinct(batch, self.names):
            fits = isinstance(value, float) and isfinite(value) and self.low <= Fraction(value) <= self.high
            require(fits, f"{self.names[0]!r} holds a value that no policy reports")

    def ordered(self, csv: bool) -> bool:
        """Yes: numbers are sorted as they are read."""
        return True


def _down(number: Fraction) -> float:
    """The greatest double that is not above a number."""
    nearest = float(number)
    return nextafter(nearest, -inf) if Fraction(nearest) > number else nearest
