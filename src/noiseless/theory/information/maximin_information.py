"""Maximin information: what observers of both variables know for certain."""

from __future__ import annotations

from math import inf

from noiseless.exact.logratio import LogRatio
from noiseless.theory.continuous import CellMap, Continuous
from noiseless.theory.information.joint_range import AnyVariables
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
    for one, other in ((x, y), (y, x)):
        if isinstance(one, Continuous) and (other is one or getattr(other, "source", None) is one):
            return LogRatio(other.count if isinstance(other, CellMap) else inf)
    return LogRatio(len(overlap_partition(x, y)))  # type: ignore[arg-type]
