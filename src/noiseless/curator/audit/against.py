"""A published table as a function of the original: what remains possible for each published record."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np

from noiseless.curator.audit.classes import Table
from noiseless.errors import InputError
from noiseless.exact.logratio import LogRatio
from noiseless.theory.information.leakage import leakage
from noiseless.theory.information.maximin_information import maximin_information
from noiseless.theory.space import Space

INTERVAL = re.compile(r"\s*[\[(]\s*([^,\s]+)\s*,\s*([^,\s]+)\s*[\])]\s*")


@dataclass(frozen=True, slots=True)
class Against:
    """L0 and I⋆ of a person's class about their original record, and the fewest records possible in a class."""

    leakage: LogRatio
    maximin: LogRatio
    smallest_cell: int
    exactly_told: int
    """Rows for which a continuous value is revealed exactly: what remains possible has no measure."""


def against(
    released: Table,
    original: Table,
    quasi: Sequence[str],
    sensitive: Sequence[str],
    continuous: Sequence[str] | None,
) -> Against:
    """X is a person's record in the original, Y their class in the published table. Rows are matched by order.

    Where a class shows a continuous value unchanged, or has only one value of a continuous sensitive column, what
    remains possible has no measure (theory §8). Then both measures are infinite.
    """
    columns = [*quasi, *sensitive]
    if released.rows != original.rows:
        raise InputError(
            f"the original has {original.rows} rows and the published table {released.rows}; give tables with the "
            f"same rows"
        )
    if missing := [name for name in columns if name not in original.columns]:
        raise InputError(f"column {missing[0]!r} is not in the original; {original.known_columns}")
    before, after = original.arrow(columns), released.arrow(quasi)
    x, y = records(before), records(after)
    floating = [name for name in columns if str(before.schema.field(name).type) in ("double", "float", "halffloat")]
    revealed = _rows_exactly_revealed(before, after, y, floating if continuous is None else list(continuous))
    if revealed:
        return Against(LogRatio(inf), LogRatio(inf), 0, revealed)
    space = Space({"x": x, "y": y})
    pairs = np.unique(np.stack([y, x]), axis=1)
    smallest = int(np.bincount(pairs[0]).min())
    return Against(leakage(space["x"], space["y"]), maximin_information(space["x"], space["y"]), smallest, 0)


def records(table: Any) -> Any:
    """A different number for each different record."""
    codes = np.zeros(table.num_rows, dtype=np.int64)
    for column in table.columns:
        found = column.combine_chunks().dictionary_encode(null_encoding="encode").indices.to_numpy(zero_copy_only=False)
        codes = np.unique(codes * (int(found.max()) + 1) + found, return_inverse=True)[1].reshape(-1)
    return codes


def _rows_exactly_revealed(before: Any, after: Any, y: Any, continuous: list[str]) -> int:
    """The number of rows in classes that reveal a continuous value of all their rows."""
    revealed = np.zeros(len(y), dtype=bool)
    for name in continuous:
        values = records(before.select([name]))
        if name in after.column_names:
            original = np.asarray(before.column(name).to_pylist(), dtype=object)
            shown = [_point(value) for value in after.column(name).to_pylist()]
            hidden = np.array([a is None or a != b for a, b in zip(original, shown, strict=True)])
        else:
            first = np.unique(y, return_index=True)[1]
            hidden = values != values[first][y]
        revealed |= np.bincount(y, hidden, minlength=int(y.max()) + 1)[y] == 0
    return int(revealed.sum())


def _point(value: Any) -> Any:
    """The number that a published value shows, also as a text or as an interval of one point."""
    if isinstance(value, str):
        found = INTERVAL.fullmatch(value)
        text = value if found is None else found[1] if found[1] == found[2] else ""
        try:
            return float(text)
        except ValueError:
            return None
    return value
