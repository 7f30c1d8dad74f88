"""The stages of a plan in SQL, each around the one before."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

BETWEEN = frozenset(["+", "-", "*", "/", "=", "<>", "<", "<=", ">", ">=", "and", "or"])
SIMPLE = {"null": "NULL", "not": "(NOT {})", "is_null": "({} IS NULL)"}
CONSTANTS = frozenset({"number", "text", "truth", "date"})


def with_stages(
    text: str, stages: Iterable[Mapping[str, Any]], constant: Callable[[Any], str], name: Callable[[str], str]
) -> str:
    """SELECT … FROM (the statement before) AS "r" …, for every stage."""
    words = _Words(constant, name)
    for stage in stages:
        text = words.stage(stage, text)
    return text


class _Words:
    def __init__(self, constant: Callable[[Any], str], name: Callable[[str], str]) -> None:
        self.constant, self.name = constant, name

    def stage(self, stage: Mapping[str, Any], inner: str) -> str:
        keys = stage.get("keys", stage.get("outputs"))
        columns = [f"{self.said(tree)} AS {self.name(label)}" for label, tree in keys]
        columns += [self.number(*each) for each in stage.get("numbers", [])]
        text = f"SELECT {', '.join(columns)} FROM ({inner}) AS {self.name('r')}"
        if stage["where"] is not None:
            text += " WHERE " + self.said(stage["where"])
        if stage.get("keys"):
            text += " GROUP BY " + self.listed(tree for _, tree in keys)
        if stage.get("order"):
            text += " ORDER BY " + self.ordered(stage["order"])
        return text if stage.get("limit") is None else f"{text} LIMIT {stage['limit']}"

    def said(self, tree: Any) -> str:
        kind, *parts = tree
        if kind in CONSTANTS:
            return self.constant(tree)
        if kind in BETWEEN:
            return "(" + f" {kind.upper()} ".join(map(self.said, parts)) + ")"
        if kind in SIMPLE:
            return SIMPLE[kind].format(*map(self.said, parts))
        special: dict[str, Callable[..., str]] = {"column": self.name, "over": self.over, "case": self.case}
        return special[kind](*parts) if kind in special else self.call(kind, parts)

    def listed(self, trees: Iterable[Any]) -> str:
        return ", ".join(map(self.said, trees))

    def call(self, function: str, parts: list[Any]) -> str:
        return function.upper() + "(" + ("*" if function == "count" and not parts else self.listed(parts)) + ")"

    def case(self, *parts: Any) -> str:
        words = "".join(
            f" WHEN {self.said(parts[at])} THEN {self.said(parts[at + 1])}" for at in range(0, len(parts) - 1, 2)
        )
        return f"CASE{words} ELSE {self.said(parts[-1])} END"

    def ordered(self, order: Any) -> str:
        return ", ".join(self.said(tree) + (" DESC" if way == "descending" else "") for tree, way in order)

    def over(self, function: str, parts: Any, partition: Any, order: Any, frame: Any) -> str:
        inside = []
        if partition:
            inside.append("PARTITION BY " + self.listed(partition))
        if order:
            inside.append("ORDER BY " + self.ordered(order))
        if frame is not None:
            inside.append(f"ROWS BETWEEN {_reach(frame[0], 'PRECEDING')} AND {_reach(frame[1], 'FOLLOWING')}")
        return self.call(function, parts) + " OVER (" + " ".join(inside) + ")"

    def number(self, label: str, function: str, tree: Any, kept: Any) -> str:
        words = self.call(function, [] if tree is None else [tree])
        return f"{words}{'' if kept is None else f' FILTER (WHERE {self.said(kept)})'} AS {self.name(label)}"


def _reach(rows: str | None, outward: str) -> str:
    """One end of a frame in SQL. A negative number reaches the other way."""
    if rows is None:
        return f"UNBOUNDED {outward}"
    if rows == "0":
        return "CURRENT ROW"
    inward = {"PRECEDING": "FOLLOWING", "FOLLOWING": "PRECEDING"}[outward]
    return f"{rows[1:]} {inward}" if rows[0] == "-" else f"{rows} {outward}"
