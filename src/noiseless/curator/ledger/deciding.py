"""What entry a question becomes, given everything that the ledger says: a charge, a hold, or a refusal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Any

from noiseless.curator.ledger.bodies import ask_body, closing_body, upgrade_body
from noiseless.curator.ledger.compact import PaidKey
from noiseless.curator.ledger.custody import Hold
from noiseless.curator.ledger.due import Due
from noiseless.curator.ledger.entry import Kind
from noiseless.curator.ledger.formats import WITH_COLUMNS, WITH_DECISIONS, WITH_RESERVES
from noiseless.curator.ledger.gate import Gate, check_approved, check_thawed, held_error, usable
from noiseless.curator.ledger.grants import Grants, limit_of
from noiseless.curator.ledger.limits import Limits
from noiseless.curator.ledger.priced import Priced
from noiseless.curator.ledger.purchase import Purchase
from noiseless.curator.ledger.state import State
from noiseless.exact.number import Number

Decided = tuple[Kind, str, Mapping[str, Any]]
"""An entry to append: its kind, its analyst and its body."""


@dataclass(frozen=True, slots=True)
class Terms:
    """Who pays, `max_bits` as given and the `most` that it leaves for this step, the `bits` of a quiet outcome, what
    may put the question on hold, and what earlier steps were charged."""

    analyst: str
    max_bits: Number | None
    most: Fraction | None
    bits: Number | None
    gate: Gate | None
    charged: Fraction = Fraction(1)

    def hold(self, state: State) -> Hold | None:
        """The hold of this question, if there is one."""
        return None if self.gate is None else self.gate.hold(state, self.analyst)


@dataclass(frozen=True, slots=True)
class Deciding:
    """Decides with prices, declared quotas and the declared schema."""

    due: Due
    quotas: Mapping[str, int] | None
    grants: Grants
    declared: str

    def charge(self, state: State, purchase: Purchase, terms: Terms) -> Decided | None:
        """The charge of a step. None if there is nothing to pay for."""
        hold, bought = terms.hold(state), self.due.sure(state, purchase)
        quota = self.quota_left(state, terms.analyst, hold)
        limits = [each for each in (terms.most, quota, None if hold is None else hold.limit) if each is not None]
        priced = self.due.priced(state, bought.batch, min(limits, default=None), state.without(hold))
        if priced is None:
            ended = closing_body(state, bought)
            return None if ended is None else (purchase.kind, terms.analyst, ended)
        hold = usable(hold, priced.dearest)
        check_thawed(state, priced.dearest)
        Limits(terms.max_bits, terms.most, quota, terms.bits).check(priced, terms.analyst)
        if terms.gate is not None and terms.gate.waits(hold, priced.dearest * terms.charged):
            return self._held(state, terms.gate, hold, terms.analyst, [priced])
        check_approved(hold, priced.dearest)
        needed = WITH_COLUMNS if bought.groups is not None else WITH_RESERVES if priced.weighed else "1"
        return self.upgraded(state, needed) or (purchase.kind, terms.analyst, self._body(state, priced, bought, hold))

    def hold(self, state: State, purchases: Iterable[Purchase], terms: Terms) -> Decided | None:
        """The hold of a whole question, if it must wait. None if it may be asked."""
        assert terms.gate is not None
        hold = terms.hold(state)
        quota = self.quota_left(state, terms.analyst, hold)
        limits = [limit for limit in (terms.most, quota) if limit is not None]
        found, after, earlier = list[Priced](), state.without(hold), set[PaidKey]()
        for each in purchases:
            batch = self.due.sure(state, each).batch
            if (priced := self.due.priced(state, batch, min(limits, default=None), after, earlier)) is not None:
                found.append(priced)
                after = priced.after(loud=False)
        dearest = prod((Fraction(each.dearest) for each in found), start=Fraction(1))
        if not terms.gate.waits(hold := usable(hold, dearest), dearest):
            return None
        check_thawed(state, dearest)
        Limits(terms.max_bits, terms.most, quota, None).check(found[0], terms.analyst)
        return self._held(state, terms.gate, hold, terms.analyst, found)

    def upgraded(self, state: State, needed: str) -> Decided | None:
        """The entry after which a ledger of an earlier format continues in this one, if that is needed."""
        if int(state.facts.get("format", "1")) >= int(needed):
            return None
        return "change", "", upgrade_body(state, self.declared)

    def _body(self, state: State, priced: Priced, bought: Purchase, hold: Hold | None) -> Mapping[str, Any]:
        unpaid = [pair for pair in bought.releases if state.payer(self.due.key(pair)) is None]
        body = ask_body(state, priced, bought, unpaid)
        return body if hold is None else body | {"hold": str(hold.number)}

    def _held(self, state: State, gate: Gate, hold: Hold | None, analyst: str, priced: list[Priced]) -> Decided:
        if hold is not None and hold.reserved:
            raise held_error(hold, already=True)
        return self.upgraded(state, WITH_DECISIONS) or ("hold", analyst, gate.body(state, priced))

    def quota_left(self, state: State, analyst: str, hold: Hold | None = None) -> Fraction | None:
        """The largest price that the quotas of an analyst allow. None if there are none."""
        spent, extra = state.spent_without(hold), state.custody.extra
        return limit_of(self.quotas, self.grants(), spent, analyst, extra)
