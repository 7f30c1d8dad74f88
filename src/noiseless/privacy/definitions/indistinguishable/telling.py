"""The most answers that are possible with one value of a person and not with another.

For a given x_i, a weighted sum can be anywhere in a window, which moves with w_i·x_i. Two windows differ by the bins at
their ends. If the others together can move the sum at least as far as the person, the windows overlap, and those at the
two ends of the person's range differ most:

    |Δ| = inner edges in (low, low + S] and in (high − S, high],

which for q equal bins of the whole range is ⌊s⌋ + ⌈s⌉ − 1, s = qS/R.

Source: NHT Thm 5, corrected: docs/theorems.md#nht-thm-5
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from noiseless.errors import InputError, TooLargeError
from noiseless.privacy.domain import is_evenly_spaced, members
from noiseless.privacy.quantizers.quantizer import Quantizer
from noiseless.privacy.queries.linear import AnyLinear, EqualWeights, Linear, weights_of
from noiseless.privacy.queries.reachable import bins_of, steps_of, sums_of_others
from noiseless.theory.ranges.interval import Interval

MOST_LEVELS = 1 << 16


def telling_answers_of(quantizer: Quantizer, query: AnyLinear) -> int:
    """max over people and pairs of their values of |Q-image given x_i Δ Q-image given x_i'|, exactly."""
    if not isinstance(query, (Linear, EqualWeights)) or not isinstance(quantizer, Quantizer):
        raise InputError("indistinguishability needs a quantizer and a weighted sum, mean or count; give these")
    weights, domain = weights_of(query), query.domain
    del weights[Fraction(0)]
    sizes = {abs(weight) for weight in weights}
    if not isinstance(domain, Interval) and not (len(sizes) == 1 and is_evenly_spaced(domain)):
        return _by_sums(quantizer, query)
    if weights.total() == 1:
        return 2 if quantizer.cuts.within(query.low, query.high, query.step) else 0
    return max(_by_windows(quantizer, query, size * (domain.high - domain.low)) for size in sizes)


def _by_windows(quantizer: Quantizer, query: AnyLinear, moved: Fraction) -> int:
    """For a person who moves the sum by `moved`, while the others move it through the rest of the range."""
    low, high, cuts = query.low, query.high, quantizer.cuts
    if 2 * moved <= high - low:
        return cuts.within(low, low + moved, query.step) + cuts.within(high - moved, high, query.step)
    if quantizer.levels > MOST_LEVELS:
        raise TooLargeError(
            f"one person outweighs all the others, and {quantizer.levels} levels are too many to try; "
            f"use at most {MOST_LEVELS}"
        )
    return _by_trying(quantizer, low, low + moved, high - low - moved)


def _by_trying(quantizer: Quantizer, low: Fraction, high: Fraction, length: Fraction) -> int:
    """Windows [p, p + length], p from low to high: their bins change only where an end of the window meets an edge."""
    edges = [quantizer.edge(k) for k in range(1, quantizer.levels)]
    places = sorted({low, *(p for edge in edges for p in (edge, edge - length) if low < p <= high)})
    first = [quantizer.index(place, "clamp") for place in places]
    last = [quantizer.index(place + length, "clamp") for place in places]
    largest_after = [0]
    for left, right in zip(reversed(first), reversed(last), strict=True):
        largest_after.append(max(largest_after[-1], right - left + 1))
    largest_after.reverse()
    best, beyond = 0, 0
    for left, right in zip(first, last, strict=True):
        while beyond < len(places) and first[beyond] <= right:
            beyond += 1
        # of overlapping windows the last differs most; of the others, the largest
        overlapping = first[beyond - 1] - left + last[beyond - 1] - right
        disjoint = right - left + 1 + largest_after[beyond] if beyond < len(places) else 0
        best = max(best, overlapping, disjoint)
    return best


def _by_sums(quantizer: Quantizer, query: AnyLinear) -> int:
    """The bins that each value of a person can lead to, over every sum of the others."""
    assert query.step is not None
    best = 0
    for origin, places in _reached(query):
        bins = bins_of(quantizer, origin, query.step, places)
        _, found = np.unique(bins, return_inverse=True)
        possible = np.zeros((len(places), int(found.max()) + 1), dtype=np.int64)
        np.put_along_axis(possible, found.reshape(bins.shape), 1, axis=1)
        best = max(best, most_different(possible))
    return best


@lru_cache(maxsize=8)
def _reached(query: AnyLinear) -> list[tuple[Fraction, NDArray[np.int64]]]:
    """For a person of each weight, every sum for each of their values, in steps from an origin."""
    assert not isinstance(query.domain, Interval)
    assert query.step is not None
    values, people_with = members(query.domain), {w: number for w, number in weights_of(query).items() if w}
    steps = steps_of(people_with, values, query.step)
    if steps is None:
        raise TooLargeError(
            f"{query.n} people with {query.domain.points} values each have too many sums to try; use rounder "
            "weights, or evenly spaced values with equal weights, where there is a formula"
        )
    origin = sum((weight * number for weight, number in people_with.items()), Fraction(0)) * values[0]
    reached = []
    for weight in people_with:
        others = sums_of_others(weight, people_with, steps)
        reached.append((origin, others[None, :] + np.array(steps[weight])[:, None]))
    return reached


def most_different(possible: Sequence[Sequence[int]] | np.ndarray) -> int:
    """The most places in which two rows of zeros and ones differ.

    >>> most_different([[1, 1, 0], [0, 1, 1], [1, 1, 1]])
    2
    """
    rows = np.asarray(possible, dtype=np.float64)
    sizes = rows.sum(axis=1)
    return int((sizes[:, None] + sizes[None, :] - 2 * rows @ rows.T).max())
