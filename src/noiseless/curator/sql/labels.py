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
