"""Placeholders for unknown numbers while a function is examined: they can be calculated with but not compared."""

from __future__ import annotations

from noiseless.errors import NumberError


class Incomparable:
    """Refuses every condition: a function with a condition would be mistaken for another."""

    __slots__ = ()

    def __bool__(self) -> bool:
        raise NumberError("a condition on an unknown number cannot be decided; write the function without conditions")

    def __eq__(self, other: object) -> bool:  # so it has no hash either
        raise NumberError("an unknown number cannot be compared; write the function without conditions")
