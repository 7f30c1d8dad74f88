"""What a ledger says in columns, by the text of each fact."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Protocol

from noiseless.curator.ledger.column import Column
from noiseless.curator.releases.release import Release, Released, Width, is_weighed
from noiseless.curator.releases.written import canonical


class Facts(Protocol):
    """Says which facts a kind of release reveals, and whether it reveals the complement instead."""

    def fact(self, family: Mapping[str, Any], width: Width = 1) -> tuple[str, bool]:
        """The fact itself."""

    def implied(self, family: Mapping[str, Any]) -> tuple[str, bool] | None:
        """The fact that is also revealed, if any."""


class Columns:
    """Who paid for a fact, what implies it, and what was released."""

    def __init__(self) -> None:
        self.paid: dict[str, list[tuple[int, Column, bool]]] = {}
        """Paid columns by fact, each with the entry that paid, and whether narrower bins cost only what is new."""
        self.implied: dict[str, list[Column]] = {}
        self.released: dict[str, list[tuple[Column, bool]]] = {}
        """Released columns by fact, and whether they count missing values where the text counts present ones."""

        self.asked: dict[tuple[int, str], Column] = {}
        """What each entry paid for, by the text of its fields."""

    def pay(self, number: int, facts: Facts, family: Mapping[str, Any], column: Column) -> None:
        """Note what an entry paid for."""
        self.asked[number, canonical(family)] = column
        refinable = Release.of_kind(family["kind"]).refinable
        for text, _, part in _stated(facts, family, column):
            self.paid.setdefault(text, []).append((number, part, refinable))
        if (implied := facts.implied(family)) is not None:
            self.implied.setdefault(implied[0], []).append(column)

    def release(self, facts: Facts, family: Mapping[str, Any], column: Column) -> None:
        """Note what an entry released."""
        import numpy as np

        assert column.numbers is not None
        for text, rest, part in _stated(facts, family, column):
            self.released.setdefault(text, []).append((part, rest))
        if (implied := facts.implied(family)) is not None:
            text, rest = implied
            counts = Column(column.cells, (1,), np.zeros_like(column.which), column.numbers[:1])
            self.released.setdefault(text, []).append((counts, rest))

    def payer(self, text: str, cells: str, width: Width) -> int | None:
        """The first entry that paid."""
        paid = self.paid.get(text, ())
        return next((number for number, column, _ in paid if column.place(cells, width) is not None), None)

    def found(self, text: str, cells: str, width: Width) -> tuple[Released, bool] | None:
        """What was released first."""
        for column, rest in self.released.get(text, ()):
            if (place := column.place(cells, width)) is not None:
                return column.released(place), rest
        return None

    def bins_of(self, text: str, cells: str, refinable: bool = False) -> list[tuple[int, Width]]:
        """The bins in which something was paid for, each with the entry that paid."""
        paid = [(number, column) for number, column, kind in self.paid.get(text, ()) if kind or not refinable]
        found = ((number, column, column.place(cells)) for number, column in paid)
        return [(number, column.width(place)) for number, column, place in found if place is not None]

    def implies(self, text: str, cells: str) -> bool:
        """Whether a fact was paid for as part of something else."""
        return any(column.place(cells) is not None for column in self.implied.get(text, ()))

    def about(self, texts: Iterable[str]) -> Iterator[Column]:
        """All columns about some facts."""
        for text in texts:
            yield from (column for _, column, _ in self.paid.get(text, ()))
            yield from self.implied.get(text, ())
            yield from (column for column, _ in self.released.get(text, ()))

    def all_paid(self) -> Iterator[tuple[str, int, Column, bool]]:
        """Everything that was paid for, fact by fact."""
        yield from ((text, *each) for text, paid in self.paid.items() for each in paid)

    def all_implied(self) -> Iterator[tuple[str, Column]]:
        """Everything that was paid for as part of something else."""
        yield from ((text, column) for text, columns in self.implied.items() for column in columns)

    def all_released(self) -> Iterator[tuple[str, Column, bool]]:
        """Everything that was released."""
        yield from ((text, *each) for text, released in self.released.items() for each in released)


def _stated(facts: Facts, family: Mapping[str, Any], column: Column) -> Iterator[tuple[str, bool, Column]]:
    """The facts that a column states, each with its part of the column: exact numbers may state another fact."""
    import numpy as np

    if any(map(is_weighed, column.bins)):
        raise ValueError("what is charged by the answer is not written in columns")
    exact = np.array([width == 1 for width in column.bins])[column.which]
    found = {facts.fact(family, 1): exact, facts.fact(family, 2): ~exact}
    if len(found) == 1:
        found = dict.fromkeys(found, exact | True)
    yield from ((text, rest, column.only(kept)) for (text, rest), kept in found.items() if kept.any())
