"""Where the codes of columns are cut into runs, so that nothing that is asked changes within a run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noiseless.curator.plan.condition import Absent, Compared, Condition, Within, parts_of
from noiseless.curator.plan.functions.arithmetic import Plus, Times
from noiseless.curator.plan.functions.function import Function
from noiseless.curator.plan.functions.leaves import Constant
from noiseless.curator.plan.functions.place import Place
from noiseless.curator.plan.read import Read

Integers = NDArray[np.int64]


class Cuts:
    """The first codes of runs. Functions are cut at every code of their columns if they are to be tried."""

    def __init__(self, columns: Mapping[str, Any], is_tried: Callable[[frozenset[str]], bool]) -> None:
        self.columns, self.is_tried = columns, is_tried
        self.starts: dict[str, list[Integers]] = {name: [np.zeros(1, np.int64)] for name in columns}

    def runs(self, reads: Iterable[Read]) -> dict[str, tuple[Integers, Integers]]:
        """The first and the last code of every run, after all cuts.

        Missing values that are kept separate are the last run.
        """
        for read in reads:
            self._cut(read)
        found = {}
        for name, column in self.columns.items():
            last = column.top + column.apart
            starts = np.unique(np.concatenate([*self.starts[name], np.full(int(column.apart), last)]))
            first = starts[(starts >= 0) & (starts <= last)]
            found[name] = first, np.append(first[1:] - 1, last)
        return found

    def _cut(self, read: Read) -> None:
        for name, starts in (read.cuts or {}).items():
            every = np.arange(self.columns[name].values)
            self.starts[name].append(every if starts is None else np.asarray(starts, np.int64))
        for function in read.functions:
            if is_places(function):
                self._cut_places(function)
            else:
                self._cut_function(function.reads)
        for condition in read.conditions:
            self._cut_condition(condition)

    def _cut_condition(self, condition: Condition) -> None:
        match condition:
            case Within(name, spans) if name in self.columns:
                edges = [edge for first, last in spans for edge in (first, last + 1)]
                self.starts[name].append(np.array(edges, np.int64))
            case Compared(_, left, right):
                self._cut_function(left.reads | right.reads)
            case Absent(function):
                self._cut_function(function.reads)
        for part in parts_of(condition):
            self._cut_condition(part)

    def _cut_function(self, reads: frozenset[str]) -> None:
        """Cut the columns of a function at every code, if all combinations can be tried."""
        if self.is_tried(reads):
            for name in reads & set(self.columns):
                self.starts[name].append(np.arange(self.columns[name].top + 1))

    def _cut_places(self, function: Function) -> None:
        """Cut columns where the number of the group changes."""
        if isinstance(function, Place) and function.name in self.columns:
            places = np.array(function.places)
            self.starts[function.name].append(1 + np.flatnonzero(places[1:] != places[:-1]))
        for part in function.parts:
            self._cut_places(part)


def is_places(function: Function) -> bool:
    """Whether a function is made of the places of values among all values of single columns."""
    match function:
        case Place():
            return True
        case Plus() | Times():
            return all(map(is_places, function.parts))
        case Constant(Fraction() as number):
            return number.denominator == 1
    return False


def leaves_of(condition: Condition) -> Iterable[Compared | Absent]:
    """The comparisons of functions in a condition."""
    if isinstance(condition, (Compared, Absent)):
        yield condition
    for part in parts_of(condition):
        yield from leaves_of(part)
