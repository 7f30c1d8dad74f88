"""The operations of a row: what the result may be, given what the parts may be."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import ceil, floor
from typing import Any

from noiseless.curator.plan.condition import COMPARE
from noiseless.curator.question.after.cell import (
    NOTHING,
    Cell,
    either,
    number,
    sign_of,
    signs_of,
    truth,
    truths_of,
)
from noiseless.curator.question.after.form import product_of, quotient_of
from noiseless.curator.question.after.gather import Member, gathered
from noiseless.curator.releases.spread import root

UNBOUNDED = float("inf")


def called(operation: str, parts: list[Cell]) -> Cell:
    """The result of an operation."""
    if operation in COMPARE:
        return _compared(operation, *parts)
    return OPERATIONS[operation](*parts)


def _added(left: Cell, right: Cell) -> Cell:
    return _linear(left, right, lambda a, b: a + b)


def _subtracted(left: Cell, right: Cell) -> Cell:
    return _linear(left, right, lambda a, b: a - b)


def _linear(left: Cell, right: Cell, made: Callable[[Any, Any], Any]) -> Cell:
    if left.form is None or right.form is None:
        return NOTHING
    return Cell(_of_values(made, left, right), made(left.form, right.form), empty=left.empty or right.empty)


def _multiplied(left: Cell, right: Cell) -> Cell:
    if left.form is None or right.form is None:
        return NOTHING
    value = _of_values(lambda a, b: a * b, left, right)
    return Cell(value, product_of(left.form, right.form), empty=left.empty or right.empty)


def _divided(left: Cell, right: Cell) -> Cell:
    """The quotient of two numbers. It is nothing if the divisor is 0."""
    if left.form is None or right.form is None or right.form.low == right.form.high == 0:
        return NOTHING
    value = _of_values(lambda a, b: Fraction(a) / b if b else None, left, right)
    if right.form.low <= 0 <= right.form.high:
        return number(value, -UNBOUNDED, UNBOUNDED, empty=True)
    return Cell(value, quotient_of(left.form, right.form), empty=left.empty or right.empty)


def _of_values(made: Callable[..., Any], *cells: Cell) -> Any:
    """An operation on reported values. Its result is nothing if one of them is nothing."""
    values = [each.value for each in cells]
    return None if None in values else made(*values)


def _compared(sign: str, left: Cell, right: Cell) -> Cell:
    compare = COMPARE[sign]
    options: set[bool | None] = {compare(each, 0) for each in signs_of(left, right)}
    options |= {None} if left.empty or right.empty else set()
    return truth(_of_values(lambda a, b: bool(compare(sign_of(a, b), 0)), left, right), options)


def _joined(decisive: bool) -> Callable[..., Cell]:
    """OR if `decisive` is true, AND if it is false, in three-valued logic."""

    def of(truths: tuple[bool | None, ...]) -> bool | None:
        return decisive if decisive in truths else None if None in truths else not decisive

    def joined(*parts: Cell) -> Cell:
        value, possible = parts[0].value, truths_of(parts[0])
        for part in parts[1:]:
            value, possible = of((value, part.value)), frozenset(map(of, product(possible, truths_of(part))))
        return truth(value, possible)

    return joined


def _negated(part: Cell) -> Cell:
    return truth(_of_values(lambda a: not a, part), (None if each is None else not each for each in truths_of(part)))


def _is_null(part: Cell) -> Cell:
    return truth(part.value is None, [*([True] if part.empty else []), *([False] if part.something else [])])


def _case(*parts: Cell) -> Cell:
    """CASE WHEN parts[0] THEN parts[1] … ELSE parts[-1] END."""
    *cases, otherwise = parts
    reachable: list[Cell] = []
    values: list[Any] = []
    for test, result in zip(cases[::2], cases[1::2], strict=True):
        if test.value is True:
            values.append(result.value)
        if True in test.options:
            reachable.append(result)
        if truths_of(test) == {True}:
            return either(values[0], reachable)
    return either([*values, otherwise.value][0], [*reachable, otherwise])


def _coalesced(*parts: Cell) -> Cell:
    value = next((each.value for each in parts if each.value is not None), None)
    reachable: list[Cell] = []
    for part in parts:
        reachable += [part.filled()] if part.something else []
        if not part.empty:
            return either(value, reachable)
    return either(value, [*reachable, NOTHING])


def _null_if(part: Cell, other: Cell) -> Cell:
    equal = _compared("=", part, other)
    value = None if equal.value is True else part.value
    if truths_of(equal) == {True}:
        return NOTHING
    return Cell(value, part.form, part.options, part.empty or True in equal.options)


def _rising(function: Callable[..., Any]) -> Callable[..., Cell]:
    """An operation that never falls when the number rises. Other parts are constants."""

    def called(part: Cell, *others: Cell) -> Cell:
        if part.form is None:
            return NOTHING
        given = [each.value for each in others]
        low, high = (
            end if isinstance(end, float) else function(end, *given) for end in (part.form.low, part.form.high)
        )
        return number(_of_values(lambda a: function(a, *given), part), low, high, part.empty)

    return called


def _absolute(part: Cell) -> Cell:
    if part.form is None:
        return NOTHING
    low, high = part.form.low, part.form.high
    if low >= 0:
        return part
    if high <= 0:
        return Cell(_of_values(abs, part), part.form.scaled(-1), empty=part.empty)
    return number(_of_values(abs, part), 0, max(-low, high), part.empty)


def _root(part: Cell) -> Cell:
    """The square root, with ends rounded outward. It is nothing for a negative number."""
    if part.form is None or part.form.high < 0:
        return NOTHING
    low, high = max(part.form.low, 0), part.form.high
    value = None if part.value is None or part.value < 0 else root(part.value, up=False)
    most = high if isinstance(high, float) else root(high, up=True)
    return number(value, root(low, up=False), most, part.empty or part.form.low < 0)


def _rounded(value: Any, digits: int = 0) -> Any:
    """The nearest multiple of 10^-digits, halves away from 0."""
    unit = Fraction(10) ** -int(digits)
    whole = floor(abs(value) / unit + Fraction(1, 2)) * unit
    whole = -whole if value < 0 else whole
    return int(whole) if whole.denominator == 1 else whole


def _truncated(value: Any) -> int:
    return int(floor(value) if value > 0 else ceil(value))


def _extreme(function: str) -> Callable[..., Cell]:
    """GREATEST or LEAST. Parts that are nothing are left out."""

    def called(*parts: Cell) -> Cell:
        return gathered(function, [Member(part) for part in parts])

    return called


def _reported(value: Cell, lower: Cell, upper: Cell) -> Cell:
    """A number that was asked before. It varies independently of all others."""
    return number(value.value, lower.value, upper.value)


OPERATIONS: dict[str, Callable[..., Cell]] = {
    "+": _added,
    "-": _subtracted,
    "*": _multiplied,
    "/": _divided,
    "AND": _joined(False),
    "OR": _joined(True),
    "NOT": _negated,
    "IS NULL": _is_null,
    "CASE": _case,
    "COALESCE": _coalesced,
    "NULLIF": _null_if,
    "ROUND": _rising(_rounded),
    "FLOOR": _rising(floor),
    "CEIL": _rising(ceil),
    "TRUNC": _rising(_truncated),
    "ABS": _absolute,
    "SQRT": _root,
    "GREATEST": _extreme("MAX"),
    "LEAST": _extreme("MIN"),
    "REPORTED": _reported,
}
