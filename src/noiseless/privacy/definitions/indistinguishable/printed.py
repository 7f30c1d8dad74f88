"""NHT Theorem 5 as printed: safe but far from tight on intervals, and unsafe elsewhere."""

from __future__ import annotations

from fractions import Fraction
from math import floor

from noiseless.exact.answers import answers_within
from noiseless.exact.number import Number
from noiseless.privacy.queries.linear import AnyLinear


def theorem_5_as_printed(query: AnyLinear, bits: Number) -> int:
    """The printed number of levels, max{1, (2^(ε−1) − 1)R/S}; `Indistinguishable.calibrate` gives the largest safe one.

    Source: NHT Thm 5, as printed: docs/theorems.md#nht-thm-5

    >>> from noiseless.privacy.queries.linear import Mean
    >>> theorem_5_as_printed(Mean(n=3, low=0, high=60), bits=3)
    9
    """
    ratio = (query.high - query.low) / query.sensitivity
    return max(1, floor((Fraction(answers_within(bits), 2) - 1) * ratio))
