"""What follows about one number: an interval that certainly contains it, and why."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from noiseless.curator.releases.reported import Reported
from noiseless.curator.schema.scale import Scale

Number = int | Fraction


@dataclass(frozen=True, slots=True)
class Multiplier:
    """How often one bound of a fact is added in a proof. The fact is a `release` of a `question`, each by its number.

    `of` is "count" or "sum", and `at` its number among the counts or the sums that a release says something about; or
    it is "square", "product", "cell" of a partition, or "exists" for the fact that a row counts. `factor` is above 0
    for a bound from below and below 0 for one from above.
    """

    of: str
    question: int
    release: int
    at: int
    factor: Fraction


@dataclass(frozen=True, slots=True)
class Witness:
    """Why an end of an interval is certain.

    `kind` is "public" (the numbers of rows and the declared ranges), "released" (the same release), "cells" (exact
    counts of cells) or "linear" (multipliers that add the facts up to the bound).
    """

    kind: str
    questions: tuple[int, ...] = ()
    multipliers: tuple[Multiplier, ...] = ()


PUBLIC = Witness("public")


@dataclass(frozen=True, slots=True)
class Deduced:
    """What is known of a number: if it exists, it certainly lies between `lower` and `upper`.

    Both are None if it certainly does not exist.

    `sure` says whether there certainly is one: a mean of zero rows is none. Ends are in the units that are reported;
    dates are days since 1970-01-01.
    """

    lower: Any
    upper: Any
    sure: bool = True
    below: Witness = PUBLIC
    above: Witness = PUBLIC
    existing: Witness = PUBLIC
    """Why the number certainly exists, or certainly does not."""
    dates: Scale | None = field(default=None, compare=False, repr=False)
    """The column, if ends are shown as dates."""

    @property
    def questions(self) -> tuple[int, ...]:
        """The numbers of the entries that were used."""
        used = (self.below, self.above, self.existing)
        return tuple(sorted({number for witness in used for number in witness.questions}))

    @property
    def reported(self) -> Reported | None:
        """The number as answers show it. None if it certainly does not exist."""
        if self.lower is None:
            return None
        middle = self.lower if self.lower == self.upper else _middle(self.lower, self.upper)
        if self.dates is None:
            return Reported(middle, self.lower, self.upper, self.sure)
        low, high = self.dates.present(self.lower, self.upper)
        return Reported(self.dates.present(middle, self.upper)[0], low, high, self.sure)


def _middle(lower: Any, upper: Any) -> Any:
    """The middle of an interval. An interval with one end gives that end, and one without ends gives 0."""
    if isinstance(lower, float) or isinstance(upper, float):
        ends = [end for end in (lower, upper) if not isinstance(end, float)]
        return ends[0] if ends else Fraction(0)
    return Fraction(lower + upper) / 2


def exactly(value: Number | None) -> Deduced:
    """What is known of a public number: exactly its value."""
    return Deduced(value, value, sure=value is not None)
