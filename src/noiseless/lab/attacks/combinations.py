"""Power levels of appliances, learned by k-means, and their combinations, sorted by their sums."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from noiseless.errors import TooLargeError
from noiseless.lab.datasets.appliances import House

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
ON = 10.0
"""An appliance is on from this many watts."""
LEVELS = 2
"""Levels of each appliance: off and on."""
TENTHS = 10
"""Watts are compared in whole tenths, so that ties are exact."""
ROUNDS = 100
MOST_COMBINATIONS = 1 << 20


@dataclass(frozen=True, eq=False)
class Combinations:
    """Every choice of a level for each appliance, and their sums in tenths of watts, sorted."""

    names: tuple[str, ...]
    choices: Ints
    """One row for each combination: the levels, in tenths of watts."""
    order: Ints
    """The combinations by their sums; only the first of equal sums."""
    sums: Ints

    @classmethod
    def of(cls, levels: Mapping[str, Sequence[float]]) -> Combinations:
        """All combinations of the levels that each appliance can have."""
        tenths = [[round(TENTHS * level) for level in each] for each in levels.values()]
        if np.prod([len(each) for each in tenths], dtype=float) > MOST_COMBINATIONS:
            raise TooLargeError(
                f"{len(tenths)} appliances have more than {MOST_COMBINATIONS} combinations; use fewer appliances"
            )
        choices = np.array(list(product(*tenths)), dtype=np.int64)
        sums, order = np.unique(choices.sum(axis=1), return_index=True)
        return cls(tuple(levels), choices, order, sums)

    def nearest(self, mains: Floats) -> Ints:
        """For each sample the combination with the nearest sum; the first if several are equally near."""
        wanted = np.rint(TENTHS * mains).astype(np.int64)
        above = np.searchsorted(self.sums, wanted).clip(0, len(self.sums) - 1)
        below = (above - 1).clip(0)
        to_above, to_below = np.abs(self.sums[above] - wanted), np.abs(self.sums[below] - wanted)
        earlier = self.order[below] < self.order[above]
        found: Ints = self.order[np.where((to_below < to_above) | ((to_below == to_above) & earlier), below, above)]
        return found

    def nearest_by_trying(self, mains: Floats) -> Ints:
        """The same as `nearest`, found by trying all combinations on every sample. It checks the search."""
        totals, wanted = self.choices.sum(axis=1), np.rint(TENTHS * mains).astype(np.int64)
        return np.array([int(np.argmin(np.abs(totals - each))) for each in wanted.tolist()], dtype=np.int64)


def learned_levels(training: House, levels: int = LEVELS) -> dict[str, list[float]]:
    """k-means of each appliance's watts, started at quantiles of the different values; off is always a level."""
    return {name: _k_means(watts, levels) for name, watts in training.appliances.items()}


def learned_rest(training: House, levels: int = 3) -> list[float]:
    """Levels of the load that no appliance explains: the base load, and everything without its own meter."""
    rest = training.mains - np.sum([*training.appliances.values()], axis=0)
    found: list[float] = np.unique(np.quantile(rest, (np.arange(levels) + 0.5) / levels).round(1)).tolist()
    return found


def _k_means(watts: Floats, levels: int) -> list[float]:
    on = watts[watts > ON]
    if not len(on) or levels < 2:
        return [0.0]
    centres = np.unique(np.quantile(np.unique(on), (np.arange(levels - 1) + 0.5) / (levels - 1)))
    for _ in range(ROUNDS):
        nearest = np.abs(on[:, None] - centres[None, :]).argmin(axis=1)
        sums = np.bincount(nearest, on, minlength=len(centres))
        counts = np.bincount(nearest, minlength=len(centres))
        moved = np.where(counts > 0, sums / np.maximum(counts, 1), centres)
        if np.allclose(moved, centres, atol=1e-3):
            break
        centres = moved
    return [0.0, *np.unique(centres.round(1)).tolist()]
