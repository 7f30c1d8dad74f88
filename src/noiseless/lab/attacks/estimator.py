"""How close can an estimator with a prior get? The best one against the tight bound of NP Theorem 4.

A value is reported as one of K equal cells. The best estimate in a cell is the a that minimises ∫|x − a|^p f(x) dx. For
any mechanism with K answers the error is at least ρ·μ^(p+1)·K^(−p)/(2^p(p+1)), if f ≥ ρ on its support of length μ.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, log

import numpy as np
from numpy.typing import NDArray

from noiseless.errors import InputError, TooLargeError
from noiseless.exact.answers import answers_within
from noiseless.exact.number import Number
from noiseless.lab.attacks.adversary import SEED, drawn
from noiseless.lab.attacks.curve import Curve, Point
from noiseless.lab.attacks.outside import outside

Floats = NDArray[np.float64]
MOST_ANSWERS = 1 << 12
LARGEST = 600.0
"""The largest logarithm of an error that a float can hold."""
TRIED = 201
ROUNDS = 6
"""The number of estimates in a grid, and of grids. Each grid is finer, and lies around the best of the previous one."""


@dataclass(frozen=True, eq=False)
class Prior:
    """A density that is constant on each of some equal parts of a range."""

    low: float
    high: float
    weights: Floats
    """The probability of each part."""
    origin: str

    @classmethod
    def of(cls, values: Floats, low: float, high: float, parts: int, origin: str) -> Prior:
        """The histogram of some people's values; values outside count at the ends."""
        if not low < high or parts < 1 or not len(values):
            raise InputError(f"a prior needs values, at least one part, and low={low} below high={high}; correct them")
        counts, _ = np.histogram(values.clip(low, high), parts, (low, high))
        described = f"{origin}, in {parts} parts of [{low:g}, {high:g}]{outside(values, low, high)}"
        return cls(low, high, counts / counts.sum(), described)

    @property
    def part(self) -> float:
        """The length of a part."""
        return (self.high - self.low) / len(self.weights)

    def bound(self, answers: int, p: float) -> float:
        """A lower bound of the error of any estimator, for any mechanism with this number of answers."""
        there = self.weights[self.weights > 0]
        least, support = there.min() / self.part, self.part * len(there)
        return float(least * support ** (p + 1) * float(answers) ** -p / (2**p * (p + 1)))


@dataclass(frozen=True, eq=False)
class Estimator:
    """Knows the prior and the cells, and names the value with the smallest expected error."""

    prior: Prior
    p: float
    name: str = "estimator with a prior"

    def choose(self, games: int, draw: np.random.Generator) -> tuple[Floats, Floats]:
        """Its prior: where the density changes, and its height in between."""
        prior = self.prior
        return np.linspace(prior.low, prior.high, len(prior.weights) + 1), prior.weights / prior.part

    def observe(self, chosen: tuple[Floats, Floats], reports: Floats) -> list[tuple[Floats, Floats]]:
        """For each cell, given by its ends, the pieces of the prior in it and their densities."""
        places, density = chosen
        left = []
        for low, high in reports:
            edges = np.unique(np.concatenate([[low, high], places[(places > low) & (places < high)]]))
            inside = np.searchsorted(places, (edges[:-1] + edges[1:]) / 2, side="right") - 1
            left.append((edges, density[inside]))
        return left

    def guess(self, evidence: list[tuple[Floats, Floats]], draw: np.random.Generator) -> Floats:
        """The best estimate in each cell, found on ever finer grids."""
        return np.array([self._best(edges, density) for edges, density in evidence])

    def error(self, edges: Floats, density: Floats, estimates: Floats) -> Floats:
        """∫|x − a|^p f(x) dx over the pieces, in closed form, for each estimate a."""
        gap = edges[None, :] - estimates[:, None]
        whole = np.sign(gap) * np.abs(gap) ** (self.p + 1) / (self.p + 1)
        found: Floats = np.diff(whole, axis=1) @ density
        return found

    def _best(self, edges: Floats, density: Floats) -> float:
        low, high = edges[0], edges[-1]
        tried = np.linspace(low, high, TRIED)
        for _ in range(ROUNDS):
            best, step = tried[int(self.error(edges, density, tried).argmin())], tried[1] - tried[0]
            tried = np.linspace(max(low, best - step), min(high, best + step), TRIED)
        return float(tried[int(self.error(edges, density, tried).argmin())])


def estimator(prior: Prior, bits: Sequence[Number], p: float = 2.0) -> Curve:
    """E|X − X̂|^p of the best estimator against the bits of the report, and the bound."""
    if not 0 < p < inf or not bits:
        raise InputError(f"p={p} or bits is not valid; use p above 0 and at least one number of bits")
    if (p + 1) * abs(log(prior.high - prior.low)) > LARGEST:
        raise TooLargeError(f"p={p:g} makes errors too large for a float; use a smaller p")
    adversary, draw, points = Estimator(prior, p), drawn(SEED), []
    for budget in bits:
        answers = answers_within(budget)
        if answers > MOST_ANSWERS:
            raise TooLargeError(f"bits={budget} means more than {MOST_ANSWERS} answers; use fewer bits")
        ends = np.linspace(prior.low, prior.high, answers + 1)
        left = adversary.observe(adversary.choose(answers, draw), np.stack([ends[:-1], ends[1:]], axis=1))
        guesses = adversary.guess(left, draw)
        error = sum(float(adversary.error(*each, guesses[[k]])[0]) for k, each in enumerate(left))
        points.append(Point.exactly({"bits": budget, "bound": prior.bound(answers, p)}, error))
    return Curve(f"{adversary.name}, p = {p:g}", "error", tuple(points), prior.origin, beside="bound")
