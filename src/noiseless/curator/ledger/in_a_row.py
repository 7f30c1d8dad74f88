"""Several questions in a row about one column, and what they would have cost as one batch.

The advice follows from the ledger and the plans alone: texts, bins and charges, never from the data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from math import prod

from noiseless.curator.dataset.dataset import Dataset
from noiseless.curator.ledger.account import Account
from noiseless.curator.ledger.entry import Entry
from noiseless.curator.ledger.purchase import question_of
from noiseless.curator.ledger.texts import texts_of
from noiseless.curator.plan.condition import columns_read
from noiseless.curator.question.widths import Widths
from noiseless.curator.releases.release import Release
from noiseless.curator.schema.schema import Schema
from noiseless.errors import NoiselessError
from noiseless.exact.readable import bits_shown
from noiseless.exact.rounding import bits_up
from noiseless.privacy.composition.weights import Product

ROW = 10
"""With this many questions in a row comes advice."""
LEAST_SAVED = 0.1
"""Fewer bits saved than this are not worth a sentence."""
MOST_NUMBERS = 1000
"""Questions with more numbers than this get no advice, so that no printed answer has to wait."""


@dataclass(frozen=True, slots=True)
class Charged:
    """A question with its bins, and what it was charged or would be."""

    widths: Widths
    factor: Product

    @property
    def columns(self) -> frozenset[str]:
        """The columns that it reads."""
        return frozenset().union(*({*each.reads} | columns_read(each.part.condition) for each in self.widths))

    @property
    def cells(self) -> frozenset[int]:
        """The public cells that it is about."""
        return frozenset().union(*(each.part.cells for each in self.widths))


def advice(
    account: Account, dataset: Dataset, analyst: str, text: str, last: Charged, before: int | None = None
) -> Callable[[], str]:
    """What the last questions of an analyst would have cost as one batch. Empty if they share no private column.

    `before` is the number of the last question, if it is in the ledger already. Entries are read now; they are priced
    when somebody looks, which takes longer than to answer a question.
    """
    if last.factor == 1 or not 0 < len(last.widths) <= MOST_NUMBERS:
        return _nothing
    named, earlier = _named_in(text, dataset.schema.private), list[Sequence[Entry]]()
    for steps in account.questions_before(before) if named else ():
        named = _named_in(texts_of(steps[0])[0], named) if _is_alone(steps, analyst) else []
        if not named or not all(_is_short(step, dataset.schema) for step in steps):
            return _nothing
        earlier.append(steps)
        if len(earlier) == ROW - 1:
            return partial(account.alone, partial(_compared, account, dataset, named, earlier, last))
    return _nothing


def _nothing() -> str:
    return ""


def _compared(
    account: Account, dataset: Dataset, named: list[str], earlier: list[Sequence[Entry]], last: Charged
) -> str:
    """A sentence on what was paid one by one and what a batch would have cost. Empty if that is hardly less."""
    try:
        row = [*(_charged(account, dataset, steps) for steps in earlier), last]
    except NoiselessError:  # one of the questions was asked under an earlier schema
        return ""
    shared = reduce(frozenset.intersection, (each.columns for each in row))
    columns = [name for name in named if name in shared]
    if not columns or sum(len(each.widths) for each in row) > MOST_NUMBERS:
        return ""
    paid, price = _paid(row), account.quote_alone([each.widths for each in row])
    if bits_up(price.factor) > bits_up(paid) - LEAST_SAVED:
        return ""
    loud = "" if price.chance is None else f" if quiet, or {bits_shown(price.dearest)} if loud"
    return (
        f"this question and the {ROW - 1} before it are all about {', '.join(columns)}: {bits_shown(paid)} one by one; "
        f"declared together, as one batch, they would have cost {bits_shown(price.factor)}{loud}"
    )


def _named_in(text: str, columns: Iterable[str]) -> list[str]:
    """The columns whose names are in a text. The question may read fewer columns, but no others."""
    plain = text.lower()
    return [name for name in columns if name.lower() in plain]


def _is_alone(steps: Sequence[Entry], analyst: str) -> bool:
    """Whether an analyst asked a question by itself, and it is finished."""
    first = steps[0]
    return first.kind == "ask" and first.analyst == analyst and len(first.body.get("questions", ())) == 1


def _is_short(step: Entry, schema: Schema) -> bool:
    """Whether an entry has few numbers, counting those of every private group."""
    paid = (each["release"] for each in step.body.get("paid", ()))
    return sum(Release.of_kind(family["kind"]).how_many(family, schema) for family in paid) <= MOST_NUMBERS


def _charged(account: Account, dataset: Dataset, steps: Sequence[Entry]) -> Charged:
    return Charged(question_of(steps, 0, dataset).widths, prod(map(account.factor_of, steps)))


def _paid(row: Iterable[Charged]) -> Product:
    """What all these questions together cost the most charged public cell."""
    paid: dict[int, Product] = {}
    for each in row:
        for cell in each.cells:
            paid[cell] = paid.get(cell, 1) * each.factor
    return max(paid.values(), default=1)
