"""What is computed from released numbers: interval arithmetic, HAVING, ORDER BY and LIMIT."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from datetime import date
from fractions import Fraction
from math import inf
from operator import itemgetter
from typing import Any

from noiseless.curator.certificate.checker import stage_cells as cells
from noiseless.curator.certificate.checker.columns import Key
from noiseless.curator.certificate.checker.intervals import Interval, exactly
from noiseless.curator.certificate.checker.numbers import MOST_BITS, day, rational
from noiseless.curator.certificate.checker.plans import Aggregate, Plan, Tree, aggregate_of
from noiseless.curator.certificate.checker.stage_rows import staged
from noiseless.curator.certificate.checker.subtotals import all_levels
from noiseless.curator.certificate.checker.wrong import require

COMPARE = {
    "=": operator.eq,
    "<>": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
Numbers = Mapping[Aggregate, Interval | None]
Keys = Mapping[str, Key | None]
Cell = Interval | Key | date | dict[str, Any] | None


def finish(plan: Plan, lines: Sequence[tuple[Keys, Numbers]]) -> list[dict[str, Cell]]:
    """The rows of the answer of one SELECT."""
    if plan.levels:
        lines = all_levels(plan.levels, plan.keys, lines)
    if plan.stages:
        return staged(plan.stages, [_cells(plan, *line) for line in lines])
    kept = [line for line in lines if plan.having is None or _test(plan.having, *line) is True]
    for tree, descending in reversed(plan.order):
        valued = [(_value(tree, *line), line) for line in kept]
        known = sorted((pair for pair in valued if pair[0] is not None), key=itemgetter(0), reverse=descending)
        kept = [line for _, line in known] + [line for value, line in valued if value is None]
    return [{label: evaluate(tree, *line) for label, tree in plan.items} for line in kept[: plan.limit]]


def _cells(plan: Plan, keys: Keys, numbers: Numbers) -> dict[str, cells.Cell]:
    """The cells for the stages. A number that is used twice is one unknown."""
    known: dict[Aggregate, cells.Cell] = {}

    def cell(tree: Tree) -> cells.Cell:
        if tree[0] == "key":
            return cells.constant(keys[tree[1]])
        if tree[0] == "number":
            return cells.constant(rational(tree[1]))
        if tree[0] in ("+", "-", "*", "/"):
            return cells.operated(tree[0], [cell(part) for part in tree[1:]])
        aggregate = aggregate_of(tree)
        return known.setdefault(aggregate, cells.of_interval(numbers[aggregate]))

    return {label: cell(tree) for label, tree in plan.items}


def evaluate(tree: Tree, keys: Keys, numbers: Numbers) -> Cell:
    """The field of one line. None if there is nothing to compute it from."""
    kind = tree[0]
    match kind:
        case "key":
            return keys[tree[1]]
        case "number":
            return exactly(rational(tree[1]))
        case "date":
            return day(tree[1])
        case "text" | "truth":
            return tree[1]  # type: ignore[no-any-return]
        case "+" | "-" | "*" | "/":
            left, right = evaluate(tree[1], keys, numbers), evaluate(tree[2], keys, numbers)
            if not isinstance(left, Interval) or not isinstance(right, Interval):
                return None
            return _small(combined(kind, left, right))
    return numbers[aggregate_of(tree)]


def combined(operation: str, left: Any, right: Any) -> Interval | None:
    """The interval of all possible results, unbounded if the divisor may be 0."""
    match operation:
        case "+":
            low, high = _plus(left.lower, right.lower), _plus(left.upper, right.upper)
            return Interval(left.value + right.value, low, high)
        case "-":
            return combined("+", left, Interval(-right.value, -right.upper, -right.lower))
        case "*":
            corners = [_times(a, b) for a in (left.lower, left.upper) for b in (right.lower, right.upper)]
            return Interval(left.value * right.value, min(corners), max(corners))
    if right.lower <= 0 <= right.upper:
        return None if right.value == 0 else Interval(left.value / right.value, -inf, inf)
    low, high = (Fraction(0) if isinstance(end, float) else 1 / end for end in (right.upper, right.lower))
    return combined("*", left, Interval(1 / right.value, low, high))


def _small(interval: Interval | None) -> Interval | None:
    """Refuse numbers longer than in any honest answer before they are multiplied again."""
    for end in () if interval is None else (interval.value, interval.lower, interval.upper):
        if isinstance(end, Fraction):
            size = end.numerator.bit_length() + end.denominator.bit_length()
            require(size <= MOST_BITS, "a number of the answer is too long")
    return interval


def _plus(first: Any, second: Any) -> Any:
    return first if isinstance(first, float) else second if isinstance(second, float) else first + second


def _times(first: Any, second: Any) -> Any:
    """The product of two ends of intervals, where 0·∞ is 0."""
    if first == 0 or second == 0:
        return Fraction(0)
    if isinstance(first, float) or isinstance(second, float):
        return inf if (first > 0) == (second > 0) else -inf
    return first * second


def _value(tree: Tree, keys: Keys, numbers: Numbers) -> Any:
    return value_of(evaluate(tree, keys, numbers))


def value_of(cell: Cell) -> Any:
    """The value by which a field is ordered."""
    return cell.value if isinstance(cell, Interval) else cell


def _test(tree: Tree, keys: Keys, numbers: Numbers) -> bool | None:
    """The truth of a test. As in SQL, a comparison with nothing is unknown."""
    kind, *parts = tree
    if kind in COMPARE:
        left, right = (_value(part, keys, numbers) for part in parts)
        return None if left is None or right is None else bool(COMPARE[kind](left, right))
    truths = [_test(part, keys, numbers) for part in parts]
    if kind == "not":
        return None if truths[0] is None else not truths[0]
    decisive = kind == "or"
    return decisive if decisive in truths else None if None in truths else not decisive


def in_writing(cell: Cell) -> Any:
    """A field as a certificate writes it."""
    if isinstance(cell, Interval):
        return {"value": str(cell.value), "lower": str(cell.lower), "upper": str(cell.upper)}
    if cell is None or isinstance(cell, (bool, str, dict)):
        return cell  # fields of a stage are already written
    return str(cell)
