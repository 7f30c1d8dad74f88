"""What a question was charged, who paid, and how much that took from the budget of the most charged group.

Everybody is in one public group, and a question about one group is paid by that group alone. What is left for everybody
is what is left for the most charged group, so a charge to another group may take nothing from it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sized
from dataclasses import dataclass, replace
from fractions import Fraction
from math import log2, prod

from noiseless.curator.ledger.priced import Priced
from noiseless.curator.ledger.reserve import ReservedUnit
from noiseless.privacy.composition.sequence import EVERYBODY, Sequence
from noiseless.privacy.composition.weights import Product

MOST_NAMED = 3
"""At most this number of public groups are listed by name."""
NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class Price:
    """What a question costs now, who pays, whether the budget allows it, and the budget before and after.

    `factor` is the price if every number comes out in a wide bin, `dearest` what must be left, and `chance` that of a
    loud outcome if the numbers may lie anywhere. For equal bins the two prices are one, and there is no chance.
    """

    factor: Product
    paid_by: str
    before: Sequence
    after: Sequence
    affordable: bool = True
    dearest: Product = 1
    chance: Fraction | None = None

    @property
    def taken(self) -> float:
        """The bits that this would take from the most charged group."""
        return bits_between(self.before.spent(), self.after.spent())

    @property
    def grown(self) -> Product:
        """The largest growth of any account. Purchases about different groups do not multiply."""
        cells = ((cell.product, self.after.cells[name].product) for name, cell in self.before.cells.items())
        return whole(max(Fraction(after) / before for before, after in cells))


@dataclass(frozen=True, slots=True)
class Charge:
    """What a question was charged, and by which entry. If it was paid before: a factor of 1 and the entry that paid.

    `question` is the number of the question, counted from 1. Only entries that asked something count. What is charged
    by the answer has the number and hash of the answer's entry, and whether it was loud.
    """

    number: int
    hash: str
    factor: Product
    question: int
    paid_by: str = NOBODY
    taken: float = 0.0
    before: Sequence | None = None
    loud: bool | None = None
    answer: tuple[int, str] | None = None
    units: tuple[tuple[ReservedUnit, Fraction], ...] = ()
    steps: tuple[Charge, ...] = ()
    """What earlier steps of the same question were charged."""

    def following(self, steps: Iterable[Charge]) -> Charge:
        """The charge of a whole question, whose earlier steps were charged before."""
        return replace(self, steps=tuple(steps))

    @property
    def whole(self) -> Product:
        """The factor of all steps together."""
        return whole(prod((Fraction(each.factor) for each in self.steps), start=Fraction(self.factor)))

    @property
    def all_taken(self) -> float:
        """The bits that all steps together took from the most charged group."""
        return self.taken + sum(each.taken for each in self.steps)

    @property
    def any_loud(self) -> bool | None:
        """Whether any step was loud. None if none is charged by the answer."""
        known = [each.loud for each in (*self.steps, self) if each.loud is not None]
        return any(known) if known else None

    @property
    def payers(self) -> str:
        """Who paid for any step."""
        return next((each.paid_by for each in (self, *self.steps) if each.paid_by != NOBODY), NOBODY)


def price_of(before: Sequence, priced: Priced | None) -> Price:
    """The price of a purchase. It is zero if there is nothing to pay for."""
    if priced is None:
        return Price(1, NOBODY, before, before)
    who = payers(priced.grown, before.cells)
    return Price(priced.quiet, who, before, priced.after(loud=False), priced.fits, priced.dearest, priced.chance)


def together(prices: Iterable[Price]) -> Price:
    """The price of several steps. After a loud step, the next must fit into what is left, so no more can be charged."""
    first, *later = prices
    if not later:
        return first
    every = [first, *later]
    dearest = prod((Fraction(each.dearest) for each in every), start=Fraction(1))
    chances = [each.chance for each in every if each.chance is not None]
    return Price(
        whole(prod((Fraction(each.factor) for each in every), start=Fraction(1))),
        next((each.paid_by for each in every if each.paid_by != NOBODY), NOBODY),
        first.before,
        later[-1].after,
        all(each.affordable for each in every),
        whole(min(dearest, Fraction(first.before.budget) / first.before.spent())),
        1 - prod((1 - each for each in chances), start=Fraction(1)) if chances else None,
    )


def whole(product: Fraction) -> Product:
    """The product as an integer, if it is one."""
    return int(product) if product.denominator == 1 else product


def bits_between(before: Product, after: Product) -> float:
    """How many bits more were spent afterwards, for display.

    >>> bits_between(3, 12)
    2.0
    """
    return round(_log2(after) - _log2(before), 9)


def payers(charged: Iterable[str], cells: Sized) -> str:
    """The public groups that pay, in words. The ledger names a group by the list of its keys.

    >>> payers(['["north", 1]', '["south", 1]'], range(9)), payers(['["north"]'] , range(1)), payers([], range(3))
    ('north 1, south 1', 'everybody', 'nobody')
    >>> payers(['["a"]', '["b"]', '["c"]', '["d"]'], range(9))
    '4 of 9 groups'
    """
    names = list(charged)
    if not names:
        return NOBODY
    if EVERYBODY in names or len(names) == len(cells):
        return "everybody"
    if len(names) > MOST_NAMED:
        return f"{len(names)} of {len(cells)} groups"
    return ", ".join(" ".join(map(str, json.loads(name))) for name in names)


def _log2(number: Product) -> float:
    return log2(number.numerator) - log2(number.denominator)  # either may be larger than any float
