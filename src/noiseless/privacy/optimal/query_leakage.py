"""What the bin of a query's value reveals about everybody's data: L0(X; Q∘f)."""

from __future__ import annotations

from fractions import Fraction

from noiseless.errors import InputError
from noiseless.exact.logratio import LogRatio
from noiseless.privacy.optimal.shares import smallest_share
from noiseless.privacy.optimal.spread_of import Asked, spread_of
from noiseless.privacy.quantizers.quantizer import Quantizer
from noiseless.theory.ranges.boxes import Box


def query_leakage(quantizer: Quantizer, query: Asked, box: Box | None = None) -> LogRatio:
    """The leakage of reporting the bin of a query's value: all possible data over the data in the smallest bin.

    Guarantee: exact; never too small for a function of a `box`.

    For a mean of n ≥ 2 and q ≥ n equal bins the smallest is a corner, and L0 = log(n!·(q/n)ⁿ): at any fixed number of
    bins per person it grows with n (NHT Example 4 claims the opposite: docs/theorems.md#nht-thm-5).

    >>> from noiseless.privacy.queries.linear import Mean
    >>> query_leakage(Quantizer(-2, 2, levels=4), Mean(n=2, low=-2, high=2))
    log2(8) = 3 bits
    """
    if not isinstance(quantizer, Quantizer):
        raise InputError(
            "query_leakage needs a quantizer, then a query; write query_leakage(Quantizer(0, 60, 900), Mean(300, 0, "
            "60))"
        )
    return LogRatio.of(Fraction(1), smallest_share(spread_of(query, box), quantizer).lower)
