"""Non-stochastic leakage: the most that is learned."""

from __future__ import annotations

from noiseless.exact.logratio import LogRatio
from noiseless.theory.information.joint_range import AnyVariables, size, smallest_given


def leakage(x: AnyVariables, y: AnyVariables) -> LogRatio:
    """L0(X;Y) = max over y of log |⟦X⟧| / |⟦X|y⟧|. Not symmetric.

    Guarantee: no y shrinks the set of possible x by a larger factor; no function of Y leaks more.
    Source: TIFS §II, NP (6): docs/measures/leakage.md

    >>> from noiseless import Space
    >>> space = Space({"X": [1, 2, 3], "Y": ["a", "a", "b"]})
    >>> leakage(space["X"], space["Y"])
    log2(3) ≈ 1.585 bits
    """
    return LogRatio.of(size(x), smallest_given(x, y))
