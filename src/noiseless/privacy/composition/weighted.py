"""Numbers in guarded bins that are charged by the answer.

Source: theory §11, quiet and loud: docs/pay_by_the_answer.md
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import prod

from noiseless.errors import CompositionError
from noiseless.privacy.composition.guarded import Guarded, GuardedOther
from noiseless.privacy.composition.levels import Levels
from noiseless.privacy.composition.questions import Counted, Together
from noiseless.privacy.composition.remaining import Remaining
from noiseless.privacy.composition.weights import Weights


@dataclass(frozen=True, slots=True)
class Weighted:
    """Numbers in guarded bins, asked together and charged by the answer: quiet if all bins are wide, otherwise loud.

    `loud` is the price of a loud outcome, at least the joint count, or anything above 1 for a single number.
    """

    questions: tuple[Guarded, ...]
    loud: Fraction

    def __post_init__(self) -> None:
        object.__setattr__(self, "questions", tuple(self.questions))
        if not self.questions or not all(isinstance(question, Guarded) for question in self.questions):
            raise CompositionError("Weighted needs questions in guarded bins, at least one; use GuardedSum")

    def weights(self, remaining: Remaining, rows: int = 1) -> Weights:
        """The prices, given what is known. With several rows per person, counts multiply, and W says only the total."""
        if rows == 1:
            count = Together(self.questions).factor(remaining)
        else:
            count = prod(q.count if isinstance(q, GuardedOther) else q.factor(remaining) for q in self.questions)
        return Weights(count, self.loud, alone=len(self.questions) == 1)

    def dearest(self, remaining: Remaining, rows: int = 1) -> Fraction:
        """What must fit into the budget."""
        return self.weights(remaining, rows).dearest

    @property
    def numbers(self) -> int:
        """How many bins an outcome has."""
        return len(self.questions)

    def price(self, remaining: Remaining, places: tuple[int, ...], rows: int = 1) -> Fraction:
        """The price of the outcome in these bins."""
        loud = any(q.bins.is_guard(place) for q, place in zip(self.questions, places, strict=True))
        return self.weights(remaining, rows).price(loud)

    def narrowed(self, remaining: Remaining, places: tuple[int, ...]) -> Remaining:
        """What is left of each column after the outcome in these bins."""
        left: dict[str, int] = {}
        for question, place in zip(self.questions, places, strict=True):
            for column, width in question.narrowed(remaining, place).items():
                left[column] = min(width, left.get(column, width))
        return left


ByTheAnswer = Weighted | Levels
"""Questions whose answers each have a price."""
LedgerQuestion = Counted | ByTheAnswer
