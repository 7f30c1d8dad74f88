"""The sizes that every measure is a ratio of: |⟦X⟧| and |⟦X|y⟧| for each y."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from noiseless.theory.coding import Integers, different
from noiseless.theory.variable import Variable, as_variable, same_samples

Variables = Variable | tuple[Variable, ...]
"""A variable, or several read as one."""


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


def size(x: Variables) -> int:
    """|⟦X⟧|."""
    return as_variable(x).size


def joint_range(x: Variables, y: Variables) -> JointRange:
    """⟦X, Y⟧ in codes."""
    x, y = as_variable(x), as_variable(y)
    same_samples(x, y)
    pairs = different(x.codes.astype(np.int64) * y.size + y.codes, x.size * y.size)
    return JointRange(*np.divmod(pairs, y.size), x.size, y.size)


def smallest_given(x: Variables, y: Variables) -> int:
    """min over y of |⟦X|y⟧|: how little may remain possible."""
    return int(joint_range(x, y).sizes_given_y().min())


def largest_given(x: Variables, y: Variables) -> int:
    """max over y of |⟦X|y⟧|: how much may remain possible."""
    return int(joint_range(x, y).sizes_given_y().max())
