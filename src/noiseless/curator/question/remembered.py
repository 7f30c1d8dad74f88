"""Functions that remember their results. They are lighter than `functools.cache`, and a question makes ten of them."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Remembered(dict[K, V]):
    """A function that remembers its result for each argument.

    >>> squares = Remembered(lambda number: number**2)
    >>> squares[3], squares
    (9, {3: 9})
    """

    __slots__ = ("_find",)

    def __init__(self, find: Callable[[K], V]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, key: K) -> V:
        found = self[key] = self._find(key)
        return found


class Once(Generic[V]):
    """A function without arguments that is called once, when its value is first needed."""

    __slots__ = ("_find", "_found")

    def __init__(self, find: Callable[[], V]) -> None:
        self._find: Callable[[], V] | None = find

    def __call__(self) -> V:
        """The value."""
        if (find := self._find) is not None:
            self._found, self._find = find(), None
        return self._found
