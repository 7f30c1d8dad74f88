"""Volumes of slabs against the formula over all sets in floats, and optimal quantizers of many atoms."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import partial
from itertools import pairwise
from math import factorial, prod

import numpy as np

import noiseless as nl
from benchmarks.measure import Row, compared, seconds
from noiseless.theory.spread.linear import LinearSpread


def rows() -> list[Row]:
    draw = random.Random(9)
    weights = [draw.randint(10**6, 10**7) for _ in range(18)]
    half = Fraction(sum(weights), 2)
    atoms = {Fraction(draw.randint(0, 10**7), 1000): draw.randint(1, 1000) for _ in range(10_000)}
    return [
        compared(
            "slab volume, 18 different weights, exact",
            seconds(partial(_slab, weights, half)),
            seconds(partial(_in_floats, weights, float(half))),
            "the same sum in float64",
            "< 1 s",
        ),
        compared(
            "slab volume, mean of 300, exact",
            seconds(partial(_slab, [Fraction(1, 300)] * 300, Fraction(1, 2))),
            seconds(partial(_sampled, 300)),
            "10^5 samples, 2 digits",
            "< 50 ms",
        ),
        compared(
            "optimal quantizer, 10^4 atoms, against leakage",
            seconds(partial(nl.optimal_quantizer, atoms, error=50)),
            seconds(partial(_quadratic, atoms, 100.0), repeat=1),
            "best cell for every end, in numpy",
            "< 5 s",
        ),
    ]


def _slab(lengths: list[int] | list[Fraction], middle: Fraction) -> Fraction:
    spread = LinearSpread.of(lengths)
    return spread.share_below(middle) - spread.share_below(middle * Fraction(9, 10))


def _in_floats(lengths: list[int], middle: float) -> float:
    sums, signs = np.zeros(1), np.ones(1)
    for length in lengths:
        sums, signs = np.concatenate([sums, sums + length]), np.concatenate([signs, -signs])
    below = [float((signs * np.maximum(at - sums, 0) ** len(lengths)).sum()) for at in (middle, middle * 0.9)]
    return (below[0] - below[1]) / factorial(len(lengths)) / prod(map(float, lengths))


def _sampled(n: int) -> float:
    means = np.random.default_rng(9).random((100_000, n), dtype=np.float32).mean(axis=1)
    return float(((means >= 0.45) & (means < 0.5)).mean())


def _quadratic(atoms: dict[Fraction, int], width: float) -> float:
    """The textbook dynamic program: for every end, the best over all beginnings."""
    values = np.array(sorted(map(float, atoms)))
    starts = np.concatenate([[0.0], np.cumsum([atoms[value] for value in sorted(atoms)])])
    best = np.full(len(starts), -np.inf)
    best[0] = np.inf
    first = np.searchsorted(values, values - width)
    for end, begin in enumerate(first.tolist(), start=1):
        best[end] = np.minimum(best[begin:end], starts[end] - starts[begin:end]).max()
    assert all(right > left for left, right in pairwise(starts.tolist()))
    return float(best[-1])
