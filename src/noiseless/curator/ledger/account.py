"""The budget computed from the entries of a journal, and how it is spent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Sequence as Seq
from dataclasses import replace
from fractions import Fraction
from functools import partial
from logging import getLogger
from math import prod
from typing import Any

from noiseless.curator.ledger.about import About
from noiseless.curator.ledger.alike import alike, released_columns, released_of_each
from noiseless.curator.ledger.charge import Charge, Price, bits_between, payers, price_of, together
from noiseless.curator.ledger.compact import PaidKey, released_fields
from noiseless.curator.ledger.copies import Copy, copies_in
from noiseless.curator.ledger.custody import Custody
from noiseless.curator.ledger.deciding import Decided, Deciding, Terms
from noiseless.curator.ledger.due import Due
from noiseless.curator.ledger.entry import Entry, analyst_name
from noiseless.curator.ledger.followed import Followed
from noiseless.curator.ledger.formats import FORMAT, WITH_DECISIONS
from noiseless.curator.ledger.gate import Gate, held_error
from noiseless.curator.ledger.grants import Grants
from noiseless.curator.ledger.journal import Journal
from noiseless.curator.ledger.packed import LARGEST
from noiseless.curator.ledger.purchase import Purchase
from noiseless.curator.ledger.settled import Units
from noiseless.curator.ledger.state import State
from noiseless.curator.plan.recent import remember
from noiseless.curator.question.groups import Groups
from noiseless.curator.question.past import Past
from noiseless.curator.question.price import Prices
from noiseless.curator.question.remembered import Once
from noiseless.curator.question.widths import Widths
from noiseless.curator.releases.release import Integers, Paid, Release, Released, Width, as_bins
from noiseless.exact.answers import most_within
from noiseless.exact.number import Number
from noiseless.privacy.composition.sequence import Sequence
from noiseless.privacy.composition.weights import Product
from noiseless.privacy.quantizers.ladder import Ladder

RECALLED = getLogger("noiseless.recalled")
"""Logs who recalled a question. This is not in the ledger, because nothing changes."""
MOST_RECENT = 30
"""How many of the last entries are kept in memory. Questions are compared with them."""


class Account(Followed):
    """Charges every release once, before it is computed.

    If computing fails, the charge stays and a retry is free.
    """

    def __init__(
        self, journal: Journal, prices: Prices, quotas: Mapping[str, int] | None = None, grants: Grants = tuple
    ) -> None:
        super().__init__(journal, prices)
        self._quotas = quotas
        self._keys: dict[Paid, PaidKey] = {}
        self._due = Due(prices, self._key)
        self.grants = grants
        self._deciding = Deciding(self._due, quotas, grants, prices.declared)
        self._recently_read: dict[str, Entry] = {}
        self._about: dict[tuple[tuple[str, ...], tuple[str, ...]], About] = {}

    @property
    def sequence(self) -> Sequence:
        """The state of the budget after everything asked so far, in any process."""
        return self.alone(lambda: self._read().sequence)

    @property
    def bits_left(self) -> float:
        """What is left after the last entry that was read, rounded down."""
        return self._state.sequence.bits_left

    def read(self, numbers: Seq[int]) -> Seq[Entry]:
        """Some entries by their numbers."""
        return self.alone(lambda: self._entries(numbers))

    def known(self) -> Mapping[str, Any]:
        """The facts written when the dataset was first opened or last changed. Empty if it was never opened."""
        return self.alone(lambda: _facts(self._read()))

    def open(self, budget: int, facts: Mapping[str, Any]) -> Mapping[str, Any]:
        """Begin the ledger of a dataset if it has not begun. Returns its facts either way."""
        body = {"format": FORMAT, "budget": str(budget), **facts, "cells": self._prices.names()}
        self._append(lambda state: None if state.last is not None else ("open", "", body))
        return self.known()

    def change(self, decide: Callable[[Mapping[str, Any]], Mapping[str, Any] | None]) -> None:
        """Continue the dataset under new facts, which `decide` computes from the old ones. None changes nothing."""

        def decided(state: State) -> Decided | None:
            body = decide(_facts(state))
            return None if body is None else ("change", "", {"format": FORMAT, **body})

        self._append(decided)
        self._opened = True

    def quote(self, purchase: Purchase, max_bits: Number | None = None) -> Price:
        """What a purchase would be charged now."""
        return self.quote_steps([purchase], max_bits)

    def quote_steps(
        self, steps: Iterable[Purchase], max_bits: Number | None = None, gate: Gate | None = None, analyst: str = ""
    ) -> Price:
        """What purchases one after another would be charged, if every one before the last is quiet."""
        return together(self.quote_each(steps, max_bits, gate, analyst))

    def quote_each(
        self, steps: Iterable[Purchase], max_bits: Number | None = None, gate: Gate | None = None, analyst: str = ""
    ) -> list[Price]:
        """What each purchase would be charged. What one of them pays for is free for the next.

        Narrower bins of the same sum are priced as if they were new. What a hold reserves for these purchases counts as
        theirs.
        """
        most = None if max_bits is None else most_within(max_bits, "max_bits")

        def quoted() -> list[Price]:
            state = self._read()
            after = state.without(None if gate is None else gate.hold(state, analyst))
            left, prices = most, list[Price]()
            earlier: set[PaidKey] = set()
            for step in steps:
                batch = self._due.sure(state, step).batch
                price = price_of(after, self._due.priced(state, batch, left, after, earlier))
                prices.append(price if left is None or price.dearest <= left else replace(price, affordable=False))
                after, left = price.after, None if left is None else left / price.factor
            return prices

        return self.alone(quoted)

    def quota_left(self, analyst: str) -> Fraction | None:
        """The largest price that the quotas of an analyst allow now. None if there are none."""
        return self.alone(lambda: self._deciding.quota_left(self._read(), analyst))

    def quote_alone(self, batch: Iterable[Widths]) -> Price:
        """What questions would be charged together, if nothing had been asked yet."""
        fresh = State(self._prices)
        fresh.declare(self._state.facts)
        return price_of(fresh.sequence, self._due.priced(fresh, list(batch)))

    def reserve(
        self,
        purchase: Purchase,
        analyst: str,
        max_bits: Number | None,
        steps: Iterable[Charge] = (),
        bits: Number | None = None,
        gate: Gate | None = None,
    ) -> Charge:
        """Charge what was not paid before. Refused, with nothing charged, if budget, quota or `max_bits` forbid it.

        What earlier `steps` of the same questions were charged counts towards `max_bits`. Numbers that are charged by
        the answer are reserved with their dearest price, and `bits` bounds the price of their quiet outcome. What the
        `gate` stops is put on hold instead.
        """
        earlier = list(steps)
        charged = prod((Fraction(each.factor) for each in earlier), start=Fraction(1))
        name = analyst_name(analyst)
        most = None if max_bits is None else most_within(max_bits, "max_bits") / charged

        terms = Terms(name, max_bits, most, bits, gate, charged)
        decided = partial(self._deciding.charge, purchase=purchase, terms=terms)
        return self._charged(decided, [self._key(pair) for pair in purchase.releases], name, gate)

    def hold(self, steps: Iterable[Purchase], analyst: str, max_bits: Number | None, gate: Gate) -> None:
        """Put a whole question on hold if the `gate` stops it, before the first of its steps is charged."""
        most = None if max_bits is None else most_within(max_bits, "max_bits")
        terms = Terms(analyst_name(analyst), max_bits, most, None, gate)
        decided = partial(self._deciding.hold, purchases=list(steps), terms=terms)
        self._put_on_hold(self.record(decided), gate)

    def record(self, decide: Callable[[State], Decided | None]) -> Entry | None:
        """Append a decision, if `decide` makes one."""

        def decided(state: State) -> Decided | None:
            found = decide(state)
            return None if found is None else self._deciding.upgraded(state, WITH_DECISIONS) or found

        entry = self._append(decided)
        return self.record(decide) if entry is not None and entry.kind == "change" else entry

    @property
    def custody(self) -> Custody:
        """What the custodian and the analysts have decided, in any process."""
        return self.alone(lambda: self._read().custody)

    def _put_on_hold(self, entry: Entry | None, gate: Gate | None) -> None:
        """Raise the refusal of a question on hold, if the entry is a hold."""
        if entry is not None and entry.kind == "hold" and gate is not None:
            raise held_error(self._state.custody.holds[entry.number], already=False)

    def _charged(
        self, decided: Callable[[State], Decided | None], keys: list[PaidKey], analyst: str, gate: Gate | None
    ) -> Charge:
        before: list[Sequence] = []

        def noted(state: State) -> Decided | None:
            before[:] = [state.without(None if gate is None else gate.hold(state, analyst))]
            return decided(state)

        entry, state = self._append(noted), self._state
        if entry is not None and entry.kind == "change":
            return self._charged(decided, keys, analyst, gate)
        self._put_on_hold(entry, gate)
        if entry is None:
            number = max((paid for key in keys if (paid := state.payer(key)) is not None), default=0)
            RECALLED.info("analyst %r recalled question %d", analyst, state.question(number))
            return Charge(number, state.hashes[number], 1, state.question(number))
        reserve, after = state.open.get(entry.number), state.sequence
        factor = int(entry.body["factor"]) if reserve is None else reserve.largest()
        grown = (name for name, cell in after.cells.items() if cell.product > before[0].cells[name].product)
        taken = bits_between(before[0].spent(), after.spent())
        paid_by, question = payers(grown, after.cells), state.question(entry.number)
        return Charge(entry.number, entry.hash, factor, question, paid_by, taken, before[0])

    def charge_of(self, entry: Entry) -> Charge:
        """What an earlier entry was charged."""
        factor = int(entry.body["factor"])
        return self.settled(Charge(entry.number, entry.hash, factor, self.question(entry.number)), again=True)

    def steps(self, number: int) -> list[Entry]:
        """The entries of a question, one for each of its steps, by its number."""
        asked = self._state.questions[number - 1 : number]
        return list(self._entries([each for first in asked for each in (first, *self._state.later.get(first, ()))]))

    def questions_before(self, number: int | None) -> Iterator[Seq[Entry]]:
        """The questions before one, or all, from the last one back, each as the entries of its steps."""
        for first in reversed(self._state.questions[: None if number is None else number - 1]):
            yield [self._recent(each) for each in (first, *self._state.later.get(first, ()))]

    def factor_of(self, entry: Entry) -> Product:
        """The factor that an entry was charged or has reserved."""
        settled = self._state.settled.get(entry.number)
        return int(entry.body["factor"]) if settled is None else settled.factor

    def _recent(self, number: int) -> Entry:
        """An entry by its number, remembered by its hash: the last ones are read often."""
        known = self._recently_read
        if (entry := known.get(found := self._state.hashes[number])) is None:
            [entry] = self._entries([number])
            remember(known, found, entry, MOST_RECENT)
        return entry

    def settled(self, charge: Charge, again: bool = False) -> Charge:
        """The charge after the answer is known: the price of what came out, if it is charged by the answer."""
        found = self._state.settled.get(charge.number)
        if found is None or (charge.before is None and not again):
            return charge
        answer = found.answer, self._state.hashes[found.answer]
        before = charge.before
        taken = charge.taken if before is None else bits_between(before.spent(), self._state.sequence.spent())
        settled = replace(charge, factor=found.factor, taken=max(0.0, taken), loud=found.loud, answer=answer)
        return replace(settled, units=self._units(charge.number) if found.units is None else found.units)

    def _units(self, number: int) -> Units:
        """What a settled entry was charged for, under the schema of its time."""
        schema = max(each for each in self._state.schemas if each < number)
        declared, entry = self._entries([schema, number])
        return self._state.units(entry, list(declared.body["cells"]))

    def open_entries(self) -> Seq[Entry]:
        """The entries whose reserves no answer has settled yet."""
        return self.alone(lambda: self._entries(sorted(self._read().open)))

    def blocked(self, purchase: Purchase, max_bits: Number | None) -> bool:
        """Whether a purchase would fit if everything that is only reserved were already settled and cheap."""

        def fits() -> bool:
            state = self._read()
            if not state.open:
                return False
            most = None if max_bits is None else most_within(max_bits, "max_bits")
            priced = self._due.priced(state, self._due.sure(state, purchase).batch, most, state.settled_sequence)
            return priced is not None and priced.fits

        return self.alone(fits)

    def paid(self, widths: Widths) -> bool:
        """Whether a question is fully paid for."""
        return self.alone(lambda: self._due.priced(self._read(), [widths]) is None)

    def missing(self, widths: Widths) -> Widths:
        """The releases that are paid for but not computed yet."""
        return {release: width for release, width in widths.items() if self._found(release, width) is None}

    def alike(self, groups: Groups) -> bool:
        """Whether the ledger says the same about all groups that a sample stands for."""
        return alike(self._state, groups, self._key) is groups

    def copies(self) -> list[Copy]:
        """Every released copy about which something was noted."""
        return self.alone(lambda: sorted(copies_in(self._read())))

    def commit_groups(
        self, charge: Charge, analyst: str, groups: Groups, found: Iterable[tuple[Paid, Integers]]
    ) -> None:
        """Record what was computed for very many groups: for every sample, about all groups that it stands for."""
        computed = list(found)
        if any(numbers.min() < 0 or numbers.max() >= LARGEST for _, numbers in computed):
            cells = ((paid, groups.cell[groups.stands_for[paid[0]]].tolist(), each) for paid, each in computed)
            rows = ((paid, zip(places, zip(*each.tolist(), strict=True), strict=True)) for paid, places, each in cells)
            pairs = (((r.in_cell(cell), width), numbers) for (r, width), each in rows for cell, numbers in each)
            self.commit(charge, analyst, pairs)
            return
        name = analyst_name(analyst)

        def decided(state: State) -> Decided | None:
            released = released_columns(state, charge.number, groups, computed)
            return "answer", name, {"ask": str(charge.number), "released": released}

        self._append(decided)

    def released_of_each(self, groups: Groups, widths: Widths) -> Mapping[Release, Integers]:
        """What was released about very many groups: for every sample, about all groups that it stands for."""
        each = {paid: released_of_each(self._state, groups, paid, self._key, self._found) for paid in widths.items()}
        return {release: numbers for (release, _), numbers in each.items() if numbers is not None}

    def commit(self, charge: Charge, analyst: str, found: Iterable[tuple[Paid, Released]]) -> None:
        """Record what was computed, so that the answer never changes."""
        computed, name = list(found), analyst_name(analyst)

        def decided(state: State) -> Decided | None:
            new = [(paid, released) for paid, released in computed if state.found(self._key(paid)) is None]
            return ("answer", name, {"ask": str(charge.number), "released": released_fields(new)}) if new else None

        self._append(decided)

    def released(self, widths: Widths) -> Mapping[Paid, Released]:
        """What was released for a question."""
        found = {(release, width): self._found(release, width) for release, width in widths.items()}
        return {pair: numbers for pair, numbers in found.items() if numbers is not None}

    def _found(self, release: Release, width: Width) -> Released | None:
        """What was released, directly or in narrower bins that determine it."""
        state = self._state
        known = state.found(self._key((release, width)))
        if known is not None:
            numbers, rest = known
            wanted = width == 1 and state.fact_of(release)[1]
            return numbers if rest == wanted else (release.part.size - numbers[0],)
        for finer in () if isinstance(width, Ladder) else self._due.known(state, release):
            narrower = state.found(self._key((release, finer)))
            if narrower is not None and as_bins(finer).splits(as_bins(width)):
                return (as_bins(width).place(as_bins(finer).ends(narrower[0][0])[0]),)
        return None

    def questions_about(self, names: Iterable[str], kinds: Iterable[str] = ()) -> list[int]:
        """The numbers of the questions and copies that paid for releases whose texts have one of these names.

        With `kinds`, only releases of these kinds count.
        """
        key = tuple(sorted(names)), tuple(kinds)

        def found() -> list[int]:
            if (about := self._about.get(key)) is None:
                about = About(*key)
                remember(self._about, key, about, MOST_RECENT)
            return about.questions(self._read())

        return self.alone(found)

    @property
    def questions(self) -> int:
        """How many questions were charged."""
        return len(self._state.questions)

    @property
    def quotas(self) -> Mapping[str, int] | None:
        """What each analyst may spend, by name."""
        return self._quotas

    @property
    def spent(self) -> Mapping[str, Product]:
        """What each analyst has spent, by name."""
        return self._state.spent

    def question(self, number: int) -> int:
        """The number of the question that an entry asked, counted from 1."""
        return self._state.question(number)

    def past(self) -> Past:
        """What the ledger says now, for choosing bins. It is read once, and only if needed."""
        read = Once(lambda: self.sequence)

        def bins(release: Release) -> list[Width]:
            read()
            return self.bins(release)

        def found(release: Release, width: Width) -> Released | None:
            read()
            return self._found(release, width)

        def same(groups: Groups) -> Groups | None:
            read()
            return alike(self._state, groups, self._key)

        return Past(bins, found, same)

    def bins(self, release: Release) -> list[Width]:
        """The bins in which a release was paid for before, in that order."""
        exact, place = self._key((release, 1))[:2]
        family = self._key((release, 2))[0]
        known = self._state.bins_of
        return known(family, place) + (known(exact, place) if exact != family else [])

    def _key(self, paid: Paid) -> PaidKey:
        key = self._keys.get(paid)
        if key is None:
            release, width = paid
            key = self._keys[paid] = self._state.fact_of(release, width)[0], release.place, width
        return key


def _facts(state: State) -> dict[str, Any]:
    """The facts of a dataset, and its budget if that was raised."""
    return state.facts | ({} if state.custody.budget is None else {"granted": str(state.budget)})
