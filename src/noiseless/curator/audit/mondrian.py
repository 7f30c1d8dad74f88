"""A plain Mondrian: cut classes in two at a median for as long as both halves keep k rows.

It is here to be audited: k-anonymity looks at the sizes of classes only, so a class whose rows agree is published as it
is, and tells everything (TIFS Prop V.1).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import narwhals as nw
import numpy as np

from noiseless.errors import InputError
from noiseless.exact.number import as_integer
from noiseless.privacy.pictures.progress import progress


def k_anonymous(table: Any, quasi: Sequence[str], k: int) -> Any:
    """The table with its quasi-identifiers generalised to the range or set of each class, as texts, of k rows or more.

    A pandas, polars or pyarrow table, returned alike; all other columns stay as they are.

    >>> import pandas
    >>> k_anonymous(pandas.DataFrame({"age": [20, 25, 60, 61], "ill": list("abcd")}), ["age"], k=2)["age"].tolist()
    ['[20, 25]', '[20, 25]', '[60, 61]', '[60, 61]']
    """
    try:
        frame: nw.DataFrame[Any] = nw.from_native(table, eager_only=True)
    except TypeError:
        raise InputError(f"a {type(table).__name__} is no table; give a pandas, polars or pyarrow one") from None
    names, least = [quasi] if isinstance(quasi, str) else list(quasi), as_integer(k)
    if not names or (absent := [name for name in names if name not in frame.columns]):
        raise InputError(f"quasi column {(absent if names else ['none'])[0]!r} is not in the table; name some that are")
    if least is None or not 1 <= least <= len(frame):
        raise InputError(f"k={k!r} must be a whole number from 1 to the {len(frame)} rows of the table")
    ranked = [_ranked(frame[name]) for name in names]
    groups = _cut(np.stack([ranks for ranks, _ in ranked]), least)
    columns = []
    for name, (ranks, values) in zip(names, ranked, strict=True):
        labels = np.empty(len(frame), dtype=object)
        numeric = frame[name].dtype.is_numeric()
        for rows in groups:
            labels[rows] = _label(values, np.unique(ranks[rows]), numeric)
        columns.append(nw.new_series(name, labels.tolist(), nw.String(), backend=frame.implementation))
    return nw.to_native(frame.with_columns(*columns))


def _ranked(column: nw.Series[Any]) -> tuple[Any, list[Any]]:
    """The rank of each value among those that occur, missing ones last, and the values."""
    values, missing = column.to_list(), column.is_null().to_list()
    try:
        different = sorted({value for value, gone in zip(values, missing, strict=True) if not gone and value == value})
    except TypeError:
        raise InputError(f"column {column.name!r} has values that cannot be ordered; give it one plain kind") from None
    rank = {value: place for place, value in enumerate(different)}
    return np.array([rank.get(value, len(different)) for value in values]), [*different, None]


def _cut(ranks: Any, k: int) -> list[Any]:
    """The rows of each class. The column with the largest share of its ranks left is tried first."""
    whole = np.maximum(ranks.max(axis=1) - ranks.min(axis=1), 1)
    waiting, done = [np.arange(ranks.shape[1])], []
    bar = progress(range(ranks.shape[1]), "cutting classes")
    while waiting:
        rows = waiting.pop()
        here = ranks[:, rows]
        spans = (here.max(axis=1) - here.min(axis=1)) / whole
        for column in np.argsort(-spans, kind="stable").tolist():
            low = _half(here[column], k)
            if low is not None:
                waiting += [rows[~low], rows[low]]
                break
        else:
            done.append(rows)
            for _ in zip(range(len(rows)), bar, strict=False):
                pass
    return done


def _half(ranks: Any, k: int) -> Any:
    """Which rows are in the lower half, cut beside the median so that both halves have k rows; None without one."""
    middle = np.partition(ranks, (len(ranks) - 1) // 2)[(len(ranks) - 1) // 2]
    halves = [low for low in (ranks <= middle, ranks < middle) if k <= low.sum() <= len(ranks) - k]
    return min(halves, key=lambda low: abs(2 * low.sum() - len(ranks)), default=None)


def _label(values: list[Any], ranks: Any, numeric: bool) -> str:
    if len(ranks) == 1:
        return str(values[ranks[0]])
    if numeric and values[ranks[-1]] is not None:
        return f"[{values[ranks[0]]}, {values[ranks[-1]]}]"
    return "{" + ", ".join(str(values[rank]) for rank in ranks.tolist()) + "}"
