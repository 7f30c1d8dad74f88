"""The finest stable level: an answer as fine as it can be without anyone's data alone deciding it.

Let f_0, f_1, …, f_L be answers from fine to coarse, the last one constant. The report is (ℓ, f_ℓ) for the first level
that is stable: no change of one person's data changes f_ℓ at this table. With everybody else's data fixed, each level
has at most one outcome, because two tables that both report level ℓ differ in one person's data and f_ℓ is stable at
either. So public weights ω_0 + … + ω_L ≤ 1 are valid, and the level that is reported is charged 1/ω_ℓ.

Source: theory §11, finest stable level: docs/pay_by_the_answer.md
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import prod

from noiseless.errors import CompositionError
from noiseless.privacy.composition.remaining import Remaining, check_whole


@dataclass(frozen=True, slots=True)
class FinestLevel:
    """The first stable level of `levels`, as one of several numbers that are charged together by one outcome.

    The first level is quiet and nobody can cause two different answers at it, so it is weighed as a guarded number is.
    """

    columns: tuple[str, ...]
    levels: int

    def __post_init__(self) -> None:
        check_whole(self, levels=self.levels)

    def factor(self, remaining: Remaining) -> int:
        """One answer for each level, at most one for each record that remains possible."""
        return min(self.levels, prod(remaining[column] for column in self.columns))

    def after(self, remaining: Remaining) -> Remaining:
        """W is unchanged: a stable answer is the same whatever a person's value is."""
        return {}

    def jumps(self, remaining: Remaining) -> int:
        """The level may change with every value."""
        return prod(remaining[column] for column in self.columns) - 1


@dataclass(frozen=True, slots=True)
class Levels:
    """A question that reports the first stable level, from fine to coarse, with the price of each level.

    The caller must ensure that the level that is reported is stable, and is the first that was found to be stable.

    >>> Levels(("age",), (Fraction(4, 3), 8, 8)).dearest({})
    Fraction(8, 1)
    """

    columns: tuple[str, ...]
    prices: tuple[Fraction | int, ...]

    def __post_init__(self) -> None:
        if not self.columns or isinstance(self.columns, str):
            raise CompositionError(
                f"columns={self.columns!r} is not valid; give a tuple of the columns that the question reads"
            )
        prices = tuple(self.prices)
        if not prices or not all(type(price) in (int, Fraction) and price >= 1 for price in prices):
            raise CompositionError(
                "Levels needs a price for every level; give whole numbers or Fractions of at least 1"
            )
        if sum(Fraction(1) / price for price in prices) > 1:
            raise CompositionError("the weights 1/price of all levels sum to more than 1; raise some prices")
        object.__setattr__(self, "prices", tuple(map(Fraction, prices)))

    @property
    def numbers(self) -> int:
        """An outcome is one level."""
        return 1

    def dearest(self, remaining: Remaining, rows: int = 1) -> Fraction:
        """What must fit into the budget."""
        return Fraction(max(self.prices))

    def price(self, remaining: Remaining, places: tuple[int, ...], rows: int = 1) -> Fraction:
        """The price of the level that was reported."""
        if len(places) != 1 or not 0 <= places[0] < len(self.prices):
            raise CompositionError(
                f"settle needs the level that was reported; give one from 0 to {len(self.prices) - 1}"
            )
        return Fraction(self.prices[places[0]])

    def narrowed(self, remaining: Remaining, places: tuple[int, ...]) -> Remaining:
        """W is unchanged: a stable answer is the same whatever a person's value is."""
        return {}
