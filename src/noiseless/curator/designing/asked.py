"""Questions of a workload asked by themselves: what one costs, how certain it then is, and which are worth it.

Prices and errors are those of the ordinary path of a question. Without a prior only questions count that have one
price. With a prior an answer may be charged by what comes out. It is supposed to be quiet, and after a loud one nothing
more is asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from math import prod

from noiseless.curator.asking import Asking
from noiseless.curator.designing.served import HALF, Served
from noiseless.curator.designing.wanted import COUNT, OTHER, Number
from noiseless.curator.designing.workload import Wish
from noiseless.curator.ledger.charge import whole
from noiseless.curator.ledger.purchase import Purchase
from noiseless.curator.plan.plan import Aggregate
from noiseless.curator.question.question import Question
from noiseless.curator.question.steps import new_in
from noiseless.curator.terms import Terms
from noiseless.errors import BudgetExceededError, InputError
from noiseless.exact.answers import most_within
from noiseless.exact.number import Number as Bits
from noiseless.exact.rounding import bits_up

COUNTED = ("1", "1.585", "2", "3")
"""Bits that are tried for numbers in equal bins."""
LEAST = 1e-6
"""The least bits that gains are divided by."""
SHARES = (Fraction(1, 20), Fraction(1, 10), Fraction(1, 5))
"""Errors that are tried, as shares of the range, for numbers that are charged by the answer."""


@dataclass(frozen=True, slots=True, eq=False)
class Option:
    """A question on some terms: its steps, its largest error, and that as a share of the range."""

    place: int
    terms: Terms
    steps: tuple[Purchase, ...]
    error: Fraction
    share: Fraction
    kept: bool
    """Whether the error is kept whatever the data are: a mean under a condition needs enough rows."""
    bits: float
    """What it is expected to cost, if asked first."""
    quiet: float
    """The chance that every answer is quiet, if numbers may lie anywhere. 1 if it is not charged by the answer."""


@dataclass(frozen=True, slots=True)
class Asker:
    """Finds the terms on which questions can be asked within some bits. No question is asked."""

    asking: Asking
    wishes: Sequence[Wish]
    numbers: Sequence[Number]
    bits: Bits
    by_the_answer: bool
    """Whether prices by the answer count with their quiet price, as a prior allows."""
    _known: dict[int, list[Option]] = field(default_factory=dict)

    def options(self, place: int) -> list[Option]:
        """The terms on which a question can be asked with a known error, the least certain last."""
        if place not in self._known:
            self._known[place] = self._options(place)
        return self._known[place]

    def _options(self, place: int) -> list[Option]:
        found = []
        for terms in self._terms(place):
            try:
                steps = self.asking.planning.steps(self.wishes[place].text, terms)
            except (InputError, BudgetExceededError):
                continue
            if steps[-1].more or steps[-1].few or (worst := self._worst(place, steps[-1])) is None:
                continue
            purchases = tuple(Purchase.of_questions([step]) for step in new_in(steps))
            with suppress(BudgetExceededError):
                kept = not any(step.centred for step in steps)
                found.append(Option(place, terms, purchases, *worst, kept, *self._expected(purchases)))
        return sorted(found, key=lambda each: each.share)

    def _terms(self, place: int) -> Iterator[Terms]:
        ranges = self.ranges(place)
        if not ranges:
            return
        if all(number.kind == COUNT for number in self._of(place)):
            yield Terms()
        yield from (Terms(bits=bits) for bits in COUNTED)
        if not self.by_the_answer:
            return
        for share in SHARES:
            errors = {label: max(each * share, self.wishes[place].error) for label, each in ranges.items()}
            [error, *more] = dict.fromkeys(errors.values())
            yield Terms(error=errors if more else error)

    def _of(self, place: int) -> list[Number]:
        return [number for number in self.numbers if number.question == place]

    def _expected(self, steps: Sequence[Purchase]) -> tuple[float, float]:
        """The bits of a quiet answer and of a loud one, by the chance of each, and the chance that all are quiet."""
        prices = self.asking.account.quote_each(steps)
        chances = [float(each.chance or 0) for each in prices]
        both = [(bits_up(each.factor), bits_up(each.dearest)) for each in prices]
        bits = sum((1 - chance) * quiet + chance * loud for chance, (quiet, loud) in zip(chances, both, strict=True))
        return bits, prod(1 - chance for chance in chances)

    def ranges(self, place: int) -> Mapping[str, Fraction]:
        """The smallest range of every number that is shown, by its label. Empty if one of them has none."""
        of_aggregates: dict[Aggregate, Fraction] = {}
        for number in self._of(place):
            if number.kind == OTHER or not number.range:
                return {}
            known = of_aggregates.get(number.aggregate, number.range)
            of_aggregates[number.aggregate] = min(known, number.range)
        found = {}
        steps = self._planned(place)
        for item in () if steps is None else steps.plan.items:
            if isinstance(item.expression, Aggregate) and item.expression in of_aggregates:
                found[item.label] = of_aggregates[item.expression]
        return found

    def _planned(self, place: int) -> Question | None:
        try:
            return self.asking.planning.steps(self.wishes[place].text, Terms(bits=16))[-1]
        except (InputError, BudgetExceededError):
            return None

    def _worst(self, place: int, question: Question) -> tuple[Fraction, Fraction] | None:
        """The error of the number with the largest share of its range, and that share. None if one is not known."""
        ranges, found = self.ranges(place), [(Fraction(0), Fraction(0))]
        for row in question.expected():
            for label, error in row["errors"].items():
                if error is None or label not in ranges:
                    return None
                found.append((min(HALF, Fraction(error) / ranges[label]), Fraction(error)))
        share, error = max(found)
        return error, share

    def affordable(self, steps: Sequence[Purchase]) -> bool:
        """Whether the bits pay for these steps one after another, in the worst case or if earlier steps are quiet."""
        try:
            prices = self.asking.account.quote_each(steps)
        except BudgetExceededError:
            return False
        spent, most = Fraction(1), most_within(self.bits)
        for price in prices:
            if not price.affordable or spent * Fraction(price.dearest) > most:
                return False
            spent *= Fraction(price.factor)
        return True

    def added(self, before: Sequence[Purchase], losses: Sequence[float], most: int, widest: Fraction) -> list[Option]:
        """Questions to ask after some steps, with errors of at most `widest` of their ranges.

        First those that gain most for a bit, while the bits last.
        """
        gains = []
        for place, loss in enumerate(losses):
            for option in self.options(place) if loss > 0 else ():
                gain = loss - float(self.loss(option))
                if gain > 0 and option.share <= widest:
                    gains.append((-gain / max(option.bits, LEAST), place, option))
        steps, chosen = list(before), dict[int, Option]()
        for _, place, option in sorted(gains, key=lambda each: each[:2]):
            if len(chosen) < most and place not in chosen and self.affordable([*steps, *option.steps]):
                chosen[place] = option
                steps += option.steps
        return list(chosen.values())

    def loss(self, option: Option) -> Fraction:
        """The loss of the question if it is asked on these terms."""
        return Served(self.wishes[option.place], option.error, option.share, option.share).loss

    def served(self, option: Option, before: Sequence[Purchase], otherwise: Served) -> Served:
        """The question as it is asked after some steps, with its price."""
        prices = self.asking.account.quote_each([*before, *option.steps])[len(before) :]
        price = prod((Fraction(each.factor) for each in prices), start=Fraction(1))
        dearest = prod((Fraction(max(each.factor, each.dearest)) for each in prices), start=Fraction(1))
        wish, promised = self.wishes[option.place], option.kept and option.quiet == 1
        sure = option.share if promised else otherwise.share
        return Served(wish, option.error, option.share, sure, option.terms, whole(price), whole(dearest))
