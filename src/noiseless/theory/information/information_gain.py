"""Kolmogorov's information gain at one observed value."""

from __future__ import annotations

from typing import Any

from noiseless.errors import InputError
from noiseless.exact.logratio import LogRatio
from noiseless.theory.information.entropy import entropy
from noiseless.theory.information.joint_range import Variables


def information_gain(x: Variables, /, **given: Any) -> LogRatio:
    """log |⟦X⟧| / |⟦X|y⟧| at one y: what seeing that value reveals about X.

    Its smallest value over y is `information`, its largest is `leakage`.

    Source: Kolmogorov, after NP §II-B: docs/measures/information_gain.md

    >>> from noiseless import Space
    >>> space = Space({"X": [1, 2, 3], "Y": ["a", "a", "b"]})
    >>> information_gain(space["X"], Y="b")
    log2(3) ≈ 1.585 bits
    """
    if not given:
        raise InputError("no observation was given; name it, as in information_gain(X, Y='b')")
    return entropy(x) - entropy(x, **given)
