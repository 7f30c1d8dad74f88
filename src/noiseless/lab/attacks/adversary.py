"""The small interface behind every adversary: it chooses, observes what is reported, and guesses."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

SEED = 2019


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
