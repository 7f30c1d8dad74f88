"""Weighted sums of finitely many values, by going through every sum that the others can have."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from noiseless.privacy.quantizers.quantizer import Quantizer
from noiseless.privacy.queries.query import Reach
from noiseless.theory.coding import Integers

Person = TypeVar("Person", bound=Hashable)
"""What people with the same contributions share: a weight, or a weight and a domain."""

MOST_SUMS = 1 << 16
MOST_SHIFTED = 1 << 26
MOST_ANSWERS = 1 << 20
TRIED = "all sums that the others can have were tried: docs/queries.md"


def reach_by_trying(
    quantizer: Quantizer, people_with: Mapping[Fraction, int], members: Sequence[Fraction], step: Fraction
) -> Reach | None:
    """The exact reach, or None if there are too many sums. `people_with` is the number of people of each weight."""
    steps = steps_of(people_with, members, step)
    if steps is None:
        return None
    origin = sum((weight * number for weight, number in people_with.items()), Fraction(0)) * members[0]
    found = reach_of_each(quantizer, people_with, steps, origin, step)
    if found is None:
        return None
    count, cell = max(count for count, _ in found.values()), min(cell for _, cell in found.values())
    return Reach(count, True, Fraction(cell), TRIED)


def reach_of_each(
    quantizer: Quantizer,
    people_with: Mapping[Person, int],
    steps: Mapping[Person, list[int]],
    origin: Fraction,
    step: Fraction,
) -> dict[Person, tuple[int, int]] | None:
    """For a person of each kind, the most answers and the fewest values that share one; None if there are too many."""
    found = {}
    for person in people_with:
        others = sums_of_others(person, people_with, steps)
        if len(others) * len(steps[person]) > MOST_ANSWERS:
            return None
        bins = bins_of(quantizer, origin, step, others[:, None] + np.array(steps[person])[None, :])
        found[person] = most_and_fewest(bins)
    return found


def steps_of(
    people_with: Mapping[Fraction, int], members: Sequence[Fraction], step: Fraction
) -> dict[Fraction, list[int]] | None:
    """By how many steps each value of a person of each weight moves the sum, or None if there are too many sums."""
    steps = {weight: [int(weight * (member - members[0]) / step) for member in members] for weight in people_with}
    return steps if few_sums(people_with, steps) else None


def few_sums(people_with: Mapping[Person, int], steps: Mapping[Person, list[int]]) -> bool:
    """Whether all sums can be listed."""
    sums = sum(number * (max(steps[person]) - min(steps[person])) for person, number in people_with.items())
    return sums <= MOST_SUMS and sums * sum(people_with.values()) <= MOST_SHIFTED


def sums_of_others(
    left_out: Person, people_with: Mapping[Person, int], steps: Mapping[Person, list[int]]
) -> NDArray[np.int64]:
    """Every sum of all people but one of the given kind, as a set of bits shifted by each contribution."""
    reachable, lowest = 1, 0
    for person, people in people_with.items():
        number = people - (person == left_out)
        least = min(steps[person])
        shifts = {shift - least for shift in steps[person]}
        lowest += number * least
        for _ in range(number):
            reachable = _any(reachable << shift for shift in shifts)
    bits = np.frombuffer(reachable.to_bytes(reachable.bit_length() // 8 + 1, "little"), dtype=np.uint8)
    return np.flatnonzero(np.unpackbits(bits, bitorder="little")) + lowest


def _any(sets: Iterable[int]) -> int:
    union = 0
    for members in sets:
        union |= members
    return union


def bins_of(quantizer: Quantizer, origin: Fraction, step: Fraction, steps: NDArray[np.int64]) -> NDArray[np.int64]:
    """The bin of origin + steps·step."""
    low, high = int(steps.min()), int(steps.max())
    if quantizer.edges is None:
        place, pace = (origin - quantizer.low) / quantizer.widest, step / quantizer.widest
        common = lcm(place.denominator, pace.denominator)
        start, stride = int(place * common), int(pace * common)
        bins = [(start + number * stride) // common for number in range(low, high + 1)]
    else:
        bins = [bisect_right(quantizer.edges, origin + number * step) - 1 for number in range(low, high + 1)]
    table = np.array([min(max(index, 0), quantizer.levels - 1) for index in bins])
    return table[steps - low]


def most_and_fewest(answers: Integers) -> tuple[int, int]:
    """The most different answers in a row, and the fewest entries of a row that share one."""
    rows = np.sort(answers, axis=1)
    changes = np.ones((len(rows), rows.shape[1] + 1), dtype=bool)
    np.not_equal(rows[:, 1:], rows[:, :-1], out=changes[:, 1:-1])
    places = np.flatnonzero(changes.ravel())
    gaps = np.diff(places)[(places[:-1] + 1) % changes.shape[1] != 0]
    return int(changes[:, :-1].sum(axis=1).max()), int(gaps.min())
