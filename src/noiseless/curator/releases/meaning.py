"""What a number of a release says about the table, without how it was released."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from noiseless.curator.plan.condition import Condition
from noiseless.curator.releases.weights import Measured, Shifted


@dataclass(frozen=True, slots=True)
class Meaning:
    """A `function` over the rows that meet a condition. It says nothing about how the number is released."""

    function: str
    condition: Condition
    of: Measured | Shifted | None = None
    rounding: Fraction = Fraction(0)
    share: Fraction = Fraction(0)
