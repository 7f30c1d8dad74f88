"""Adversaries: membership games against one at a time, and the search of combinations against trying all of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from benchmarks.measure import Row, compared, seconds, shown
from noiseless.lab.attacks.combinations import Combinations, learned_levels, learned_rest
from noiseless.lab.attacks.disaggregation import disaggregation
from noiseless.lab.attacks.household import household
from noiseless.lab.datasets.panel import Panel
from noiseless.lab.datasets.twins import twin_house, twin_meters

Floats = NDArray[np.float64]
GAMES, FEW = 20_000, 500
SAMPLES, TRIED = 300_000, 20_000


def rows() -> list[Row]:
    panel, house = twin_meters(homes=81, days=365), twin_house(samples=SAMPLES)
    training, attacked = house.split(0.3)
    combinations = Combinations.of({**learned_levels(training, 3), "rest": learned_rest(training)})
    some = attacked.mains[:TRIED]
    assert (combinations.nearest(some) == combinations.nearest_by_trying(some)).all()
    found = [
        compared(
            f"{GAMES:,} games, {adversary}, n = 8, 2 bits, 81 homes × 17,520 half hours",
            seconds(partial(household, panel, 8, [2], high=10, adversary=adversary, games=GAMES), repeat=1),
            seconds(partial(_one_by_one, panel, adversary), repeat=1) * GAMES / FEW,
            f"one game at a time, from {FEW}",
            "< 20 s",
        )
        for adversary in ("correlation", "mean square", "peak")
    ]
    alone = seconds(partial(disaggregation, house, [4], high=12_000))
    return [
        *found,
        Row(f"disaggregation of {SAMPLES:,} samples, 6 appliances, one budget", shown(alone), "", "", "< 5 s"),
        compared(
            f"… its search, {TRIED:,} samples, {len(combinations.choices)} combinations",
            seconds(partial(combinations.nearest, some)),
            seconds(partial(combinations.nearest_by_trying, some), repeat=1),
            "trying all, the same answers",
            "≤ 0.05×",
        ),
    ]


FITS: dict[str, Callable[[Floats, Floats], float]] = {
    "correlation": lambda own, reports: np.corrcoef(own, reports)[0, 1],
    "mean square": lambda own, reports: -np.square(own - reports).sum(),
    "peak": lambda own, reports: np.intersect1d(np.argsort(own)[-350:], np.argsort(reports)[-350:]).size,
}


def _one_by_one(panel: Panel, adversary: str) -> int:
    """The game as it is told: two homes, a coin, a mean in bins of 10/24."""
    draw, wins = np.random.default_rng(9), 0
    for _ in range(FEW):
        one, other, *rest = draw.permutation(panel.homes)[:9]
        inside = draw.integers(2)
        mean = panel.readings[[(one, other)[inside], *rest]].mean(axis=0)
        reports = (np.floor(mean * 2.4) + 0.5) / 2.4
        fits = [FITS[adversary](panel.readings[home], reports) for home in (one, other)]
        wins += int(np.argmax(fits)) == inside
    return wins


if __name__ == "__main__":
    for row in rows():
        print(row.line())
