"""Rows for which a quotient or a curve has no value, if conditions such as WHERE hours > 0 leave them out."""

from __future__ import annotations

from fractions import Fraction

from noiseless.curator.plan.compare import compared
from noiseless.curator.plan.condition import (
    FALSE,
    Condition,
    Every,
    Within,
    columns_read,
    every,
    narrowed,
    of_one_column,
)
from noiseless.curator.plan.functions.choice import choice, without_0
from noiseless.curator.plan.functions.function import Function
from noiseless.curator.plan.functions.leaves import NOTHING, Constant, columns_in

ZERO = Constant(Fraction(0))


def never_0(part: Function, kept: Condition) -> Function:
    """The function. If rows where it is 0 are not `kept`, it has no value there."""
    if part.span().least is not None:  # it is never 0
        return part
    never = part.span(narrowed(kept, {})).least is not None or _excluded(part, kept)
    return without_0(part) if never else part


def _excluded(part: Function, kept: Condition) -> bool:
    """Whether a condition on one column leaves out all rows where a function of it is 0, as h <> 0 does."""
    zero = compared("=", part, ZERO)
    if not isinstance(zero, Within):
        return False
    [column] = columns_in(part)
    known = kept.parts if isinstance(kept, Every) else (kept,)
    about = [each for each in known if columns_read(each) == {column.name}]
    return of_one_column(every([*about, zero]), column.name, column.top, column.apart) == FALSE


def not_below_0(part: Function, kept: Condition, or_0: bool) -> Function:
    """The function. If rows where it is below 0, or with `or_0` is 0, are not `kept`, it has no value there."""
    if part.span().low >= 0:
        return never_0(part, kept) if or_0 else part
    where = part.span(narrowed(kept, {}))
    if where.low < 0 or (or_0 and where.least is None):
        return part
    return choice([(compared(">" if or_0 else ">=", part, ZERO), part)], NOTHING, columns_in(part))
