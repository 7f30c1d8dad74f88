"""The best adaptive adversary of the weighted ledger: every strategy of any length on tiny domains."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import noiseless as nl

REFUSED = "refused after reading"


@dataclass(frozen=True)
class Asked:
    """A question, how data answer it (the bins of a weighted one), and what a refinement may later build on."""

    question: object
    answer: Callable[[tuple], Hashable]
    where: tuple[str, ...] | None = None
    learned: Callable[[Hashable], Hashable] = lambda outcome: None
    needs: Hashable = None


def guarded(bins, statistic, loud, make, where=None):
    """A number in guarded bins, charged by the answer; `make` turns bins into the ledger's question."""
    return Asked(
        nl.Weighted((make(bins),), Fraction(loud)),
        lambda data: (bins.place(statistic(data)),),
        where,
        lambda outcome: (statistic, bins, bins.is_guard(outcome[0])),
    )


def batch(numbers, loud, where=None):
    """Several guarded numbers (question, statistic) as one question."""
    return Asked(
        nl.Weighted(tuple(question for question, _ in numbers), Fraction(loud)),
        lambda data: tuple(question.bins.place(statistic(data)) for question, statistic in numbers),
        where,
    )


def by_the_rule(sequence, asked):
    """The ledger itself: nothing if it refuses, otherwise the state that follows each outcome."""
    try:
        step = sequence.ask(asked.question, asked.where and list(asked.where))
    except (nl.BudgetExceededError, nl.CompositionError):  # too little left, or bins too narrow for W
        return None
    if isinstance(asked.question, nl.Weighted):
        return lambda outcome: (outcome, step.settle(outcome).after)
    if isinstance(asked.question, nl.Levels):
        return lambda outcome: (outcome, step.settle(outcome[:1]).after)
    if isinstance(asked.question, dict):
        return lambda outcome: (outcome, step.settle(dict(outcome)).after)
    return lambda outcome: (outcome, step.after)


class Game:
    """What an adversary may ask. Prices and states are computed once, for all data of the others.

    A state is the product and W of every cell, and what was learned that can be refined. `rule` says what is seen and
    which state follows an outcome; the tests put mistakes there.
    """

    def __init__(self, start, menu, rule=by_the_rule):
        self.start, self.menu, self.rule = start, menu, rule
        self.sequences: dict[Hashable, nl.Sequence] = {}
        self.refined = {asked.needs for asked in menu}
        self.follow = cache(self._follow)

    def named(self, sequence):
        """A name of the state that can be hashed."""
        name = tuple((cell, kept.product, *kept.remaining.values()) for cell, kept in sequence.cells.items())
        self.sequences[name] = sequence
        return name

    def _follow(self, state, place):
        reply = self.rule(self.sequences[state], self.menu[place])

        @cache
        def follow(outcome):
            seen, after = reply(outcome)
            return seen, self.named(after)

        return reply and follow

    def most(self, records, others):
        """The most transcripts that one person with these possible records can cause, over all strategies."""
        answers = [[asked.answer((record, *others)) for record in records] for asked in self.menu]

        @cache
        def parts(place, possible):
            found = {}
            for record in possible:
                found.setdefault(answers[place][record], []).append(record)
            return {outcome: tuple(part) for outcome, part in found.items()}

        @cache
        def best(state, known, possible):
            most = 1
            for place, asked in enumerate(self.menu):
                if most == len(possible):
                    break
                follow = self.follow(state, place) if asked.needs is None or asked.needs in known else None
                if follow is None:
                    continue
                seen = {}
                for outcome, part in parts(place, possible).items():
                    shown, after = follow(outcome)
                    learned = {asked.learned(outcome)} & self.refined if shown is outcome else set()
                    seen.setdefault((shown, after, known | learned), []).extend(part)
                if len(seen) == 1 and _says_nothing(state, known, *next(iter(seen))):
                    continue
                total = sum(best(after, facts, tuple(part)) for (_, after, facts), part in seen.items())
                most = max(most, total)
            return most

        return best(self.named(self.start), frozenset(), tuple(range(len(records))))

    def worst(self, records, all_others):
        """The most over all data of the others."""
        return max(self.most(records, others) for others in all_others)


def _says_nothing(before, known, _, after, facts):
    """Whether a question with one possible outcome leaves every W and what can be refined as they were."""
    return known == facts and all(old[2:] == new[2:] for old, new in zip(before, after, strict=True))
