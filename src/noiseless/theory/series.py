"""One column of any dataframe, through narwhals."""

from __future__ import annotations

import sys
from typing import Any

import narwhals as nw

SMALL_INTEGERS = (nw.Int8, nw.Int16, nw.Int32, nw.Int64, nw.UInt8, nw.UInt16, nw.UInt32, nw.UInt64)
"""Integers that numpy has."""


def as_series(data: Any) -> nw.Series[Any] | None:
    """The column, if it is a pandas, polars or pyarrow one; otherwise None."""
    arrow = sys.modules.get("pyarrow")
    if arrow is not None and isinstance(data, arrow.Array):
        data = arrow.chunked_array([data])  # narwhals knows only chunked ones
    series = nw.from_native(data, series_only=True, pass_through=True)
    return series if isinstance(series, nw.Series) else None
