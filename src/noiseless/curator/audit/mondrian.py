"""A plain Mondrian: cut classes in two at a median while both halves keep k rows.

It is here to be audited. k-anonymity only considers the sizes of classes, so it publishes a class whose rows agree, and
that reveals everything (TIFS Prop V.1).
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
    """The table with its quasi-identifiers generalised to the range or set of each class of k or more rows, as texts.

    Takes a pandas, polars or pyarrow table and returns the same type. All other columns are unchanged.

    >>> import pandas
    >>> k_anonymous(pandas.DataFrame({"age": [20, 25, 60, 61], "ill": list("abcd")}), ["age"], k=2)["age"].tolist()
    ['[20, 25]', '[20, 25]', '[60, 61]', '[60, 61]']
    """
    try:
        frame: nw.DataFrame[Any] = nw.from_native(table, eager_only=True)
    except TypeError:
        raise InputError(f"a {type(table).__name__} is not a table; give a pandas, polars or pyarrow table") from None
    names, least = [quasi] if isinstance(quasi, str) else list(quasi), as_integer(k)
    if not names or (absent := [name for name in names if name not in frame.columns]):
        raise InputError(
            f"quasi column {(absent if names else ['none'])[0]!r} is not in the table; name columns of the table"
        )
    if least is None or not 1 <= least <= len(frame):
        raise InputError(f"k={k!r} is not valid; use a whole number from 1 to {len(frame)}, the rows of the table")
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
    """The rank of each value among the values that occur, missing ones last, and these values."""
    values, missing = column.to_list(), column.is_null().to_list()
    try:
        different = sorted({value for value, gone in zip(values, missing, strict=True) if not gone and value == value})
    except TypeError:
        raise InputError(
            f"column {column.name!r} has values that cannot be ordered; convert it to one plain type"
        ) from None
    rank = {value: place for place, value in enumerate(different)}
    return np.array([rank.get(value, len(different)) for value in values]), [*different, None]


def _cut(ranks: Any, k: int) -> list[Any]:
    """The rows of each class. Cuts try the column with the largest remaining share of its ranks first."""
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
    """The rows in the lower half of a cut beside the median, if both halves have k rows; None if no cut does."""
    middle = np.partition(ranks, (len(ranks) - 1) // 2)[(len(ranks) - 1) // 2]
    halves = [low for low in (ranks <= middle, ranks < middle) if k <= low.sum() <= len(ranks) - k]
    return min(halves, key=lambda low: abs(2 * low.sum() - len(ranks)), default=None)


def _label(values: list[Any], ranks: Any, numeric: bool) -> str:
    if len(ranks) == 1:
        return str(values[ranks[0]])
    if numeric and values[ranks[-1]] is not None:
        return f"[{values[ranks[0]]}, {values[ranks[-1]]}]"
    return "{" + ", ".join(str(values[rank]) for rank in ranks.tolist()) + "}"
