"""Which questions are asked, in which order. They follow from a seed.

Under private conditions, every question is about the people whose weight is in an interval. The share of these people
is drawn uniformly from `SELECTIVITY`, and the beginning of the interval uniformly from the places that remain. Without
private conditions, every question is about some public regions, drawn at random: the same share of all regions. No
question is asked twice.

The seed and the intervals of weights were committed before any way of answering was tried on them. After first runs,
three things were changed: the public regions (leaving out a few gave the same answer again and again), the numbers of
columns and of regions (fewer, for speed), and the given share, which now varies a little.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SEED = 2024
"""Run number r uses the seeds (SEED, r)."""
SELECTIVITY = (0.2, 0.8)
AROUND = 0.05
"""A given share varies by this. If all questions kept equally many people, answers would not spread evenly."""
MOST_TRIES = 100
"""After this number of intervals in a row that are not new, the search for new ones ends."""


@dataclass(frozen=True, slots=True)
class Filter:
    """People whose code of the weight is from `low` to `high`, or those in some public regions."""

    low: int = 0
    high: int = 0
    regions: tuple[int, ...] = ()


def drawn_for(run: int, purpose: int) -> np.random.Generator:
    """The random numbers of one run: 0 for its people, 1 for its questions."""
    return np.random.default_rng((SEED, run, purpose))


def _between(share: float | None) -> tuple[float, float]:
    return SELECTIVITY if share is None else (share - AROUND, share + AROUND)


def private_filters(
    run: int, weights: NDArray[np.int64], columns: int, share: float | None = None
) -> Iterator[tuple[int, Filter]]:
    """Different pairs of a column and an interval of weights. Each keeps about this `share` of the people."""
    draw, ordered, seen = drawn_for(run, 1), np.sort(weights), set[tuple[int, Filter]]()
    tries = 0
    while tries < MOST_TRIES:
        kept = draw.uniform(*_between(share))
        begin = draw.uniform(0, 1 - kept)
        ends = [min(int(place * len(ordered)), len(ordered) - 1) for place in (begin, begin + kept)]
        low, high = (int(ordered[end]) for end in ends)
        asked = int(draw.integers(columns)), Filter(low, high)
        tries += 1
        if asked not in seen:
            seen.add(asked)
            tries = 0
            yield asked


def public_filters(run: int, regions: int, columns: int, share: float | None = None) -> Iterator[tuple[int, Filter]]:
    """Different pairs of a column and some public regions. Each keeps about this `share` of the regions."""
    draw, seen = drawn_for(run, 1), set[tuple[int, Filter]]()
    tries = 0
    while tries < MOST_TRIES:
        kept = draw.uniform(*_between(share))
        number = min(max(1, round(kept * regions)), regions)
        chosen = tuple(sorted(draw.choice(regions, number, replace=False).tolist()))
        asked = int(draw.integers(columns)), Filter(regions=chosen)
        tries += 1
        if asked not in seen:
            seen.add(asked)
            tries = 0
            yield asked
