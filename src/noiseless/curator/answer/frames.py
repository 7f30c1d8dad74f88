"""Answers as dataframes."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from noiseless.curator.question.after.one_of import OneOf
from noiseless.exact.rounding import float_down, float_up

if TYPE_CHECKING:
    from noiseless.curator.answer.answer import Answer


def arrow(answer: Answer) -> Any:
    """One column for every label. Beside every number are its lower and upper end, rounded outward."""
    import pyarrow

    columns: dict[str, Any] = {}
    for label in answer.labels:
        cells = [row[label] for row in answer.rows]
        if label in answer.numbers:
            for end, suffix in (("value", ""), ("lower", "_lower"), ("upper", "_upper")):
                columns[label + suffix] = _column([getattr(cell, end, None) for cell in cells], end)
        else:
            columns[label] = pyarrow.array([_plain(cell) for cell in cells])
    return pyarrow.table(columns)


def _plain(cell: Any) -> Any:
    """A key as a plain value. An uncertain text is every text that it may be; an uncertain truth value is null."""
    if isinstance(cell, Fraction):
        return int(cell) if cell.denominator == 1 else float(cell)
    if not isinstance(cell, OneOf):
        return cell
    return None if isinstance(cell.value, bool) else str(cell)


def stacked(answers: Iterable[Answer]) -> Any:
    """The tables of several answers, one below another."""
    import pyarrow

    tables = []
    for place, answer in enumerate(answers, start=1):
        table = arrow(answer)
        name = "question"
        while name in table.column_names:
            name += "_"
        tables.append(table.add_column(0, name, pyarrow.array([place] * table.num_rows, pyarrow.int64())))
    return pyarrow.concat_tables(tables, promote_options="permissive")


def _column(values: list[Any], end: str) -> Any:
    import pyarrow

    known = [value for value in values if value is not None]
    if known and all(isinstance(value, date) for value in known):
        return pyarrow.array(values, pyarrow.date32())
    if known and all(type(value) is int and abs(value) < 1 << 63 for value in known):
        return pyarrow.array(values, pyarrow.int64())
    return pyarrow.array([None if value is None else rounded(value, end) for value in values], pyarrow.float64())


def rounded(value: Any, end: str) -> float:
    """A float on the safe side of an exact number: lower ends are rounded down, upper ends up."""
    if isinstance(value, float):
        return value
    exact = Fraction(value)
    return float_up(exact) if end == "upper" or (end == "value" and exact < 0) else float_down(exact)
