"""The sizes that every measure is a ratio of: |⟦X⟧| and |⟦X|y⟧| for each y."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from noiseless.errors import SpaceError
from noiseless.theory.coding import Integers, different
from noiseless.theory.continuous import CellMap, Continuous
from noiseless.theory.variable import Variable, as_variable, same_samples

Variables = Variable | tuple[Variable, ...]
"""A variable, or several read as one."""
AnyVariables = Variables | Continuous | CellMap
"""A finite or continuous variable, or a map of one."""
Size = int | float | Fraction


@dataclass(frozen=True, slots=True, eq=False)
class JointRange:
    """⟦X, Y⟧ as the codes of its pairs, each pair once, ordered by x."""

    x: Integers
    y: Integers
    x_size: int
    y_size: int

    @property
    def size(self) -> int:
        """|⟦X, Y⟧|."""
        return len(self.x)

    def sizes_given_y(self) -> Integers:
        """|⟦X|y⟧| for every y."""
        return np.bincount(self.y, minlength=self.y_size)

    def sizes_given_x(self) -> Integers:
        """|⟦Y|x⟧| for every x."""
        return np.bincount(self.x, minlength=self.x_size)


def size(x: AnyVariables) -> Size:
    """m(⟦X⟧): the number of values, or the measure of a continuous range."""
    if isinstance(x, Continuous):
        return x.range.measure
    return x.count if isinstance(x, CellMap) else as_variable(x).size


def joint_range(x: Variables, y: Variables) -> JointRange:
    """⟦X, Y⟧ in codes."""
    x, y = as_variable(x), as_variable(y)
    same_samples(x, y)
    pairs = different(x.codes.astype(np.int64) * y.size + y.codes, x.size * y.size)
    return JointRange(*np.divmod(pairs, y.size), x.size, y.size)


def smallest_given(x: AnyVariables, y: AnyVariables) -> Size:
    """min over y of m(⟦X|y⟧): the least that can remain possible."""
    return min(_sizes_given(x, y))


def largest_given(x: AnyVariables, y: AnyVariables) -> Size:
    """max over y of m(⟦X|y⟧): the most that can remain possible."""
    return max(_sizes_given(x, y))


def _sizes_given(x: AnyVariables, y: AnyVariables) -> list[Size]:
    """m(⟦X|y⟧) for every y, different ones only."""
    match x, y:
        case Continuous(), CellMap() if y.source is x:
            return list(y.measures)
        case Continuous(), Continuous() if y is x:
            return [Fraction(0)]
        case CellMap(), Continuous() if x.source is y:
            return [1]
        case (Continuous() | CellMap(), _) | (_, Continuous() | CellMap()):
            raise SpaceError(
                "a continuous variable can only be compared with itself and its maps; make one with Continuous.map"
            )
        case _:
            sizes = joint_range(x, y).sizes_given_y()
            return [int(sizes.min()), int(sizes.max())]
