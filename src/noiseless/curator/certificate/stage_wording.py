"""Stages in SQL, from the written plan. The checker writes the same text with its own code."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from noiseless.curator.plan.trees import Tree

INFIX = ("+", "-", "*", "/", "=", "<>", "<", "<=", ">", ">=", "and", "or")


def around(
    text: str, stages: list[Mapping[str, Any]], constant: Callable[[Tree], str], quoted: Callable[[str], str]
) -> str:
    """The statement about the table, and each stage as a SELECT around it.

    >>> stage = {"keys": [], "numbers": [["m", "max", ["column", "n"], None]], "where": None}
    >>> around("SELECT COUNT(*) AS n FROM t", [stage], str, str)
    'SELECT MAX(n) AS m FROM (SELECT COUNT(*) AS n FROM t) AS r'
    """
    words = _Words(constant, quoted)
    for stage in stages:
        text = words.arranged(stage, text) if "outputs" in stage else words.gathered(stage, text)
    return text


class _Words:
    def __init__(self, constant: Callable[[Tree], str], quoted: Callable[[str], str]) -> None:
        self.constant, self.quoted = constant, quoted

    def arranged(self, stage: Mapping[str, Any], inner: str) -> str:
        order, limit = stage["order"], stage["limit"]
        clauses = [self._selected(stage["outputs"]), self._from(inner, stage)]
        clauses += [f"ORDER BY {self._order(order)}"] if order else []
        clauses += [f"LIMIT {limit}"] if limit is not None else []
        return " ".join(clauses)

    def gathered(self, stage: Mapping[str, Any], inner: str) -> str:
        keys = [tree for _, tree in stage["keys"]]
        numbers = [[label, ["gathered", *rest]] for label, *rest in stage["numbers"]]
        clauses = [self._selected([*stage["keys"], *numbers]), self._from(inner, stage)]
        clauses += [f"GROUP BY {', '.join(map(self.expression, keys))}"] if keys else []
        return " ".join(clauses)

    def _selected(self, outputs: Tree) -> str:
        return "SELECT " + ", ".join(f"{self.expression(tree)} AS {self.quoted(label)}" for label, tree in outputs)

    def _from(self, inner: str, stage: Mapping[str, Any]) -> str:
        where = "" if stage["where"] is None else f" WHERE {self.expression(stage['where'])}"
        return f"FROM ({inner}) AS {self.quoted('r')}{where}"

    def _order(self, order: Tree) -> str:
        return ", ".join(f"{self.expression(tree)}{' DESC' if way == 'descending' else ''}" for tree, way in order)

    def expression(self, tree: Tree) -> str:
        match tree:
            case ["column", label]:
                return self.quoted(label)
            case ["null"]:
                return "NULL"
            case [("number" | "text" | "truth" | "date"), _]:
                return self.constant(tree)
            case ["not", part]:
                return f"(NOT {self.expression(part)})"
            case ["is_null", part]:
                return f"({self.expression(part)} IS NULL)"
            case ["case", *parts]:
                return self._case(parts)
            case ["over", function, parts, partition, order, frame]:
                return f"{self._called(function, parts)} OVER ({self._window(partition, order, frame)})"
            case ["gathered", function, part, kept]:
                number = self._called(function, [] if part is None else [part])
                return number if kept is None else f"{number} FILTER (WHERE {self.expression(kept)})"
        return self._operation(*tree)

    def _operation(self, operation: str, *parts: Tree) -> str:
        if operation in INFIX:
            return f"({f' {operation.upper()} '.join(map(self.expression, parts))})"
        return self._called(operation, list(parts))

    def _case(self, parts: Tree) -> str:
        cases = zip(parts[:-1:2], parts[1::2], strict=True)
        listed = " ".join(f"WHEN {self.expression(test)} THEN {self.expression(then)}" for test, then in cases)
        return f"CASE {listed} ELSE {self.expression(parts[-1])} END"

    def _called(self, function: str, parts: Tree) -> str:
        inside = "*" if function == "count" and not parts else ", ".join(map(self.expression, parts))
        return f"{function.upper()}({inside})"

    def _window(self, partition: Tree, order: Tree, frame: Any) -> str:
        clauses = [f"PARTITION BY {', '.join(map(self.expression, partition))}"] if partition else []
        clauses += [f"ORDER BY {self._order(order)}"] if order else []
        clauses += [f"ROWS BETWEEN {_bound(frame[0], False)} AND {_bound(frame[1], True)}"] if frame else []
        return " ".join(clauses)


def _bound(rows: str | None, after: bool) -> str:
    """One end of a frame, in SQL."""
    if rows == "0":
        return "CURRENT ROW"
    forward = after if rows is None else after != rows.startswith("-")
    far = "UNBOUNDED" if rows is None else rows.lstrip("-")
    return f"{far} {'FOLLOWING' if forward else 'PRECEDING'}"
