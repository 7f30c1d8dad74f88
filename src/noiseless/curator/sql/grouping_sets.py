"""ROLLUP, CUBE and GROUPING SETS: the expressions by which each level of an answer is grouped."""

from __future__ import annotations

from itertools import combinations, product
from math import prod
from typing import Any

from sqlglot import exp

from noiseless.curator.sql.refusal import only, unsupported_error
from noiseless.errors import QuestionError, TooLargeError

KINDS = ("rollup", "cube", "grouping_sets")
MOST_LEVELS = 64
Nodes = tuple[Any, ...]


def levels_of(clause: exp.Group) -> list[Nodes] | None:
    """The expressions of every level, the finest of each construct first. None if GROUP BY has one level."""
    only(clause, "expressions", *KINDS)
    constructs = [each for kind in KINDS for each in clause.args.get(kind) or ()]
    if not constructs:
        return None
    each = [[tuple(clause.expressions)], *map(_levels, constructs)]
    if prod(map(len, each)) > MOST_LEVELS:
        raise TooLargeError(f"GROUP BY makes more than {MOST_LEVELS} levels; name those you need in GROUPING SETS")
    return [tuple(node for part in parts for node in part) for parts in product(*each)]


def _levels(construct: Any) -> list[Nodes]:
    """The levels of one construct, or of one element of GROUPING SETS."""
    if not isinstance(construct, (exp.Rollup, exp.Cube, exp.GroupingSets)):
        return [_one(construct)]
    only(construct, "expressions")
    parts = construct.expressions
    if not parts:
        raise unsupported_error("WITH ROLLUP or WITH CUBE")
    if isinstance(construct, exp.GroupingSets):
        return [level for part in parts for level in _levels(part)]
    nodes = list(map(_one, parts))
    if isinstance(construct, exp.Rollup):
        chosen = [tuple(nodes[:number]) for number in range(len(nodes), -1, -1)]
    elif 2 ** len(nodes) > MOST_LEVELS:
        raise TooLargeError(f"CUBE makes more than {MOST_LEVELS} levels; name those you need in GROUPING SETS")
    else:
        chosen = [each for number in range(len(nodes), -1, -1) for each in combinations(nodes, number)]
    return [tuple(node for part in level for node in part) for level in chosen]


def _one(node: Any) -> Nodes:
    """An expression, or several in parentheses that belong together."""
    if isinstance(node, exp.Tuple):
        only(node, "expressions")
        return tuple(node.expressions)
    return (node.unnest() if isinstance(node, exp.Paren) else node,)


def check_different(levels: list[tuple[str, ...]]) -> None:
    """Refuse a level that is named twice."""
    if len({frozenset(level) for level in levels}) < len(levels):
        raise QuestionError("GROUP BY names one level twice; remove one")
