"""What the custodian and the analysts decided: questions on hold, requests for more budget, a freeze, the signing key.

A question on hold reserves its dearest price, and no private data are read for it. So the reserve can be released
again, by an entry: the asker withdraws it, the custodian refuses it, or it expires. Once the custodian approves it, the
asker may ask it. That entry releases the reserve and charges the question, before the data are read; from then on
nothing can release anything.

Everything here follows from the entries alone. No clock is read: what has expired is what an entry says has expired.

Source: docs/decisions/0035-holds.md
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction
from typing import Any

from noiseless.curator.ledger.accounts import accounts_in
from noiseless.curator.ledger.entry import Entry
from noiseless.curator.releases.written import canonical
from noiseless.privacy.composition.weights import PARTS, Product, raised

BUDGET, QUOTA = "budget", "quota"
"""What a request may be about."""
Asked = Mapping[str, Any]
"""A question with its terms, as an entry holds it."""


@dataclass(frozen=True, slots=True)
class Hold:
    """A question that waits for approval: who asked what, its dearest price, what every account has reserved for it.

    After it was asked, nothing is reserved any more, and `price` is what its later steps may still cost.
    """

    number: int
    analyst: str
    asked: Asked
    price: Fraction
    reserved: Mapping[str, Fraction]
    expires: str
    approved: bool = False

    @property
    def limit(self) -> Fraction | None:
        """What its question may cost at most, while it is approved and was not asked yet."""
        return self.price if self.approved and self.reserved else None

    @property
    def key(self) -> str:
        """A key of the question and its analyst: equal for the same question of the same analyst."""
        return key_of(self.analyst, self.asked)


@dataclass(frozen=True, slots=True)
class Requested:
    """A request for more of the `budget` or of an analyst's own `quota`, by a factor."""

    number: int
    analyst: str
    about: str
    factor: int


