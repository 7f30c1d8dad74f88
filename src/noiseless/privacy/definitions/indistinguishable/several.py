"""Several quantised answers about the same people are one answer: a vector of bins.

The vectors that are possible with one value of a person and not with another can be far more than the telling answers
of any part. Answers to the same query are one finer answer, so they are counted exactly. So are finite data, by going
through all sums of the others. In general

    |A Δ B| ≤ ∏|image given x_i| + ∏|image given x_i'|,

because the images of a vector lie in the products of the images of its parts.

Source: theory §14; docs/indistinguishability.md
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import prod

import numpy as np
from numpy.typing import NDArray

from noiseless.errors import InputError, TooLargeError
from noiseless.exact.number import written
from noiseless.privacy.definitions.indistinguishable.telling import most_different, telling_answers_of
from noiseless.privacy.domain import members
from noiseless.privacy.quantizers.quantizer import Quantizer
from noiseless.privacy.queries.linear import AnyLinear, EqualWeights, Linear
from noiseless.privacy.queries.reachable import bins_of
from noiseless.theory.ranges.interval import Interval

Answer = tuple[Quantizer, AnyLinear]
Weights = tuple[Fraction, ...]
"""The weight of one person in each answer."""
Ints = NDArray[np.int64]
MOST_SUMS = 1 << 16
MOST_PLACES = 1 << 16


@dataclass(frozen=True, slots=True)
class IndistinguishedVector:
    """Several quantised answers, and how many vectors of answers distinguish two values of one person."""

    answers: tuple[Answer, ...]
    telling: int
    """At most this number of vectors is possible with one value of a person and not with another."""
    at_least: int
    """At least this number is; the same number if it is exact."""
    allowed: int

    @property
    def exact(self) -> bool:
        """Whether the number is known exactly."""
        return self.telling == self.at_least

    @property
    def holds(self) -> bool:
        """Whether the number of telling vectors is certainly allowed."""
        return self.telling <= self.allowed

    def explain(self) -> str:
        """What it means, in words."""
        return (
            f"{len(self.answers)} answers are one vector. {'Exactly' if self.exact else 'At most'} "
            f"{written(self.telling)} vectors are possible with one value of a person and not with another, for any "
            f"data of the others. {written(self.allowed)} were allowed: the promise "
            f"{'holds' if self.holds else 'is not proved'}."
        )


def telling_vectors(answers: Sequence[Answer]) -> tuple[int, int]:
    """The most vectors that distinguish two values of one person: at least and at most.

    >>> from noiseless.privacy.queries.linear import Mean
    >>> mean = Mean(n=3, low=0, high=60)
    >>> telling_vectors([(Quantizer(0, 60, levels=4), mean), (Quantizer(0, 60, levels=6), mean)])
    (5, 5)
    """
    merged = _merged(_checked(answers))
    each = [telling_answers_of(*answer) for answer in merged]
    if len(merged) == 1:
        return each[0], each[0]
    if not isinstance(merged[0][1].domain, Interval):
        found = _by_sums(merged)
        if found is not None:
            return found, found
    images = max(_largest_image(merged, weights) for weights in _people(merged))
    return max(each), min(2 * images, prod(quantizer.cuts.within(*_ends(query)) + 1 for quantizer, query in merged))


def _checked(answers: Sequence[Answer]) -> list[Answer]:
    if not answers or not all(map(_is_answer, answers)):
        raise InputError("answers must be pairs of a quantizer and a weighted sum, mean or count; give at least one")
    first = answers[0][1]
    if any((query.n, query.domain) != (first.n, first.domain) for _, query in answers):
        raise InputError("the answers are about different people or values; give queries with the same n and domain")
    return list(answers)


def _is_answer(given: object) -> bool:
    if not isinstance(given, tuple | list) or len(given) != 2:
        return False
    return isinstance(given[0], Quantizer) and isinstance(given[1], (Linear, EqualWeights))


def _weights(query: AnyLinear) -> Weights:
    return (query.weight,) * query.n if isinstance(query, EqualWeights) else query.weights


def _people(answers: Sequence[Answer]) -> Counter[Weights]:
    """How many people have the same weights in all answers; people without any weight do not matter."""
    found = Counter(zip(*(_weights(query) for _, query in answers), strict=True))
    return Counter({weights: number for weights, number in found.items() if any(weights)})


def _ends(query: AnyLinear) -> tuple[Fraction, Fraction, Fraction | None]:
    return query.low, query.high, query.step


def _merged(answers: Sequence[Answer]) -> list[Answer]:
    """Answers to proportional queries as one answer, whose bins end at the edges of all."""
    found: list[Answer] = []
    for quantizer, query in answers:
        factors = [_factor(known, query) for _, known in found]
        place = next((place for place, factor in enumerate(factors) if factor is not None), None)
        if place is None:
            found.append((quantizer, query))
        else:
            finer, known = found[place]
            found[place] = _both(finer, quantizer, factors[place] or Fraction(1), known), known
    return found


def _factor(one: AnyLinear, other: AnyLinear) -> Fraction | None:
    """c > 0 with other = c·one, if there is one."""
    first, second = _weights(one), _weights(other)
    place = next(place for place, weight in enumerate(first) if weight)
    factor = second[place] / first[place]
    return factor if factor > 0 and all(b == factor * a for a, b in zip(first, second, strict=True)) else None


def _both(one: Quantizer, other: Quantizer, factor: Fraction, query: AnyLinear) -> Quantizer:
    """The bins of two answers, the second to `factor` times the query."""
    if one.levels + other.levels > MOST_PLACES:
        raise TooLargeError(f"the answers have more than {MOST_PLACES} bins to try; use fewer levels")
    edges = {one.edge(k) for k in range(1, one.levels)} | {other.edge(k) / factor for k in range(1, other.levels)}
    inside = sorted(edge for edge in edges if query.low < edge <= query.high)
    room = query.high - query.low
    return Quantizer.from_edges([query.low - room, *inside, query.high + room])


def _by_sums(answers: Sequence[Answer]) -> int | None:
    """Exact: the vectors that each value of a person can lead to, over all sums of the others; None if too many."""
    people, first = _people(answers), answers[0][1]
    assert not isinstance(first.domain, Interval)
    values = members(first.domain)
    steps = [query.step or Fraction(1) for _, query in answers]
    moves = {
        weights: np.array(
            [[int(w * (v - values[0]) / step) for w, step in zip(weights, steps, strict=True)] for v in values]
        )
        for weights in people
    }
    origins = [sum(_weights(query), Fraction(0)) * values[0] for _, query in answers]
    best = 0
    for weights in people:
        others = _sums(people - Counter([weights]), moves, len(answers))
        if others is None:
            return None
        reached = others[None, :, :] + moves[weights][:, None, :]
        bins = [
            bins_of(quantizer, origin, step, reached[:, :, place])
            for place, ((quantizer, _), origin, step) in enumerate(zip(answers, origins, steps, strict=True))
        ]
        _, vectors = np.unique(np.stack(bins, axis=-1).reshape(-1, len(answers)), axis=0, return_inverse=True)
        possible = np.zeros((len(values), int(vectors.max()) + 1), dtype=np.int64)
        np.put_along_axis(possible, vectors.reshape(len(values), -1), 1, axis=1)
        best = max(best, most_different(possible))
    return best


def _sums(people: Counter[Weights], moves: dict[Weights, Ints], parts: int) -> Ints | None:
    """All vectors of sums that these people can have, in steps."""
    found = np.zeros((1, parts), dtype=np.int64)
    for weights in people.elements():
        found = np.unique((found[:, None, :] + moves[weights][None, :, :]).reshape(-1, parts), axis=0)
        if len(found) > MOST_SUMS:
            return None
    return found


def _largest_image(answers: Sequence[Answer], weights: Weights) -> int:
    """max over x_i of ∏ bins that each answer can be in: they change only where the end of a window meets an edge."""
    low, high = answers[0][1].domain.low, answers[0][1].domain.high
    if sum(quantizer.levels for quantizer, _ in answers) > MOST_PLACES:
        raise TooLargeError(f"the answers have more than {MOST_PLACES} bins to try; use fewer levels")
    places = sorted({low, high, *(x for x in _changes(answers, weights) if low < x < high)})
    tried = [*places, *((a + b) / 2 for a, b in pairwise(places))]
    return max(
        prod(
            quantizer.index(start + length, "clamp") - quantizer.index(start, "clamp") + 1
            for quantizer, start, length in (
                (quantizer, *_window(query, weight, x))
                for (quantizer, query), weight in zip(answers, weights, strict=True)
            )
        )
        for x in tried
    )


def _window(query: AnyLinear, weight: Fraction, x: Fraction) -> tuple[Fraction, Fraction]:
    """Where the query begins, for this value of the person, and how far the others move it."""
    own = sorted((weight * query.domain.low, weight * query.domain.high))
    return query.low - own[0] + weight * x, query.high - query.low - (own[1] - own[0])


def _changes(answers: Sequence[Answer], weights: Weights) -> Iterator[Fraction]:
    for (quantizer, query), weight in zip(answers, weights, strict=True):
        if weight:
            start, length = _window(query, weight, Fraction(0))
            for k in range(1, quantizer.levels):
                yield (quantizer.edge(k) - start) / weight
                yield (quantizer.edge(k) - start - length) / weight
