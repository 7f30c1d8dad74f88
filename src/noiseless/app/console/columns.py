"""Columns in words, for people."""

from __future__ import annotations

from typing import Any

from noiseless.curator.schema.categories import Boolean, Category
from noiseless.curator.schema.dates import Date
from noiseless.curator.schema.public import Public
from noiseless.curator.schema.scale import Integer, Scale

MOST_VALUES = 12


def in_words(column: Any) -> tuple[str, str]:
    """Whether a column is public or private, and what it can be."""
    if isinstance(column, Public):
        return "public", f"one of {_listed(column.keys)}" if column.keys else "anything"
    missing = "; some values may be missing" if getattr(column, "apart", False) else ""
    match column:
        case Date():
            words = f"a date from {column.show(column.low)} to {column.show(column.high)}"
        case Integer():
            words = f"a whole number from {column.show(column.low)} to {column.show(column.high)}"
        case Scale():
            words = f"a number from {column.show(column.low)} to {column.show(column.high)}"
        case Boolean():
            words = "true or false"
        case Category():
            words = f"one of {_listed(column.keys)}"
        case _:
            words = "anything"
    step = getattr(column, "step", 1)
    return "private", f"{words}{f', in steps of {float(step):g}' if step != 1 else ''}{missing}"


def _listed(values: Any) -> str:
    shown = [str(value) for value in values[:MOST_VALUES]]
    more = len(values) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more > 0 else "")
