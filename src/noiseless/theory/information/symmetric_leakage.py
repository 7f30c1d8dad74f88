"""Symmetrised leakage: the smaller of the two directions."""

from __future__ import annotations

from noiseless.exact.logratio import LogRatio
from noiseless.theory.information.joint_range import AnyVariables, are_continuous, joint_range
from noiseless.theory.information.leakage import leakage


def symmetric_leakage(x: AnyVariables, y: AnyVariables) -> LogRatio:
    """L0^s(X;Y) = min(L0(X;Y), L0(Y;X)).

    Source: NP (8): docs/measures/symmetric_leakage.md

    >>> from noiseless import Space
    >>> space = Space({"X": [1, 2, 3], "Y": ["a", "a", "b"]})
    >>> symmetric_leakage(space["X"], space["Y"])
    log2(2) = 1 bits
    """
    if are_continuous(x, y):
        return min(leakage(x, y), leakage(y, x))
    joint = joint_range(x, y)
    return min(
        LogRatio.of(joint.x_size, int(joint.sizes_given_y().min())),
        LogRatio.of(joint.y_size, int(joint.sizes_given_x().min())),
    )
