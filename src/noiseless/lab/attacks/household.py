"""Is a household in an aggregate? (NP Fig. 2–3)

The adversary chooses two households. The curator puts one of them, at random, and n − 1 others into a mean, and reports
its bin for every day or half hour. The adversary, who knows the two households' readings, guesses which one it was.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from noiseless.errors import InputError
from noiseless.exact.number import Number, exact_number
from noiseless.lab.attacks.adversary import SEED
from noiseless.lab.attacks.curve import Curve, Point, advantage
from noiseless.lab.datasets.panel import Panel
from noiseless.privacy.definitions.noiseless.calibrate import calibrate
from noiseless.privacy.definitions.noiseless.theorem_8_as_printed import theorem_8_as_printed
from noiseless.privacy.progress import progress
from noiseless.privacy.queries.linear import Mean

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
Rule = Literal["corrected", "printed"]
Bins = tuple[float, int]
"""Their width, and how many there are."""
BATCH = 64
"""Games at a time: what fits a cache with a year of half hours."""
GAMES = 2000
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
        """What is worked out of the households once."""

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
        """What is worked out of the reports once."""
        return reports

    def guess(self, evidence: Floats, draw: np.random.Generator) -> Ints:
        """The better one; a coin where they fit equally well."""
        coin = draw.integers(0, 2, len(evidence))
        better = evidence.argmax(axis=1)
        return np.where(evidence[:, 0] == evidence[:, 1], coin, better)


class Correlation(HouseholdAdversary):
    """The household whose readings go up and down with the report."""

    name = "correlation"

    @staticmethod
    def prepare(readings: Floats) -> Floats:
        """Centred and of length 1; the report's own mean and length are the same for both households."""
        centred = readings - readings.mean(axis=1, keepdims=True)
        length = np.linalg.norm(centred, axis=1, keepdims=True)
        found: Floats = centred / np.where(length > 0, length, 1)
        return found

    def fit(self, homes: Ints, seen: Floats) -> Floats:
        """The correlation, up to what is the same for both; 0 with a report that never changes."""
        found: Floats = np.einsum("gt,gt->g", self.known[homes], seen - seen[:, :1])
        return found


class MeanSquare(HouseholdAdversary):
    """The household whose readings are nearest to the report."""

    name = "mean square"

    @staticmethod
    def prepare(readings: Floats) -> Floats:
        """The readings themselves."""
        return readings

    def fit(self, homes: Ints, seen: Floats) -> Floats:
        """Less the squared distance."""
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
        least = np.sort(readings, axis=1)[:, -many][:, None]  # np.partition is slow where many are equal
        return (readings >= least).astype(np.float32)

    def see(self, reports: Floats) -> Floats:
        """Their peaks, found alike."""
        return self.prepare(reports)

    def fit(self, homes: Ints, seen: Floats) -> Floats:
        """How many peaks they have in common."""
        found: Floats = np.einsum("gt,gt->g", self.known[homes], seen)
        return found


ADVERSARIES: dict[str, type[HouseholdAdversary]] = {each.name: each for each in (Correlation, MeanSquare, Peak)}


def household(
    panel: Panel,
    n: int,
    bits: Sequence[Number | None],
    *,
    high: Number,
    adversary: str | type[HouseholdAdversary] = "correlation",
    games: int = GAMES,
    rule: Rule = "corrected",
    seed: int = SEED,
) -> Curve:
    """The advantage against bits; None among them is the exact mean, without privacy.

    `high` bounds every reading, from public knowledge; readings beyond are clamped. `rule` is the calibration: ours, or
    Theorem 8 as printed.
    """
    attacker_type = ADVERSARIES.get(adversary) if isinstance(adversary, str) else adversary
    if attacker_type is None:
        raise InputError(f"no adversary {adversary!r}; there are {', '.join(ADVERSARIES)}")
    if not 1 <= n < panel.homes:
        raise InputError(f"n={n} households and one to be confused with are more than the {panel.homes} there are")
    if rule not in ("corrected", "printed"):
        raise InputError(f"rule={rule!r} must be 'corrected' or 'printed'")
    if games < 1 or not bits:
        raise InputError("an attack needs at least one game and one setting of bits")
    readings = panel.readings.clip(0, float(exact_number(high, "high"))).astype(np.float32)
    attacker = attacker_type(readings)
    points = []
    for budget in progress(list(bits), f"{attacker.name} adversary, n = {n}"):
        bins = None if budget is None else _bins(n, budget, high, rule)
        wins = _wins(attacker, readings, n, bins, games, np.random.default_rng(seed))
        points.append(Point({"bits": budget, "n": n}, *advantage(wins, games)))
    return Curve(f"household by {attacker.name} ({rule})", "advantage", tuple(points), panel.origin, seed)


def _bins(n: int, bits: Number, high: Number, rule: Rule) -> Bins:
    """The bins that the calibration chooses, which are all of one width."""
    mean = Mean(n=n, low=0, high=high)
    made = calibrate(mean, bits=bits) if rule == "corrected" else theorem_8_as_printed(mean, bits)
    return float(made.quantizer.widest), made.quantizer.levels


def _wins(
    attacker: HouseholdAdversary, readings: Floats, n: int, bins: Bins | None, games: int, draw: np.random.Generator
) -> int:
    """How often the adversary names the one that is in the mean."""
    wins = 0
    for start in range(0, games, BATCH):
        chosen = attacker.choose(min(BATCH, games - start), draw)
        inside = draw.integers(0, 2, len(chosen))
        reports = _reports(chosen, inside, readings, n, bins, draw)
        wins += int((attacker.guess(attacker.observe(chosen, reports), draw) == inside).sum())
    return wins


def _reports(
    chosen: Ints, inside: Ints, readings: Floats, n: int, bins: Bins | None, draw: np.random.Generator
) -> Floats:
    """The curator's part: the mean of one of the two and n − 1 others, and the middle of its bin."""
    keys = draw.random((len(chosen), len(readings)))
    np.put_along_axis(keys, chosen, 2.0, axis=1)  # neither of the two is among the others
    members = np.zeros((len(chosen), len(readings)), dtype=np.float32)
    others = np.argsort(keys, axis=1)[:, : n - 1]
    np.put_along_axis(members, others, 1 / n, axis=1)
    np.put_along_axis(members, np.take_along_axis(chosen, inside[:, None], axis=1), 1 / n, axis=1)
    reports: Floats = members @ readings
    if bins is not None:
        width, levels = bins
        np.floor(reports / np.float32(width), out=reports)
        np.minimum(reports, np.float32(levels - 1), out=reports)  # the last bin has its upper end
        reports += np.float32(0.5)
        reports *= np.float32(width)
    return reports
