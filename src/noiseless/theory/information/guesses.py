"""Brute-force guessing: how many tries find the value."""

from __future__ import annotations

from noiseless.theory.information.joint_range import Variables, joint_range
from noiseless.theory.variable import as_variable


def guesses(x: Variables, y: Variables | None = None) -> int:
    """The most tries that an adversary needs until X is certain, trying one possible value after another.

    A wrong try excludes a value, so |⟦X|y⟧| − 1 tries leave one: the worst y counts. Without `y`, nothing was observed.

    Guarantee: no strategy needs fewer in the worst case, and no function of Y makes it fewer. Tries without and with Y
    compare as I0(X;Y): guesses(x) + 1 = 2^I0 · (guesses(x, y) + 1).
    Source: Farokhi and Ding, non-stochastic brute-force guessing: docs/measures/guesses.md

    >>> from noiseless import Space
    >>> space = Space({"X": [1, 2, 3, 4, 5], "Y": ["low", "low", "low", "high", "high"]})
    >>> guesses(space["X"]), guesses(space["X"], space["Y"])
    (4, 2)
    """
    if y is None:
        return as_variable(x).size - 1
    return int(joint_range(x, y).sizes_given_y().max()) - 1
