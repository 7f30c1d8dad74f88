"""Unrelated variables: knowing some reveals nothing about the range of the others."""

from __future__ import annotations

from itertools import combinations
from math import prod
from typing import Any

import numpy as np

from noiseless.errors import InputError
from noiseless.theory.cell_map import CellMap
from noiseless.theory.information.joint_range import AnyVariables, are_continuous, joint_range
from noiseless.theory.joint_set import (
    CONTINUOUS,
    JointSet,
    as_boxes,
    coordinates,
    is_product,
    joint_set,
    same_source,
)
from noiseless.theory.variable import as_variable


def unrelated(*variables: AnyVariables) -> bool:
    """Whether ⟦X1, …, Xn⟧ = ⟦X1⟧ × … × ⟦Xn⟧; for coordinates and maps of a continuous variable, as sets, exactly.

    >>> from noiseless import Space
    >>> space = Space({"X": [0, 0, 1, 1], "Y": [0, 1, 0, 1], "Z": [0, 0, 1, 1]})
    >>> unrelated(space["X"], space["Y"]), unrelated(space["X"], space["Z"])
    (True, False)
    """
    _at_least_two(variables)
    if any(isinstance(each, CONTINUOUS) for each in variables):
        return not any(_repeated(*pair) for pair in combinations(variables, 2)) and _continuous(variables).unrelated
    parts = tuple(as_variable(each) for each in variables)  # type: ignore[arg-type]
    return as_variable(parts).size == prod(part.size for part in parts)


def conditionally_unrelated(*variables: AnyVariables, given: AnyVariables) -> bool:
    """Whether ⟦X1, …, Xn|y⟧ = ⟦X1|y⟧ × … × ⟦Xn|y⟧ for every y of `given`.

    >>> from noiseless import Space
    >>> space = Space({"X": [0, 1, 0, 1], "Y": [0, 1, 2, 3], "Z": [0, 0, 1, 1]})
    >>> conditionally_unrelated(space["X"], space["Z"], given=space["Y"])
    True
    """
    _at_least_two(variables)
    if any(isinstance(each, CONTINUOUS) for each in (*variables, given)):
        return _given(_continuous((*variables, given)))
    parts = tuple(as_variable(each) for each in variables)  # type: ignore[arg-type]
    # Python integers, since a product of many sizes can pass 2**63
    together = joint_range(parts, given).sizes_given_y().astype(object)
    separately = [joint_range(part, given).sizes_given_y().astype(object) for part in parts]
    return bool(np.all(together == np.prod(separately, axis=0)))


def _repeated(x: Any, y: Any) -> bool:
    """Whether both hold the same thing, with more than one value: a coordinate, or a map."""
    if not are_continuous(x, y) or isinstance(x, CellMap) or isinstance(y, CellMap):
        return x is y and x.count > 1
    shared = set(coordinates(x)) & set(coordinates(y))
    whole = as_boxes(same_source(x, y).range)
    return any(whole.onto(name).first.low < whole.onto(name).first.high for name in shared)


def _continuous(variables: tuple[Any, ...]) -> JointSet:
    """The joint set of continuous variables, coordinates and maps; shared coordinates are refused."""
    for each in variables[1:]:
        are_continuous(variables[0], each)
    return joint_set(*variables)


def _given(joint: JointSet) -> bool:
    *groups, given = joint.groups
    names = tuple(name for group in groups for name in group)
    fibres = JointSet(joint.boxes, (names, given), joint.values).fibres()
    return all(is_product(left, tuple(groups)) for _, left in fibres)


def _at_least_two(variables: tuple[Any, ...]) -> None:
    if len(variables) < 2:
        raise InputError("only one variable was given; give at least two")
