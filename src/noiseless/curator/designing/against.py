"""What the same bits buy without a design: the questions one by one in their order, or all in one batch."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from statistics import median

from noiseless.curator.answer.ways import BATCH, ONE_BY_ONE
from noiseless.curator.designing.asked import Asker
from noiseless.curator.designing.served import HALF
from noiseless.curator.ledger.purchase import Purchase
from noiseless.curator.terms import Terms
from noiseless.errors import BudgetExceededError, InputError

SHARES = tuple(Fraction(1, parts) for parts in (3, 4, 5, 10, 20, 50, 100, 200, 1000))
"""Errors of a batch that are tried, as shares of the ranges, from the largest on."""


@dataclass(frozen=True, slots=True, repr=False)
class Way:
    """A way to spend the bits: the certain errors of all questions as shares of their ranges.

    One half means no answer.
    """

    name: str
    shares: tuple[Fraction, ...]
    why: str = ""

    def __repr__(self) -> str:
        return self.sentence

    @property
    def answered(self) -> int:
        """How many questions have an answer that says more than the schema."""
        return sum(share < HALF for share in self.shares)

    @property
    def largest(self) -> Fraction:
        """The largest share."""
        return max(self.shares)

    @property
    def median(self) -> Fraction:
        """The share of the range that half of the questions keep."""
        return Fraction(median(self.shares))

    @property
    def sentence(self) -> str:
        """What this way gives, in one sentence."""
        if self.why:
            return f"{self.name}: {self.why}"
        return (
            f"{self.name}: {self.answered} of {len(self.shares)} questions answered; share of the range at most "
            f"{float(self.largest):.3g}, median {float(self.median):.3g}"
        )


def one_by_one(asker: Asker) -> Way:
    """Each question on the terms that are most certain, as long as the bits last. Later questions get nothing."""
    steps, shares = list[Purchase](), list[Fraction]()
    for place in range(len(asker.wishes)):
        bought = next((each for each in asker.options(place) if asker.affordable([*steps, *each.steps])), None)
        steps += () if bought is None else bought.steps
        shares.append(HALF if bought is None else bought.share)
    return Way(ONE_BY_ONE, tuple(shares))


def one_batch(asker: Asker) -> Way:
    """All questions at once, each with the same error as a share of its range: the smallest that the bits pay for."""
    ranges: dict[str, Fraction] = {}
    for place in range(len(asker.wishes)):
        own = asker.ranges(place)
        if not own:
            return Way(BATCH, (HALF,) * len(asker.wishes), "some questions have no range that is known in advance")
        for label, each in own.items():
            ranges[label] = min(each, ranges.get(label, each))
    texts, best = [wish.text for wish in asker.wishes], None
    for share in SHARES:
        errors = {label: share * each for label, each in ranges.items()}
        try:
            steps = asker.asking.planning.steps_together(texts, Terms(error=errors))
            price = asker.asking.account.quote_steps(map(Purchase.of_questions, steps), asker.bits)
        except (InputError, BudgetExceededError):
            break
        if not price.affordable:
            break
        best = share
    if best is None:
        return Way(BATCH, (HALF,) * len(texts), f"not within {asker.bits} bits, whatever the errors")
    return Way(BATCH, (best,) * len(texts))
