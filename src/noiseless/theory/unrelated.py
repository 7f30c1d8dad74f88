"""Unrelated variables: knowing some reveals nothing about the range of the others."""

from __future__ import annotations

from math import prod

import numpy as np

from noiseless.errors import InputError
from noiseless.theory.information.joint_range import Variables, joint_range
from noiseless.theory.variable import Variable, as_variable


def unrelated(*variables: Variables) -> bool:
    """Whether ⟦X1, …, Xn⟧ = ⟦X1⟧ × … × ⟦Xn⟧.

    >>> from noiseless import Space
    >>> space = Space({"X": [0, 0, 1, 1], "Y": [0, 1, 0, 1], "Z": [0, 0, 1, 1]})
    >>> unrelated(space["X"], space["Y"]), unrelated(space["X"], space["Z"])
    (True, False)
    """
    parts = _several(variables)
    return as_variable(parts).size == prod(part.size for part in parts)


def conditionally_unrelated(*variables: Variables, given: Variables) -> bool:
    """Whether ⟦X1, …, Xn|y⟧ = ⟦X1|y⟧ × … × ⟦Xn|y⟧ for every y of `given`.

    >>> from noiseless import Space
    >>> space = Space({"X": [0, 1, 0, 1], "Y": [0, 1, 2, 3], "Z": [0, 0, 1, 1]})
    >>> conditionally_unrelated(space["X"], space["Z"], given=space["Y"])
    True
    """
    parts = _several(variables)
    # Python integers, since a product of many sizes can pass 2**63
    together = joint_range(parts, given).sizes_given_y().astype(object)
    apart = [joint_range(part, given).sizes_given_y().astype(object) for part in parts]
    return bool(np.all(together == np.prod(apart, axis=0)))


def _several(variables: tuple[Variables, ...]) -> tuple[Variable, ...]:
    if len(variables) < 2:
        raise InputError("only one variable was given; give at least two")
    return tuple(as_variable(variable) for variable in variables)
