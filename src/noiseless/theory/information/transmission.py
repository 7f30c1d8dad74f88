"""Klir's information transmission."""

from __future__ import annotations

from noiseless.exact.logratio import LogRatio
from noiseless.theory.information.joint_range import Variables, joint_range


def transmission(x: Variables, y: Variables) -> LogRatio:
    """T0(X;Y) = H0(X) + H0(Y) − H0(X,Y), the log of |⟦X⟧||⟦Y⟧| / |⟦X,Y⟧|. Symmetric; 0 iff unrelated.

    Source: TIFS §II (Klir): docs/measures/transmission.md

    >>> from noiseless import Space
    >>> space = Space({"X": [1, 2, 3], "Y": ["a", "a", "b"]})
    >>> transmission(space["X"], space["Y"])
    log2(2) = 1 bits
    """
    joint = joint_range(x, y)
    return LogRatio.of(joint.x_size * joint.y_size, joint.size)
