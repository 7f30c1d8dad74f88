"""A design: what to release, what it costs and how certain every question will be. Then it can be carried out."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from noiseless.curator.asking import Asking
from noiseless.curator.designing.against import Way
from noiseless.curator.designing.base import Base
from noiseless.curator.designing.served import HALF, Served
from noiseless.exact.number import Number
from noiseless.exact.rounding import bits_up
from noiseless.privacy.composition.weights import Product

if TYPE_CHECKING:
    from rich.console import Group

    from noiseless.curator.designing.publish import Published


@dataclass(frozen=True, slots=True, repr=False)
class Design:
    """What to release for a workload. Nothing was spent to find it, and no private data were read.

    `served` has the questions in their order. `order` has the places of those that are asked by themselves, after the
    base table, in the order in which they are asked. `price` is the price of the base table, which is a copy if
    `copied`. `prior` names the columns for which the custodian declared a prior. `ways` are what the same bits buy
    without a design.
    """

    asking: Asking = field(compare=False)
    served: tuple[Served, ...]
    order: tuple[int, ...]
    quiet: float
    """The chance that all questions asked are answered, if their numbers may lie anywhere."""
    bits: Number
    base: Base
    copied: bool
    price: Product
    prior: tuple[str, ...]
    ways: tuple[Way, ...]
    stopped: bool
    """Whether the clock ended the search."""

    @property
    def question(self) -> str:
        """The question for the base table; empty if it is a copy, or there is none."""
        return self.base.text(self.asking.dataset) if self.base.divisions and not self.copied else ""

    @property
    def copy(self) -> dict[str, Any]:
        """The arguments of `release`, if the base table is a copy."""
        return self.base.copy(self.asking.dataset) if self.base.divisions and self.copied else {}

    @property
    def asked(self) -> tuple[Served, ...]:
        """The questions that are asked by themselves."""
        return tuple(self.served[place] for place in self.order)

    @property
    def cost(self) -> float:
        """What it will be charged, in bits, rounded up, if every answer is quiet."""
        price = Fraction(self.price)
        for each in self.asked:
            price *= Fraction(each.price)
        return bits_up(price)

    @property
    def largest(self) -> Fraction:
        """The largest certain error of any question as a share of its range, in the worst table."""
        return max(each.sure for each in self.served)

    @property
    def median(self) -> Fraction:
        """The share of the range that half of the questions keep, in the worst table."""
        return Fraction(median(each.sure for each in self.served))

    @property
    def answered(self) -> int:
        """How many questions certainly have an answer that says more than the schema."""
        return sum(each.sure < HALF for each in self.served)

    def publish(self, to: str | Path | None = None, analyst: str | None = None) -> Published:
        """Release what was designed: the base table first, to a file if it is a copy, then ask the questions."""
        from noiseless.curator.designing.publish import publish

        return publish(self, to, analyst)

    def fields(self) -> dict[str, Any]:
        """All fields, for machines."""
        from noiseless.curator.designing.drawn_design import fields_of

        return fields_of(self)

    def __rich__(self) -> Group:
        from noiseless.curator.designing.drawn_design import design_table

        return design_table(self)

    def __repr__(self) -> str:
        from noiseless.curator.answer.drawn import text_of

        return text_of(self)

    def _repr_html_(self) -> str:
        from noiseless.curator.designing.drawn_design import design_html

        return design_html(self)
