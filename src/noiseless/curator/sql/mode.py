"""MODE(x): the value that occurs most often, which follows from the counts of all values."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from noiseless.curator.sql.refusal import text_of
from noiseless.errors import QuestionError

OTHERS = ("group", "having", "order", "limit", "offset", "distinct")


def without_mode(select: exp.Select) -> exp.Select:
    """Rewrite SELECT MODE(x): the group by x with the largest count, and of equal counts the first value."""
    select = in_one_way(select)
    [item, *more] = select.expressions or [None]
    mode = None if item is None else item.unalias()
    if not isinstance(mode, exp.Mode):
        inside = next((found for each in select.expressions if (found := each.find(exp.Mode)) is not None), None)
        if inside is not None:
            raise _mode_error(inside)
        return select
    if not mode.this:
        raise QuestionError("MODE() is about nothing; write MODE(x) with a column x")
    if more or mode.args.get("deterministic") or any(select.args.get(each) for each in OTHERS):
        raise _mode_error(mode)
    counted = exp.Count(this=mode.this.copy())
    found = select.copy()
    found.set("expressions", [exp.alias_(mode.this.copy(), item.alias or text_of(mode), quoted=True)])
    found.set("group", exp.Group(expressions=[mode.this.copy()]))
    found.set("having", exp.Having(this=exp.GT(this=counted.copy(), expression=exp.Literal.number(0))))
    found.set("order", exp.Order(expressions=[exp.Ordered(this=counted, desc=True)]))
    found.set("limit", exp.Limit(expression=exp.Literal.number(1)))
    return found


def in_one_way(select: Any) -> Any:
    """MODE() WITHIN GROUP (ORDER BY x) as MODE(x); of equal counts Postgres takes the first value, too."""
    if not any(isinstance(each.this, exp.Mode) for each in select.find_all(exp.WithinGroup)):
        return select
    select = select.copy()
    for node in list(select.find_all(exp.WithinGroup)):
        order = node.expression.expressions
        if isinstance(node.this, exp.Mode) and not node.this.this and len(order) == 1:
            node.replace(exp.Mode(this=order[0].this.copy()))
    return select


def _mode_error(mode: exp.Mode) -> QuestionError:
    what = text_of(mode.this)
    return QuestionError(
        f"{text_of(mode)} is supported by itself only: SELECT {text_of(mode)} FROM …; or ask for the counts, at "
        f"the same price: SELECT {what}, COUNT(*) … GROUP BY {what} ORDER BY COUNT(*) DESC"
    )
