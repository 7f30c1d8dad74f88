"""The place of a value among all values that a function can have. It numbers private groups."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import groupby, product
from math import prod
from typing import TYPE_CHECKING

from noiseless.curator.plan import condition as conditions
from noiseless.curator.plan.compare import compared
from noiseless.curator.plan.functions.arithmetic import Minus, Plus, Times, added, multiplied, subtracted
from noiseless.curator.plan.functions.calendar import Calendar, check_calendar
from noiseless.curator.plan.functions.choice import Choice, choice
from noiseless.curator.plan.functions.function import ANYWHERE, Function, Row, Tree, Value, Write
from noiseless.curator.plan.functions.leaves import NOTHING, ColumnOf, Constant, columns_in
from noiseless.curator.plan.functions.rounding import Rounded
from noiseless.curator.plan.functions.span import Codes, Span
from noiseless.curator.plan.functions.term import Term, Writer
from noiseless.curator.schema.scale import Scale
from noiseless.errors import QuestionError, TooLargeError

if TYPE_CHECKING:
    from noiseless.curator.plan.condition import Condition

MOST_TRIED = 20_000
"""Functions of columns with at most this number of combinations of codes are tried on all of them."""
MOST_DAYS = 100_000
"""Dates are tried on at most this number of days, 270 years: months and years lie on no grid."""
MOST_VALUES = 1_000_000
MOST_CASES = 1000
FEW_RUNS = 64
Places = Mapping[Value, int]


@dataclass(frozen=True, slots=True)
class Place(Function):
    """A whole number for every code of a column, and one for missing values if these are kept separate."""

    name: str
    column: ColumnOf = field(compare=False, repr=False)
    places: tuple[int, ...]
    missing: int

    @property
    def parts(self) -> tuple[Function, ...]:
        """The column."""
        return (self.column,)

    def given(self, keys: Mapping[str, int]) -> Function:
        """A constant, if the column is known."""
        return Constant(Fraction(self.places[keys[self.name]])) if self.name in keys else self

    def value(self, row: Row) -> Value:
        """The place for the code of the row."""
        code = row[self.name]
        return Fraction(self.missing if code is None else self.places[code])

    def span(self, codes: Codes = ANYWHERE) -> Span:
        """Whole numbers from 0."""
        return Span(Fraction(0), Fraction(self._top), Fraction(1))

    @property
    def _top(self) -> int:
        return max(*self.places, self.missing, 1)

    def term(self, writer: Writer) -> Term:
        """The code itself, or CASE of its ranges, or a look-up."""
        code = writer.code(self.name, self.column.top)
        if self.places == tuple(range(len(self.places))):
            found = code
        elif len(runs := self._runs()) <= FEW_RUNS:
            *cases, (_, last) = runs
            tests = [(f"{code.sql} <= {end}", writer.whole(place)) for end, place in cases]
            found = writer.chosen(tests, writer.whole(last)) if tests else writer.whole(last)
        else:
            found = writer.made(writer.dialect.element(self.places, writer(self.name)), 0, self._top)
        if self.column.apart:
            test = conditions.statement(conditions.Missing(self.name), writer)
            found = writer.chosen([(test, writer.whole(self.missing))], found)
        return Term(Fraction(0), Fraction(1), found)

    def _runs(self) -> list[tuple[int, int]]:
        """The last code of every run of equal places, with the place."""
        found = groupby(enumerate(self.places), lambda pair: pair[1])
        return [([code for code, _ in run][-1], place) for place, run in found]

    def absent(self) -> Condition:
        """Never."""
        return conditions.FALSE

    def tree(self, write: Write) -> Tree:
        """Never written: certificates write the function itself."""
        raise AssertionError(f"the place of {self.name} is not written")

    def __str__(self) -> str:
        return f"the place of {self.column}"


def possible_values(function: Function) -> tuple[Value, ...]:
    """All values that a function may have, in a public order: numbers rise, texts come as they are named, None is last.

    They are found by trying all codes of its column if these are few, otherwise from its parts or its bounds.
    """
    if function.kind == "date":
        check_calendar(function, function.span())
    if isinstance(function, ColumnOf):
        _check_few(function, _combinations(function))  # without listing them
    found = list(dict.fromkeys(_values(function)))
    _check_few(function, len(found))
    if not isinstance(function, ColumnOf) and function.kind != "text":
        found = [*sorted(value for value in found if value is not None), *([None] if None in found else [])]
    return tuple(sorted(found, key=lambda value: value is None))


def _check_few(function: Function, values: int) -> None:
    if values > MOST_VALUES:
        raise TooLargeError(
            f"{function} has {values} values, and at most {MOST_VALUES} groups can be counted; group by wider buckets, "
            f"such as FLOOR(x / 10) * 10"
        )


def _values(function: Function) -> Iterable[Value]:
    if isinstance(function, Constant):
        return [function.fixed]
    if _is_listed(function):
        if function.kind != "text" or isinstance(function, ColumnOf):
            return (value for value, _ in groupby(_tried(function)))
        found = set(_tried(function))
        return [*(value for value in _named(function) if value in found), *([None] if None in found else [])]
    if isinstance(function, Choice):
        return (value for part in function.parts for value in _values(part))
    absent = [None] if function.absent() != conditions.FALSE else []
    if function.kind in ("number", "date"):
        return [*_on_grid(function), *absent]
    return [*(value for value in _named(function) if value is not None), *absent]


def _named(function: Function) -> Iterator[Value]:
    """The values of a text, in the order in which the question names them, or else in alphabetical order."""
    if isinstance(function, Choice):
        for part in function.parts:
            yield from _named(part)
    elif isinstance(function, (Constant, ColumnOf)):
        yield from _values(function)
    else:
        if _combinations(function) > MOST_TRIED:
            raise QuestionError(f"{function} combines too many values to group by; use fewer columns in it")
        yield from sorted({value for value in _tried(function) if value is not None})


def _on_grid(function: Function) -> list[Value]:
    """All numbers between its bounds on its grid."""
    span = function.span()
    if span.pitch is None:
        raise QuestionError(f"{function} has too many values to group by; round it, as in FLOOR(x / 10) * 10")
    _check_few(function, (span.steps or 0) + 1)
    return [span.low + step * span.pitch for step in range((span.steps or 0) + 1)]


def _is_listed(function: Function) -> bool:
    """Whether its values are found by trying all codes of its column."""
    most = MOST_DAYS if function.kind == "date" else MOST_TRIED
    single = len(columns_in(function)) == 1 and _combinations(function) <= most
    return single or isinstance(function, ColumnOf)


def _combinations(function: Function) -> int:
    return prod(each.top + 1 + each.apart for each in columns_in(function))


def _tried(function: Function) -> Iterable[Value]:
    """The value for every combination of codes; a missing one is the last of a column."""
    columns = columns_in(function)
    if len(columns) == 1:
        [column] = columns
        return [*_of_codes(function, column), *([function.value({column.name: None})] if column.apart else [])]
    names = [each.name for each in columns]
    rows = product(*([*range(each.top + 1), *([None] if each.apart else [])] for each in columns))
    return (function.value(dict(zip(names, codes, strict=True))) for codes in rows)


def _of_codes(function: Function, column: ColumnOf) -> list[Value]:
    """The value for every code.

    If the function only rises or only falls, equal values at two codes mean equal values between them.
    """
    of = cache(lambda code: function.value({column.name: code}))
    if isinstance(function, ColumnOf) or not _is_monotone(function):
        return [of(code) for code in range(column.top + 1)]
    found: list[Value] = []
    while (code := len(found)) <= column.top:
        value, far = of(code), 1
        while code + far <= column.top and of(code + far) == value:
            far *= 2
        within = range(code + far // 2, min(code + far, column.top + 1))
        end = bisect_left(within, True, key=lambda each: of(each) != value)
        found += [value] * (within.start + end - code)
    return found


def _is_monotone(function: Function) -> bool:
    """Whether a function only rises or only falls with the code: a number or date, with constants, and rounded.

    So do the starts of months and years.
    """
    if isinstance(function, Rounded) or (isinstance(function, Calendar) and function.starts):
        return _is_monotone(function.part)
    if isinstance(function, (Plus, Minus, Times)):
        parts = [each for each in function.parts if not isinstance(each, Constant)]
        return len(parts) == 1 and _is_monotone(parts[0])
    return isinstance(function, ColumnOf) and isinstance(function.column, Scale)


def place_of(function: Function, places: Places) -> Function:
    """The place of the function's value among the given ones, as a function that always has a value."""
    columns = columns_in(function)
    if isinstance(function, Constant):
        return Constant(Fraction(places[function.fixed]))
    if _is_listed(function):
        [column] = columns
        runs = ((places[value], run) for value, run in groupby(_tried(function)))
        found = [place for place, run in runs for _ in run]
        *listed, missing = found if column.apart else [*found, 0]
        return Place(column.name, column, tuple(listed), missing)
    if isinstance(function, Choice):
        cases = [(test, place_of(value, places)) for test, value in function.cases]
        return choice(cases, place_of(function.otherwise, places), function.columns)
    absent = Constant(Fraction(places.get(None, 0)))
    values = [value for value in _values(function) if value is not None]
    if function.kind in ("number", "date") and _consecutive(values, places):
        return choice([(function.absent(), absent)], _counted_from(function, values, places), columns)
    if len(values) > MOST_CASES:
        raise QuestionError(f"{function} has too many values to group by beside others; group by it alone, or round it")
    cases = [
        (compared("=", function, Constant(value, function.kind)), Constant(Fraction(places[value]))) for value in values
    ]
    return choice([(function.absent(), absent), *cases], NOTHING, columns)


def _consecutive(values: Sequence[Value], places: Places) -> bool:
    first = places[values[0]]
    return [places[value] for value in values] == list(range(first, first + len(values)))


def _counted_from(function: Function, values: Sequence[Value], places: Places) -> Function:
    """The place of a number on a grid: how many steps it is above the lowest."""
    low, high = values[0], values[-1]
    assert isinstance(low, Fraction)
    assert isinstance(high, Fraction)
    first = Constant(Fraction(places[low]))
    if low == high:
        return first
    steps = subtracted(function, Constant(low, function.kind))
    pitch = (high - low) / (len(values) - 1)
    return added(multiplied(steps, Constant(1 / pitch)), first)
