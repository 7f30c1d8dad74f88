"""What is left of a person's columns when questions are asked one after another."""

from __future__ import annotations

from collections.abc import Mapping

from noiseless.errors import CompositionError

Remaining = Mapping[str, int]
"""W for every column."""


def check_whole(question: object, **numbers: object) -> None:
    """Require integers of at least 1: a factor of 0 would make everything free."""
    for name, number in numbers.items():
        if type(number) is not int or number < 1:
            raise CompositionError(
                f"{name}={number!r} of a {type(question).__name__} is not valid; use an integer of at least 1"
            )
