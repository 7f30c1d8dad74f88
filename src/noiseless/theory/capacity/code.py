"""Codes without error: words of inputs of which no two are ever confused."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np

from noiseless.theory.capacity.channel import Channel
from noiseless.theory.capacity.deadline import Deadline
from noiseless.theory.capacity.independence_number import distinguishable_inputs
from noiseless.theory.capacity.plateau_search import plateau_search
from noiseless.theory.capacity.rate import Rate

Words = tuple[tuple[Hashable, ...], ...]
MOST_PAIRS = 10_000
MOST_ENTRIES = 2_000_000
MOST_WORDS = 3000
"""The most words of a power in which codes are searched for."""
STEPS = 100_000
"""The steps of a search in one power, which take some seconds."""


@dataclass(frozen=True, slots=True)
class Code:
    """Words of equal length, and how they were found."""

    words: Words
    found_by: str

    @property
    def rate(self) -> Rate:
        """Bits per use."""
        return Rate(Fraction(len(self.words)), len(self.words[0]))


def reached_in_one_use(channel: Channel, deadline: Deadline) -> Code:
    """The most inputs found of which no two are confused."""
    places = distinguishable_inputs(channel, deadline).places
    words = tuple((channel.inputs[place],) for place in places)
    return Code(words, f"{len(words)} input{'s' * (len(words) > 1)} never confused")


def reached_in_two_uses(channel: Channel, deadline: Deadline) -> Code | None:
    """The most pairs of inputs found of which no two are confused."""
    if deadline.over or len(channel.inputs) ** 2 > MOST_PAIRS or channel.matrix.nnz**2 > MOST_ENTRIES:
        return None
    both = channel * channel
    found = distinguishable_inputs(both, deadline.share(1 / 4))
    words: Words = tuple(both.inputs[place] for place in found.places)  # type: ignore[misc]
    if not found.proved:
        words = max(words, searched_words(channel, 2, deadline), key=len)
    return Code(words, f"{len(words)} pairs of inputs never confused in two uses")


def reached_in_more_uses(channel: Channel, deadline: Deadline) -> Iterator[Code]:
    """Large codes of three uses and more, as far as words and time allow; none is proved largest."""
    for uses in range(3, 100):
        if len(channel.inputs) ** uses > MOST_WORDS or deadline.over:
            return
        if words := searched_words(channel, uses, deadline):
            yield Code(words, f"{len(words)} words never confused in {uses} uses")


def searched_words(channel: Channel, uses: int, deadline: Deadline) -> Words:
    """Many words of which no two are confused, by a walk of some seconds; always the same in enough time."""
    near = [sorted({place, *row.tolist()}) for place, row in enumerate(_rows(channel))]
    places = plateau_search(_neighbours(near, uses), STEPS, deadline.share(1 / 2))
    letters = [_digits(place, len(near), uses) for place in places]
    return tuple(tuple(channel.inputs[letter] for letter in word) for word in letters)


def _rows(channel: Channel) -> list[np.ndarray]:
    graph = channel.confusability.tocsr()
    return np.split(graph.indices, graph.indptr[1:-1])


def _neighbours(near: list[list[int]], uses: int) -> list[list[int]]:
    """For every word, as a number, the other words that it can be confused with."""
    size = len(near)
    found = []
    for number, word in enumerate(product(range(size), repeat=uses)):
        others = [0]
        for letter in word:
            others = [other * size + each for other in others for each in near[letter]]
        found.append([other for other in others if other != number])
    return found


def _digits(number: int, size: int, uses: int) -> list[int]:
    return [number // size**place % size for place in reversed(range(uses))]
