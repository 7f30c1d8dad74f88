"""Hartley entropy: how many values are possible."""

from __future__ import annotations

from typing import Any

from noiseless.exact.logratio import LogRatio
from noiseless.theory.continuous import Continuous, Coordinates
from noiseless.theory.information.joint_range import AnyVariables, size
from noiseless.theory.variable import as_variable


def entropy(x: AnyVariables, /, **given: Any) -> LogRatio:
    """H0(X) = log |⟦X⟧|; with a condition, Kolmogorov's combinatorial entropy log |⟦X|y⟧| at that one y.

    Source: TIFS §II, NP (1): docs/measures/entropy.md

    >>> from noiseless import Space
    >>> dice = Space({"number": range(1, 7)}).derive(even=lambda number: number % 2 == 0)
    >>> entropy(dice["number"]), entropy(dice["number"], even=True)
    (log2(6) ≈ 2.585 bits, log2(3) ≈ 1.585 bits)
    """
    if given and isinstance(x, (Continuous, Coordinates)):
        return LogRatio(x.given(**given).measure)
    return LogRatio(len(as_variable(x).given(**given)) if given else size(x))  # type: ignore[arg-type]
