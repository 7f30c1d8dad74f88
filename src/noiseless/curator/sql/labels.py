"""What an item of SELECT is called in the answer if it has no alias."""

from __future__ import annotations

from threading import local
from typing import Any

from sqlglot import Dialect, exp

LABEL = "label"
"""Where a node keeps its name: one that stands for a column of a public table, or that many texts share."""


class Writer(local):
    """Writes nodes as texts, one in each thread: to make another takes longer than to write a label."""

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
