"""Checks that every checkpoint of a ledger is what the entries before it say, by folding them from the beginning."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from noiseless.curator.ledger.checkpoint import checkpoint_error, written
from noiseless.curator.ledger.entry import Entry
from noiseless.curator.ledger.journal import Checkpoint
from noiseless.curator.ledger.state import State
from noiseless.curator.schema.declaration import Declaration
from noiseless.curator.schema.schema import Schema
from noiseless.privacy.composition.sequence import EVERYBODY


@dataclass(frozen=True, slots=True)
class Declared:
    """What the last schema in a ledger declares, for folding it without its dataset."""

    declared: str
    schema: Schema

    @property
    def rows(self) -> int:
        """The most rows that one person has."""
        return self.schema.rows

    def values(self) -> dict[str, int]:
        """How many values each private column has."""
        return {name: column.values for name, column in self.schema.private.items()}

    def names(self) -> list[str]:
        """Not known here. Entries that carry checkpoints come after one that lists the accounts."""
        return [EVERYBODY]


def verify_checkpoints(entries: Sequence[Entry], checkpoints: Iterable[Checkpoint]) -> None:
    """Refuse the first checkpoint that is not what a fold of all entries before it gives."""
    kept = {checkpoint.number: checkpoint for checkpoint in checkpoints}
    if not kept:
        return
    last = max(kept)
    if not 0 < last < len(entries):
        raise checkpoint_error(last)
    text = next(entry.body["schema"] for entry in reversed(entries) if "schema" in entry.body)
    state = State(Declared(text, Declaration.parse(text).schema))
    for entry in entries[: last + 1]:
        checkpoint = kept.get(entry.number)
        if checkpoint is not None:
            recorded = entry.body.get("checkpoint")
            right = recorded == checkpoint.digest
            if not right or checkpoint not in (written(state, whole) for whole in (False, True)):
                raise checkpoint_error(entry.number)
        state.fold(entry)
