"""Maximin information: what both variables know for certain in common."""

from __future__ import annotations

from noiseless.exact.logratio import LogRatio
from noiseless.theory.information.joint_range import Variables
from noiseless.theory.information.overlap_partition import overlap_partition


def maximin_information(x: Variables, y: Variables) -> LogRatio:
    """I⋆(X;Y) = log of the number of blocks of the overlap partition. Symmetric.

    Guarantee: I⋆ ≤ L0^s, and no function of Y has more in common with X.
    Source: NP (9), Prop 1: docs/measures/maximin_information.md

    >>> from noiseless import Space
    >>> space = Space({"X": [1, 2, 3], "Y": ["a", "a", "b"]})
    >>> maximin_information(space["X"], space["Y"])
    log2(2) = 1 bits
    """
    return LogRatio(len(overlap_partition(x, y)))
