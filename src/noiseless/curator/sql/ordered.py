"""ORDER BY: by places in SELECT, by labels, or by what an expression means."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from sqlglot import exp

from noiseless.curator.sql.constants import constant
from noiseless.curator.sql.refusal import only, text_of, unsupported_error
from noiseless.errors import QuestionError

E = TypeVar("E")


def directions(clause: Any) -> list[tuple[Any, bool]]:
    """The expressions of ORDER BY, each with whether it is descending. Missing values come last, as on every engine."""
    if clause is None:
        return []
    only(clause, "expressions")
    for node in clause.expressions:
        only(node, "this", "desc", "nulls_first")
        if node.args.get("nulls_first"):
            raise unsupported_error("NULLS FIRST")
    return [(node.this, bool(node.args.get("desc"))) for node in clause.expressions]


def ordered(clause: Any, shown: Sequence[tuple[str, E]], read: Callable[[Any], E]) -> tuple[tuple[E, bool], ...]:
    """The order of rows that show these labels with their expressions. Everything else is `read`.

    ORDER BY ALL is the order of SELECT, from left to right.
    """
    named = directions(clause)
    if len(named) == 1 and isinstance(named[0][0], exp.Var) and named[0][0].name.upper() == "ALL":
        return tuple((expression, named[0][1]) for _, expression in shown)
    return tuple((_named(node, shown, read), falls) for node, falls in named)


def _named(node: Any, shown: Sequence[tuple[str, E]], read: Callable[[Any], E]) -> E:
    if isinstance(node, exp.Literal) and not node.is_string:
        return shown[position(node, len(shown), "ORDER BY")][1]
    name = node.name.lower() if isinstance(node, exp.Column) and not node.table else None
    named = [expression for label, expression in shown if label.lower() == name]  # SQL prefers an alias
    return named[0] if named else read(node)


def position(node: Any, most: int, clause: str) -> int:
    """A place in SELECT, counted from 0."""
    place = constant(node)
    if isinstance(place, (str, bool)) or place.denominator != 1 or not 1 <= place <= most:
        raise QuestionError(f"{clause} {text_of(node)} is not a position in SELECT; use 1 to {most}")
    return int(place) - 1
