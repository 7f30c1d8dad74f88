"""What every query knows."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Any, Protocol

from numpy.typing import NDArray

from noiseless.errors import DomainError
from noiseless.privacy.domain import Domain
from noiseless.privacy.mechanisms.quantizer import Quantizer

MOST_LISTED = 100_000


@dataclass(frozen=True, slots=True)
class Reach:
    """How many different answers one person can cause, and the fewest of their values that share an answer.

    `exact` says that some data of the others attain the count; otherwise it is an upper bound. `smallest_cell` is a
    length for a domain that is an interval (0: a single point) and a number of values otherwise.
    """

    count: int
    exact: bool
    smallest_cell: Fraction


class Query(Protocol):
    """A number computed from the data of n people."""

    @property
    def n(self) -> int:
        """How many people."""

    @property
    def domain(self) -> Domain:
        """What each person's value can be."""

    @property
    def low(self) -> Fraction:
        """The least value of the query."""

    @property
    def high(self) -> Fraction:
        """The greatest value of the query."""

    @property
    def sensitivity(self) -> Fraction:
        """The furthest that one person can move the query."""

    @property
    def pieces(self) -> int:
        """Into how many monotone pieces one person's value divides the query."""

    @property
    def step(self) -> Fraction | None:
        """The query's values lie on low + step·ℤ; None where they fill an interval."""

    def reach(self, quantizer: Quantizer) -> Reach:
        """How many bins one person can reach."""

    def evaluate(self, values: NDArray[Any]) -> Fraction:
        """The exact value of the query on the data of the n people."""


def people(n: int) -> int:
    """The number of people, checked."""
    if isinstance(n, bool) or not isinstance(n, int) or n < 1:
        raise DomainError(f"n={n!r} must be an integer of at least 1: the number of people is public")
    return n


def whole(domain: Domain) -> Fraction:
    """The size of the domain: its length, or its number of values."""
    points = getattr(domain, "points", None)
    return domain.high - domain.low if points is None else Fraction(points)


def smallest_piece(
    domain: Domain, quantizer: Quantizer, low: Fraction, high: Fraction, step: Fraction | None
) -> Fraction:
    """The smallest part into which the bins cut the query's whole range, in units of one person's value.

    A length for an interval, otherwise a number of values (bounded from below where there are too many to list).
    """
    if step is not None:
        points = int((high - low) / step) + 1
        if points > MOST_LISTED:
            return Fraction(max(1, floor(quantizer.narrowest / step)))
        bins = [quantizer.index(low + place * step, "clamp") for place in range(points)]
        return Fraction(min(Counter(bins).values()))
    first, last = quantizer.index(low, "clamp"), quantizer.index(high, "clamp")
    inner = range(first + 1, last) if quantizer.edges is not None else range(first + 1, min(last, first + 2))
    pieces = [quantizer.interval(place).span for place in inner]
    pieces += [quantizer.edge(first + 1) - low, high - quantizer.edge(last)] if last > first else [high - low]
    return min(pieces) * (domain.high - domain.low) / (high - low)
