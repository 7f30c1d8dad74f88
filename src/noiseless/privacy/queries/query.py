"""What every query knows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import ceil
from typing import Any, Protocol

from numpy.typing import NDArray

from noiseless.errors import DomainError
from noiseless.exact.number import as_integer
from noiseless.privacy.domain import Domain
from noiseless.privacy.quantizers.quantizer import Quantizer


@dataclass(frozen=True, slots=True)
class Reach:
    """The number of different answers one person can cause, and the fewest of their values that share an answer.

    `exact` says that some data of the others attain the count; otherwise it is an upper bound. `smallest_cell` is a
    length for a domain that is an interval (0: a single point) and a number of values otherwise. `basis` is the
    statement the count rests on. `domain` is the domain of the person whose cell is smallest, where people's domains
    differ, and `assumes` is what the user declared and nobody can check.
    """

    count: int
    exact: bool
    smallest_cell: Fraction
    basis: str = "counting lemma, NP Thm 8 corrected: docs/theorems.md#np-thm-8"
    domain: Domain | None = None
    assumes: tuple[str, ...] = ()


class Query(Protocol):
    """A number computed from the data of n people."""

    @property
    def n(self) -> int:
        """How many people."""

    @property
    def domain(self) -> Domain | None:
        """What each person's value can be; None where people's domains differ, or where nothing is known of them."""

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
    def pieces(self) -> int | None:
        """The number of monotone pieces of the query as one person's value rises; None if it is not known."""

    @property
    def step(self) -> Fraction | None:
        """The query's values lie on low + step·ℤ; None where they fill an interval."""

    def reach(self, quantizer: Quantizer) -> Reach:
        """How many bins one person can reach."""

    def evaluate(self, values: NDArray[Any]) -> Fraction:
        """The exact value of the query on the data of the n people."""


def people(n: int) -> int:
    """The number of people, checked."""
    number = as_integer(n)
    if number is None or number < 1:
        raise DomainError(f"n={n!r} is not valid; give the number of people, an integer of at least 1")
    return number


def whole(domain: Domain) -> Fraction:
    """The size of the domain: its length, or its number of values."""
    points = getattr(domain, "points", None)
    return domain.high - domain.low if points is None else Fraction(points)


def most_values(query: Query | Any) -> int | None:
    """The most values that one person can have; None where they are infinitely many or not known."""
    sizes = [getattr(domain, "points", None) for domain in getattr(query, "domains", [query.domain])]
    known = [size for size in sizes if size is not None]
    return max(known) if len(known) == len(sizes) else None


def smallest_piece(
    domain: Domain, quantizer: Quantizer, low: Fraction, high: Fraction, step: Fraction | None
) -> Fraction:
    """The smallest part into which the bins cut the query's whole range, in units of one person's value.

    A length for an interval, otherwise a number of values of an even grid; empty parts do not count.
    """
    first, last = quantizer.index(low, "clamp"), quantizer.index(high, "clamp")
    if first == last:
        return whole(domain)
    if step is None:
        inner = [quantizer.interval(place).span for place in _inner(quantizer, first, last)]
        pieces = [*inner, quantizer.edge(first + 1) - low, high - quantizer.edge(last)]
        return min(pieces) * (domain.high - domain.low) / (high - low)

    def points_below(edge: Fraction) -> int:
        return ceil((edge - low) / step)

    ends = [points_below(quantizer.edge(first + 1)), int((high - low) / step) + 1 - points_below(quantizer.edge(last))]
    return Fraction(min(size for size in [*ends, _smallest_inner(quantizer, first, last, points_below, step)] if size))


def _inner(quantizer: Quantizer, first: int, last: int) -> range:
    """The bins between two others; one of them if all are equal."""
    return range(first + 1, last if quantizer.edges is not None else min(last, first + 2))


def _smallest_inner(
    quantizer: Quantizer, first: int, last: int, points_below: Callable[[Fraction], int], step: Fraction
) -> int:
    """The fewest grid points of a nonempty bin between two others, or 0 if there is none."""
    if quantizer.edges is not None:
        edges = [points_below(quantizer.edge(place)) for place in range(first + 1, last + 1)]
        return min((right - left for left, right in pairwise(edges) if right > left), default=0)
    if last - first < 2:
        return 0
    # equal bins hold the same number of points or one more: the total says whether all have the larger number
    total = points_below(quantizer.edge(last)) - points_below(quantizer.edge(first + 1))
    more = ceil(quantizer.widest / step)
    if total == more * (last - first - 1):
        return more
    return max(1, more - 1) if total else 0
