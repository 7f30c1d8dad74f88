"""What a question may cost, and the refusal if it costs more."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from noiseless.curator.ledger.priced import Priced
from noiseless.errors import BudgetExceededError
from noiseless.exact.answers import most_within
from noiseless.exact.number import Number
from noiseless.exact.readable import bits_shown


@dataclass(frozen=True, slots=True)
class Limits:
    """`max_bits` as given, the `most` that it leaves for this step, the analyst's `quota`, and `bits` for a quiet
    outcome. The budget always limits."""

    max_bits: Number | None
    most: Fraction | None
    quota: Fraction | None
    bits: Number | None

    def check(self, priced: Priced, analyst: str) -> None:
        """Refuse a price beyond a limit. The first limit that it passes is named."""
        factor = priced.dearest
        if self.most is not None and factor > self.most:
            raise BudgetExceededError(
                f"{_price(priced)}, more than max_bits={self.max_bits}; nothing was charged: allow more, or ask with "
                f"fewer bits"
            )
        if not priced.fits:
            raise BudgetExceededError(
                f"{_price(priced)} and {priced.before.bits_left:.4g} bits are left; nothing was charged: "
                f"ask with fewer bits or a larger error, or repeat an earlier question, which is free"
            )
        if priced.weighed and self.bits is not None and priced.quiet > most_within(self.bits):
            raise BudgetExceededError(
                f"so near the end of the budget, or with this max_bits, the question costs at least "
                f"{bits_shown(priced.quiet)}, more than bits={self.bits}; nothing was charged: allow more bits, or "
                f"give error= instead"
            )
        if factor > 1 and self.quota is not None and factor > self.quota:
            raise BudgetExceededError(
                f"{_price(priced)}, more than is left of the quota of {analyst!r}; nothing was charged: repeat an "
                f"earlier question, which is free, or ask the custodian for a larger quota"
            )


def _price(priced: Priced) -> str:
    cost = bits_shown(priced.dearest)
    return f"the question may cost {cost}" if priced.weighed else f"the question costs {cost} now"
