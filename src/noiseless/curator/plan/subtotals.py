"""The levels of ROLLUP, CUBE and GROUPING SETS follow from the finest one: counts and sums add up.

A mean is a sum divided by a count. Nothing else of a coarser level follows from the finer ones but the smallest and the
largest value.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from noiseless.curator.plan.plan import (
    Aggregate,
    Arithmetic,
    Combination,
    Comparison,
    Expression,
    Item,
    Plan,
    Test,
)
from noiseless.errors import QuestionError

ENDS = (Fraction(0), Fraction(1))
"""The shares of MIN and MAX."""


def with_levels(plan: Plan, levels: tuple[tuple[str, ...], ...]) -> Plan:
    """The plan with several levels, its means written as sums divided by counts."""
    for each in plan.aggregates():
        _check(each)
    having = None if plan.having is None else _test(plan.having)
    items = tuple(Item(item.label, _without_means(item.expression)) for item in plan.items)
    order = tuple((_without_means(expression), down) for expression, down in plan.order)
    return replace(plan, items=items, having=having, order=order, levels=levels)


def _check(aggregate: Aggregate) -> None:
    if aggregate.function in ("COUNT", "SUM", "AVG"):
        return
    if aggregate.function == "ORDER" and aggregate.share in ENDS:
        return
    names = {"ORDER": "a quantile", "COUNT_DISTINCT": "COUNT(DISTINCT …)"}
    name = names.get(aggregate.function, aggregate.function)
    raise QuestionError(
        f"{name} of a coarser level does not follow from those of finer ones; ask for COUNT, SUM, AVG, MIN or MAX, or "
        f"ask for each level by itself"
    )


def _without_means(expression: Expression) -> Expression:
    match expression:
        case Aggregate("AVG"):
            rows = replace(expression, function="COUNT")
            return Arithmetic("/", replace(expression, function="SUM"), rows)
        case Arithmetic(operation, left, right):
            return Arithmetic(operation, _without_means(left), _without_means(right))
    return expression


def _test(test: Test) -> Test:
    if isinstance(test, Comparison):
        return Comparison(test.operation, _without_means(test.left), _without_means(test.right))
    return Combination(test.operation, tuple(map(_test, test.parts)))
