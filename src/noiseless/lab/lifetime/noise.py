"""How many of the same questions differential privacy answers with ε = 1, within the error in 95 % of all cases.

The budget is divided by basic composition: the ε of all answers add up to 1. Two tables are neighbours if one person's
data differ, as everywhere here.

- Laplace, for a number that one person moves by at most Δ: noise of scale b = Δ/ε exceeds the error E with probability
  exp(−E/b), so 95 % need ε = Δ·ln 20/E. For a count Δ = 1. For a mean Δ = (high − low)/n over the n people who count;
  under a private condition n is taken as known at no cost, which favours noise.
- Exponential mechanism, for a median to the year: a year y is drawn with probability proportional to exp(ε·u(y)/2),
  where u(y) = −max(0, younger − n/2, older − n/2) counts how many people must move before y is a median. One person
  moves u by at most 1. The ε of each answer is the smallest with which the median comes out in 95 % of all questions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, chain, islice, takewhile
from math import log

import numpy as np
from numpy.typing import NDArray

from noiseless.lab.lifetime.asked import Question
from noiseless.lab.lifetime.people import People

EPSILON = 1.0
SURE = 0.95
TYPICAL = 200
Floats = NDArray[np.float64]


def with_noise(people: People, questions: Iterator[Question]) -> int:
    """How many of the questions are answered, in their order. For medians, the first `TYPICAL` decide on ε."""
    first, *_ = typical = list(islice(questions, TYPICAL))
    if first.kind.name == "median":
        return int(EPSILON / median_epsilon(people, typical))
    spent = accumulate(laplace_epsilon(people, question) for question in chain(typical, questions))
    return sum(1 for _ in takewhile(lambda epsilon: epsilon <= EPSILON, spent))


def laplace_epsilon(people: People, question: Question) -> float:
    """ε = Δ·ln 20/E."""
    height = people.scales[1]
    moved = 1.0 if question.kind.name == "count" else float(height.span) / people.count(question.about)
    return moved * -log(1 - SURE) / float(question.kind.error)


def median_epsilon(people: People, questions: Sequence[Question]) -> float:
    """The smallest ε with which the exponential mechanism names the median in 95 % of the questions, by bisection."""
    tallies = np.stack([people.tally(question.about, question.column) for question in questions]).astype(float)
    utility, medians = utilities(tallies)
    low, high = 1e-9, 1e3
    while high / low > 1.0001:
        middle = (low * high) ** 0.5
        low, high = (low, middle) if _right(utility, medians, middle) >= SURE else (middle, high)
    return high


def utilities(tallies: Floats) -> tuple[Floats, NDArray[np.int64]]:
    """u(y) of every year, and the year of the median, for every question."""
    people = tallies.sum(axis=1, keepdims=True)
    up_to = np.cumsum(tallies, axis=1)
    younger, older = up_to - tallies, people - up_to
    medians = (up_to < np.ceil(people / 2)).sum(axis=1)
    return -np.maximum(0, np.maximum(younger, older) - people / 2), medians


def _right(utility: Floats, medians: NDArray[np.int64], epsilon: float) -> float:
    """How often the median comes out, on average over the questions."""
    weights = np.exp(epsilon * utility / 2)
    chosen = np.take_along_axis(weights, medians[:, None], axis=1)[:, 0]
    return float((chosen / weights.sum(axis=1)).mean())
