"""Rounding to a base, as statistics offices do with published counts, and what it promises."""

from __future__ import annotations

from fractions import Fraction
from math import floor

from noiseless.errors import BudgetError
from noiseless.exact.number import Number, exact_number
from noiseless.privacy.definitions.noiseless.certify import mechanism
from noiseless.privacy.mechanisms.mechanism import Mechanism
from noiseless.privacy.quantizers.quantizer import Quantizer
from noiseless.privacy.queries.query import Query


def rounding(query: Query, base: Number) -> Mechanism:
    """A query's value rounded to the nearest multiple of a base, halves up, with its exact count.

    One person changes a count by 1. So for any base two answers are possible if an edge lies in the range. Rounding
    hides who is counted only if no edge is near, and an adversary who knows the others' data knows when one is.

    >>> from noiseless.privacy.queries.linear import Count
    >>> rounding(Count(n=1000), base=5).guarantee.count
    2
    """
    width = exact_number(base, "base")
    if width <= 0:
        raise BudgetError(f"base={base} is not above 0; give the distance between rounded values")
    half = Fraction(1, 2)
    first, last = floor(query.low / width + half), floor(query.high / width + half)
    return mechanism(Quantizer((first - half) * width, (last + half) * width, last - first + 1), query)
