"""What is said of values that lie outside of what was declared: a wrong bound would make everything look safe."""

from __future__ import annotations

from typing import Any


def outside(values: Any, low: float, high: float) -> str:
    """To be added to where data come from; nothing if all are inside.

    >>> import numpy
    >>> outside(numpy.array([1.0, 5.0, 9.0]), 0, 6)
    '; 1 of 3 values outside [0, 6] are put on its ends'
    """
    many = int(((values < low) | (values > high)).sum())
    return f"; {many} of {values.size} values outside [{low:g}, {high:g}] are put on its ends" if many else ""
