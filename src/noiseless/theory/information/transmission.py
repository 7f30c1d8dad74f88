"""Klir's information transmission."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from noiseless.exact.logratio import LogRatio
from noiseless.theory.cell_map import CellMap
from noiseless.theory.information.joint_range import (
    AnyVariables,
    are_continuous,
    joint_range,
    share_coordinates,
    size,
)
from noiseless.theory.joint_set import joint_set


def transmission(x: AnyVariables, y: AnyVariables) -> LogRatio:
    """T0(X;Y) = H0(X) + H0(Y) − H0(X,Y), the log of |⟦X⟧||⟦Y⟧| / |⟦X,Y⟧|. Symmetric; 0 iff unrelated.

    For continuous variables the sizes are measures, times the number of values of a map, and 0 means unrelated except
    for a set of measure 0. X with itself has +∞; 0/0 is refused.

    Source: TIFS §II (Klir): docs/measures/transmission.md

    >>> from noiseless import Space
    >>> space = Space({"X": [1, 2, 3], "Y": ["a", "a", "b"]})
    >>> transmission(space["X"], space["Y"])
    log2(2) = 1 bits
    """
    if are_continuous(x, y) and not (isinstance(x, CellMap) and isinstance(y, CellMap)):
        together = _together(x, y)
        return LogRatio.of(Fraction(size(x)) * Fraction(size(y)), together)
    joint = joint_range(x, y)
    return LogRatio.of(joint.x_size * joint.y_size, joint.size)


def _together(x: Any, y: Any) -> Fraction:
    """m(⟦X,Y⟧): 0 if a coordinate belongs to both, since the pairs are then a graph over it."""
    if share_coordinates(x, y):
        return Fraction(0)
    joint = joint_set(x, y)
    return joint.size(joint.boxes)
