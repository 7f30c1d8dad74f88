"""Questions above a price wait for the custodian: whether a question may be charged now, or becomes a hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Any

from noiseless.curator.ledger.custody import Asked, Hold, key_of, reserved_parts
from noiseless.curator.ledger.priced import Priced
from noiseless.curator.ledger.state import State
from noiseless.curator.releases.written import spans
from noiseless.errors import BudgetExceededError, FrozenError, HeldError
from noiseless.exact.readable import bits_shown
from noiseless.privacy.composition.sequence import EVERYBODY
from noiseless.privacy.composition.weights import Product


@dataclass(frozen=True, slots=True)
class Gate:
    """When a question must wait: the price above which it waits, its text and terms, and how many days a hold lasts."""

    above: Fraction
    asked: Asked
    days: int

    def hold(self, state: State, analyst: str) -> Hold | None:
        """The hold of this question, if the analyst has one."""
        return state.custody.hold_of(key_of(analyst, self.asked))

    def waits(self, hold: Hold | None, dearest: Product) -> bool:
        """Whether a question at a price must wait."""
        return dearest > self.above and (hold is None or not hold.approved)

    def body(self, state: State, priced: Iterable[Priced]) -> dict[str, Any]:
        """The entry of a question that waits. Every account that would pay reserves the dearest outcome."""
        factors: dict[str, Fraction] = {}
        for step in priced:
            for name, factor in step.by_account.items():
                factors[name] = factors.get(name, Fraction(1)) * factor
        left = {name: Fraction(state.budget) / state.sequence.cells[name].product for name in factors}
        reserved = {name: each if each <= left[name] else reserved_parts(left[name]) for name, each in factors.items()}
        expires = datetime.now(UTC) + timedelta(days=self.days)
        return {
            "asked": self.asked,
            "price": str(max(reserved.values())),
            "reserved": _written(reserved, state.names),
            "expires": expires.isoformat(timespec="seconds"),
        }


def _written(factors: Mapping[str, Fraction], names: list[str]) -> list[list[str]]:
    """Accounts by their places, grouped by what they reserve."""
    places = {name: place for place, name in enumerate(names)}
    alike: dict[Fraction, list[int]] = {}
    for name, factor in factors.items():
        if name == EVERYBODY:
            return [["", str(factor)]]
        alike.setdefault(factor, []).append(places[name])
    return [[spans(cells), str(factor)] for factor, cells in alike.items()]


def usable(hold: Hold | None, dearest: Product) -> Hold | None:
    """The hold. None if what was approved is used up."""
    return None if hold is not None and not hold.reserved and dearest > hold.price else hold


def check_thawed(state: State, dearest: Product) -> None:
    """Refuse what costs something while the dataset is frozen."""
    if state.custody.frozen and dearest > 1:
        raise FrozenError(
            "the custodian has frozen the dataset, so it answers only what costs nothing; nothing was charged: repeat "
            "an earlier question, or ask again once it is unfrozen"
        )


def check_approved(hold: Hold | None, dearest: Product) -> None:
    """Refuse what costs more than the custodian approved."""
    if hold is not None and hold.approved and dearest > hold.price:
        raise BudgetExceededError(
            f"the question costs {bits_shown(dearest)} now, more than the {bits_shown(hold.price)} that the custodian "
            f"approved; nothing was charged: withdraw hold {hold.number} and ask again"
        )


def held_error(hold: Hold, already: bool) -> HeldError:
    """The refusal of a question that waits."""
    return HeldError(
        f"the question may cost {bits_shown(hold.price)}, so it waits for the custodian's approval as hold "
        f"{hold.number}{', as before' if already else ''}; no private data were read: ask again once it is "
        f"approved, or withdraw it",
        hold.number,
    )
