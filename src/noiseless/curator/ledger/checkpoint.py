"""The folded state of a ledger, written now and then, so that opening it need not fold every entry again.

An entry may carry the hash of a checkpoint: the state that the entries before it give, as a text that is kept in a row
beside the entries. So a checkpoint is bound into the chain as firmly as an entry. A reader who lost it, or does not
know checkpoints, folds the entries instead. Parts of the state that only grow are stored as what came since the
checkpoint before, which is named by its hash.

Source: docs/decisions/0024-checkpoints.md
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import islice, zip_longest
from typing import Any

from noiseless.curator.ledger.accounts import accounts_in
from noiseless.curator.ledger.compact import PaidKey, read_width, rolled, unrolled
from noiseless.curator.ledger.entry import Entry, Kind, Link, damaged_error
from noiseless.curator.ledger.ground import Ground
from noiseless.curator.ledger.journal import Checkpoint, Journal
from noiseless.curator.ledger.settled import Settled
from noiseless.curator.ledger.state import State
from noiseless.curator.releases.release import Width
from noiseless.curator.releases.written import canonical, spans
from noiseless.errors import LedgerError
from noiseless.privacy.composition.sequence import Cell
from noiseless.privacy.composition.weights import Product

FORMAT, WITH_DECISIONS = "1", "2"
"""Decisions of the custodian are in format 2, which earlier versions refuse."""
EVERY, MOST_UNKEPT = 500, 1 << 22
"""A checkpoint is due after this number of entries, or when their bodies have this number of characters."""
CARRIERS: tuple[Kind, ...] = ("ask", "answer", "release")
DIGITS = 64
"""The number of characters of a hash."""
REASONS = (ValueError, TypeError, AttributeError, ArithmeticError, LookupError, AssertionError, RecursionError)
Kept = tuple[Checkpoint, dict[str, Any]]
"""A checkpoint and the fields in its text."""
Read = Callable[[Sequence[int]], list[Entry]]


def is_due(state: State, kind: Kind) -> bool:
    """Whether an entry of this kind should carry a checkpoint. Only speed depends on it."""
    since = len(state.hashes) - (0 if state.mark is None else state.mark.number)
    return kind in CARRIERS and "cells" in state.facts and (since >= EVERY or state.unkept >= MOST_UNKEPT)


def written(state: State, whole: bool = False) -> Checkpoint:
    """The checkpoint of a state: what came since the checkpoint before, or with `whole` all of it."""
    mark = None if whole else state.mark
    hashes, questions, first, paid, implied, released, settled = (0,) * 7 if mark is None else mark.sizes
    texts = _Texts()
    numbers = list(islice(state.released.items(), released, None))
    decisions = state.custody.fields()
    fields = {
        "format": WITH_DECISIONS if decisions else FORMAT,
        "before": [] if mark is None else [mark.number, mark.digest],
        "facts": state.facts if mark is None else {},
        "schemas": state.schemas,
        "spent": [[name, str(product)] for name, product in state.settled_spent.items()],
        "cells": _cells(state),
        "levels": list(state.levels.items()),
        "unfinished": list(state.unfinished.items()),
        "open": list(state.open),
        "columned": state.columned,
        "hashes": "".join(state.hashes[hashes:]),
        "questions": state.questions[questions:],
        "first": list(islice(state.first.items(), first, None)),
        "paid": rolled(_paid(state, islice(state.paid.items(), paid, None), texts)),
        "implied": [[texts.place(text), cells] for text, cells in islice(state.implied_facts, implied, None)],
        "released": rolled(
            (cells, (texts.place(text), str(width), rest)) for (text, cells, width), (_, rest) in numbers
        ),
        "numbers": [found for _, (found, _) in numbers],
        "settled": [
            [number, str(each.factor), each.answer, each.loud, each.louds]
            for number, each in islice(state.settled.items(), settled, None)
        ],
        "texts": list(texts.places),
    }
    fields |= {"decisions": decisions} if decisions else {}
    return Checkpoint(len(state.hashes), canonical(fields))


class _Texts:
    """A list of texts, each written once and then named by its place."""

    def __init__(self) -> None:
        self.places: dict[str, int] = {}

    def place(self, text: str) -> int:
        return self.places.setdefault(text, len(self.places))


def _paid(state: State, paid: Iterable[tuple[PaidKey, int]], texts: _Texts) -> Iterator[tuple[str, tuple[Any, ...]]]:
    for (text, cells, width), number in paid:
        yield cells, (texts.place(text), str(width), number, width in state.widths.get((text, cells), ()))


def _cells(state: State) -> list[Any]:
    """Accounts that are alike, what was spent on them, and what is left of the columns that were narrowed."""
    fresh = state.fresh().remaining
    alike: dict[str, tuple[list[int], list[Any]]] = {}
    for place, name in enumerate(state.names):
        if (cell := state.charged_cells.get(name)) is not None:
            left = {column: width for column, width in cell.remaining.items() if width != fresh.get(column)}
            rest = [str(cell.product), left]
            alike.setdefault(canonical(rest), ([], rest))[0].append(place)
    return [[spans(cells), *rest] for cells, rest in alike.values()]


def latest(journal: Journal) -> list[Kept]:
    """The last checkpoint and those that it continues, oldest first. Empty if there are none or one was lost."""
    found: list[Kept] = []
    number: int | None = None
    while (checkpoint := journal.checkpoint(number)) is not None:
        found.append((checkpoint, fields_of(checkpoint)))
        before = found[-1][1]["before"]
        if not before:
            return found[::-1]
        number = before[0]
        if type(number) is not int or number >= checkpoint.number:
            raise checkpoint_error(checkpoint.number)
    return []


def restored(ground: Ground, checkpoints: Sequence[Kept], read: Read) -> State:
    """The state that the last of these checkpoints has, each of which continues the one before.

    Refused if one does not match what the next one says. The entry that carries the last one must confirm it.
    """
    state, before = State(ground), list[Any]()
    for place, (checkpoint, fields) in enumerate(checkpoints, 1):
        try:
            if fields["before"] != before:
                raise ValueError("another checkpoint")
            _add(state, fields)
            if len(state.hashes) != checkpoint.number:
                raise ValueError("entries that it does not have")
            before = [checkpoint.number, checkpoint.digest]
            if place == len(checkpoints):
                _finish(state, fields, read)
        except REASONS:
            raise checkpoint_error(checkpoint.number) from None
    return state


def fields_of(checkpoint: Checkpoint) -> dict[str, Any]:
    """The fields in the text of a checkpoint."""
    try:
        fields: dict[str, Any] = json.loads(checkpoint.text)
        if fields["format"] in (FORMAT, WITH_DECISIONS) and isinstance(fields["before"], list):
            return fields
    except REASONS:
        pass
    raise checkpoint_error(checkpoint.number)


def spent_in(fields: Mapping[str, Any], names: list[str]) -> dict[str, Product]:
    """What was spent on each account when a checkpoint was written; nothing on those that are left out."""
    said = ((accounts_in(cells, names), _product(product)) for cells, product, _ in fields["cells"])
    return {name: product for accounts, product in said for name in accounts}


def _add(state: State, fields: Mapping[str, Any]) -> None:
    """Add the fields that only grow."""
    if fields["facts"]:
        state.declare(fields["facts"])
    texts, hashes = fields["texts"], fields["hashes"]
    state.hashes += [hashes[place : place + DIGITS] for place in range(0, len(hashes), DIGITS)]
    state.questions += fields["questions"]
    for number, start in fields["first"]:
        state.first[number] = start
        state.later.setdefault(start, []).append(number)
    for cells, place, written_width, number, narrows in unrolled(fields["paid"]):
        text, width = texts[place], _width(written_width)
        state.paid[text, cells, width] = number
        state.bins.setdefault((text, cells), []).append(width)
        if narrows:
            state.widths.setdefault((text, cells), set()).add(width)
    state.implied_facts |= {(texts[place], cells): None for place, cells in fields["implied"]}
    for (cells, place, written_width, rest), numbers in zip(
        unrolled(fields["released"]), fields["numbers"], strict=True
    ):
        state.released[texts[place], cells, _width(written_width)] = tuple(numbers), rest
    for number, factor, answer, loud, louds in fields["settled"]:
        state.settled[number] = Settled(Fraction(factor), answer, loud, tuple(louds))


def _finish(state: State, fields: Mapping[str, Any], read: Read) -> None:
    """Set the fields that the last checkpoint holds as a whole."""
    state.last = Link(len(state.hashes) - 1, state.hashes[-1], "")
    state.schemas = fields["schemas"]
    state.settled_spent = {name: _product(product) for name, product in fields["spent"]}
    for cells, product, left in fields["cells"]:
        for name in accounts_in(cells, state.names):
            state.charged_cells[name] = Cell(_product(product), left)
    state.levels = {topic: (asked, coarser) for topic, (asked, coarser) in fields["levels"]}
    state.unfinished = {number: [(*shape,) for shape in shapes] for number, shapes in fields["unfinished"]}
    if "decisions" in fields:

        def entries(numbers: list[int]) -> Sequence[Entry]:
            return unchanged(read(numbers), numbers, state.hashes)

        state.custody.restore(fields["decisions"], entries, state.names)
    for entry in unchanged(read(fields["columned"]), fields["columned"], state.hashes):
        state.read_columns(entry)
    for entry in unchanged(read(fields["open"]), fields["open"], state.hashes):
        state.reopen(entry)


def unchanged(entries: Sequence[Entry], numbers: Sequence[int], hashes: Sequence[str]) -> Sequence[Entry]:
    """These entries. Refused unless they have these numbers and hashes."""
    for number, entry in zip_longest(numbers, entries):
        before = Link(number - 1, hashes[number - 1], "") if number else None
        if entry is None or entry.hash != hashes[number] or not entry.follows(before):
            raise damaged_error(number)
    return entries


@cache
def _width(text: str) -> Width:
    return read_width(text)


def _product(text: str) -> Product:
    product = Fraction(text)
    return int(product) if product.denominator == 1 else product


def checkpoint_error(number: int) -> LedgerError:
    """The error for a checkpoint that is not the one whose hash its entry carries."""
    return LedgerError(
        f"the checkpoint of entry {number} of the ledger is not what was written; restore the ledger from a backup"
    )
