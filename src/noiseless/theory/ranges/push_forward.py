"""How a linear function spreads a box over the line: exact volumes of {x : w·x ≤ t}.

For positive weights and sides from 0 to sᵢ, with aᵢ = wᵢsᵢ,

    vol{x : w·x ≤ t} = Σ over sets S of coordinates of (−1)^|S| (t − Σ_S aᵢ)₊ⁿ / (n! ∏wᵢ).

Sets with the same sum are one term, so a mean of n people has n + 1 of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import comb, factorial, lcm, prod

from noiseless.errors import NumberError, TooLargeError
from noiseless.exact.number import Number, exact_number

MOST_TERMS = 1 << 18
"""Eighteen different weights."""


@dataclass(frozen=True, slots=True)
class PushForward:
    """Σ over coordinates of a number between 0 and its length, all equally large parts of the box counting alike.

    >>> PushForward.of([1, 1]).share_below("1/2")
    Fraction(1, 8)
    >>> PushForward.of([1] * 300).share_below(150)
    Fraction(1, 2)
    """

    dimension: int
    scale: int
    """All lengths are multiples of 1/scale."""
    terms: tuple[tuple[int, int], ...]
    """Sums of lengths, in units of 1/scale, with how often they are added or taken away."""
    product: int
    """∏ of the lengths, in these units."""

    @classmethod
    def of(cls, lengths: Iterable[Number]) -> PushForward:
        """Of the lengths |wᵢ|·sᵢ, which must be above 0."""
        exact = [exact_number(length, "length") for length in lengths]
        if not exact or min(exact) <= 0:
            raise NumberError("a linear function needs weights and sides above 0; leave out those that are 0")
        scale = lcm(*(length.denominator for length in exact))
        whole = [int(length * scale) for length in exact]
        return cls(len(whole), scale, tuple(sorted(_signed_sums(whole).items())), prod(whole))

    @property
    def high(self) -> Fraction:
        """The largest value; the smallest is 0."""
        return Fraction(self.terms[-1][0], self.scale)

    def share_below(self, value: Number) -> Fraction:
        """F(t): the share of the box where the function is at most t."""
        at = exact_number(value, "value")
        if at <= 0 or at >= self.high:
            return Fraction(int(at >= self.high))
        top, bottom = (at * self.scale).as_integer_ratio()
        found = 0
        for total, times in self.terms:
            room = top - total * bottom
            if room <= 0:
                break
            found += times * room**self.dimension
        return Fraction(found, bottom**self.dimension * factorial(self.dimension) * self.product)

    def value_at(self, share: Number, precision: Number = Fraction(1, 1 << 40), *, up: bool) -> Fraction:
        """F⁻¹: a value whose share is at least `share` (`up`), or at most, within `precision` of where it is equal.

        >>> PushForward.of([1, 1]).value_at("1/2", up=True)
        Fraction(1, 1)
        """
        wanted, width = exact_number(share, "share"), exact_number(precision, "precision")
        if not 0 <= wanted <= 1 or width <= 0:
            raise NumberError(f"share={share} must be from 0 to 1, and precision={precision} above 0")
        low, high = Fraction(0), self.high
        while high - low > width:
            middle = (low + high) / 2
            found = self.share_below(middle)
            if found == wanted:
                return middle
            low, high = (low, middle) if found > wanted else (middle, high)
        return high if up else low


def _signed_sums(lengths: list[int]) -> dict[int, int]:
    sums = {0: 1}
    for length in sorted(set(lengths)):
        times = lengths.count(length)
        if len(sums) * (times + 1) > MOST_TERMS:
            raise TooLargeError(
                f"{len(lengths)} weights of {len(set(lengths))} kinds have more than 2^18 sums; use fewer kinds"
            )
        grown: dict[int, int] = {}
        for total, sign in sums.items():
            for taken in range(times + 1):
                at = total + taken * length
                grown[at] = grown.get(at, 0) + sign * (-1) ** taken * comb(times, taken)
        sums = grown
    return sums
