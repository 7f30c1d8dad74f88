"""Is a household in an aggregate? (NP Fig. 2–3)

The adversary chooses two households. The curator puts one of them, at random, and n − 1 others into a mean, and reports
its bin for every day or half hour. The adversary knows the two households' readings and guesses which one it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from noiseless.errors import InputError, TooLargeError
from noiseless.exact.number import Number, exact_number
from noiseless.lab.attacks.adversary import SEED, drawn
from noiseless.lab.attacks.curve import Curve, Point, advantage
from noiseless.lab.attacks.household_adversaries import ADVERSARIES, Floats, HouseholdAdversary, Ints
from noiseless.lab.attacks.outside import outside
from noiseless.lab.datasets.panel import Panel
from noiseless.privacy.definitions.noiseless.calibrate import calibrate
from noiseless.privacy.definitions.noiseless.theorem_8_as_printed import theorem_8_as_printed
from noiseless.privacy.pictures.progress import progress
from noiseless.privacy.queries.linear import Mean

AnyFloats = NDArray[np.float32] | NDArray[np.float64]
Rule = Literal["corrected", "printed"]
BATCH = 64
"""The number of games that are played at a time: for a year of half hours, they fit into a cache."""
GAMES = 2000
WATT_HOURS = 1000
"""Wh in a kWh. Readings are rounded to the Wh, so that sums are integers and bins are exact."""
EXACT_SINGLE, EXACT_DOUBLE = 1 << 24, 1 << 53
"""Below this, floats hold every integer."""


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
    """The advantage against bits; None means the exact mean, without privacy.

    `high` bounds every reading, from public knowledge. Higher readings are clamped, except for the exact mean. `rule`
    is the calibration: ours, or Theorem 8 as printed.
    """
    attacker_type = ADVERSARIES.get(adversary) if isinstance(adversary, str) else adversary
    if attacker_type is None:
        raise InputError(f"adversary {adversary!r} does not exist; use one of {', '.join(ADVERSARIES)}")
    if not 1 <= n < panel.homes:
        raise InputError(
            f"n={n} is out of range; use 1 to {panel.homes - 1}, because one of the {panel.homes} homes stays out"
        )
    if rule not in ("corrected", "printed"):
        raise InputError(f"rule={rule!r} is not valid; use 'corrected' or 'printed'")
    if games < 1 or not bits:
        raise InputError("there are no games or no bits; give at least one game and one number of bits")
    top = exact_number(high, "high")
    if top <= 0 or (top * WATT_HOURS).denominator > 1:
        raise InputError(f"high={high} is not valid; give the most kWh that a home can use, above 0 and in whole Wh")
    used: AnyFloats = np.rint(panel.readings.clip(0) * WATT_HOURS)
    if n * used.max() < EXACT_SINGLE:
        used = used.astype(np.float32)
    attacker = attacker_type((used / WATT_HOURS).astype(np.float32))
    points = []
    for budget in progress(list(bits), f"{attacker.name} adversary, n = {n}"):
        bins = None if budget is None else Bins.of(n, budget, top, rule)
        readings = used if budget is None else used.clip(0, float(top * WATT_HOURS))
        wins = _wins(attacker, readings, n, bins, games, drawn(seed))
        points.append(Point({"bits": budget}, *advantage(wins, games)))
    theorem = "" if rule == "corrected" else "Theorem 8 as printed, "
    title = f"household by {attacker.name}, {theorem}n = {n}, up to {float(top):g} kWh, {games} games"
    origin = panel.origin + outside(panel.readings, 0, float(top))
    return Curve(title, "advantage", tuple(points), origin, seed, most=1.0)


@dataclass(frozen=True)
class Bins:
    """Equal bins of the mean of n homes, as bins of their sum in Wh: the bin number is ⌊sum·per_sum⌋."""

    per_sum: Fraction
    levels: int
    width: float
    """The width of a bin of the mean, in kWh."""

    @classmethod
    def of(cls, n: int, bits: Number, high: Fraction, rule: Rule) -> Bins | None:
        """The bins that the calibration chooses; None if they are finer than a Wh, so that they hide nothing."""
        mean = Mean(n=n, low=0, high=high)
        made = calibrate(mean, bits=bits) if rule == "corrected" else theorem_8_as_printed(mean, bits)
        levels, most = made.quantizer.levels, n * high * WATT_HOURS
        if levels > most:
            return None
        per_sum = levels / most
        if per_sum.numerator * most >= EXACT_DOUBLE:
            raise TooLargeError(f"{levels} bins of {n} homes are too many for floats; use fewer bits, or 'exact'")
        return cls(per_sum, levels, float(high / levels))

    def middles(self, sums: AnyFloats) -> Floats:
        """The reports of sums in Wh. Exact: quotients of integers below 2^53 never round up to an integer."""
        index = np.floor(sums.astype(np.float64) * self.per_sum.numerator / self.per_sum.denominator)
        np.minimum(index, self.levels - 1, out=index)  # the last bin includes its upper end
        return ((index + 0.5) * self.width).astype(np.float32)


def _wins(
    attacker: HouseholdAdversary, readings: AnyFloats, n: int, bins: Bins | None, games: int, draw: np.random.Generator
) -> int:
    """How often the adversary names the household that is in the mean."""
    wins = 0
    for start in range(0, games, BATCH):
        chosen = attacker.choose(min(BATCH, games - start), draw)
        inside = draw.integers(0, 2, len(chosen))
        reports = _reports(chosen, inside, readings, n, bins, draw)
        wins += int((attacker.guess(attacker.observe(chosen, reports), draw) == inside).sum())
    return wins


def _reports(
    chosen: Ints, inside: Ints, readings: AnyFloats, n: int, bins: Bins | None, draw: np.random.Generator
) -> Floats:
    """The curator's part: the mean of one of the two and n − 1 others, and the middle of its bin."""
    keys = draw.random((len(chosen), len(readings)))
    np.put_along_axis(keys, chosen, 2.0, axis=1)  # neither of the two is among the others
    members = np.zeros((len(chosen), len(readings)), dtype=readings.dtype)
    np.put_along_axis(members, np.argsort(keys, axis=1)[:, : n - 1], 1, axis=1)
    np.put_along_axis(members, np.take_along_axis(chosen, inside[:, None], axis=1), 1, axis=1)
    sums = members @ readings
    return (sums / (n * WATT_HOURS)).astype(np.float32) if bins is None else bins.middles(sums)
