"""The number of people with each of finitely many values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any

from numpy.typing import NDArray

from noiseless.errors import DomainError
from noiseless.privacy.domain import Codes
from noiseless.privacy.quantizers.cuts import ListedCuts
from noiseless.privacy.quantizers.quantizer import Quantizer
from noiseless.privacy.queries.query import Reach, people

BASIS = "one person adds one to one count, which changes only just below an edge: docs/queries.md"


@dataclass(frozen=True)
class Histogram:
    """The count of every value, with the same quantizer.

    One person adds one to one of D counts. The answer changes only if that count is just below an edge. If c of the
    others' counts are, c + 1 answers are possible, at most D. The cheapest edge to be below is the first one, e;
    c = ⌊(n−1)/(e−1)⌋ of the others' counts can be below it, or any number if e = 1.

    >>> Histogram(n=100, values=["a", "b", "c"]).reach(Quantizer("-0.5", "100.5", levels=101)).count
    3
    """

    n: int
    values: tuple[Hashable, ...]

    def __init__(self, n: int, values: Iterable[Hashable]) -> None:
        object.__setattr__(self, "n", people(n))
        object.__setattr__(self, "values", tuple(dict.fromkeys(values)))
        if len(self.values) < 2:
            raise DomainError("a histogram needs at least two different values; add one")

    @property
    def domain(self) -> Codes:
        """Each person's value, as its place in the list."""
        return Codes(len(self.values) - 1)

    @property
    def low(self) -> Fraction:
        """0: no person has the value."""
        return Fraction(0)

    @property
    def high(self) -> Fraction:
        """n: everybody has the value."""
        return Fraction(self.n)

    @property
    def sensitivity(self) -> Fraction:
        """One person moves each count by at most one."""
        return Fraction(1)

    @property
    def pieces(self) -> int:
        """Values of a histogram have no order, so every value is a separate piece."""
        return len(self.values)

    @property
    def step(self) -> Fraction:
        """Counts are integers."""
        return Fraction(1)

    def reach(self, quantizer: Quantizer) -> Reach:
        """Exact for every n, D and edges."""
        first = _first_acting_edge(quantizer, self.n)
        if first is None:
            return Reach(1, True, Fraction(len(self.values)))
        below = len(self.values) if first == 1 else min(len(self.values), (self.n - 1) // (first - 1))
        count = min(len(self.values), below + 1)
        return Reach(count, True, Fraction(1 if count > 1 else len(self.values)), BASIS)

    def counts(self, values: NDArray[Any]) -> dict[Hashable, Fraction]:
        """The number of people with each value."""
        found = Counter(values.tolist())
        return {value: Fraction(found[value]) for value in self.values}


def _first_acting_edge(quantizer: Quantizer, n: int) -> int | None:
    """The smallest integer count in 1..n at which the bin changes."""
    cuts = quantizer.cuts
    if isinstance(cuts, ListedCuts):
        edges = [edge for edge in cuts.edges if 0 < edge <= n]
        return ceil(edges[0]) if edges else None
    first, last = cuts.inside(Fraction(0), Fraction(n))
    return ceil(cuts.start + first * cuts.width) if first <= last else None
