"""What questions need, step by step, under the custodian's rules. No private data are read."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from noiseless.curator.dataset.dataset import Dataset
from noiseless.curator.ledger.account import Account
from noiseless.curator.question.past import Past
from noiseless.curator.question.precision import below_one
from noiseless.curator.question.price import Prices
from noiseless.curator.question.question import Question
from noiseless.curator.question.rules import Rules
from noiseless.curator.question.understand import Beside, Wanted, sharing, understand
from noiseless.curator.question.widths import narrower
from noiseless.curator.releases.release import Release, Width, is_guarded
from noiseless.curator.terms import Terms
from noiseless.errors import InputError

MOST_STEPS = 30
"""More steps than any question needs: each makes the bins of a number several times narrower."""


@dataclass(frozen=True, slots=True)
class Planning:
    """Understands questions about one dataset, in the bins that its account and its rules allow now."""

    dataset: Dataset
    account: Account
    rules: Rules

    def steps(
        self, sql: str, terms: Terms, share: Fraction = Fraction(1, 2), past: Past | None = None
    ) -> list[Question]:
        """The steps of a question, if every number comes out at a share of its range."""
        past = past or self.account.past()
        steps = [self.understood(sql, terms, past)]
        while steps[-1].more and len(steps) < MOST_STEPS:
            past = past.supposing(steps[-1].widths, share, steps[-1].cells)
            steps.append(self.understood(sql, terms, past))
        return steps

    def steps_together(self, listed: list[str], terms: Terms) -> list[list[Question]]:
        """The steps of a batch, if every number comes out in the middle of its range."""
        past = self.account.past()
        steps = [self.together(listed, terms, past)]
        while any(question.more for question in steps[-1]) and len(steps) < MOST_STEPS:
            past = past.supposing({release: width for each in steps[-1] for release, width in each.widths.items()})
            steps.append(self.together(listed, terms, past))
        return steps

    def together(self, listed: list[str], terms: Terms, past: Past) -> list[Question]:
        """The questions of a batch, all in the narrowest bins that any of them asks for."""
        if len(listed) == 1:
            return [self.understood(listed[0], terms, past)]
        understood = [self._one_of(listed, place, terms, past).whole() for place in range(len(listed))]
        if terms.bits is not None and any(is_guarded(width) for each in understood for width in each.widths.values()):
            everything: dict[str | None, list[Release]] = {}
            for each in understood:
                for name, numbers in sharing(each.lines, each.bits).items():
                    everything.setdefault(name, []).extend(release for each in numbers for release in each.releases)
            shares = range(len(listed))  # guards mean less than one bit, which all numbers share
            understood = [self._one_of(listed, place, terms, past, everything) for place in shares]
        narrowest: dict[Release, Width] = {}
        for question in understood:
            for release, width in question.widths.items():
                narrowest[release] = narrower(width, narrowest.get(release, width))
        return [question.with_widths(narrowest) for question in understood]

    def _one_of(
        self, listed: list[str], place: int, terms: Terms, past: Past, beside: Beside | None = None
    ) -> Question:
        """A question of a batch. A refusal says which one it is."""
        try:
            return self.understood(listed[place], terms, past, beside)
        except InputError as wrong:
            raise type(wrong)(f"question {place + 1} of {len(listed)}: {wrong}") from None

    def understood(self, sql: str, terms: Terms, past: Past | None = None, beside: Beside | None = None) -> Question:
        """A question with its bins, if the custodian's rules allow it."""
        wanted = Wanted(terms.bits, terms.error, terms.stable)
        question = understand(sql, self.dataset, wanted, past or self.account.past(), beside)
        allowed = self.rules.applied(question, below_one(terms.bits))
        self.rules.check_price(lambda: Prices(self.dataset).count(allowed.widths))
        return allowed