class Custody:
    """What all decisions together say. An entry that does not fit those before it is refused."""

    def __init__(self) -> None:
        self.holds: dict[int, Hold] = {}
        self.asked: dict[str, Hold] = {}
        """The approved questions that were asked."""
        self.requests: dict[int, Requested] = {}
        self.extra: dict[str, int] = {}
        """The factor by which the quota of each analyst was raised."""
        self.budget: int | None = None
        """The budget, if the custodian raised it."""
        self.frozen = False
        self.key = ""
        """The public key that signs since the last rotation. Empty if there was none."""

    def hold_of(self, key: str) -> Hold | None:
        """The hold of a question that waits, is approved, or was asked after its approval."""
        waiting = (hold for hold in self.holds.values() if hold.key == key)
        return next(waiting, self.asked.get(key))

    def fold(self, entry: Entry, names: list[str], budget: int) -> None:
        """Add one more entry."""
        DECIDE[entry.kind](self, entry, names, budget)

    def ask(self, entry: Entry, dearest: Fraction) -> None:
        """A question that was on hold is charged: its reserve is released, and its price is used up."""
        number = int(entry.body["hold"])
        known = self.holds.get(number) or next(each for each in self.asked.values() if each.number == number)
        if entry.analyst != known.analyst:
            raise ValueError("asked by somebody else")
        self.holds.pop(number, None)
        if known.approved:
            if dearest > known.price:
                raise ValueError("more than was approved")
            self.asked[known.key] = replace(known, price=known.price / dearest, reserved={})

    def change(self, same_budget: bool) -> None:
        """A new schema: what is on hold may mean something else now, so its reserve is released. Nothing was read."""
        self.holds, self.asked = {}, {}
        if not same_budget:
            self.budget = None

    def reserved(self, without: int | None = None) -> Iterator[tuple[str, Fraction]]:
        """What is reserved for questions on hold, for each account, without one of them."""
        for hold in self.holds.values():
            if hold.number != without:
                yield from hold.reserved.items()

    def spent(self, spent: Mapping[str, Product], without: int | None = None) -> dict[str, Product]:
        """What each analyst has spent, including what is reserved for their questions on hold."""
        found = dict(spent)
        for hold in self.holds.values():
            if hold.number != without:
                found[hold.analyst] = raised(found.get(hold.analyst, 1), hold.price)
        return found

    def fields(self) -> dict[str, Any]:
        """All decisions, for a checkpoint. Empty if nothing was ever decided."""
        said = {
            "holds": [[str(each.number), each.approved] for each in self.holds.values()],
            "asked": [[str(each.number), str(each.price)] for each in self.asked.values()],
            "requests": list(map(str, self.requests)),
            "extra": {name: str(factor) for name, factor in self.extra.items()},
            "budget": "" if self.budget is None else str(self.budget),
            "frozen": self.frozen,
            "key": self.key,
        }
        return said if any(said.values()) else {}

    def restore(self, said: Mapping[str, Any], read: Callable[[list[int]], Iterable[Entry]], names: list[str]) -> None:
        """Set what `fields` wrote. The entries of holds and requests are read again."""
        for number, approved in said["holds"]:
            [entry] = read([int(number)])
            self.holds[entry.number] = replace(_hold(entry, names), approved=approved)
        for number, left in said["asked"]:
            [entry] = read([int(number)])
            hold = replace(_hold(entry, names), approved=True, price=Fraction(left), reserved={})
            self.asked[hold.key] = hold
        self.requests = {each.number: _requested(each) for each in read(list(map(int, said["requests"])))}
        self.extra = {name: int(factor) for name, factor in said["extra"].items()}
        self.budget = int(said["budget"]) if said["budget"] else None
        self.frozen, self.key = said["frozen"], said["key"]

    def _hold(self, entry: Entry, names: list[str], budget: int) -> None:
        hold = _hold(entry, names)
        if self.hold_of(hold.key) is not None and hold.key not in self.asked:
            raise ValueError("on hold already")
        self.holds[hold.number] = hold

    def _approve(self, entry: Entry, names: list[str], budget: int) -> None:
        hold = self.holds[int(entry.body["hold"])]
        if hold.approved:
            raise ValueError("approved already")
        self.holds[hold.number] = replace(hold, approved=True)

    def _refuse(self, entry: Entry, names: list[str], budget: int) -> None:
        self._end(entry)

    def _withdraw(self, entry: Entry, names: list[str], budget: int) -> None:
        if entry.analyst != self._end(entry).analyst:
            raise ValueError("withdrawn by somebody else")

    def _expire(self, entry: Entry, names: list[str], budget: int) -> None:
        ended = self._end(entry)
        if not isinstance(ended, Hold) or not has_expired(ended, entry.body["at"]):
            raise ValueError("not expired yet")

    def _end(self, entry: Entry) -> Hold | Requested:
        if "request" in entry.body:
            return self.requests.pop(int(entry.body["request"]))
        return self.holds.pop(int(entry.body["hold"]))

    def _request(self, entry: Entry, names: list[str], budget: int) -> None:
        self.requests[entry.number] = _requested(entry)

    def _grant(self, entry: Entry, names: list[str], budget: int) -> None:
        request = self.requests.pop(int(entry.body["request"]))
        if (factor := int(entry.body["factor"])) < 1:
            raise ValueError("less than there was")
        if request.about == QUOTA:
            self.extra[request.analyst] = self.extra.get(request.analyst, 1) * factor
        else:
            self.budget = budget * factor

    def _freeze(self, entry: Entry, names: list[str], budget: int) -> None:
        if self.frozen is (entry.kind == "freeze"):
            raise ValueError("frozen twice, or never")
        self.frozen = not self.frozen

    def _rotate(self, entry: Entry, names: list[str], budget: int) -> None:
        if self.key not in ("", entry.body["old"]) or entry.body["old"] == entry.body["new"]:
            raise ValueError("another key")
        self.key = str(entry.body["new"])


DECIDE: dict[str, Callable[[Custody, Entry, list[str], int], None]] = {
    "hold": Custody._hold,
    "approve": Custody._approve,
    "refuse": Custody._refuse,
    "withdraw": Custody._withdraw,
    "expire": Custody._expire,
    "request": Custody._request,
    "grant": Custody._grant,
    "freeze": Custody._freeze,
    "unfreeze": Custody._freeze,
    "rotate": Custody._rotate,
}
"""The method for each kind of entry."""


def key_of(analyst: str, asked: Asked) -> str:
    """A key that is equal for the same question, in the same terms, of the same analyst."""
    return canonical([analyst, asked])


def has_expired(hold: Hold, at: str) -> bool:
    """Whether a hold may be ended at a moment."""
    return datetime.fromisoformat(at) >= datetime.fromisoformat(hold.expires)


def reserved_parts(left: Fraction) -> Fraction:
    """The most that can be reserved from what is left, as a factor with few digits."""
    return max(Fraction(1), Fraction(left * PARTS // 1, PARTS))


def _hold(entry: Entry, names: list[str]) -> Hold:
    body = entry.body
    reserved = {name: Fraction(factor) for cells, factor in body["reserved"] for name in accounts_in(cells, names)}
    price = Fraction(body["price"])
    if not reserved or min(reserved.values()) < 1 or price < 1:
        raise ValueError("a hold that reserves nothing")
    datetime.fromisoformat(body["expires"])
    return Hold(entry.number, entry.analyst, body["asked"], price, reserved, body["expires"])


def _requested(entry: Entry) -> Requested:
    about, factor = entry.body["for"], int(entry.body["factor"])
    if about not in (BUDGET, QUOTA) or factor < 2:
        raise ValueError("a request for nothing")
    return Requested(entry.number, entry.analyst, about, factor)
