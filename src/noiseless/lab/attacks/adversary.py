"""The small interface behind every game: an adversary chooses, observes what is reported, and guesses."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np


class Adversary(Protocol):
    """One who wants to know something about one of the people. Games are played many at a time, as arrays."""

    @property
    def name(self) -> str:
        """What it is called in results."""

    def choose(self, games: int, draw: np.random.Generator) -> Any:
        """What it picks before anything is reported, one row for each game."""

    def observe(self, chosen: Any, reports: Any) -> Any:
        """What it makes of the reports: evidence for each of the possibilities, one row for each game."""

    def guess(self, evidence: Any, draw: np.random.Generator) -> Any:
        """Which possibility it names, by its place."""
