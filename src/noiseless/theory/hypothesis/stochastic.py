"""A trial with probabilities: how often the best test is correct, and what the ranges alone say about it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from noiseless.errors import NumberError
from noiseless.exact.number import Number, exact_number

Distribution = Mapping[Hashable, Fraction]


@dataclass(frozen=True, slots=True, init=False)
class StochasticTrial:
    """Reports with probabilities, given that the hypothesis does not hold and that it does, and how likely it is.

    On a grid `cell` is the size of one cell, and the probabilities are those of the cells.

    >>> trial = StochasticTrial({"a": "1/2", "b": "1/2"}, {"b": "1/2", "c": "1/2"})
    >>> trial.success, trial.success_at_least, trial.success_at_most
    (Fraction(3, 4), Fraction(3, 4), Fraction(3, 4))
    """

    without: Distribution
    holding: Distribution
    prior: Fraction
    """The probability that the hypothesis holds."""
    cell: Fraction

    def __init__(
        self,
        without: Mapping[Hashable, Number],
        holding: Mapping[Hashable, Number],
        prior: Number = Fraction(1, 2),
        cell: Number = 1,
    ) -> None:
        object.__setattr__(self, "without", _distribution(without, "without"))
        object.__setattr__(self, "holding", _distribution(holding, "holding"))
        object.__setattr__(self, "prior", exact_number(prior, "prior"))
        object.__setattr__(self, "cell", exact_number(cell, "cell"))
        if not 0 <= self.prior <= 1 or self.cell <= 0:
            raise NumberError(f"prior={prior} or cell={cell} is not valid; use a prior from 0 to 1 and a cell above 0")

    @property
    def success(self) -> Fraction:
        """The probability that the best test is correct: Σ max(π₀p₀, π₁p₁)."""
        reports = self.without.keys() | self.holding.keys()
        return sum((max(self._joint(y)) for y in reports), Fraction(0))

    def _joint(self, y: Hashable) -> tuple[Fraction, Fraction]:
        zero = Fraction(0)
        return (1 - self.prior) * self.without.get(y, zero), self.prior * self.holding.get(y, zero)

    @property
    def density(self) -> Fraction:
        """e: both densities are at least this on their supports."""
        return min(*self.without.values(), *self.holding.values()) / self.cell

    @property
    def success_at_least(self) -> Fraction:
        """max(π₀ + π₁b, π₁ + π₀a), a and b the probabilities of reports that the other side cannot give.

        Guarantee: a bound against the curator. With equal priors it is at least ½ + (e/4)·m(Y₀ Δ Y₁).
        """
        a = sum((p for y, p in self.without.items() if y not in self.holding), Fraction(0))
        b = sum((p for y, p in self.holding.items() if y not in self.without), Fraction(0))
        return max((1 - self.prior) + self.prior * b, self.prior + (1 - self.prior) * a)

    @property
    def success_at_least_by_size(self) -> Fraction:
        """½ + (e/4)·m(Y₀ Δ Y₁), for equal priors: what the ranges alone say."""
        if self.prior != Fraction(1, 2):
            raise NumberError(f"prior={self.prior} is not 1/2, which the bound by sizes needs; use success_at_least")
        telling = len(self.without.keys() ^ self.holding.keys()) * self.cell
        return Fraction(1, 2) + self.density * telling / 4

    @property
    def success_at_most(self) -> Fraction:
        """1 − min(π₀, π₁)·e·m(Y₀ ∩ Y₁): the bound that protects."""
        common = len(self.without.keys() & self.holding.keys()) * self.cell
        return 1 - min(self.prior, 1 - self.prior) * self.density * common


def _distribution(given: Mapping[Hashable, Number], name: str) -> Distribution:
    if not isinstance(given, Mapping):
        raise NumberError(f"{name!r} does not map reports to probabilities; write it as {{'a': '1/2', 'b': '1/2'}}")
    found = {y: exact_number(p, name) for y, p in given.items()}
    kept = {y: p for y, p in found.items() if p != 0}
    if not kept or min(kept.values()) < 0 or sum(kept.values()) != 1:
        raise NumberError(f"the probabilities of {name!r} must be above 0 and sum to 1; write them exactly, as '1/3'")
    return kept
