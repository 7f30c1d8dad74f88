"""A report of a box that is one function, or another on each of several parts."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from noiseless.errors import RangeError
from noiseless.theory.ranges.boxes import Box, Boxes

Report = Callable[..., Any] | Mapping[Boxes | Box, Callable[..., Any]]
Piece = tuple[Boxes, Callable[..., Any]]


def reads(function: Callable[..., Any], box: Box) -> tuple[str, ...]:
    """The coordinates that a function reads: its parameters, unless they have a default and another name."""
    found = inspect.signature(function).parameters.values()
    names = tuple(each.name for each in found if each.default is each.empty or each.name in box.names)
    for name in names:
        box[name]  # refuses unknown ones
    return names


def pieces(report: Any, box: Box) -> list[Piece]:
    """The parts of the box, each with its function; they must not overlap, and together be the box.

    >>> line = Box(x=(0, 2))
    >>> [part for part, _ in pieces({line.where(x="[0, 1)"): abs, line.where(x=(1, 2)): lambda x: 1}, line)]
    [x ∈ [0, 1), x ∈ [1, 2]]
    """
    if callable(report):
        return [(box.all, report)]
    if not isinstance(report, Mapping) or not all(map(callable, report.values())):
        raise RangeError(
            "this is not a report; give a function of coordinates, or a dict from parts of the box to functions"
        )
    found = [(part.all if isinstance(part, Box) else part, function) for part, function in report.items()]
    seen = box - box
    for part, _ in found:
        if not isinstance(part, Boxes) or seen & part:
            raise RangeError("the parts of the report overlap or are not parts of the box; make them with box.where(…)")
        seen = seen | part
    if seen != box.all:
        raise RangeError("the parts of the report do not fill the box, or go beyond it; give a function for each point")
    return found
