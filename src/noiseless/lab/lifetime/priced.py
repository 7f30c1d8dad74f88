"""How many questions a budget answers, priced as a curator prices them, without a database and without a ledger.

The bins, the counts, the weights and the rounding are those of the curator's own rooms. Only the integers come from
sums that are computed once. `tests/lab/test_lifetime.py` shows that a curator answers the same number of
questions and has exactly the same budget left.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import log2
from typing import Any, cast

from noiseless.curator.dataset.dataset import Dataset
from noiseless.curator.dataset.snapshot import Snapshot
from noiseless.curator.ledger.priced import Priced, weigh
from noiseless.curator.question.levels import at_stable_levels, preferring_levels
from noiseless.curator.question.line import Asked, Line
from noiseless.curator.question.past import Past
from noiseless.curator.question.price import Prices
from noiseless.curator.question.widths import Widths, chosen_for_error, numbers_needed
from noiseless.curator.releases.release import Paid, Release, Released, Width, is_loud, is_weighed
from noiseless.exact.answers import MOST_BITS
from noiseless.lab.lifetime.asked import Question
from noiseless.lab.lifetime.people import People
from noiseless.privacy.composition.sequence import Sequence
from noiseless.privacy.quantizers.ladder import Ladder


@dataclass(frozen=True, slots=True)
class Lifetime:
    """How many questions were answered before one was refused, what was spent on what, and what was left over.

    `kept` of the answers were within the error. The others came at a coarser level. `spent` is in bits, by what was
    released and whether it was loud, for the public group that spent most.
    """

    answered: int
    kept: int
    spent: dict[tuple[str, bool], float]
    left: float


class Spending:
    """A budget that is spent on one question after another about some people."""

    def __init__(self, people: People, bits: int) -> None:
        schema = people.schema
        cells = tuple((place,) for place in range(len(people.sizes)))
        sizes = tuple(map(int, people.sizes))
        nothing = cast(Any, None)  # no engine: integers are given
        self.people = people
        self.prices = Prices(Dataset(Snapshot("", "people", "", people.size), schema, nothing, cells, sizes))
        self.names = self.prices.names()
        self.sequence = Sequence.start(self.prices.values(), bits=bits, cells=self.names)
        self.answered = self.kept = 0
        self.spent: dict[tuple[str, bool], float] = {}
        self._before: dict[str, tuple[int, int]] = {}

    def ask(self, question: Question) -> bool:
        """Answer a question step by step. Returns whether the budget allowed every step.

        If too few people are left to keep the error, there is no answer, and only their count is charged.
        """
        line, numbers = question.line(self.people), question.numbers(self.people)
        found: dict[Paid, Released] = {}

        def bins(release: Release) -> list[Width]:
            return [width for each, width in found if each == release]

        past = Past(bins, lambda release, width: found.get((release, width)))
        if not question.kind.stable:
            [line] = at_stable_levels([line], preferring_levels(_with_error(line, question), past))
        complete = False
        while not complete:
            chosen = chosen_for_error([([], _with_error(line, question))], past)
            complete = chosen.complete
            new = {release: width for release, width in chosen.widths.items() if (release, width) not in found}
            if chosen.few:
                return True
            priced = self._priced(new)
            if not priced.fits:
                return False
            released = {(release, width): release.observe(width, numbers) for release, width in new.items()}
            self._settle(priced, released)
            found |= released
        self.answered += 1
        [number] = numbers_needed([line])
        reported = number.report(chosen.widths, found)
        self.kept += reported is not None and reported.upper - reported.lower <= 2 * question.kind.error
        return True

    def _priced(self, widths: Widths) -> Priced:
        """The price of some releases: a count for those in equal bins, and weights for the others."""
        equal = {release: width for release, width in widths.items() if not is_weighed(width)}
        before, step, after = self.sequence, None, self.sequence
        if equal:
            endless = replace(before, budget=1 << MOST_BITS).ask(self.prices.questions([equal]))
            after = replace(endless.after, budget=before.budget)
            step = replace(endless, after=after)
        return Priced(step, weigh(self.prices.units(widths, self._seen), after, self.names, None), before)

    def _settle(self, priced: Priced, released: dict[Paid, Released]) -> None:
        """Charge the outcome."""
        loud = {release: is_loud(width, numbers) for (release, width), numbers in released.items()}
        after = priced.before if priced.step is None else priced.step.after
        cells = dict(after.cells)
        for each in priced.weighed:
            price = each.weights.price(any(loud[release] for release in each.unit.releases))
            for name in each.accounts:
                cells[name] = cells[name].charged(price, {})
        self.sequence = replace(after, cells=cells)
        taken = log2(self.sequence.spent() / priced.before.spent())
        for release, width in released:
            what = release.itself.kind, loud[release]
            self.spent[what] = self.spent.get(what, 0.0) + taken / len(released)
            if isinstance(width, Ladder):
                asked, coarser = self._seen(release)
                self._before[release.topic] = asked + 1, coarser + loud[release]

    def _seen(self, release: Release) -> tuple[int, int]:
        """How often a topic was asked at a stable level before, and how often the answer was at a coarser one."""
        return self._before.get(release.topic, (0, 0))


def _with_error(line: Line, question: Question) -> list[tuple[Asked, Fraction | None]]:
    return [(number, question.kind.error) for number in numbers_needed([line])]


def lifetime(people: People, questions: Iterable[Question], bits: int) -> Lifetime:
    """Ask until a question is refused, or there are none left."""
    spending = Spending(people, bits)
    for question in questions:
        if not spending.ask(question):
            break
    return Lifetime(spending.answered, spending.kept, spending.spent, bits - log2(spending.sequence.spent()))
