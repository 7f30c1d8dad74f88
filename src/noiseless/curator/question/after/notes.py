"""What is not certain about the rows of an answer: which of them belong to it, and their order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from noiseless.curator.plan.after import Arranged, Call, Column, Expression, Output
from noiseless.curator.plan.plan import Aggregate, Arithmetic, Comparison, Constant, Item, KeyOf, Plan, Test
from noiseless.curator.plan.plan import Expression as OfTable
from noiseless.curator.question.after.cell import Cell, exactly, of_reported
from noiseless.curator.question.after.row import Row
from noiseless.curator.question.after.stages import staged
from noiseless.curator.releases.reported import Reported
from noiseless.exact.plural import plural

MOST_PAIRS = 3
"""The most pairs of rows that are named."""


def notes_of(rows: Sequence[Row]) -> tuple[str, ...]:
    """The notes, from the rows of the last stage."""
    shown = [row for row in rows if row.shown]
    return *_about_rows(rows), *_about_order(shown), *_about_nothing(shown)


def _about_rows(rows: Sequence[Row]) -> Iterator[str]:
    doubtful, hidden = sum(row.shown and not row.sure for row in rows), sum(not row.shown for row in rows)
    said = [f"{plural(doubtful, 'row')} shown may not belong here"] if doubtful else []
    said += [f"{plural(hidden, 'row')} left out may belong here"] if hidden else []
    if said:
        yield f"{', and '.join(said)}: the intervals do not decide the condition or the limit"


def _about_order(rows: Sequence[Row]) -> Iterator[str]:
    """Pairs of neighbours, by their numbers in the answer."""
    pairs = [f"{place} and {place + 1}" for place, row in enumerate(rows[1:], start=1) if row.higher]
    if pairs:
        more = f" and {plural(len(pairs) - MOST_PAIRS, 'more pair')}" if len(pairs) > MOST_PAIRS else ""
        yield f"the order of rows {', '.join(pairs[:MOST_PAIRS])}{more} is not certain: their intervals overlap"


def _about_nothing(rows: Sequence[Row]) -> Iterator[str]:
    """Where something may be that the reported numbers do not show, such as a quotient by a number reported as 0."""
    found = Counter(label for row in rows for label, cell in row.cells.items() if cell.value is None and cell.something)
    for label, number in found.items():
        where = f"{label} in {plural(number, 'row')}"
        yield f"{where} is empty only for the numbers as reported: in truth it may be a number"


def as_stage(plan: Plan) -> Plan:
    """HAVING, ORDER BY, LIMIT and quotients of a question as a stage about what is released."""
    labels: dict[OfTable, str] = {}

    def turned(expression: OfTable) -> Expression:
        match expression:
            case Aggregate() | KeyOf():
                return Column(labels.setdefault(expression, str(len(labels))))
            case Arithmetic(operation, left, right):
                return Call(operation, (turned(left), turned(right)))
            case Constant():
                return expression

    def tested(test: Test) -> Expression:
        if isinstance(test, Comparison):
            return Call(test.operation, (turned(test.left), turned(test.right)))
        parts = [tested(part) for part in test.parts]
        return Call(test.operation, tuple(parts))

    where = None if plan.having is None else tested(plan.having)
    order = tuple((turned(expression), falls) for expression, falls in plan.order)
    quotients = [each for each in plan.items if isinstance(each.expression, Arithmetic)]
    outputs = tuple([Output(each.label, turned(each.expression), "number", released=True) for each in quotients])
    items = tuple(Item(label, expression) for expression, label in labels.items())
    return Plan(items, stages=(Arranged(outputs, where, order, plan.limit),))


def arranged(plan: Plan, fields: Sequence[Mapping[str, Any]]) -> list[Row]:
    """The rows of UNION ALL, given those of all SELECTs."""
    rows = [Row({label: _cell(field) for label, field in row.items()}, at) for at, row in enumerate(fields)]
    outputs = tuple(Output(item.label, Column(item.label), "", released=True) for item in plan.items)
    keys = [(key.column, falls) for key, falls in plan.order if isinstance(key, KeyOf)]
    return staged(Arranged(outputs, None, tuple((Column(key), falls) for key, falls in keys), plan.limit), rows)


def _cell(field: Any) -> Cell:
    return of_reported(field) if isinstance(field, Reported) else exactly(field)
