"""The papers' two measures of privacy, as one over what is revealed."""

from __future__ import annotations

from math import inf, nextafter
from sys import float_info

from noiseless.errors import InputError
from noiseless.exact.logratio import LogRatio


def privacy_of(revealed: LogRatio) -> float:
    """P1 = 1/L0 or P2 = 1/I⋆, in nats as in the papers, rounded down; +∞ if nothing is revealed.

    Source: TIFS Def III.1, corrected: docs/theorems.md#tifs-def-iii-1

    >>> privacy_of(LogRatio(1)), privacy_of(LogRatio(inf)), round(privacy_of(LogRatio(2)), 4)
    (inf, 0.0, 1.4427)
    """
    if not isinstance(revealed, LogRatio) or revealed.ratio < 1:
        raise InputError(f"{revealed!r} is not what is revealed; give a leakage or maximin information, 0 bits or more")
    if revealed.ratio == 1:
        return inf
    # two roundings to nearest, so three steps down are below the true value
    nats = revealed.nats
    value = 1 / nats if nats > 1 / float_info.max else float_info.max
    for _ in range(3):
        value = nextafter(value, 0.0)
    return value
