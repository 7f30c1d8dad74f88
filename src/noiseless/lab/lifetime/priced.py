"""How many questions a budget answers, priced as a curator prices them, without a database and without a ledger.

The bins, the counts, the weights and the rounding are those of the curator's own rooms. Only the integers come from sums
that are computed once. `tests/lab/test_lifetime.py` shows that a curator answers as many and has as much left, to the bit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import log2
from typing import Any, cast

from noiseless.curator.dataset.dataset import Dataset
from noiseless.curator.dataset.snapshot import Snapshot
from noiseless.curator.ledger.priced import Priced, Weighed, weigh
from noiseless.curator.question.past import Past
from noiseless.curator.question.price import Prices
from noiseless.curator.question.widths import Widths, widths_for_error
from noiseless.curator.releases.release import Paid, Release, Released, Width, is_loud
from noiseless.lab.lifetime.asked import Question
from noiseless.lab.lifetime.people import People
from noiseless.privacy.composition.sequence import Sequence
from noiseless.privacy.quantizers.ladder import Ladder


@dataclass(frozen=True, slots=True)
class Lifetime:
    """How many questions were answered before one was refused, what was spent on what, and what was left over.

    `spent` is in bits, by what was released and whether it was loud, for the public group that spent most.
    """

    answered: int
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
        self.answered = 0
        self.spent: Counter[tuple[str, bool]] = Counter()
        self._before: dict[str, tuple[int, int]] = {}

    def ask(self, question: Question) -> bool:
        """Answer a question step by step, if the budget allows every step."""
        asked, numbers = question.number(self.people), question.numbers(self.people)
        found: dict[Paid, Released] = {}

        def bins(release: Release) -> list[Width]:
            return [width for each, width in found if each == release]

        past = Past(bins, lambda release, width: found.get((release, width)))
        complete = False
        while not complete:
            chosen = widths_for_error([asked], question.kind.error, past)
            complete = chosen.complete
            new = {release: width for release, width in chosen.widths.items() if (release, width) not in found}
            weighed = weigh(self.prices.units(new, self._seen), self.sequence, self.names, None)
            if not Priced(None, weighed, self.sequence).fits:
                return False
            released = {(release, width): release.observe(width, numbers) for release, width in new.items()}
            self._settle(weighed, new, released)
            found |= released
        self.answered += 1
        return True

    def _settle(self, weighed: Iterable[Weighed], widths: Widths, released: dict[Paid, Released]) -> None:
        cells, before = dict(self.sequence.cells), self.sequence.spent()
        for each in weighed:
            loud = any(is_loud(widths[release], released[release, widths[release]]) for release in each.unit.releases)
            for name in each.accounts:
                cells[name] = cells[name].charged(each.weights.price(loud), {})
        self.sequence = replace(self.sequence, cells=cells)
        for release, width in widths.items():
            loud = is_loud(width, released[release, width])
            self.spent[release.itself.kind, loud] += log2(self.sequence.spent() / before)
            if isinstance(width, Ladder):
                asked, coarser = self._seen(release)
                self._before[release.topic] = asked + 1, coarser + loud

    def _seen(self, release: Release) -> tuple[int, int]:
        """How often a topic was asked before at a stable level, and how often it came at a coarser one."""
        return self._before.get(release.topic, (0, 0))


def lifetime(people: People, questions: Iterable[Question], bits: int) -> Lifetime:
    """Ask until a question is refused, or there are none left."""
    spending = Spending(people, bits)
    for question in questions:
        if not spending.ask(question):
            break
    return Lifetime(spending.answered, dict(spending.spent), bits - log2(spending.sequence.spent()))
