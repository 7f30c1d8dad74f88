"""A plan as a certificate writes it: nested lists of columns and rationals, in values instead of codes."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from fractions import Fraction
from typing import Any

from noiseless.curator.certificate.written_stages import constant_tree, written_stage
from noiseless.curator.plan.condition import TRUE
from noiseless.curator.plan.functions.leaves import Constant as Fixed
from noiseless.curator.plan.group import Group
from noiseless.curator.plan.plan import (
    Aggregate,
    Arithmetic,
    Combination,
    Comparison,
    Constant,
    Expression,
    KeyOf,
    Plan,
    Test,
)
from noiseless.curator.plan.trees import Tree, condition_tree, function_tree
from noiseless.curator.schema.categories import Key
from noiseless.curator.schema.schema import Schema


def written_plan(plan: Plan, schema: Schema) -> dict[str, Any]:
    """The whole plan."""
    directions = {False: "ascending", True: "descending"}
    if plan.united:
        return {
            "united": [written_plan(select, schema) for select in plan.united],
            "order": [[expression_tree(expression, schema), directions[down]] for expression, down in plan.order],
            "limit": None if plan.limit is None else str(plan.limit),
        }
    groups = {"groups": plan.groups, "public_groups": plan.public_groups}
    levels = {"levels": [list(level) for level in plan.levels]} if plan.levels else {}
    stages = {"stages": [written_stage(stage) for stage in plan.stages]} if plan.stages else {}
    return {
        **{name: [_group_tree(each, schema) for each in given] for name, given in groups.items() if given},
        **levels,
        **stages,
        "items": [[item.label, expression_tree(item.expression, schema)] for item in plan.items],
        "where": condition_tree(plan.where, schema),
        "keys": list(plan.keys),
        "category": plan.category,
        "having": None if plan.having is None else _test_tree(plan.having, schema),
        "order": [[expression_tree(expression, schema), directions[down]] for expression, down in plan.order],
        "limit": None if plan.limit is None else str(plan.limit),
    }


def _group_tree(group: Group, schema: Schema) -> Tree:
    """A group: its label, its function, and all its values in order unless it is a column."""
    function = group.function
    values = [function_tree(Fixed(value, function.kind), schema) for value in group.values]
    return [group.label, function_tree(function, schema), None if group.column is not None else values]


def expression_tree(expression: Expression, schema: Schema) -> Tree:
    """An expression: aggregates, keys, constants and arithmetic."""
    match expression:
        case Aggregate():
            return _aggregate_tree(expression, schema)
        case KeyOf(name):
            return ["key", name]
        case Arithmetic(operation, left, right):
            return [operation, expression_tree(left, schema), expression_tree(right, schema)]
        case Constant(value):
            return constant_tree(value)


def _aggregate_tree(aggregate: Aggregate, schema: Schema) -> Tree:
    match aggregate:
        case Aggregate(filter=kept) if kept != TRUE:
            return ["filter", _aggregate_tree(replace(aggregate, filter=TRUE), schema), condition_tree(kept, schema)]
        case Aggregate("COUNT", None, of=None):
            return ["count"]
        case Aggregate(("ORDER" | "PERCENTILE_CONT") as function, share=share):
            return [{"ORDER": "kth"}.get(function, "percentile_cont"), _about_tree(aggregate, schema), str(share)]
    return [aggregate.function.lower(), *(_about_tree(side, schema) for side in aggregate.sides)]


def _about_tree(aggregate: Aggregate, schema: Schema) -> Tree:
    """A column, or a function of the row."""
    if aggregate.of is None:
        return ["column", aggregate.column]
    return ["function", function_tree(aggregate.of, schema)]


def _test_tree(test: Test, schema: Schema) -> Tree:
    if isinstance(test, Comparison):
        return [test.operation, expression_tree(test.left, schema), expression_tree(test.right, schema)]
    assert isinstance(test, Combination)
    return [test.operation.lower(), *(_test_tree(part, schema) for part in test.parts)]


def written_key(key: Key | Fraction | date) -> str | bool:
    """A key. Whole numbers are written as text, so that no reader rounds them."""
    return key if isinstance(key, (str, bool)) else str(key)
