"""The last questions of an analyst, which can be opened again for free."""

from __future__ import annotations

from dataclasses import dataclass

from noiseless.app.service.caller import Caller
from noiseless.curator.curator import Curator

LATEST, LOOKED_AT = 5, 200
"""How many are listed, and how far back they are looked for."""


@dataclass(frozen=True, slots=True)
class Earlier:
    """A question of the ledger."""

    number: int
    text: str
    time: str
    view: str | None
    """The view whose ledger has the question. None for the table itself."""


def latest(curator: Curator, caller: Caller) -> list[Earlier]:
    """The last questions of this caller, the latest first."""
    ledgers: list[tuple[str | None, Curator]] = [(None, curator), *curator.views.items()]
    found = [each for view, of in ledgers for each in _of_one(of, view, caller)]
    return sorted(found, key=lambda each: each.time, reverse=True)[:LATEST]


def _of_one(curator: Curator, view: str | None, caller: Caller) -> list[Earlier]:
    _, found = curator.asked(None, LOOKED_AT)
    own = [each for each in found if each.first.analyst == caller.name and each.first.kind != "release"]
    return [Earlier(each.number, "; ".join(each.texts), each.first.time, view) for each in own[:LATEST]]
