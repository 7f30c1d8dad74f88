"""Dictionaries of recent things, which several threads may use at once."""

from __future__ import annotations

from collections.abc import Hashable
from contextlib import suppress
from typing import TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


def remember(known: dict[K, V], key: K, value: V, most: int) -> None:
    """Remember a value, and forget the oldest ones beyond `most`.

    >>> recent = {1: "a", 2: "b"}
    >>> remember(recent, 3, "c", most=2)
    >>> recent
    {2: 'b', 3: 'c'}
    """
    while len(known) >= most:
        with suppress(RuntimeError, StopIteration):  # another thread remembers or forgets something at this moment
            known.pop(next(iter(known)), None)
    known[key] = value
