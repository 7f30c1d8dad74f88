"""Non-stochastic information: the least that is learned. Not a measure of privacy."""

from __future__ import annotations

from noiseless.exact.logratio import LogRatio
from noiseless.theory.information.joint_range import AnyVariables, largest_given, size


def information(x: AnyVariables, y: AnyVariables) -> LogRatio:
    """I0(X;Y) = min over y of log |⟦X⟧| / |⟦X|y⟧|, the entropy that knowing Y certainly removes.

    It is the best case for privacy: some other y may reveal X completely while I0 is 0 (TIFS Example II.1).
    Use `leakage` to bound what is revealed.

    Source: NP (5): docs/measures/information.md

    >>> from noiseless import Space
    >>> space = Space({"X": [1, 2, 3], "Y": ["a", "a", "b"]})
    >>> information(space["X"], space["Y"])
    log2(3/2) ≈ 0.585 bits
    """
    return LogRatio.of(size(x), largest_given(x, y))
