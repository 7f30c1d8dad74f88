"""What a curator does besides answering: holds and requests, a freeze, another signing key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from noiseless.curator.asking import Asking
from noiseless.curator.certificate.exported import Export
from noiseless.curator.certificate.keys import PrivateKey
from noiseless.curator.certificate.rotation import rotation
from noiseless.curator.exporting import export
from noiseless.curator.ledger import decisions
from noiseless.curator.ledger.account import Account
from noiseless.curator.ledger.custody import QUOTA
from noiseless.curator.schema.plain import why_no_path
from noiseless.errors import KeyFileError, SourceError
from noiseless.exact.number import Number
from noiseless.exact.readable import printable
from noiseless.exact.rounding import bits_up


@dataclass(frozen=True, slots=True, repr=False)
class OnHold:
    """A question that waits for the custodian. `what` is ask, batch or refine; `terms` are bits, error and so on.

    It reserves `bits` until it is asked, withdrawn, refused or expired.
    """

    number: int
    analyst: str
    time: str
    what: str
    questions: tuple[str, ...]
    terms: Mapping[str, Any]
    bits: float
    expires: str
    approved: bool

    def __repr__(self) -> str:
        state = "approved, and can be asked" if self.approved else "waits for approval"
        who, texts = self.analyst or "nobody named", "; ".join(self.questions)
        return printable(f"Hold {self.number} by {who}: {texts}; {self.bits:g} bits; {state}")


@dataclass(frozen=True, slots=True, repr=False)
class Request:
    """A request for more bits: of the `budget` of the dataset, or of the analyst's own `quota`."""

    number: int
    analyst: str
    time: str
    about: str
    bits: str
    reason: str

    def __repr__(self) -> str:
        who = self.analyst or "nobody named"
        return printable(f"Request {self.number} by {who}: {self.bits} more bits of the {self.about}: {self.reason}")


class Custodian:
    """Decisions about a dataset. Every one is an entry of its ledger."""

    _account: Account
    _asking: Asking

    def holds(self) -> tuple[OnHold, ...]:
        """The questions that wait for the custodian, or are approved and were not asked yet."""
        decisions.expire(self._account)
        custody = self._account.custody
        entries = self._account.read(sorted(custody.holds))
        return tuple(
            OnHold(
                hold.number,
                hold.analyst,
                entry.time,
                hold.asked["what"],
                tuple(hold.asked["texts"]),
                hold.asked["terms"],
                bits_up(hold.price),
                hold.expires,
                hold.approved,
            )
            for entry in entries
            for hold in [custody.holds[entry.number]]
        )

    def requests(self) -> tuple[Request, ...]:
        """The requests that are not decided yet."""
        entries = self._account.read(sorted(self._account.custody.requests))
        return tuple(
            Request(each.number, each.analyst, each.time, each.body["for"], each.body["bits"], each.body["reason"])
            for each in entries
        )

    def withdraw(self, number: int, analyst: str | None = None) -> None:
        """Withdraw a question on hold, or a request. Nothing was read, so what was reserved is free again."""
        decisions.withdraw(self._account, number, self._asking.name_of(analyst))

    def request(self, bits: Number, reason: str, about: str = QUOTA, analyst: str | None = None) -> int:
        """Ask the custodian for more bits of one's own quota, or with about="budget" for everybody."""
        return decisions.request(self._account, self._asking.name_of(analyst), about, bits, reason)

    def approve(self, number: int, by: str | None = None) -> None:
        """For the custodian: allow a question on hold. Its asker can then ask it again, up to the price reserved.

        Decide by the question and its price, never by the data: the decision is public.
        """
        decisions.approve(self._account, number, self._asking.name_of(by))

    def refuse(self, number: int, reason: str, by: str | None = None) -> None:
        """For the custodian: refuse a question on hold, or a request. What was reserved is free again."""
        decisions.refuse(self._account, number, reason, self._asking.name_of(by))

    def grant(self, number: int, bits: Number | None = None, by: str | None = None) -> None:
        """For the custodian: grant a request, with other bits if `bits` are given.

        A raised budget weakens what was promised to everybody in the table: they must know it.
        """
        decisions.grant(self._account, number, bits, self._asking.name_of(by))

    @property
    def frozen(self) -> bool:
        """Whether the dataset is frozen, so that it answers only what costs nothing."""
        return self._account.custody.frozen

    def freeze(self, reason: str, by: str | None = None) -> None:
        """For the custodian: answer only what costs nothing from now on, in every process."""
        decisions.freeze(self._account, reason, self._asking.name_of(by))

    def unfreeze(self, by: str | None = None) -> None:
        """For the custodian: answer everything again."""
        decisions.unfreeze(self._account, self._asking.name_of(by))

    def rotations(self) -> list[Mapping[str, Any]]:
        """Every replacement of the signing key, signed by both keys, for `nl.verify(…, rotations=)`."""
        return [entry.body for entry in self._account.entries() if entry.kind == "rotate"]

    def export(self, to: str | Path | None = None) -> Export:
        """The ledger and all certificates, in one file if `to` is given. Anyone can verify it: `noiseless verify`."""
        if to is not None and (wrong := why_no_path(to)):
            raise SourceError(f"to= {wrong}; name a file")
        return export(self._asking, to)

    def rotate_key(self, new: str | Path, by: str | None = None) -> None:
        """For the custodian: record, signed by both, that the key in the file `new` follows the one that signs now.

        Open the dataset with the new key afterwards. A rotation that is recorded already changes nothing.
        """
        old, following = self._asking.key, PrivateKey.read(new)
        if old is None:
            raise KeyFileError("the dataset was opened without a key, so none can be replaced; open it with key=")
        if self._account.custody.key == following.public:
            return
        body = rotation(self._asking.dataset.snapshot.id, old, following)
        decisions.rotate(self._account, body, self._asking.name_of(by))
