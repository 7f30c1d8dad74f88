"""A journal as it was read: the fold of all entries, and the next entry that is appended to them.

All state is a fold of the journal, so any number of processes agree on it. What others have appended is read before
anything is decided. A decision counts only if no one appended in the meantime.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from collections.abc import Sequence as Seq
from typing import Any, TypeVar

from noiseless.curator.dataset.snapshot import changed_error
from noiseless.curator.ledger.checkpoint import checkpoint_error, is_due, latest, restored, unchanged, written
from noiseless.curator.ledger.collecting import not_collecting
from noiseless.curator.ledger.deciding import Decided
from noiseless.curator.ledger.entry import Entry, Kind, damaged_error
from noiseless.curator.ledger.journal import Checkpoint, Journal
from noiseless.curator.ledger.state import State
from noiseless.curator.ledger.turn import Turn
from noiseless.curator.question.price import Prices

T = TypeVar("T")


class Followed:
    """The journal of one dataset, followed as it grows."""

    def __init__(self, journal: Journal, prices: Prices) -> None:
        self._journal = journal
        self._prices = prices
        self._state = State(prices)
        self._opened = False
        self._turn = Turn()

    def alone(self, run: Callable[[], T]) -> T:
        """Run `run` while no other thread uses this account, and return its result."""
        return self._turn.take(run)

    def entries(self) -> list[Entry]:
        """All entries."""
        return self._journal.since(0)

    def datasets(self) -> list[str]:
        """The names of all datasets in the ledger."""
        return self._journal.datasets()

    def close(self) -> None:
        """Close the journal."""
        self._journal.close()

    def _entries(self, numbers: Seq[int]) -> Seq[Entry]:
        return unchanged(self._journal.read(numbers), numbers, self._state.hashes)

    def _append(self, decide: Callable[[State], Decided | None]) -> Entry | None:
        """Append what `decide` makes of all entries. Nothing is appended if it returns None."""

        def appended() -> Entry | None:
            tried: Entry | None = None
            while True:
                state = self._read()
                decided = decide(state)
                if decided is None:
                    return None
                entry, checkpoint = self._next(state, *decided)
                if tried is not None and tried.number == entry.number:
                    raise damaged_error(entry.number)  # the entry was refused, although no other entry was added
                if self._journal.append(entry, checkpoint):
                    self._fold(state, [entry])
                    return entry
                tried = entry

        return self.alone(lambda: self._journal.in_turn(appended))

    def _next(self, state: State, kind: Kind, analyst: str, body: Mapping[str, Any]) -> tuple[Entry, Checkpoint | None]:
        """The next entry, and the checkpoint that it carries if one is due."""
        if not self._journal.lasts or not is_due(state, kind):
            return Entry.after(state.last, kind, analyst, body), None
        lost = state.mark is not None and self._journal.checkpoint(state.mark.number) is None
        checkpoint = written(state, whole=lost)
        return Entry.after(state.last, kind, analyst, {**body, "checkpoint": checkpoint.digest}), checkpoint

    def _read(self) -> State:
        """The state after everything appended so far, by any process."""
        if self._state.last is None:
            self._begin()
        elif new := self._journal.since(self._state.last.number + 1):
            self._fold(self._state, new)
        if self._opened and self._state.facts.get("schema", self._prices.declared) != self._prices.declared:
            raise changed_error("another process changed the schema since the dataset was opened", "open it again")
        return self._state

    def _begin(self) -> None:
        """Read the last checkpoint, if there is one, and the entries beginning with the one that carries its hash."""
        with not_collecting():
            checkpoints = latest(self._journal)
            state = restored(self._prices, checkpoints, self._journal.read)
            new = self._journal.since(len(state.hashes))
            for last, _ in checkpoints[-1:]:
                if not new or new[0].body.get("checkpoint") != last.digest:
                    raise checkpoint_error(last.number)
            self._fold(state, new)

    def _fold(self, state: State, entries: Iterable[Entry]) -> None:
        """Fold new entries. The old state is dropped meanwhile, so that everything is read again after a failure."""
        self._state = State(self._prices)
        for entry in entries:
            state.fold(entry)
        self._state = state
