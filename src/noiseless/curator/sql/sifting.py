"""QUALIFY and OFFSET: a stage that notes which rows are meant, and one that keeps them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from sqlglot import exp

from noiseless.curator.plan.after import Arranged, Call, Column, Expression, Output, Window
from noiseless.curator.plan.plan import Constant
from noiseless.curator.sql.constants import constant
from noiseless.curator.sql.labels import free
from noiseless.curator.sql.refusal import only
from noiseless.errors import QuestionError


def sifted(stage: Arranged, test: Expression | None, offset: int) -> tuple[Arranged, ...]:
    """The stage, then one for QUALIFY, then one for OFFSET. Windows are about all rows of the first."""
    found: list[Arranged] = []
    if test is not None:
        noting, label, stage = _noted(stage, Output("qualify", test, "truth", released=True))
        found.append(noting)
        stage = replace(stage, where=Column(label))
    if offset:
        if not stage.order:
            raise QuestionError("OFFSET needs ORDER BY, which says which rows are left out; add it")
        limit, number = stage.limit, Window("ROW_NUMBER", (), (), stage.order)
        noting, label, stage = _noted(stage, Output("row number", number, "number", released=True))
        found.append(noting)
        kept = [Call(">", (Column(label), Constant(Fraction(offset))))]
        kept += [] if limit is None else [Call("<=", (Column(label), Constant(Fraction(offset + limit))))]
        stage = replace(stage, where=kept[0] if limit is None else Call("AND", tuple(kept)), limit=None)
    return (*found, stage)


def _noted(stage: Arranged, noted: Output) -> tuple[Arranged, str, Arranged]:
    """A stage with one more output for the rows that are meant, and a stage that shows the other outputs."""
    labels = [each.label for each in stage.outputs]
    label = free(noted.label, labels)
    orders = [free(f"{label} {place}", labels) for place in range(len(stage.order))]
    more = [Output(name, each, "number", released=True) for name, (each, _) in zip(orders, stage.order, strict=True)]
    noting = Arranged((*stage.outputs, replace(noted, label=label), *more), stage.where)
    shown = tuple(replace(each, expression=Column(each.label)) for each in stage.outputs)
    order = tuple((Column(name), falls) for name, (_, falls) in zip(orders, stage.order, strict=True))
    return noting, label, Arranged(shown, None, order, stage.limit)


def offset_of(select: Any) -> int:
    """How many rows OFFSET leaves out."""
    clause = select.args.get("offset")
    if clause is None:
        return 0
    only(clause, "expression")
    number = constant(clause.expression)
    if not isinstance(number, Fraction) or number.denominator != 1 or number < 0:
        raise QuestionError("OFFSET must be a whole number; use 0 or more")
    return int(number)


def sifts(select: exp.Select) -> bool:
    """Whether a SELECT has QUALIFY or OFFSET."""
    return any(select.args.get(clause) is not None for clause in ("qualify", "offset"))
