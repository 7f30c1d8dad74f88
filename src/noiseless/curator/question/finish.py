"""What is computed from released numbers: interval arithmetic, HAVING, ORDER BY and LIMIT. None of it costs anything.

Source: NP Thm 7: docs/theorems.md#np-thm-5
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import inf
from operator import itemgetter
from typing import Any

from noiseless.curator.plan.condition import COMPARE
from noiseless.curator.plan.group import Shown
from noiseless.curator.plan.plan import (
    Aggregate,
    Arithmetic,
    Comparison,
    Constant,
    Expression,
    KeyOf,
    Plan,
    Test,
)
from noiseless.curator.question.after.one_of import OneOf
from noiseless.curator.question.after.results import fields_of, results
from noiseless.curator.question.subtotals import with_subtotals
from noiseless.curator.releases.reported import Reported

Numbers = Mapping[Aggregate, Reported | None]
Keys = Mapping[str, Shown]
Field = Reported | Shown | OneOf
"""What a field of the answer holds: a number, a key, a text, or nothing."""


def finish(plan: Plan, lines: list[tuple[Keys, Numbers]]) -> list[dict[str, Field]]:
    """The rows of the answer: those that HAVING keeps, in order, at most LIMIT of them."""
    if plan.stages:
        return fields_of(plan, results(plan, lines))
    if plan.levels:
        lines = with_subtotals(plan, lines)
    kept = [line for line in lines if plan.having is None or _test(plan.having, *line) is True]
    for expression, descending in reversed(plan.order):
        valued = [(_value(evaluate(expression, *line)), line) for line in kept]
        known = sorted((pair for pair in valued if pair[0] is not None), key=itemgetter(0), reverse=descending)
        kept = [line for _, line in known] + [line for value, line in valued if value is None]
    return [{item.label: evaluate(item.expression, *line) for item in plan.items} for line in kept[: plan.limit]]


def united(plan: Plan, selects: list[list[dict[str, Field]]]) -> list[dict[str, Field]]:
    """The rows of UNION ALL: the rows of all SELECTs, in order, at most LIMIT of them."""
    rows = [row for each in selects for row in each]
    for key, descending in reversed(plan.order):
        assert isinstance(key, KeyOf)
        known = [row for row in rows if _value(row[key.column]) is not None]
        known.sort(key=lambda row: _value(row[key.column]), reverse=descending)
        rows = known + [row for row in rows if _value(row[key.column]) is None]
    return rows[: plan.limit]


def evaluate(expression: Expression, keys: Keys, numbers: Numbers) -> Field:
    """The field of one line. None if there is nothing to compute it from."""
    match expression:
        case Aggregate():
            return numbers[expression]
        case KeyOf():
            return keys[expression.column]
        case Constant(value) if isinstance(value, Fraction):
            return Reported(value, value, value)
        case Constant():
            return expression.value
        case Arithmetic():
            left, right = evaluate(expression.left, keys, numbers), evaluate(expression.right, keys, numbers)
            if not isinstance(left, Reported) or not isinstance(right, Reported):
                return None
            return _combined(expression.operation, left, right)


def _combined(operation: str, left: Reported, right: Reported) -> Reported | None:
    """The interval of all possible results, unbounded if the divisor may be 0."""
    match operation:
        case "+":
            ends = _plus(left.lower, right.lower), _plus(left.upper, right.upper)
            return Reported(left.value + right.value, *ends)
        case "-":
            return _combined("+", left, Reported(-right.value, -right.upper, -right.lower))
        case "*":
            corners = [_times(a, b) for a in (left.lower, left.upper) for b in (right.lower, right.upper)]
            return Reported(left.value * right.value, min(corners), max(corners))
        case _:
            if right.lower <= 0 <= right.upper:
                return None if right.value == 0 else Reported(Fraction(left.value) / right.value, -inf, inf)
            low, high = (Fraction(0) if isinstance(e, float) else 1 / Fraction(e) for e in (right.upper, right.lower))
            return _combined("*", left, Reported(1 / Fraction(right.value), low, high))


def _plus(first: Any, second: Any) -> Any:
    """The sum of two ends of intervals. An end is exact or infinite; only infinite ends are floats."""
    return first if isinstance(first, float) else second if isinstance(second, float) else first + second


def _times(first: Any, second: Any) -> Any:
    """The product of two ends of intervals, where 0·∞ is 0."""
    if first == 0 or second == 0:
        return Fraction(0)
    if isinstance(first, float) or isinstance(second, float):
        return inf if (first > 0) == (second > 0) else -inf
    return first * second


def _value(cell: Field) -> Any:
    return cell.value if isinstance(cell, Reported) else cell


def _test(test: Test, keys: Keys, numbers: Numbers) -> bool | None:
    """The truth of a test. As in SQL, a comparison with nothing is unknown."""
    if isinstance(test, Comparison):
        left, right = (_value(evaluate(side, keys, numbers)) for side in (test.left, test.right))
        if left is None or right is None:
            return None
        return COMPARE[test.operation](left, right)
    truths = [_test(part, keys, numbers) for part in test.parts]
    if test.operation == "NOT":
        return None if truths[0] is None else not truths[0]
    decisive = test.operation == "OR"
    return decisive if decisive in truths else None if None in truths else not decisive
