"""The small interface behind every adversary: it chooses, observes what is reported, and guesses."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from noiseless.errors import InputError
from noiseless.exact.number import as_integer

SEED = 2019


def drawn(seed: int) -> np.random.Generator:
    """The chance of an experiment, the same for the same seed."""
    number = as_integer(seed)
    if number is None or number < 0:
        raise InputError(f"seed={seed!r} must be a whole number of at least 0")
    return np.random.default_rng(number)


class Adversary(Protocol):
    """One who wants to know something about single people. Games are played many at a time, as arrays."""

    @property
    def name(self) -> str:
        """What it is called in results."""

    def choose(self, games: int, draw: np.random.Generator) -> Any:
        """What it settles on before anything is reported: two households, whom to look for, the next question."""

    def observe(self, chosen: Any, reports: Any) -> Any:
        """What it makes of the reports: evidence, one row for each game."""

    def guess(self, evidence: Any, draw: np.random.Generator) -> Any:
        """What it says in the end, one for each game."""
