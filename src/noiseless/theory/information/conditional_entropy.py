"""Conditional entropy: the most values that can remain possible."""

from __future__ import annotations

from noiseless.exact.logratio import LogRatio
from noiseless.theory.information.joint_range import AnyVariables, largest_given


def conditional_entropy(x: AnyVariables, y: AnyVariables) -> LogRatio:
    """H0(X|Y) = max over y of log |⟦X|y⟧|.

    Source: NP (3): docs/measures/conditional_entropy.md

    >>> from noiseless import Space
    >>> space = Space({"X": [1, 2, 3], "Y": ["a", "a", "b"]})
    >>> conditional_entropy(space["X"], space["Y"])
    log2(2) = 1 bits
    """
    return LogRatio(largest_given(x, y))
