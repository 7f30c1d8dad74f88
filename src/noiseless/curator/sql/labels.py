"""The labels in the answer for items of SELECT without an alias."""

from __future__ import annotations

from threading import local
from typing import Any

from sqlglot import Dialect, exp

LABEL = "label"
"""The field in which a node keeps its name, if it stands for a column of a public table or is shared by many texts."""


class Writer(local):
    """Writes nodes as texts. Each thread keeps one, because making one takes longer than writing a label."""

    def __init__(self) -> None:
        self.here = Dialect.get_or_raise("duckdb").generator()


WRITER = Writer()


def label_of(node: Any) -> str:
    """The name of a column, and the text of anything else."""
    if isinstance(node, exp.Column):
        return node.name
    return str(node.meta.get(LABEL) or WRITER.here.generate(node))


def free(label: str, taken: Any) -> str:
    """The label, with a number added if it is taken. A number has the ends of its interval beside it in a dataframe."""
    used = {name for each in taken for name in beside(each)}
    name, number = label, 2
    while not used.isdisjoint(beside(name)):
        name, number = f"{label}_{number}", number + 1
    return name


def beside(label: str) -> tuple[str, ...]:
    """The dataframe columns of a column of the answer."""
    return label, f"{label}_lower", f"{label}_upper"
