"""Weights of outcomes: what is charged depends on the answer that comes out.

Before the data are read, every possible outcome y of a question gets a public weight ω(y) such that the outcomes that
one person's data can cause have Σω ≤ 1. The outcome that comes out is charged 1/ω(y). The dearest must fit into the
budget. Then one person's data cause at most B transcripts (Kraft's inequality, by induction from the leaves).

Some outcomes are quiet, so that nobody can cause two different quiet ones; the others are loud. For a question of K
answers and any a ≥ K, weights 1 − (K−1)/a for quiet and 1/a for loud outcomes are valid: one quiet and K − 1 loud
outcomes sum to 1, K loud ones to K/a. If nobody can cause two loud outcomes either, every a > 1 is valid.

Source: theory §11: docs/pay_by_the_answer.md
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import floor

from noiseless.errors import CompositionError

PARTS = 16
"""The loud price is a multiple of 1/PARTS, so that ledgers stay short."""
UNIT = 1 << 64
"""Products are multiples of 1/UNIT, rounded up at every step."""
Product = int | Fraction


@dataclass(frozen=True, slots=True)
class Weights:
    """The prices of a question with `count` answers: a for a loud outcome, a/(a − count + 1) for a quiet one.

    `alone` says that nobody can cause two different loud outcomes, as with the guarded bins of a single number.

    >>> Weights(2, Fraction(67)).quiet, Weights(2, Fraction(67)).dearest, Weights(1, Fraction(1)).dearest
    (Fraction(67, 66), Fraction(67, 1), Fraction(1, 1))
    """

    count: int
    loud: Fraction
    alone: bool = False

    def __post_init__(self) -> None:
        if type(self.count) is not int or self.count < 1 or not isinstance(self.loud, Fraction):
            raise CompositionError(
                f"count={self.count!r} or loud={self.loud!r} is not valid; use an integer and a Fraction"
            )
        least = self.loud > 1 if self.alone and self.count == 2 else self.loud >= self.count
        if self.count > 1 and not least:
            raise CompositionError(
                f"a loud price of {self.loud} is below the {self.count} answers that one person can cause, so weights "
                f"would sum to more than 1; use at least {self.count}"
            )

    @property
    def quiet(self) -> Fraction:
        """The price of a quiet outcome."""
        return self.price(False)

    @property
    def dearest(self) -> Fraction:
        """The price that must fit into the budget."""
        return max(self.quiet, self.price(True))

    def price(self, loud: bool) -> Fraction:
        """The price of an outcome."""
        if self.count == 1:
            return Fraction(1)
        return self.loud if loud else self.loud / (self.loud - self.count + 1)

    @classmethod
    def cheapest(cls, count: int, chance: Fraction, most: Fraction | None = None) -> Weights:
        """The weights with the least expected price if an outcome is loud with this `chance`, a = (count − 1)/chance.

        No outcome may cost more than `most`, if that leaves any choice; the dearest outcome costs at least `count`.
        """
        if not 0 < chance <= 1:
            raise CompositionError(f"chance={chance} of a loud outcome is not valid; use more than 0 and at most 1")
        wanted = (count - 1) / chance
        allowed = wanted if most is None else min(wanted, most)
        return cls(count, max(Fraction(count), Fraction(floor(allowed * PARTS), PARTS)))


def raised(product: Product, price: Product) -> Product:
    """The product times a price, rounded up to a multiple of 1/UNIT.

    >>> raised(3, 4), raised(1, Fraction(4, 3)) > Fraction(4, 3)
    (12, True)
    """
    if type(product) is int and type(price) is int:
        return product * price
    units = -(-product.numerator * UNIT * price.numerator // (product.denominator * price.denominator))
    return units // UNIT if units % UNIT == 0 else Fraction(units, UNIT)
