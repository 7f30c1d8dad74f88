"""What a number of a release says, whichever release it comes from."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from noiseless.curator.plan.condition import Condition
from noiseless.curator.releases.weights import Measured, Shifted


@dataclass(frozen=True, slots=True)
class Meaning:
    """A `function` over the rows that meet a condition; of those that count, not of how it is released."""

    function: str
    condition: Condition
    of: Measured | Shifted | None = None
    rounding: Fraction = Fraction(0)
    share: Fraction = Fraction(0)
