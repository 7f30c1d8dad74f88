"""The questions that paid for releases about some columns. Earlier entries are searched only once."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from itertools import islice

from noiseless.curator.ledger.compact import PaidKey
from noiseless.curator.ledger.state import State


class About:
    """The questions and copies that paid for releases with one of these names, and of these kinds if any are given."""

    def __init__(self, names: tuple[str, ...], kinds: tuple[str, ...] = ()) -> None:
        self._names = names
        self._kinds = tuple(f'"kind":"{kind}"' for kind in kinds)
        self._paid: Mapping[PaidKey, int] = {}
        self._seen, self._questions = 0, list[int]()

    def questions(self, state: State) -> list[int]:
        """Their numbers, in order. What is paid for only grows, but a change of the schema starts over."""
        if state.paid is not self._paid:
            self._seen, self._questions, self._paid = 0, [], state.paid
        new = [*islice(reversed(state.paid.items()), len(state.paid) - self._seen)]
        for (family, _, _), number in reversed(new):
            if self._concerns(family):
                _insert(state.question(number), self._questions)
        self._seen = len(state.paid)
        columns = {state.question(number) for family, number, *_ in state.columns.all_paid() if self._concerns(family)}
        return sorted({*self._questions, *columns})

    def _concerns(self, family: str) -> bool:
        named = any(name in family for name in self._names)
        return named and (not self._kinds or any(kind in family for kind in self._kinds))


def _insert(number: int, numbers: list[int]) -> None:
    """Insert a number in order: a later step may belong to an earlier question."""
    place = bisect_left(numbers, number)
    if place == len(numbers) or numbers[place] != number:
        numbers.insert(place, number)
