"""Find what to release so that a workload becomes free, before anything is spent.

The base table is found by `search`, for several numbers of cells. The rest of the bits buys single questions, where
these are worth more than more cells. Everything follows from the schema, the workload, the prior and the ledger: the
data are not read.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor, prod
from typing import Any

import numpy as np

from noiseless.curator.asking import Asking
from noiseless.curator.dataset.dataset import Dataset
from noiseless.curator.designing.against import Way, one_batch, one_by_one
from noiseless.curator.designing.asked import Asker, Option
from noiseless.curator.designing.base import Base
from noiseless.curator.designing.candidates import candidates
from noiseless.curator.designing.clock import Clock
from noiseless.curator.designing.designed import Design
from noiseless.curator.designing.expected import expected_shares
from noiseless.curator.designing.search import Chosen, Floats, Judge, Options, both, improved
from noiseless.curator.designing.served import HALF, Served, from_base
from noiseless.curator.designing.wanted import numbers_of
from noiseless.curator.designing.workload import Wish, wishes
from noiseless.curator.ledger.purchase import Purchase
from noiseless.curator.microdata.copy import copied_rows
from noiseless.curator.microdata.plan import Wanted, plan_copy
from noiseless.curator.microdata.prior import Shares, shares_of
from noiseless.curator.question.reading import meaning
from noiseless.curator.terms import Terms
from noiseless.errors import BudgetError
from noiseless.exact.answers import answers_within
from noiseless.exact.number import Number as Bits
from noiseless.exact.number import exact_number, shown
from noiseless.exact.readable import bits_left_shown
from noiseless.privacy.composition.several_rows import histogram_answers

MOST_CELLS = 10_000
"""A base table has at most this number of cells, with those of public groups: deductions from it stay quick."""
SPARED = (1, 2, 4, 16, 64)
"""The base table is tried with all cells that the bits allow, and with this many times fewer."""
WIDEST = Fraction(1, 5), Fraction(1, 10), Fraction(1, 20)
"""Questions are asked with errors of at most these shares of their ranges."""
MOST_ASKED = 60
"""At most this number of questions are asked by themselves."""


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """One way to spend the bits: a base table, questions asked after it, and the losses that are left."""

    base: Base
    options: tuple[Option, ...]
    losses: Floats

    @property
    def key(self) -> tuple[float, float, int]:
        """The largest loss, the mean, and the number of questions to pay for."""
        return *both(self.losses), len(self.options)


@dataclass(frozen=True, slots=True, eq=False)
class Drawing:
    """What all designs for a workload share, and how one is drawn."""

    asker: Asker
    judge: Judge
    columns: Sequence[Options]
    public: tuple[str, ...]
    copy: bool
    clock: Clock

    def all_drawn(self, cells: int) -> Iterator[Drawn]:
        """A base table with at most this number of cells, and the questions that the rest of the bits can buy."""
        chosen = improved(self.judge, self.columns, cells, None, self.clock.go_on)
        for widest in WIDEST if self.asker.by_the_answer else WIDEST[:1]:
            yield self.drawn(chosen, widest)

    def drawn(self, chosen: Chosen, widest: Fraction) -> Drawn:
        """A base table, and questions with errors of at most some share of their ranges."""
        losses, base = self.judge.losses(chosen), Base.of([each.division for each in chosen], self.public)
        options = self.asker.added(self.before(base), list(losses), MOST_ASKED, widest)
        if not options:
            return Drawn(base, (), losses)
        asked = np.full(len(losses), np.inf)
        quiet = 1.0
        for option in options:  # after a loud answer, the rest may be refused
            own, other = float(self.asker.loss(option)), losses[option.place]
            asked[option.place] = quiet * own + (1 - quiet) * other
            quiet *= option.quiet
        again = improved(self.judge, self.columns, base.cells, asked, self.clock.go_on, chosen)
        base = Base.of([each.division for each in again], self.public)
        return Drawn(base, tuple(options), self.judge.losses(again, asked))

    def before(self, base: Base) -> list[Purchase]:
        """The base table as the ledger books it."""
        dataset = self.asker.asking.dataset
        if not base.divisions:
            return []
        if self.copy:
            return [Purchase.of_copy(copied_rows(plan_copy(dataset, Wanted(**base.copy(dataset))), dataset))]
        steps = self.asker.asking.planning.steps(base.text(dataset), Terms())
        return [Purchase.of_questions([step]) for step in steps]


def design(
    asking: Asking,
    questions: Any,
    bits: Bits | None,
    prior: Mapping[str, Any] | None,
    copy: bool,
    seconds: Bits,
) -> Design:
    """The release that serves some questions best."""
    wanted, dataset, clock = wishes(questions), asking.dataset, Clock.of(seconds)
    given, shares = _bits(asking, bits), None if prior is None else shares_of(dataset.schema, prior)
    numbers, public = numbers_of(wanted, dataset), _public(wanted, dataset)
    most = _most_cells(dataset, given, public, copy)
    names = dataset.schema.private
    columns = [Options.of(candidates(name, numbers, dataset, most, shares, copy)) for name in names]
    asker = Asker(asking, wanted, numbers, given, shares is not None)
    drawing = Drawing(asker, Judge.of(wanted, numbers), columns, public, copy, clock)
    ways = one_by_one(asker), one_batch(asker)
    best: Drawn | None = None
    for spared in (*(each for each in SPARED if each < most), most):
        for drawn in drawing.all_drawn(most // spared) if best is None or clock.go_on() else ():
            best = drawn if best is None or drawn.key < best.key else best
    clock.end()
    assert best is not None
    return _priced(drawing, best, shares, ways)


def _priced(drawing: Drawing, best: Drawn, shares: Shares | None, ways: tuple[Way, ...]) -> Design:
    """The design with its prices, in the order in which it is carried out."""
    asker, before = drawing.asker, drawing.before(best.base)
    base_price = asker.asking.account.quote_steps(before) if before else None
    served = from_base(asker.wishes, asker.numbers, best.base.divisions)
    for option in best.options:
        served[option.place] = asker.served(option, before, served[option.place])
        before += option.steps
    if shares is not None:
        served = _with_expected(served, asker.asking.dataset, best.base, shares)
    return Design(
        asking=asker.asking,
        served=tuple(served),
        order=tuple(option.place for option in best.options),
        quiet=prod(option.quiet for option in best.options),
        bits=asker.bits,
        base=best.base,
        copied=drawing.copy,
        price=1 if base_price is None else base_price.factor,
        prior=() if shares is None else shares.declared,
        ways=ways,
        stopped=drawing.clock.stopped,
    )


def _with_expected(served: Sequence[Served], dataset: Dataset, base: Base, shares: Shares) -> list[Served]:
    """The questions with their mean shares over tables from the prior, or their asked shares if smaller."""
    found = expected_shares([each.wish.text for each in served], dataset, base, shares)
    own = [each.share if each.asked is not None else HALF for each in served]
    both_ways = zip(served, found, own, strict=True)
    return [replace(each, expected=min(mean, float(asked))) for each, mean, asked in both_ways]


def _bits(asking: Asking, bits: Bits | None) -> Bits:
    """The bits to spend: by default all that are left."""
    left = asking.account.bits_left
    if bits is None:
        return Fraction(floor(left * 1000), 1000)
    answers_within(bits)
    if exact_number(bits, "bits") > Fraction(left) + Fraction(1, 1000):
        raise BudgetError(f"bits={shown(bits)} are more than the {bits_left_shown(left)} left; design with fewer")
    return bits


def _public(wanted: Iterable[Wish], dataset: Dataset) -> tuple[str, ...]:
    """The public columns that some question reads."""
    read = frozenset[str]().union(*(meaning(wish.text, dataset)[0].grouped_by for wish in wanted))
    return tuple(name for name, column in dataset.schema.public.items() if name in read and column.keys)


def _most_cells(dataset: Dataset, bits: Bits, public: Iterable[str], copy: bool) -> int:
    """The most cells that the bits pay for, and no more than are quick to look at."""
    answers, rows = answers_within(bits), dataset.schema.rows
    groups = prod(len(dataset.schema.public[name].keys) for name in public)

    def fits(cells: int) -> bool:
        return (cells**rows if copy else histogram_answers(rows, cells)) <= answers

    return bisect_left(range(1, max(1, MOST_CELLS // groups) + 1), True, key=lambda cells: not fits(cells)) or 1
