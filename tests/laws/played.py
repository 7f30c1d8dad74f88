"""One person's data against an adaptive adversary: a curator for each of the person's values, all asked alike."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Any

import noiseless as nl
from noiseless.curator.dataset.dataset import Dataset
from noiseless.curator.ledger.account import Account
from noiseless.curator.ledger.journal import MemoryJournal
from noiseless.curator.question.price import Prices

Menu = list[tuple[str, dict[str, Any]]]
Seen = Callable[[nl.Curator, str, dict[str, Any]], str]


def anew(data: Dataset, budget: int) -> nl.Curator:
    """A new curator of the same table. `budget` is a number of transcripts, not of bits."""
    account = Account(MemoryJournal(), Prices(data))
    account.open(budget, {"id": data.snapshot.id, "name": "t", "schema": data.snapshot.schema, "rows": str(data.rows)})
    return nl.Curator(data, account)


def transcripts(curators: Iterable[nl.Curator], menu: Menu, seen: Seen, strategy: int, steps: int) -> int:
    """How many transcripts the person causes. The next question is a function of everything seen so far."""
    found = set()
    for curator in curators:
        transcript = ""
        for _ in range(steps):
            sql, terms = random.Random(f"{strategy} {transcript}").choice(menu)
            transcript += seen(curator, sql, terms)
        found.add(transcript)
    return len(found)
