"""Is a household in an aggregate? (NP Fig. 2–3)

The adversary chooses two households. The curator puts one of them, at random, and n − 1 others into a mean, and reports
its bin for every day or half hour. The adversary, who knows the two households' readings, guesses which one it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from noiseless.errors import InputError
from noiseless.exact.answers import answers_within
from noiseless.exact.number import Number, exact_number
from noiseless.lab.attacks.curve import Curve, Point, advantage
from noiseless.lab.datasets.panel import Panel
from noiseless.privacy.definitions.noiseless.calibrate import calibrate
from noiseless.privacy.definitions.noiseless.theorem_8_as_printed import theorem_8_as_printed
from noiseless.privacy.progress import progress
from noiseless.privacy.queries.linear import Mean

Floats = NDArray[np.float32]
Rule = Literal["corrected", "printed"]
BATCH = 64
"""Games at a time: what fits a cache with a year of half hours."""
PEAKS = 0.02
"""The share of moments that are peaks."""


@dataclass(frozen=True)
class Adversary:
    """How well a report fits a household: the better of two is guessed."""

    name: str
    prepare: Callable[[Floats], Any]
    """What is worked out of the households once."""
    fit: Callable[[Any, NDArray[np.int64], Floats], Floats]
    """For each game, how well the household fits the report."""


def _standard(readings: Floats) -> Floats:
    centred = readings - readings.mean(axis=1, keepdims=True)
    length = np.linalg.norm(centred, axis=1, keepdims=True)
    found: Floats = centred / np.where(length > 0, length, 1)
    return found


def _correlation(known: Floats, home: NDArray[np.int64], reports: Floats) -> Floats:
    # the report's own length and mean are the same for both households
    found: Floats = np.einsum("gt,gt->g", known[home], reports)
    return found


def _closeness(known: Floats, home: NDArray[np.int64], reports: Floats) -> Floats:
    gap = known[home] - reports
    found: Floats = -np.einsum("gt,gt->g", gap, gap)
    return found


def _peaks(readings: Floats) -> Floats:
    many = max(1, int(PEAKS * readings.shape[1]))
    least = np.partition(readings, -many, axis=1)[:, -many][:, None]
    return (readings >= least).astype(np.float32)


def _common_peaks(known: Floats, home: NDArray[np.int64], reports: Floats) -> Floats:
    found: Floats = np.einsum("gt,gt->g", known[home], _peaks(reports))
    return found


ADVERSARIES = {
    "correlation": Adversary("correlation", _standard, _correlation),
    "mean square": Adversary("mean square", lambda readings: readings, _closeness),
    "peak": Adversary("peak", _peaks, _common_peaks),
}


def household(
    panel: Panel,
    n: int,
    bits: Sequence[Number | None],
    *,
    high: Number,
    adversary: str = "correlation",
    games: int = 2000,
    rule: Rule = "corrected",
    seed: int = 2019,
) -> Curve:
    """The advantage against bits; None among them is the exact mean, without privacy.

    `high` bounds every reading, from public knowledge; readings beyond are clamped. `rule` is the calibration: ours, or
    Theorem 8 as printed.
    """
    if adversary not in ADVERSARIES:
        raise InputError(f"no adversary {adversary!r}; there are {', '.join(ADVERSARIES)}")
    if not 1 <= n < panel.homes:
        raise InputError(f"n={n} households and one to be confused with are more than the {panel.homes} there are")
    if games < 1 or not bits:
        raise InputError("an attack needs at least one game and one setting of bits")
    top = float(exact_number(high, "high"))
    readings = panel.readings.clip(0, top).astype(np.float32)
    made, attacker = ADVERSARIES[adversary].prepare(readings), ADVERSARIES[adversary]
    points = []
    for budget in progress(list(bits), f"{adversary} adversary, n = {n}"):
        width = None if budget is None else _width(n, budget, high, rule)
        wins = sum(_wins(batch, readings, made, attacker, width, top) for batch in _games(panel.homes, n, games, seed))
        points.append(Point({"n": n, "bits": budget}, *advantage(wins, games)))
    return Curve(f"household by {adversary} ({rule})", "advantage", tuple(points), panel.origin, seed)


def _width(n: int, bits: Number, high: Number, rule: Rule) -> float:
    """The bins that the calibration chooses; one for everything at 0 bits."""
    mean = Mean(n=n, low=0, high=high)
    made = calibrate(mean, bits=bits) if rule == "corrected" else theorem_8_as_printed(mean, bits)
    if rule == "printed" and answers_within(bits) == 1 and n == 1:
        return float(mean.high)
    return float(made.quantizer.widest)


def _games(homes: int, n: int, games: int, seed: int) -> Iterator[NDArray[np.int64]]:
    """Batches of draws without repetition: the two chosen ones, then n − 1 others; the first one is in the mean."""
    draw = np.random.default_rng(seed)
    for start in range(0, games, BATCH):
        keys = draw.random((min(BATCH, games - start), homes))
        yield np.argsort(keys, axis=1)[:, : n + 1]


def _wins(
    chosen: NDArray[np.int64], readings: Floats, known: Any, attacker: Adversary, width: float | None, high: float
) -> int:
    """Of a batch, how often the household that is in the mean fits better; a tie is won half of the time, by turns."""
    members = np.zeros((len(chosen), len(readings)), dtype=np.float32)
    inside = np.concatenate([chosen[:, :1], chosen[:, 2:]], axis=1)
    np.put_along_axis(members, inside, 1 / inside.shape[1], axis=1)
    reports = members @ readings
    if width is not None:
        np.floor(np.minimum(reports, high * (1 - 1e-6)) / np.float32(width), out=reports)
        reports += np.float32(0.5)
        reports *= np.float32(width)
    first, second = (attacker.fit(known, chosen[:, place], reports) for place in (0, 1))
    ties = int((first == second).sum())
    return int((first > second).sum()) + ties // 2 + ties % 2 * int(chosen[0, 0] % 2)
