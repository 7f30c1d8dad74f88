"""UNION ALL: several SELECTs about the same table in one question."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from sqlglot import exp

from noiseless.curator.plan.functions.function import Function
from noiseless.curator.plan.functions.leaves import ColumnOf
from noiseless.curator.plan.plan import Aggregate, Constant, Expression, Item, KeyOf, Plan
from noiseless.curator.schema.dates import Date
from noiseless.curator.schema.schema import Schema
from noiseless.curator.sql.constants import limit_of
from noiseless.curator.sql.nesting import Scope, names_of_with
from noiseless.curator.sql.ordered import ordered
from noiseless.curator.sql.refusal import only, text_of, unsupported_error
from noiseless.errors import QuestionError

MOST_SELECTS = 100


def united(statement: exp.SetOperation, read: Callable[[exp.Select, Scope], Plan], schema: Schema) -> Plan:
    """The plan of SELECTs that `read` turns into plans. The first one names the columns."""
    only(statement, "this", "expression", "distinct", "order", "limit", "with_")
    scope = names_of_with(statement)
    plans = [read(each, scope) for each in _selects(statement)]
    if any(plan.stages for plan in plans):
        raise unsupported_error("UNION ALL of SELECTs that compute with their results")
    first = plans[0]
    for place, plan in enumerate(plans, start=1):
        _check_columns(first, plan, place, schema)
    labels = [item.label for item in first.items]
    selects = tuple(
        replace(plan, items=tuple(map(Item, labels, (item.expression for item in plan.items)))) for plan in plans
    )
    order = ordered(statement.args.get("order"), [(label, KeyOf(label)) for label in labels], _unknown)
    limit, tables = limit_of(statement.args.get("limit")), dict.fromkeys(pair for plan in plans for pair in plan.joined)
    return Plan(selects[0].items, order=order, limit=limit, joined=tuple(tables), united=selects)


def _selects(statement: Any) -> list[exp.Select]:
    """The SELECTs in order. The parser reads A UNION ALL B UNION ALL C as (A UNION ALL B) UNION ALL C."""
    found: list[exp.Select] = []
    while isinstance(statement, exp.SetOperation):
        if not isinstance(statement, exp.Union):
            raise unsupported_error(statement.key.upper())
        if statement.args.get("distinct"):
            raise QuestionError("UNION leaves out equal rows, and equal answers are not equal rows; write UNION ALL")
        if found:
            only(statement, "this", "expression", "distinct")
        found.append(_select(statement.expression))
        statement = statement.this
        if len(found) >= MOST_SELECTS:
            raise QuestionError(f"a question has at most {MOST_SELECTS} SELECTs; ask in parts")
    return [_select(statement), *reversed(found)]


def _select(node: Any) -> exp.Select:
    while isinstance(node, exp.Subquery):
        only(node, "this")
        node = node.this
    if not isinstance(node, exp.Select):
        raise unsupported_error(f"a UNION in parentheses, {text_of(node)!r}")
    return node


def _check_columns(first: Plan, plan: Plan, place: int, schema: Schema) -> None:
    """Refuse columns in one place that have different kinds, because rows could not be ordered by them."""
    if len(plan.items) != len(first.items):
        raise QuestionError(
            f"SELECT number {place} of UNION ALL has {len(plan.items)} columns, and the first has {len(first.items)}; "
            f"give all the same number"
        )
    for one, two in zip(first.items, plan.items, strict=True):
        kinds = [_kind(one.expression, first, schema), _kind(two.expression, plan, schema)]
        if kinds[0] != kinds[1]:
            raise QuestionError(
                f"column {one.label!r} of UNION ALL is a {kinds[0]} in the first SELECT and a {kinds[1]} in number "
                f"{place}; give it one kind"
            )


def _kind(expression: Expression, plan: Plan, schema: Schema) -> str:
    match expression:
        case Constant():
            return "text"
        case KeyOf(name):
            kinds = {each.label: each.function.kind for each in (*plan.groups, *plan.public_groups)}
            return kinds.get(name) or ColumnOf(name, schema.columns[name]).kind
        case Aggregate("ORDER", column=str(name)) if isinstance(schema.columns[name], Date):
            return "date from the table"
        case Aggregate("ORDER", of=Function() as function) if function.kind == "date":
            return "date from the table"
    return "number from the table"


def _unknown(node: Any) -> KeyOf:
    raise QuestionError(f"ORDER BY {text_of(node)!r} is not a column of UNION ALL; use its name or place")
