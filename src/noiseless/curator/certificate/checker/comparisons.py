"""What remains of functions and comparisons once public columns are known, in the form that decides counts.

A comparison of one column with a number is a range of its codes; of texts, or of few values of one column, it is found
by trying each. A function or comparison that reads no public column stays as the certificate writes it.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import groupby, product
from math import ceil, floor, prod
from typing import Any

from noiseless.curator.certificate.checker.bounds import bounds_of
from noiseless.curator.certificate.checker.conditions import (
    FALSE,
    TRUE,
    Condition,
    functions_of,
    given_public,
    joined,
    negation,
    parts_of,
    settled,
)
from noiseless.curator.certificate.checker.curves import CURVES, exactly
from noiseless.curator.certificate.checker.function_trees import case
from noiseless.curator.certificate.checker.function_values import ROUND, computed, value_of
from noiseless.curator.certificate.checker.functions import (
    NOTHING,
    ONE,
    ZERO,
    Columns,
    Function,
    Row,
    constant,
    is_constant,
    key_at,
    operation,
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
TURNED = {"=": "=", "<>": "<>", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
FEW, MOST_TRIED = 5_000, 100_000
"""Codes of one column that are tried, and combinations of texts."""
UNKNOWN: Condition = ("compared", "=", NOTHING, NOTHING)
"""A comparison with no value, which is never true and never false."""
Affine = tuple[str, Fraction, Fraction]
"""A column, a factor that is not 0, and what is added."""


def given(function: Function, codes: Mapping[str, int], columns: Columns) -> Function:
    """The function where the codes of some columns are known."""
    if not function.reads & set(codes):
        return function
    if function.op == "column":
        return constant(key_at(columns[function.name], codes[function.name]), function.kind)
    parts = tuple(given(part, codes, columns) for part in function.parts)
    if function.op == "case":
        tests = [given_public(test, codes, columns) for test in function.tests]
        return chosen(list(zip(tests, parts, strict=False)), parts[-1])
    return simplified(function, parts, columns)


def chosen(cases: list[tuple[Condition, Function]], otherwise: Function) -> Function:
    """CASE without cases that never or always hold."""
    kept = []
    for given_test, part in cases:
        test = settled(given_test, False)
        if test == TRUE:
            otherwise = part
            break
        if test != FALSE:
            kept.append((test, part))
    while kept and kept[-1][1] == otherwise:
        kept.pop()
    if not kept:
        return otherwise
    return case(tuple(test for test, _ in kept), (*(part for _, part in kept), otherwise))


def simplified(function: Function, parts: tuple[Function, ...], columns: Columns) -> Function:
    """The operation on other parts. Constants are calculated, and operations that change nothing are left out."""
    op = function.op
    if op in ("least", "greatest"):
        return _extreme(op, parts, columns)
    if all(map(is_constant, parts)):
        values = [part.value for part in parts]
        made = operation(op, *parts, fixed=function.fixed)
        require(op != "/" or values[1] != 0, "a function divides by 0")
        if op in CURVES and None not in values:
            return _curve_of(made)
        return NOTHING if None in values else constant(computed(made, values), made.kind)
    if op in ("+", "-", "*", "/"):
        return _calculated(op, parts)
    if op in ROUND and _is_on(bounds_of(parts[0], columns), function.fixed[0]):
        return parts[0]
    return operation(op, *parts, fixed=function.fixed)


def _curve_of(made: Function) -> Function:
    """A root or a logarithm of a constant: a constant if it is a short rational number, which is then exact."""
    exponent = made.fixed[0] if len(made.fixed) == 2 else Fraction(0)
    exact = exactly(made.op, exponent, made.parts[0].number)
    return made if exact is None else constant(exact)


def _calculated(op: str, parts: tuple[Function, ...]) -> Function:
    left, right = parts
    if op == "/" and is_constant(right) and right != NOTHING:
        require(right.number != 0, "a function divides by 0")
        return _calculated("*", (left, constant(1 / right.number)))
    neutral = {"+": ZERO, "-": ZERO, "*": ONE}.get(op)
    if right == neutral:
        return left
    if left == neutral and op != "-":
        return right
    return NOTHING if NOTHING in parts else operation(op, left, right)


def _extreme(op: str, parts: tuple[Function, ...], columns: Columns) -> Function:
    known = tuple(dict.fromkeys(part for part in parts if part != NOTHING))
    if len(known) < 2:
        return known[0] if known else NOTHING
    made = operation(op, *known)
    return constant(value_of(made, {}, columns), made.kind) if all(map(is_constant, known)) else made


def _is_on(found: object, unit: Fraction) -> bool:
    """Whether all values are multiples of a unit already."""
    from noiseless.curator.certificate.checker.bounds import Bounds

    assert isinstance(found, Bounds)
    if found.slack or found.pitch is None:
        return False
    return (found.low / unit).denominator == (found.pitch / unit).denominator == 1


def absent(function: Function, columns: Columns) -> Condition:
    """When a function has no value."""
    if function.op == "column":
        return ("missing", function.name) if columns[function.name].apart else FALSE
    if function.op == "constant":
        return TRUE if function == NOTHING else FALSE
    parts = [absent(part, columns) for part in function.parts]
    if function.op in ("least", "greatest"):
        return joined("every", parts)
    if function.op != "case":
        return joined("some", parts)
    present = [chosen([(part, NOTHING)], ONE) for part in parts]
    if parts[-1] in function.tests:  # a case catches the rows where the last value is missing
        present[-1] = ONE
    made = chosen(list(zip(function.tests, present, strict=False)), present[-1])
    return FALSE if made == ONE else ("absent", made)


def affine(function: Function) -> Affine | None:
    """The column of numbers or dates that a function shows in other units. None if it is not such a function."""
    if function.op == "column":
        return (function.name, Fraction(1), Fraction(0)) if function.kind in ("number", "date") else None
    if function.op not in ("+", "-", "*"):
        return None
    left, right = function.parts
    if is_constant(left) == is_constant(right):
        return None
    fixed, part = (left, right) if is_constant(left) else (right, left)
    number = fixed.number
    found = None if function.op == "*" and not number else affine(part)
    if found is None:
        return None
    name, factor, shift = found
    match function.op:
        case "+":
            return name, factor, shift + number
        case "*":
            return name, factor * number, shift * number
    return (name, factor, shift - number) if fixed is right else (name, -factor, number - shift)


def compared(sign: str, left: Function, right: Function, columns: Columns) -> Condition:
    """A comparison in the form in which it decides counts."""
    if NOTHING in (left, right):
        return UNKNOWN
    left, right = (each if each.reads else constant(value_of(each, {}, columns), each.kind) for each in (left, right))
    if is_constant(left) and is_constant(right):
        return TRUE if COMPARE[sign](left.value, right.value) else FALSE
    if is_constant(left):
        sign, left, right = TURNED[sign], right, left
    texts = left.kind in ("text", "truth")
    if not texts and (found := _in_one_column(sign, left, right, columns)) is not None:
        return found
    for way, one, other in ((sign, left, right), (TURNED[sign], right, left)) if texts else ():
        if one.op == "case":
            return _by_case(way, one, other, columns)

    def truth(row: Row) -> bool | None:
        one, two = value_of(left, row, columns), value_of(right, row, columns)
        return None if one is None or two is None else COMPARE[sign](one, two)

    tried = _tried(truth, list(dict.fromkeys([*_names(left), *_names(right)])), columns, always=texts)
    return ("compared", sign, left, right) if tried is None else tried


def _names(function: Function) -> Iterator[str]:
    """The columns in the order in which they are named."""
    if function.op == "column":
        yield function.name
    for part in function.parts:
        yield from _names(part)
    yield from sorted(function.reads)


def _by_case(sign: str, left: Function, right: Function, columns: Columns) -> Condition:
    """A text that CASE chooses: 1 where the comparison holds, and 0 where it does not."""

    def held(part: Function) -> Function:
        if part == NOTHING:
            return NOTHING
        found = compared(sign, part, right, columns)
        return chosen([(found, ONE), (negation(found), ZERO)], NOTHING)

    cases = [(test, held(part)) for test, part in zip(left.tests, left.parts, strict=False)]
    return compared("=", chosen(cases, held(left.parts[-1])), ONE, columns)


def _in_one_column(sign: str, left: Function, right: Function, columns: Columns) -> Condition | None:
    """factor·x + shift beside a constant: the codes of x on one side of a number."""
    found = affine(left) if right == ZERO else affine(operation("-", left, right))
    if found is None or not columns[found[0]].scale:
        return None
    name, factor, shift = found
    column = columns[name]
    place = (-shift / factor - column.low) / column.step
    ranges = []
    for way in ("<", ">") if sign == "<>" else (sign if factor > 0 else TURNED[sign],):
        first = floor(place) + 1 if way == ">" else ceil(place) if way in (">=", "=") else 0
        last = ceil(place) - 1 if way == "<" else floor(place) if way in ("<=", "=") else column.top
        ranges.append((max(first, 0), min(last, column.top)))
    return "within", name, _merged(ranges)


def _merged(ranges: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Ranges in order, without empty ones, and with neighbours merged."""
    kept: list[tuple[int, int]] = []
    for first, last in ranges:
        if first <= last:
            touching = kept and kept[-1][1] == first - 1
            kept[-1:] = [(kept[-1][0], last)] if touching else [*kept[-1:], (first, last)]
    return tuple(kept)


