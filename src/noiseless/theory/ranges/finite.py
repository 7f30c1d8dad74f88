"""A finite range: the set of values a variable can take."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Set

SHOWN = 12


class FiniteRange(Set[Hashable]):
    """A finite set that remembers the order it was given in, equal to any set with the same members.

    >>> FiniteRange([1, 2, 3]) == {3, 2, 1}
    True
    >>> FiniteRange([1, 2]) | {5}
    {1, 2, 5}
    """

    __slots__ = ("_members", "_order")

    def __init__(self, members: Iterable[Hashable]) -> None:
        self._order = tuple(dict.fromkeys(members))
        self._members = frozenset(self._order)

    def __contains__(self, value: object) -> bool:
        return value in self._members

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._order)

    def __len__(self) -> int:
        return len(self._order)

    def __hash__(self) -> int:
        return hash(self._members)

    def __repr__(self) -> str:
        if len(self) <= SHOWN:
            return "{" + ", ".join(map(repr, self._order)) + "}"
        first = ", ".join(map(repr, self._order[: SHOWN - 2]))
        return f"{{{first}, …, {self._order[-1]!r}}}"
