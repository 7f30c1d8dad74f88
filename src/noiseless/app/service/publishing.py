"""Answers that anyone may see, because both the custodian and the asker agreed. Either can end it at any time."""

from __future__ import annotations

from dataclasses import dataclass
from secrets import token_urlsafe
from typing import Any

from noiseless.app.service.state import State
from noiseless.app.service.tokens import now

FIELDS = "id, dataset, entry, place, custodian, asker, made"


@dataclass(frozen=True, slots=True)
class Agreed:
    """Who agreed to publish an answer. The names are empty for those who did not yet."""

    id: str
    dataset: str
    entry: int
    place: int
    custodian: str
    asker: str
    made: str

    @property
    def public(self) -> bool:
        """Whether anyone may see it."""
        return bool(self.custodian and self.asker)


class Publishing:
    """What was agreed about the answers of one dataset."""

    def __init__(self, state: State, dataset: str) -> None:
        self._state, self._dataset = state, dataset

    def agree(self, entry: int, place: int, custodian: str, asker: str) -> Agreed:
        """Record who agrees now. An empty name changes nothing: what was agreed before stays agreed."""
        self._state.rows(
            f"INSERT INTO noiseless_published ({FIELDS}) VALUES (?, ?, ?, ?, ?, ?, ?) "
            "ON CONFLICT (dataset, entry, place) DO UPDATE SET "
            f"custodian = {_kept('custodian')}, asker = {_kept('asker')}",
            *(token_urlsafe(16), self._dataset, entry, place, custodian, asker, now()),
        )
        return next(each for each in self.listed() if (each.entry, each.place) == (entry, place))

    def end(self, entry: int, place: int) -> None:
        """Forget what was agreed about an answer. If it is published again, its address is another."""
        self._state.rows(
            "DELETE FROM noiseless_published WHERE dataset = ? AND entry = ? AND place = ?", self._dataset, entry, place
        )

    def listed(self) -> list[Agreed]:
        """All of them, the latest questions first."""
        return _found(self._state, "dataset = ? ORDER BY entry DESC, place", self._dataset)


def published(state: State, which: str) -> Agreed | None:
    """The answer of this address, if both agreed."""
    return next((each for each in _found(state, "id = ?", which) if each.public), None)


def _kept(name: str) -> str:
    return f"CASE WHEN excluded.{name} = '' THEN noiseless_published.{name} ELSE excluded.{name} END"


def _found(state: State, where: str, *values: Any) -> list[Agreed]:
    return [Agreed(*row) for row in state.rows(f"SELECT {FIELDS} FROM noiseless_published WHERE {where}", *values)]
