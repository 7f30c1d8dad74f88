"""What stands for unknown numbers while a function is tried out: to be calculated with, and not to be compared."""

from __future__ import annotations

from noiseless.errors import NumberError


class Incomparable:
    """Refuses every condition: a function that decides by one would be taken for another."""

    __slots__ = ()

    def __bool__(self) -> bool:
        raise NumberError("what is true of an unknown number cannot be told; write the function without conditions")

    def __eq__(self, other: object) -> bool:  # and so it has no hash either
        raise NumberError("an unknown number cannot be compared; write the function without conditions")
