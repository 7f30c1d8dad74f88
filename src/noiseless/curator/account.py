"""The budget of a dataset in memory: what was paid for, what was released, and what is left."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from threading import RLock

from noiseless.curator.display import bits_shown
from noiseless.curator.price import Prices, without_implied
from noiseless.curator.question import Paid
from noiseless.curator.releases.release import Released
from noiseless.curator.widths import Widths
from noiseless.errors import BudgetExceededError
from noiseless.exact.answers import MOST_BITS, answers_within
from noiseless.exact.number import Number
from noiseless.privacy.composition.questions import Question
from noiseless.privacy.composition.sequence import Sequence, Step


class Account:
    """Charges every release once, before it is computed. A failure in between stays charged, and its retry is free."""

    def __init__(self, prices: Prices, budget: int) -> None:
        self._prices = prices
        self._paid: set[Paid] = set()
        self._released: dict[Paid, Released] = {}
        self.sequence = prices.start(budget)
        self.lock = RLock()

    @property
    def released(self) -> Mapping[Paid, Released]:
        """All that was ever released."""
        return self._released

    def quote(self, widths: Widths) -> tuple[int, Sequence | None]:
        """The factor that a question would be charged now, and the budget after it; None if it does not allow it."""
        step = self._step(widths, self.sequence)
        if step is None:
            return 1, self.sequence
        try:
            return step.factor, self.sequence.ask(self._questions(widths)).after
        except BudgetExceededError:
            return step.factor, None

    def charge(self, widths: Widths, max_bits: Number | None) -> int:
        """Pay for what was not paid before; refused with nothing charged where the budget or `max_bits` forbid it."""
        with self.lock:
            factor, after = self.quote(widths)
            price = f"the question costs {bits_shown(factor)} now"
            if max_bits is not None and factor > answers_within(max_bits, "max_bits"):
                raise BudgetExceededError(f"{price}, more than max_bits={max_bits}; nothing was charged")
            if after is None:
                raise BudgetExceededError(
                    f"{price} and {self.sequence.bits_left:.4g} bits are left; nothing was charged: "
                    f"ask with fewer bits or a larger error, or repeat what was asked before, which is free"
                )
            self.sequence = after
            self._paid |= widths.items()
            return factor

    def missing(self, widths: Widths) -> Widths:
        """What was paid for and not yet computed."""
        return {release: width for release, width in widths.items() if (release, width) not in self._released}

    def record(self, found: Iterable[tuple[Paid, Released]]) -> None:
        """Keep what was released, so that it is the same for ever."""
        with self.lock:
            for paid, released in found:
                self._released.setdefault(paid, released)

    def _questions(self, widths: Widths) -> Mapping[str, Question]:
        unpaid = {release: width for release, width in widths.items() if (release, width) not in self._paid}
        return self._prices.questions(without_implied(unpaid, self._paid))

    def _step(self, widths: Widths, sequence: Sequence) -> Step | None:
        """The step in a budget without end; None if there is nothing to pay for."""
        questions = self._questions(widths)
        return replace(sequence, budget=1 << MOST_BITS).ask(questions) if questions else None
