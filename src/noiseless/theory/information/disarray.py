"""Relative disarray: the fewest values that remain possible."""

from __future__ import annotations

from noiseless.exact.logratio import LogRatio
from noiseless.theory.information.joint_range import AnyVariables, smallest_given


def disarray(x: AnyVariables, y: AnyVariables) -> LogRatio:
    """d0(X|Y) = min over y of log |⟦X|y⟧|.

    Guarantee: whatever y is seen, at least this many values of X stay possible.
    Source: TIFS §II: docs/measures/disarray.md

    >>> from noiseless import Space
    >>> space = Space({"X": [1, 2, 3], "Y": ["a", "a", "b"]})
    >>> disarray(space["X"], space["Y"])
    log2(1) = 0 bits
    """
    return LogRatio(smallest_given(x, y))
