"""The small interface of every adversary: it chooses, observes the reports, and guesses."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from noiseless.errors import InputError
from noiseless.exact.number import as_integer

SEED = 2019


def drawn(seed: int) -> np.random.Generator:
    """The random generator of an experiment; the same seed gives the same numbers."""
    number = as_integer(seed)
    if number is None or number < 0:
        raise InputError(f"seed={seed!r} is not valid; use a whole number of at least 0")
    return np.random.default_rng(number)


class Adversary(Protocol):
    """An adversary who wants to learn something about single people. It plays many games at once, as arrays."""

    @property
    def name(self) -> str:
        """Its name in results."""

    def choose(self, games: int, draw: np.random.Generator) -> Any:
        """What it chooses before anything is reported: two households, whom to look for, the next question."""

    def observe(self, chosen: Any, reports: Any) -> Any:
        """The evidence it draws from the reports, one row for each game."""

    def guess(self, evidence: Any, draw: np.random.Generator) -> Any:
        """Its final guess, one for each game."""
