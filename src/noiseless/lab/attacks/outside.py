"""A note about values outside the declared bounds: a wrong bound would make everything look safe."""

from __future__ import annotations

from typing import Any


def outside(values: Any, low: float, high: float) -> str:
    """A note to add to the origin of the data; empty if all values are inside.

    >>> import numpy
    >>> outside(numpy.array([1.0, 5.0, 9.0]), 0, 6)
    '; 1 of 3 values outside [0, 6] are clamped'
    """
    many = int(((values < low) | (values > high)).sum())
    return f"; {many} of {values.size} values outside [{low:g}, {high:g}] are clamped" if many else ""
