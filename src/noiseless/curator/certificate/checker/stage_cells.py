"""What a field of a result can be in truth, and the operations on such fields."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from itertools import product
from math import ceil, floor, inf
from typing import Any

from noiseless.curator.certificate.checker.intervals import Interval
from noiseless.curator.certificate.checker.numbers import MOST_BITS
from noiseless.curator.certificate.checker.spreads import root
from noiseless.curator.certificate.checker.stage_trees import Kind
from noiseless.curator.certificate.checker.unknowns import (
    Sum,
    added,
    divided,
    gathered_sum,
    rounded_away,
    short_down,
    times,
    within,
)
from noiseless.curator.certificate.checker.wrong import require

COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "<>": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


@dataclass(frozen=True, slots=True)
class Cell:
    """A field: its reported value, the number or the words that it can be in truth, and whether it can be nothing.

    Dates are the numbers of days.
    """

    value: Any
    number: Sum | None = None
    words: frozenset[Any] = frozenset()
    empty: bool = False

    @property
    def possible(self) -> bool:
        """Whether it can be anything but nothing."""
        return self.number is not None or len(self.words) > 0

    @property
    def certain(self) -> bool:
        """Whether it can be one thing only."""
        if self.number is not None:
            return self.number.low == self.number.high and not self.empty
        return len(self.words) + self.empty == 1

    @property
    def truths(self) -> set[Any]:
        """What a truth value can be, None for unknown."""
        return {*self.words, *([None] if self.empty else [])}


NOTHING = Cell(None, empty=True)


def constant(value: Any) -> Cell:
    """A key or a constant."""
    if value is None:
        return NOTHING
    if isinstance(value, (str, bool)):
        return Cell(value, words=frozenset({value}))
    number = Fraction(value.toordinal() if isinstance(value, date) else value)
    return Cell(number, Sum(number))


def ranged(value: Any, low: Any, high: Any, empty: bool) -> Cell:
    """A number about which only the range is known."""
    return Cell(None if value is None else short_down(value), within(low, high), empty=empty)


def of_interval(given: Interval | None) -> Cell:
    """A released number."""
    if given is None:
        return NOTHING
    ends = (given.value, given.lower, given.upper)
    value, low, high = (Fraction(end.toordinal()) if isinstance(end, date) else end for end in ends)
    return ranged(value, low, high, not given.sure)


def written(cell: Cell, kind: Kind) -> Any:
    """The field as a certificate has it."""
    if kind.is_number:
        if cell.value is None or cell.number is None:
            return None
        low, high = short_down(cell.number.low), -short_down(-cell.number.high)
        return {"value": _text(short_down(cell.value), kind), "lower": _text(low, kind), "upper": _text(high, kind)}
    if cell.certain or kind.name in ("number", "date"):
        return cell.value if isinstance(cell.value, (bool, str)) or cell.value is None else _text(cell.value, kind)
    return {"value": cell.value, "one_of": [*sorted(cell.words), *([None] if cell.empty else [])]}


def _text(number: Any, kind: Kind) -> str:
    if kind.name == "date":
        return date.fromordinal(int(number)).isoformat()
    size = 0 if isinstance(number, float) else number.numerator.bit_length() + number.denominator.bit_length()
    require(size <= MOST_BITS, "a number of the answer is too long")
    return str(number)


def operated(name: str, cells: Sequence[Cell]) -> Cell:
    """The result of an operation."""
    if name in COMPARE:
        return compared(name, *cells)
    if name in ("and", "or"):
        found = cells[0]
        for cell in cells[1:]:
            found = _joined(name == "or", found, cell)
        return found
    if name in ("greatest", "least"):
        return gathered("max" if name == "greatest" else "min", [(cell, True, True) for cell in cells])
    if name == "case":
        return _case(cells)
    if name == "coalesce":
        return _first(cells)
    return _OPERATIONS[name](*cells)


def compared(sign: str, one: Cell, two: Cell) -> Cell:
    """A comparison, unknown if a side is nothing."""
    compare, possible = COMPARE[sign], set[Any]()
    if one.number is not None and two.number is not None:
        difference = added([one.number, two.number.multiple(Fraction(-1))])
        signs = [difference.low < 0 and -1, difference.low <= 0 <= difference.high and 0, difference.high > 0 and 1]
        possible = {compare(each, 0) for each in signs if each is not False}
    possible |= {compare(*pair) for pair in product(one.words, two.words)}
    value = None if one.value is None or two.value is None else compare(one.value, two.value)
    return _truth(value, possible | ({None} if one.empty or two.empty else set()))


def _truth(value: Any, possible: Iterable[Any]) -> Cell:
    found = frozenset(possible)
    return Cell(value, words=found - {None}, empty=None in found)


def _joined(decisive: bool, one: Cell, two: Cell) -> Cell:
    def of(*truths: Any) -> Any:
        if decisive in truths:
            return decisive
        return None if None in truths else not decisive

    return _truth(of(one.value, two.value), {of(*pair) for pair in product(one.truths, two.truths)})


def _not(cell: Cell) -> Cell:
    turned = {None: None, True: False, False: True}
    return _truth(turned[cell.value], {turned[each] for each in cell.truths})


def _is_null(cell: Cell) -> Cell:
    return _truth(cell.value is None, ({True} if cell.empty else set()) | ({False} if cell.possible else set()))


def one_of(value: Any, cells: Sequence[Cell]) -> Cell:
    """A cell that may be any of several."""
    empty, some = any(cell.empty for cell in cells), [cell for cell in cells if cell.possible]
    if len(some) == 1:
        return replace(some[0], value=value, empty=empty)
    numbers = [cell.number for cell in some if cell.number is not None]
    if numbers:
        return ranged(value, min(each.low for each in numbers), max(each.high for each in numbers), empty)
    return Cell(value, words=frozenset[Any]().union(*(cell.words for cell in some)), empty=empty)


def _case(cells: Sequence[Cell]) -> Cell:
    results, chosen = list[Cell](), list[Any]()
    for test, result in zip(cells[:-1:2], cells[1::2], strict=True):
        chosen += [result.value] if test.value is True else []
        results += [result] if True in test.words else []
        if test.truths == {True}:
            return one_of(chosen[0], results)
    return one_of([*chosen, cells[-1].value][0], [*results, cells[-1]])


def _first(cells: Sequence[Cell]) -> Cell:
    """COALESCE: the first cell that is something."""
    value = next((cell.value for cell in cells if cell.value is not None), None)
    some = list[Cell]()
    for cell in cells:
        some += [replace(cell, empty=False)] if cell.possible else []
        if not cell.empty:
            return one_of(value, some)
    return one_of(value, [*some, NOTHING])


def _null_if(cell: Cell, other: Cell) -> Cell:
    same = compared("=", cell, other)
    if same.truths == {True}:
        return NOTHING
    return replace(cell, value=None if same.value is True else cell.value, empty=cell.empty or True in same.words)


def _linear(sign: int) -> Callable[[Cell, Cell], Cell]:
    def operation(one: Cell, two: Cell) -> Cell:
        if one.number is None or two.number is None:
            return NOTHING
        value = None if one.value is None or two.value is None else one.value + sign * two.value
        return Cell(value, added([one.number, two.number.multiple(Fraction(sign))]), empty=one.empty or two.empty)

    return operation


def _product(one: Cell, two: Cell) -> Cell:
    if one.number is None or two.number is None:
        return NOTHING
    value = None if one.value is None or two.value is None else one.value * two.value
    return Cell(value, times(one.number, two.number), empty=one.empty or two.empty)


def _quotient(one: Cell, two: Cell) -> Cell:
    if one.number is None or two.number is None or two.number.low == two.number.high == 0:
        return NOTHING
    value = None if one.value is None or not two.value else one.value / two.value
    if two.number.low <= 0 <= two.number.high:
        return ranged(value, -inf, inf, empty=True)
    return Cell(value, divided(one.number, two.number), empty=one.empty or two.empty)


def _rising(function: Callable[[Fraction], Any]) -> Callable[[Cell], Cell]:
    """An operation that never falls when the number rises."""

    def operation(cell: Cell) -> Cell:
        if cell.number is None:
            return NOTHING
        ends = (cell.number.low, cell.number.high)
        low, high = (end if isinstance(end, float) else Fraction(function(end)) for end in ends)
        return ranged(None if cell.value is None else Fraction(function(cell.value)), low, high, cell.empty)

    return operation


def _round(cell: Cell, digits: Cell | None = None) -> Cell:
    places = 0 if digits is None else int(digits.value)
    return _rising(lambda number: rounded_away(number, places))(cell)


def _size(cell: Cell) -> Cell:
    if cell.number is None or cell.number.low >= 0:
        return cell if cell.number is not None else NOTHING
    value = None if cell.value is None else abs(cell.value)
    if cell.number.high <= 0:
        return Cell(value, cell.number.multiple(Fraction(-1)), empty=cell.empty)
    return ranged(value, Fraction(0), max(-cell.number.low, cell.number.high), cell.empty)


def _root(cell: Cell) -> Cell:
    """The square root. It is nothing for a negative number."""
    if cell.number is None or cell.number.high < 0:
        return NOTHING
    below, most = cell.number.low < 0, cell.number.high
    least = Fraction(0) if below else root(Fraction(cell.number.low), up=False)
    value = None if cell.value is None or cell.value < 0 else root(cell.value, up=False)
    return ranged(value, least, most if isinstance(most, float) else root(most, up=True), cell.empty or below)


def _known(value: Cell, lower: Cell, upper: Cell) -> Cell:
    """A number from an earlier answer."""
    return ranged(value.value, lower.value, upper.value, empty=False)


_OPERATIONS: dict[str, Callable[..., Cell]] = {
    "reported": _known,
    "+": _linear(1),
    "-": _linear(-1),
    "*": _product,
    "/": _quotient,
    "not": _not,
    "is_null": _is_null,
    "nullif": _null_if,
    "round": _round,
    "floor": _rising(floor),
    "ceil": _rising(ceil),
    "trunc": _rising(int),
    "abs": _size,
    "sqrt": _root,
}


def gathered(function: str, members: Iterable[tuple[Cell, bool, bool]]) -> Cell:
    """A number of cells, each with whether it certainly belongs, and whether it does as reported."""
    found = [
        (cell, sure and not cell.empty, shown and cell.value is not None)
        for cell, sure, shown in members
        if cell.possible
    ]
    values = [cell.value for cell, _, shown in found if shown]
    certain = sum(sure for _, sure, _ in found)
    if function == "count":
        return ranged(Fraction(len(values)), Fraction(certain), Fraction(len(found)), empty=False)
    numbers = [cell.number for cell, _, _ in found if cell.number is not None]
    terms = [
        each if sure else within(min(Fraction(0), each.low), max(Fraction(0), each.high))
        for each, (_, sure, _) in zip(numbers, found, strict=True)
    ]
    if function == "sum":
        return Cell(short_down(sum(values, Fraction(0))), gathered_sum(terms))
    if not found:
        return NOTHING
    value = short_down(_of_values(function, values)) if values else None
    if len(found) == 1:
        return Cell(value, numbers[0], empty=not certain)
    if function == "avg" and certain == len(found):
        return Cell(value, gathered_sum(terms).multiple(Fraction(1, certain)))
    lows, highs = [each.low for each in numbers], [each.high for each in numbers]
    sure_ones = [each for each, (_, sure, _) in zip(numbers, found, strict=True) if sure]
    low, high = min(lows), max(highs)
    if function == "min" and sure_ones:
        high = min(each.high for each in sure_ones)
    if function == "max" and sure_ones:
        low = max(each.low for each in sure_ones)
    if function == "median" and certain == len(found):
        low, high = _of_values(function, lows), _of_values(function, highs)
    return ranged(value, low, high, empty=not certain)


def _of_values(function: str, values: Sequence[Any]) -> Any:
    if function == "avg":
        return sum(values, Fraction(0)) / len(values)
    ranked = sorted(values)
    return ranked[{"min": 0, "max": -1, "median": (len(values) - 1) // 2}[function]]
