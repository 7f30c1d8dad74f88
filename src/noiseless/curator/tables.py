"""Answers as dataframes."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from noiseless.curator.releases.release import Reported
from noiseless.exact.rounding import float_down, float_up

if TYPE_CHECKING:
    from noiseless.curator.answer import Answer


def arrow(answer: Answer) -> Any:
    """A column for every label, and beside every number its lower and upper end, rounded outward."""
    import pyarrow

    columns: dict[str, Any] = {}
    for label in answer.labels:
        cells = [row[label] for row in answer.rows]
        if any(isinstance(cell, Reported) for cell in cells) or label in _numbers(answer):
            numbers = [cell if isinstance(cell, Reported) else None for cell in cells]
            columns[label] = _column([None if n is None else n.value for n in numbers], "nearest")
            columns[f"{label}_lower"] = _column([None if n is None else n.lower for n in numbers], "down")
            columns[f"{label}_upper"] = _column([None if n is None else n.upper for n in numbers], "up")
        else:
            columns[label] = pyarrow.array(cells)
    return pyarrow.table(columns)


def _numbers(answer: Answer) -> set[str]:
    """Labels without a number in any row hold keys, unless there is nothing in them at all."""
    return {label for label in answer.labels if all(row[label] is None for row in answer.rows)}


def _column(values: list[Any], direction: str) -> Any:
    import pyarrow

    known = [value for value in values if value is not None]
    if known and all(isinstance(value, date) for value in known):
        return pyarrow.array(values, pyarrow.date32())
    if known and all(type(value) is int and abs(value) < 1 << 63 for value in known):
        return pyarrow.array(values, pyarrow.int64())
    return pyarrow.array([None if value is None else rounded(value, direction) for value in values], pyarrow.float64())


def rounded(value: Any, direction: str) -> float:
    """A float on the safe side of an exact number."""
    if isinstance(value, float):
        return value
    exact = Fraction(value)
    return {"down": float_down, "up": float_up, "nearest": _nearest}[direction](exact)


def _nearest(number: Fraction) -> float:
    return number.numerator / number.denominator
