"""REPORTED(value, lower, upper): a number that was asked before, with its interval, in a calculation with results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from typing import Any

from sqlglot import exp

from noiseless.curator.sql.nesting import own_nodes

NAME = "REPORTED"
MANY = (exp.AggFunc, exp.Window, exp.Filter)
DIGITS = 12
"""A reported value with more digits is rounded to this number of them, ends outward."""


@dataclass(frozen=True, slots=True)
class Known:
    """A number or a date, with ends between which it certainly lies."""

    value: Any
    lower: Any
    upper: Any


def is_known_number(node: Any) -> bool:
    """Whether a node is REPORTED(…)."""
    return isinstance(node, exp.Anonymous) and str(node.this).upper() == NAME


def known_number(known: Known) -> exp.Anonymous:
    """The number in SQL.

    >>> known_number(Known(Fraction(1, 3), Fraction(-1, 3), Fraction(2, 3))).sql()
    'REPORTED(0.333333333333, -0.333333333334, 0.666666666667)'
    """
    ends = (known.value, ROUND_HALF_EVEN), (known.lower, ROUND_FLOOR), (known.upper, ROUND_CEILING)
    return exp.Anonymous(this=NAME, expressions=[_constant(end, way) for end, way in ends])


def _constant(value: Any, way: str) -> Any:
    if isinstance(value, date):
        return exp.Cast(this=exp.Literal.string(value.isoformat()), to=exp.DataType.build("date"))
    text = decimal_text(Fraction(value), way)
    return exp.Neg(this=exp.Literal.number(text[1:])) if text.startswith("-") else exp.Literal.number(text)


def decimal_text(number: Fraction, way: str = ROUND_HALF_EVEN) -> str:
    """A number as a decimal: exactly if it is short, otherwise rounded.

    >>> decimal_text(Fraction(97, 2)), decimal_text(Fraction(1, 3)), decimal_text(Fraction(10**14))
    ('48.5', '0.333333333333', '100000000000000')
    """
    if number.denominator == 1:
        return str(number.numerator)
    quotient = Context(prec=DIGITS, rounding=way).divide(Decimal(number.numerator), Decimal(number.denominator))
    return format(quotient, "f")


def shown_beside(node: Any, select: Any, about_results: Callable[[], bool]) -> bool:
    """Whether a subquery is calculated with the results of `select`, and not in a condition or for each row."""
    item = node
    groups = _grouped_by(select)
    while item.parent is not select:
        if isinstance(item.parent, (exp.AggFunc, exp.Filter)) or item in groups:
            return False
        item = item.parent
    if item in groups or item.arg_key not in ("expressions", "order") or select.args.get("distinct") is not None:
        return False
    return about_results()


def _grouped_by(select: Any) -> list[Any]:
    """What rows are grouped by. Names and positions in GROUP BY are replaced with the expressions of SELECT."""
    clause = select.args.get("group")
    if clause is None:
        return []
    found = list(clause.find_all(exp.Expr))
    names = {each.name.lower() for each in found if isinstance(each, exp.Column)}
    places = {str(each.this) for each in found if isinstance(each, exp.Literal)}
    for place, each in enumerate(select.expressions, start=1):
        every = bool(clause.args.get("all")) and not any(isinstance(part, MANY) for part in own_nodes(each))
        if every or each.alias.lower() in names or str(place) in places:
            found += [each, each.unalias()]
    return found
