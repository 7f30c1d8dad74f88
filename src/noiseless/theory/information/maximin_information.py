"""Maximin information: what observers of both variables know for certain."""

from __future__ import annotations

from math import inf

from noiseless.exact.logratio import LogRatio
from noiseless.theory.cell_map import CellMap
from noiseless.theory.continuous import Continuous
from noiseless.theory.information.joint_range import AnyVariables, are_continuous, share_coordinates
from noiseless.theory.information.overlap_partition import overlap_partition


def maximin_information(x: AnyVariables, y: AnyVariables) -> LogRatio:
    """I⋆(X;Y) = log of the number of blocks of the overlap partition. Symmetric.

    Guarantee: I⋆ ≤ L0^s, and no function of Y has more in common with X.
    Source: NP (9), Prop 1: docs/measures/maximin_information.md

    >>> from noiseless import Space
    >>> space = Space({"X": [1, 2, 3], "Y": ["a", "a", "b"]})
    >>> maximin_information(space["X"], space["Y"])
    log2(2) = 1 bits
    """
    if not are_continuous(x, y):
        return LogRatio(len(overlap_partition(x, y)))
    for one, other in ((x, y), (y, x)):
        if isinstance(one, CellMap) and (isinstance(other, Continuous) or one is other):
            return LogRatio(one.count)
    if share_coordinates(x, y):
        return LogRatio(inf)
    return LogRatio(len(overlap_partition(x, y)))
