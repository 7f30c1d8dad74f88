"""What the ledger says about released copies."""

from __future__ import annotations

import json
from collections.abc import Iterator

from noiseless.curator.ledger.state import State
from noiseless.curator.releases.copied_rows import CopiedRows
from noiseless.curator.releases.release import Released
from noiseless.curator.releases.written import canonical

Copy = tuple[int, str, Released]
"""The number of its question, what became of every column, and what was noted about it."""


def copies_in(state: State) -> Iterator[Copy]:
    """Every copy about which something was noted."""
    for (text, place, width), (noted, _) in state.released.items():
        if f'"{CopiedRows.kind}"' in text and (fields := json.loads(text)).pop("kind") == CopiedRows.kind:
            payer = state.payer((text, place, width))
            yield 0 if payer is None else state.question(payer), canonical(fields), noted
