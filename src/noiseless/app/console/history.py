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


def latest(curator: Curator, caller: Caller) -> list[Earlier]:
    """The last questions of this caller, the latest first."""
    _, found = curator.asked(None, LOOKED_AT)
    own = [each for each in found if each.first.analyst == caller.name and each.first.kind != "release"]
    return [Earlier(each.number, "; ".join(each.texts), each.first.time) for each in own[:LATEST]]
