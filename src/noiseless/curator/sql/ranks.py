"""Functions OVER rows that follow from others: PERCENT_RANK, CUME_DIST and NTILE."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from sqlglot import exp

from noiseless.curator.plan.after import Call, Expression, Window
from noiseless.curator.plan.plan import Constant

MOST_TILES = 1000
ONE, ZERO = Constant(Fraction(1)), Constant(Fraction(0))


def percent_rank(window: Window) -> Expression:
    """(rank − 1)/(rows − 1), or 0 for a single row."""
    quotient = _quotient(_minus_one(replace(window, function="RANK")), _minus_one(_all(window)))
    return Call("COALESCE", (quotient, ZERO))


def cume_dist(window: Window) -> Expression:
    """The share of the rows that come before a row or beside it."""
    return _quotient(replace(window, function="COUNT"), _all(window))


def tiles(window: Window, number: int) -> Expression:
    """The rows in `number` parts, of which the first have one row more."""
    place, parts = replace(window, function="ROW_NUMBER"), Constant(Fraction(number))
    small = Call("FLOOR", (_quotient(_all(window), parts),))
    large = Call("+", (small, ONE))
    longer = Call("-", (_all(window), Call("*", (parts, small))))
    rest = Call("-", (place, Call("*", (longer, large))))
    after = Call("+", (longer, Call("CEIL", (_quotient(rest, small),))))
    among = Call("<=", (place, Call("*", (longer, large))))
    return Call("CASE", (among, Call("CEIL", (_quotient(place, large),)), after))


def _all(window: Window) -> Window:
    return replace(window, function="COUNT", order=())


def _minus_one(number: Expression) -> Expression:
    return Call("-", (number, ONE))


def _quotient(top: Expression, bottom: Expression) -> Expression:
    return Call("/", (top, bottom))


FOLLOWING: dict[type, Callable[[Window], Expression]] = {exp.PercentRank: percent_rank, exp.CumeDist: cume_dist}
