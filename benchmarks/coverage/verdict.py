"""Our verdict on each question: accepted or why not, at what price, and how certain the answer is."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field
from datetime import timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any

import noiseless as nl
from benchmarks.coverage import tables
from noiseless.curator.ledger.account import Account
from noiseless.curator.ledger.journal import MemoryJournal
from noiseless.curator.question.price import Prices
from noiseless.curator.releases.reported import Reported

BUDGET = 1000
BITS = (6, 12, 24, 48)
"""The price that a question may have: the first of these that is enough."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """One question. If it is accepted, `refused` is empty.

    `price` is what it is charged on a new ledger, in bits; where it is charged by the answer, quiet and loud. `errors`
    has half the widest interval of each number of the answer, by its label.
    """

    schema: str
    place: int
    sql: str
    refused: str = ""
    price: str = ""
    errors: tuple[tuple[str, Fraction], ...] = ()
    answer: nl.Answer | None = field(default=None, repr=False, compare=False)

    @property
    def accepted(self) -> bool:
        return not self.refused


def verdicts(schema: str) -> list[Verdict]:
    """All questions about one schema, each with a new ledger."""
    with tempfile.TemporaryDirectory() as folder, nl.Curator.open(tables.write(schema, Path(folder))) as curator:
        return [_verdict(_anew(curator), schema, place, sql) for place, sql in enumerate(tables.questions(schema), 1)]


def _anew(curator: nl.Curator) -> nl.Curator:
    """The same table and views with nothing asked yet."""
    account = Account(MemoryJournal(), Prices(curator._dataset))
    account.open(2**BUDGET, {"id": curator.dataset, "name": curator.name})
    found = nl.Curator(curator._dataset, account)
    found._views = {name: _anew(view) for name, view in curator._views.items()}
    found._expressions = curator._expressions
    return found


def _previewed(curator: nl.Curator, sql: str) -> tuple[int, nl.Preview] | str:
    """The bits given and what the question would cost, or why it is refused whatever it may cost."""
    for bits in BITS:
        try:
            return bits, curator.preview(sql, bits=bits)
        except nl.NoiselessError as refusal:
            reason = str(refusal)
    return reason


def _verdict(curator: nl.Curator, schema: str, place: int, sql: str) -> Verdict:
    found = _previewed(curator, sql)
    if isinstance(found, str):
        return Verdict(schema, place, sql, refused=found)
    bits, preview = found
    try:
        answer = curator.ask(sql, bits=bits)
    except nl.NoiselessError as refusal:
        return Verdict(schema, place, sql, refused=str(refusal))
    return Verdict(schema, place, sql, price=_price(preview), errors=_errors(answer), answer=answer)


def _price(preview: nl.Preview) -> str:
    quiet, loud = preview.quiet, preview.loud
    return f"{preview.cost:.3g}" if loud is None or loud == quiet else f"{quiet:.3g} or {loud:.3g}"


def _errors(answer: nl.Answer) -> tuple[tuple[str, Fraction], ...]:
    """Half of the widest interval of each number, over all rows of the answer that have one."""
    return tuple(
        (label, max((_half(row[label]) for row in answer.rows if row[label] is not None), default=Fraction(0)))
        for label in answer.numbers
    )


def _half(number: Any) -> Fraction:
    if not isinstance(number, Reported):
        return Fraction(0)  # a text that followed from numbers
    width = number.upper - number.lower
    return Fraction(width.days if isinstance(width, timedelta) else width) / 2
