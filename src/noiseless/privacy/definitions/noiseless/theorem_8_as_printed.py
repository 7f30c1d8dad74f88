"""NP Theorem 8 as printed. It is unsafe, and is here only to show its true count."""

from __future__ import annotations

from math import floor

from noiseless.errors import DomainError
from noiseless.exact.answers import answers_within
from noiseless.exact.number import Number
from noiseless.privacy.definitions.noiseless.certify import mechanism
from noiseless.privacy.mechanisms.mechanism import Mechanism
from noiseless.privacy.quantizers.quantizer import Quantizer
from noiseless.privacy.queries.query import Query


def theorem_8_as_printed(query: Query, bits: Number) -> Mechanism:
    """The paper's ⌊2^bits·R/S⌋ levels, with their true guarantee: for a mean of n ≥ 2, one answer more than promised.

    Never use it to protect anything; `calibrate` gives the largest safe number of levels.

    Source: NP Thm 8, as printed: docs/theorems.md#np-thm-8

    >>> from noiseless.privacy.queries.linear import Mean
    >>> theorem_8_as_printed(Mean(n=2, low=0, high=1), bits=1).guarantee.count
    3
    """
    if not query.sensitivity:
        raise DomainError(
            "no person can move this query, so the theorem does not apply; use calibrate, which gives the constant"
        )
    levels = max(1, floor(answers_within(bits) * (query.high - query.low) / query.sensitivity))
    return mechanism(Quantizer(query.low, query.high, levels), query)
