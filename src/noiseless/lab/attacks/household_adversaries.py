"""Three ways to decide which of two households is in an aggregate: correlation, mean square, peaks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
PEAKS = 0.02
"""The share of moments that are peaks."""


class HouseholdAdversary(ABC):
    """Knows the readings of all households, picks two at random, and names the one that fits the report better."""

    name: ClassVar[str]

    def __init__(self, readings: Floats) -> None:
        self.homes, self.known = len(readings), self.prepare(readings)

    @staticmethod
    @abstractmethod
    def prepare(readings: Floats) -> Floats:
        """What is computed once from the households."""

    @abstractmethod
    def fit(self, homes: Ints, seen: Floats) -> Floats:
        """For each game, how well a household fits the report."""

    def choose(self, games: int, draw: np.random.Generator) -> Ints:
        """Two different households for each game."""
        first = draw.integers(0, self.homes, games)
        return np.stack([first, (first + draw.integers(1, self.homes, games)) % self.homes], axis=1)

    def observe(self, chosen: Ints, reports: Floats) -> Floats:
        """How well each of the two fits."""
        seen = self.see(reports)
        return np.stack([self.fit(chosen[:, place], seen) for place in (0, 1)], axis=1)

    def see(self, reports: Floats) -> Floats:
        """What is computed once from the reports."""
        return reports

    def guess(self, evidence: Floats, draw: np.random.Generator) -> Ints:
        """The better one; a coin toss if they fit equally well."""
        coin = draw.integers(0, 2, len(evidence))
        better = evidence.argmax(axis=1)
        return np.where(evidence[:, 0] == evidence[:, 1], coin, better)


class Correlation(HouseholdAdversary):
    """The household whose readings rise and fall with the report."""

    name = "correlation"

    @staticmethod
    def prepare(readings: Floats) -> Floats:
        """Readings centred and scaled to length 1; the report needs no scaling, because it is the same for both."""
        centred = readings - readings.mean(axis=1, keepdims=True)
        length = np.linalg.norm(centred, axis=1, keepdims=True)
        found: Floats = centred / np.where(length > 0, length, 1)
        return found

    def fit(self, homes: Ints, seen: Floats) -> Floats:
        """The correlation, up to factors that are the same for both; 0 if the report never changes."""
        found: Floats = np.einsum("gt,gt->g", self.known[homes], seen - seen[:, :1])
        return found


class MeanSquare(HouseholdAdversary):
    """The household whose readings are closest to the report."""

    name = "mean square"

    @staticmethod
    def prepare(readings: Floats) -> Floats:
        """The readings themselves."""
        return readings

    def fit(self, homes: Ints, seen: Floats) -> Floats:
        """Minus the squared distance."""
        gap = self.known[homes] - seen
        found: Floats = -np.einsum("gt,gt->g", gap, gap)
        return found


class Peak(HouseholdAdversary):
    """The household that shares most of its peaks with the report."""

    name = "peak"

    @staticmethod
    def prepare(readings: Floats) -> Floats:
        """1 where a reading is among the highest, 0 elsewhere."""
        many = max(1, int(PEAKS * readings.shape[1]))
        least = np.sort(readings, axis=1)[:, -many][:, None]  # np.partition is slow if many are equal
        return (readings >= least).astype(np.float32)

    def see(self, reports: Floats) -> Floats:
        """The peaks of the reports, found in the same way."""
        return self.prepare(reports)

    def fit(self, homes: Ints, seen: Floats) -> Floats:
        """The number of common peaks."""
        found: Floats = np.einsum("gt,gt->g", self.known[homes], seen)
        return found


ADVERSARIES: dict[str, type[HouseholdAdversary]] = {each.name: each for each in (Correlation, MeanSquare, Peak)}
