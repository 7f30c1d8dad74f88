"""The budget that follows from the entries of a journal, and how it is spent.

All state is a fold of the journal, so that any number of processes agree on it: before deciding anything an account
reads what others have appended, within the lock that lets it append.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from math import prod
from threading import RLock
from typing import Any

from noiseless.curator.display import bits_shown
from noiseless.curator.ledger.entry import CHARGED, Entry, damaged
from noiseless.curator.ledger.journal import Journal
from noiseless.curator.price import Prices, union
from noiseless.curator.question import Paid, Question
from noiseless.curator.releases.filtered_mean import FilteredMean
from noiseless.curator.releases.head_count import HeadCount
from noiseless.curator.releases.refined import RefinedTotal
from noiseless.curator.releases.release import Release, Released
from noiseless.curator.releases.total import Total
from noiseless.curator.releases.written import canonical, fields_of, part_fields
from noiseless.curator.widths import Widths
from noiseless.errors import BudgetExceededError, InputError
from noiseless.exact.answers import MOST_BITS, answers_within
from noiseless.exact.number import Number
from noiseless.privacy.composition import questions as composed
from noiseless.privacy.composition.sequence import EVERYBODY, Cell, Sequence, Step

EVERYBODY_ELSE = "*"
"""The quota that all analysts share who have none of their own."""


class Account:
    """Charges every release once, before it is computed. A failure in between stays charged, and its retry is free."""

    def __init__(self, journal: Journal, prices: Prices, quotas: Mapping[str, int] | None = None) -> None:
        self._journal = journal
        self._prices = prices
        self._quotas = quotas
        self._paid: set[str]
        self._means: set[str]
        self._widths: dict[str, set[int]]
        self._released: dict[str, Released]
        self._spent: dict[str, int]
        self._last: Entry | None
        self._sequence: Sequence | None
        self._forget()
        self._keys: dict[Paid, str] = {}
        self.lock = RLock()

    @property
    def sequence(self) -> Sequence:
        """The state of the budget, after all that anybody asked."""
        with self.lock:
            self._read()
            assert self._sequence is not None
            return self._sequence

    @property
    def bits_left(self) -> float:
        """What is left after the last entry that was read, rounded down."""
        assert self._sequence is not None
        return self._sequence.bits_left

    @property
    def opened(self) -> Mapping[str, Any] | None:
        """What was written when the dataset was opened first; None if it never was."""
        first = self._journal.since(0)[:1]
        return first[0].body if first else None

    def entries(self) -> list[Entry]:
        """All entries."""
        return self._journal.since(0)

    def open(self, budget: int, facts: Mapping[str, Any]) -> Mapping[str, Any]:
        """Begin the ledger of a dataset, unless it has begun; its facts either way."""
        with self._alone():
            if self._last is None:
                self._append("open", "", {"budget": str(budget), **facts})
        opened = self.opened
        assert opened is not None
        return opened

    def quote(self, batch: list[Widths]) -> tuple[int, Sequence | None]:
        """The factor that questions together would be charged now, and the budget after; None if it forbids them."""
        with self.lock:
            self._read()
            step = self._step(batch)
            if step is None:
                return 1, self._sequence
            return step.factor, step.after if step.after.spent() <= step.after.budget else None

    def reserve(self, questions: list[Question], analyst: str, max_bits: Number | None) -> Entry:
        """Charge what was not paid before; refused with nothing charged where budget, quota or `max_bits` forbid it."""
        batch = [question.widths for question in questions]
        with self._alone():
            step = self._step(batch)
            factor = 1 if step is None else step.factor
            self._check(factor, None if step is None else step.after, analyst, max_bits)
            unpaid = (
                [] if step is None else [pair for pair in union(batch).items() if self._key(pair) not in self._paid]
            )
            cells = {} if step is None else {name: step.after.cells[name] for name in step.factors}
            body = {
                "questions": [{"text": each.text, "widths": [*map(str, each.widths.values())]} for each in questions],
                "factor": str(factor),
                "paid": [[fields_of(release), str(width)] for release, width in unpaid],
                "cells": {name: _written(cell) for name, cell in cells.items()},
            }
            return self._append("ask", analyst, body)

    def quote_copy(self, fields: Mapping[str, Any], asked: composed.Question) -> tuple[int, Sequence | None]:
        """The factor that a released copy would be charged now, and the budget after; None if it forbids it."""
        with self.lock:
            self._read()
            step = self._copy_step(fields, asked)
            if step is None:
                return 1, self._sequence
            return step.factor, step.after if step.after.spent() <= step.after.budget else None

    def reserve_copy(
        self, fields: Mapping[str, Any], asked: composed.Question, text: str, analyst: str, max_bits: Number | None
    ) -> Entry:
        """Charge a released copy, which tells the same of everybody; the same copy again is free."""
        with self._alone():
            step = self._copy_step(fields, asked)
            factor = 1 if step is None else step.factor
            self._check(factor, None if step is None else step.after, analyst, max_bits)
            body = {
                "questions": [{"text": text, "widths": []}],
                "factor": str(factor),
                "paid": [] if step is None else [[fields, "1"]],
                "cells": {} if step is None else {name: _written(step.after.cells[name]) for name in step.factors},
            }
            return self._append("release", analyst, body)

    def _copy_step(self, fields: Mapping[str, Any], asked: composed.Question) -> Step | None:
        assert self._sequence is not None
        if canonical([fields, "1"]) in self._paid:
            return None
        return self._endless(dict.fromkeys(self._sequence.cells, asked))

    def missing(self, widths: Widths) -> Widths:
        """What was paid for and not yet computed."""
        return {
            release: width for release, width in widths.items() if self._key((release, width)) not in self._released
        }

    def derived(self, widths: Widths) -> list[tuple[Paid, Released]]:
        """Of what is missing, what follows from narrower bins that were released; it needs no data."""
        found: list[tuple[Paid, Released]] = []
        for release, width in widths.items():
            for finer in self.widths_known(release):
                known = self._released.get(self._key((release, finer)))
                if known is not None and width % finer == 0:
                    found.append(((release, width), (known[0] * finer // width,)))
                    break
        return found

    def commit(self, ask: Entry, analyst: str, found: Iterable[tuple[Paid, Released]]) -> None:
        """Keep what was computed, so that it is the same for ever."""
        with self._alone():
            new = [(self._key(paid), released) for paid, released in found if self._key(paid) not in self._released]
            if new:
                numbers = [[key, [str(number) for number in released]] for key, released in new]
                self._append("answer", analyst, {"ask": str(ask.number), "released": numbers})

    def released(self, widths: Widths) -> Mapping[Paid, Released]:
        """What was released of a question."""
        return {pair: self._released[self._key(pair)] for pair in widths.items()}

    def widths_known(self, release: Release) -> set[int]:
        """In which bins a total was released."""
        return self._widths.get(canonical(fields_of(release)), set())

    def close(self) -> None:
        """Let go of the journal."""
        self._journal.close()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Within, nobody else appends, and everything they did before is known; a failure leaves nothing behind."""
        with self.lock:
            before = self._last
            try:
                with self._journal.exclusive():
                    self._read()
                    before = self._last
                    yield
            except BaseException:
                if self._last is not before:  # what was folded in may not have been kept
                    self._forget()
                raise

    def _forget(self) -> None:
        """Begin again; the next reading makes up for it."""
        self._paid, self._means, self._widths, self._released, self._spent = set(), set(), {}, {}, {}
        self._last = self._sequence = None

    def _append(self, kind: Any, analyst: str, body: Mapping[str, Any]) -> Entry:
        entry = Entry.after(self._last, kind, analyst, body)
        self._journal.append(entry)
        self._fold(entry)
        return entry

    def _read(self) -> None:
        for entry in self._journal.since(0 if self._last is None else self._last.number + 1):
            if not entry.follows(self._last):
                raise damaged(entry.number)
            try:
                self._fold(entry)
                continue
            except (KeyError, ValueError, TypeError, AttributeError, AssertionError, InputError):
                pass
            raise damaged(entry.number)

    def _fold(self, entry: Entry) -> None:
        """What one more entry says."""
        body = entry.body
        if entry.kind == "open":
            self._sequence = self._prices.start(int(body["budget"]))
        elif entry.kind in CHARGED:
            assert self._sequence is not None
            cells = {name: _read_cell(cell) for name, cell in body["cells"].items()}
            self._sequence = replace(self._sequence, cells={**self._sequence.cells, **cells})
            self._spent[entry.analyst] = self._spent.get(entry.analyst, 1) * int(body["factor"])
            for fields, width in body["paid"]:
                self._pay(fields, int(width))
        elif entry.kind == "answer":
            for key, numbers in body["released"]:
                self._released.setdefault(key, tuple(map(int, numbers)))
        self._last = entry

    def _pay(self, fields: Mapping[str, Any], width: int) -> None:
        self._paid.add(canonical([fields, str(width)]))
        if fields["kind"] == "total":
            self._widths.setdefault(canonical(fields), set()).add(width)
        if fields["kind"] == "filtered mean":
            self._means.add(_part_of(fields))

    def _step(self, batch: list[Widths]) -> Step | None:
        """The step in a budget without end; None if there is nothing to pay for."""
        assert self._sequence is not None
        means = self._means | {canonical(part_fields(r.part)) for r in union(batch) if isinstance(r, FilteredMean)}
        questions = self._prices.questions([self._unpaid(widths, means) for widths in batch])
        return self._endless(questions) if questions else None

    def _endless(self, questions: Mapping[str, composed.Question]) -> Step:
        assert self._sequence is not None
        step = replace(self._sequence, budget=1 << MOST_BITS).ask(questions)
        return replace(step, after=replace(step.after, budget=self._sequence.budget))

    def _unpaid(self, widths: Widths, means: set[str]) -> dict[Release, int]:
        """What must be paid for: not what was, nor what follows from it; narrower bins only for what is new in them."""
        unpaid: dict[Release, int] = {}
        for release, width in widths.items():
            counted = isinstance(release, HeadCount) and canonical(part_fields(release.part)) in means
            known = self.widths_known(release) if isinstance(release, Total) else set()
            if self._key((release, width)) in self._paid or counted or any(width % finer == 0 for finer in known):
                continue
            coarser = [wide for wide in known if wide % width == 0 and self._confined(release, wide)]
            if isinstance(release, Total) and coarser:
                unpaid[RefinedTotal(release, min(coarser))] = width
            else:
                unpaid[release] = width
        return unpaid

    def _confined(self, release: Release, width: int) -> bool:
        """Whether the ledger knows that everybody in a total is within so many codes; batches may have hidden it."""
        assert self._sequence is not None
        names = [self._prices.cell(index) for index in release.part.cells] if self._prices.celled else [EVERYBODY]
        return all(self._sequence.cells[name].remaining[each] <= width for name in names for each in release.reads)

    def _check(self, factor: int, after: Sequence | None, analyst: str, max_bits: Number | None) -> None:
        assert self._sequence is not None
        price = f"the question costs {bits_shown(factor)} now"
        if max_bits is not None and factor > answers_within(max_bits, "max_bits"):
            raise BudgetExceededError(f"{price}, more than max_bits={max_bits}; nothing was charged")
        if after is not None and after.spent() > after.budget:
            raise BudgetExceededError(
                f"{price} and {self._sequence.bits_left:.4g} bits are left; nothing was charged: "
                f"ask with fewer bits or a larger error, or repeat what was asked before, which is free"
            )
        if self._quotas is None or factor == 1:
            return
        own = analyst in self._quotas
        sharing = [analyst] if own else [each for each in self._spent if each not in self._quotas]
        spent = prod(self._spent.get(each, 1) for each in sharing)
        quota = self._quotas.get(analyst if own else EVERYBODY_ELSE)
        if quota is None or spent * factor > quota:
            raise BudgetExceededError(
                f"{price}, more than is left of the quota of {analyst!r}; nothing was charged: repeat what was asked "
                f"before, which is free, or ask the custodian for a larger quota"
            )

    def _key(self, paid: Paid) -> str:
        if paid not in self._keys:
            release, width = paid
            self._keys[paid] = canonical([fields_of(release), str(width)])
        return self._keys[paid]


def _part_of(fields: Mapping[str, Any]) -> str:
    return canonical({name: fields[name] for name in ("cells", "rows", "condition", "reads", "changes", "whole")})


def _written(cell: Cell) -> dict[str, Any]:
    return {"product": str(cell.product), "remaining": {name: str(left) for name, left in cell.remaining.items()}}


def _read_cell(fields: Mapping[str, Any]) -> Cell:
    return Cell(int(fields["product"]), {name: int(left) for name, left in fields["remaining"].items()})