def _tried(truth: Callable[[Row], bool | None], names: list[str], columns: Columns, always: bool) -> Condition | None:
    """The condition on the columns with this truth for all their codes. None if there are too many."""
    size = prod(columns[name].values for name in names)
    if not always and (len(names) != 1 or size > FEW):
        return None
    require(size <= MOST_TRIED, "a comparison of texts has too many combinations")
    *rest, last = names
    found = []
    for codes in product(*([*range(columns[name].top + 1), *_apart(name, columns)] for name in rest)):
        row = dict(zip(rest, codes, strict=True))
        left = _of_codes(last, columns, lambda code, row=row: truth({**row, last: code}))  # type: ignore[misc]
        if left is None:
            return None
        here = [_is(name, code) for name, code in row.items()]
        found.append(joined("every", [*here, left]) if left != FALSE else FALSE)
    return found[0] if not rest else joined("some", found)


def _apart(name: str, columns: Columns) -> list[None]:
    return [None] if columns[name].apart else []


def _is(name: str, code: int | None) -> Condition:
    return ("missing", name) if code is None else ("within", name, ((code, code),))


def _of_codes(name: str, columns: Columns, truth: Callable[[int | None], bool | None]) -> Condition | None:
    """The condition on one column with this truth for each code. None if one has none."""
    column, true = columns[name], list[tuple[int, int]]()
    for holds, run in groupby(range(column.top + 1), truth):
        codes = list(run)
        if holds is None:
            return None
        true += [(codes[0], codes[-1])] if holds else []
    within: Condition = ("within", name, tuple(true))
    if not column.apart:
        return TRUE if true == [(0, column.top)] else within if true else FALSE
    without = truth(None)
    if without is None:
        return within
    missing: Condition = ("missing", name)
    return joined("some", [within, missing]) if without else joined("every", [within, negation(missing)])


def tried_for(condition: Condition, columns: Columns) -> int:
    """How many steps it takes to try the comparisons in a condition for the codes of one column."""
    steps = sum(tried_for(part, columns) for part in parts_of(condition))
    for function in functions_of(condition):
        steps += _tried_in(function, columns)
        private = [columns[name].values for name in function.reads if not columns[name].public]
        steps += function.size * prod(private) if max(private, default=0) <= FEW and len(private) == 1 else 0
    return steps


def _tried_in(function: Function, columns: Columns) -> int:
    tests = sum(tried_for(test, columns) for test in function.tests)
    return tests + sum(_tried_in(part, columns) for part in function.parts)
