"""The sizes that every measure is a ratio of: |⟦X⟧| and |⟦X|y⟧| for each y."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from noiseless.errors import NotCertifiableError
from noiseless.theory.cell_map import CellMap
from noiseless.theory.coding import Integers, different
from noiseless.theory.continuous import Continuous, Coordinates
from noiseless.theory.joint_set import (
    CONTINUOUS,
    AnyContinuous,
    coordinates,
    joint_set,
    not_one_source_error,
    same_source,
)
from noiseless.theory.variable import Variable, as_variable, same_samples

Variables = Variable | tuple[Variable, ...]
"""A variable, or several read as one."""
AnyVariables = Variables | AnyContinuous
"""A finite or continuous variable, or coordinates or a map of one."""
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
    if isinstance(x, (Continuous, Coordinates)):
        return x.range.measure
    return x.count if isinstance(x, CellMap) else as_variable(x).size


def joint_range(x: Any, y: Any) -> JointRange:
    """⟦X, Y⟧ in codes, of finite variables or maps with finitely many values."""
    x, y = finite_pair(x, y)
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
    if not are_continuous(x, y):
        sizes = joint_range(x, y).sizes_given_y()
        return [int(sizes.min()), int(sizes.max())]
    if isinstance(x, CellMap) and x is y:
        return [1]
    if share_coordinates(x, y):
        return [Fraction(0)]
    match x, y:
        case Continuous(), CellMap():
            return list(y.measures)
        case CellMap(), Continuous():
            return [1]
        case _:
            return list(joint_set(x, y).sizes_given())  # type: ignore[arg-type]


def are_continuous(x: Any, y: Any) -> bool:
    """Whether both are continuous variables, coordinates or maps of one; an error if they have no joint range."""
    kinds = [isinstance(each, CONTINUOUS) for each in (x, y)]
    if any(kinds) and not all(kinds):
        raise not_one_source_error()
    if all(kinds):
        same_source(x, y)
    return all(kinds)


def share_coordinates(x: Any, y: Any) -> bool:
    """Whether a coordinate belongs to both, so that knowing one pins it in the other."""
    if isinstance(x, CellMap) or isinstance(y, CellMap):
        return False
    return not set(coordinates(x)).isdisjoint(coordinates(y))


def finite_pair(x: Any, y: Any) -> tuple[Variable, Variable]:
    """Two finite variables; maps of a continuous one become variables with one sample for each joint cell."""
    if not isinstance(x, CONTINUOUS) and not isinstance(y, CONTINUOUS):
        x, y = as_variable(x), as_variable(y)
        same_samples(x, y)
        return x, y
    are_continuous(x, y)
    if not isinstance(x, CellMap) or not isinstance(y, CellMap):
        raise NotCertifiableError(
            "this counts values, and a continuous variable has infinitely many; use a map with finitely many cells"
        )
    return _sampled(x, y)


def _sampled(x: CellMap, y: CellMap) -> tuple[Variable, Variable]:
    from noiseless.theory.space import Space

    joint = joint_set(*dict.fromkeys((x, y)))
    sides = [each for sides in joint.boxes.products for each in product(*(side.components for side in sides))]
    columns = {
        name: [joint.values[name][int(each[place].low)] for each in sides]
        for place, name in enumerate(joint.boxes.names)
    }
    space = Space(columns)
    return space[joint.boxes.names[0]], space[joint.boxes.names[-1]]
