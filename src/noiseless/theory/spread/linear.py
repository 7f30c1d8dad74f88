"""How a linear function spreads a box over the line: exact volumes of {x : w·x ≤ t}.

For positive weights and sides from 0 to sᵢ, with aᵢ = wᵢsᵢ,

    vol{x : w·x ≤ t} = Σ over sets S of coordinates of (−1)^|S| (t − Σ_S aᵢ)₊ⁿ / (n! ∏wᵢ).

Sets with the same sum are one term, so a mean of n people has n + 1 of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import comb, factorial, lcm, prod
from typing import Any

import numpy as np

from noiseless.errors import NumberError, TooLargeError
from noiseless.exact.number import Number, exact_number

MOST_TERMS = 1 << 18
"""Eighteen different weights."""
MOST_WORK = 1 << 30
"""Terms times the square of the dimension: a thousand equal weights."""


@dataclass(frozen=True, slots=True)
class LinearSpread:
    """low + Σ over coordinates of a number between 0 and its length, with the uniform measure on the box.

    Its density is log-concave, so it has one peak.

    >>> LinearSpread.of([1, 1]).share_below("1/2")
    Fraction(1, 8)
    >>> LinearSpread.of([1] * 300).share_below(150)
    Fraction(1, 2)
    """

    dimension: int
    scale: int
    """All lengths are multiples of 1/scale."""
    terms: tuple[tuple[int, int], ...]
    """Sums of lengths, in units of 1/scale, with how often they are added or subtracted."""
    product: int
    """∏ of the lengths, in these units."""
    low: Fraction = Fraction(0)

    @classmethod
    def of(cls, lengths: Iterable[Number], low: Number = 0) -> LinearSpread:
        """Make a spread from the lengths |wᵢ|·sᵢ, which must be above 0, and the smallest value."""
        exact = [exact_number(length, "length") for length in lengths]
        if not exact or min(exact) <= 0:
            raise NumberError("a linear function needs weights and sides above 0; leave out those that are 0")
        scale = lcm(*(length.denominator for length in exact))
        whole = [int(length * scale) for length in exact]
        return cls(len(whole), scale, tuple(_signed_sums(whole)), prod(whole), exact_number(low, "low"))

    @property
    def high(self) -> Fraction:
        """The largest value."""
        return self.low + Fraction(self.terms[-1][0], self.scale)

    def share_below(self, value: Number) -> Fraction:
        """F(t): the share of the box where the function is at most t."""
        at = exact_number(value, "value") - self.low
        span = Fraction(self.terms[-1][0], self.scale)
        if at <= 0 or at >= span:
            return Fraction(int(at >= span))
        if 2 * at > span:  # the spread is symmetric, and the lower half has fewer terms
            return 1 - self.share_below(self.low + span - at)
        top, bottom = (at * self.scale).as_integer_ratio()
        found = 0
        for total, times in self.terms:
            room = top - total * bottom
            if room <= 0:
                break
            found += times * room**self.dimension
        return Fraction(found, bottom**self.dimension * factorial(self.dimension) * self.product)


def _signed_sums(lengths: list[int]) -> list[tuple[int, int]]:
    """Every sum of some of the lengths, with how often it is added minus how often it is subtracted."""
    kinds = Counter(lengths)
    small = sum(lengths) < 1 << 62 and len(lengths) < 62
    totals: Any = np.zeros(1, dtype=np.int64 if small else object)
    times: Any = totals + 1
    for length, number in sorted(kinds.items()):
        terms = len(totals) * (number + 1)
        if terms > MOST_TERMS or terms * len(lengths) ** 2 > MOST_WORK:
            raise TooLargeError(
                f"{len(lengths)} weights of {len(kinds)} kinds are too many to sum exactly; use up to 18 different "
                f"weights, "
                "or about 1000 equal ones"
            )
        taken = [(-1) ** k * comb(number, k) for k in range(number + 1)]
        totals = np.concatenate([totals + k * length for k in range(number + 1)])
        times = np.concatenate([times * k for k in taken])
        order = np.argsort(totals, kind="stable")
        totals, times = totals[order], times[order]
        firsts = np.flatnonzero(np.append(True, totals[1:] != totals[:-1]))
        totals, times = totals[firsts], np.add.reduceat(times, firsts)
    return list(zip(totals.tolist(), times.tolist(), strict=True))
