"""A quantizer: it maps a number to its bin."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import floor, isfinite
from numbers import Rational, Real
from typing import Any, Literal

from noiseless.errors import BudgetError, DomainError, RangeError
from noiseless.exact.number import Number, as_integer, exact_number
from noiseless.privacy.quantizers.cuts import Cuts, ListedCuts, UniformCuts
from noiseless.theory.ranges.interval import Interval

Output = Literal["midpoint", "index", "interval"]
Outside = Literal["raise", "clamp"]


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Quantizer:
    """Bins [e0, e1), [e1, e2), …, the last one closed, with exact rational edges.

    >>> q = Quantizer(0, 1, levels=4)
    >>> q.index("0.25"), q.midpoint(1), q.interval(1)
    (1, Fraction(3, 8), [1/4, 1/2])
    >>> Quantizer.from_edges([0, 1, 5]).levels
    2
    """

    low: Fraction
    high: Fraction
    levels: int
    edges: tuple[Fraction, ...] | None
    """All edges if the bins differ in width, otherwise None."""

    def __init__(self, low: Number, high: Number, levels: int) -> None:
        low, high = exact_number(low, "low"), exact_number(high, "high")
        if low >= high:
            raise RangeError(f"low={low} is not below high={high}; give a quantizer room between its ends")
        number = as_integer(levels)
        if number is None or number < 1:
            raise BudgetError(
                f"levels={levels!r} is not valid; use an integer of at least 1 (one level is the constant answer)"
            )
        self._set(low, high, number, None)

    @classmethod
    def from_edges(cls, edges: Iterable[Number]) -> Quantizer:
        """Bins between the given edges, in increasing order."""
        exact = tuple(exact_number(edge, "edge") for edge in edges)
        if len(exact) < 2 or any(left >= right for left, right in pairwise(exact)):
            raise RangeError("edges are not at least two increasing numbers; sort them and drop repeats")
        quantizer = object.__new__(cls)
        quantizer._set(exact[0], exact[-1], len(exact) - 1, exact)
        return quantizer

    def _set(self, low: Fraction, high: Fraction, levels: int, edges: tuple[Fraction, ...] | None) -> None:
        if edges is not None and len({right - left for left, right in pairwise(edges)}) == 1:
            edges = None
        for name, value in (("low", low), ("high", high), ("levels", levels), ("edges", edges)):
            object.__setattr__(self, name, value)

    @property
    def cuts(self) -> Cuts:
        """The inner edges: where the answer changes."""
        if self.edges is None:
            return UniformCuts(self.low, (self.high - self.low) / self.levels, self.levels - 1)
        return ListedCuts(self.edges[1:-1])

    @property
    def narrowest(self) -> Fraction:
        """The width of the narrowest bin."""
        return self._widths(min)

    @property
    def widest(self) -> Fraction:
        """The width of the widest bin."""
        return self._widths(max)

    def _widths(self, choose: Any) -> Fraction:
        if self.edges is None:
            return (self.high - self.low) / self.levels
        width: Fraction = choose(right - left for left, right in pairwise(self.edges))
        return width

    def edge(self, k: int) -> Fraction:
        """Edge number k, from 0 to levels."""
        if self.edges is not None:
            return self.edges[k]
        return self.low + k * (self.high - self.low) / self.levels

    def interval(self, index: int) -> Interval:
        """The bin of this index, with both ends."""
        return Interval(self.edge(index), self.edge(index + 1))

    def midpoint(self, index: int) -> Fraction:
        """The middle of the bin of this index."""
        return (self.edge(index) + self.edge(index + 1)) / 2

    def index(self, value: Number, outside: Outside = "raise") -> int:
        """The bin of one number, exactly: a string or Decimal as it is written, a float as it is stored."""
        if isinstance(value, Real) and not isinstance(value, Rational) and isfinite(value):
            number = Fraction(*value.as_integer_ratio())
        else:
            number = exact_number(value)
        if not self.low <= number <= self.high and outside == "raise":
            raise outside_error(self)
        if self.edges is not None:
            found = bisect_right(self.edges, number) - 1
        else:
            found = floor((number - self.low) * self.levels / (self.high - self.low))
        return max(0, min(found, self.levels - 1))

    def apply(
        self,
        data: Any,
        output: Output = "midpoint",
        outside: Outside = "raise",
        missing: Number | Literal["raise"] = "raise",
    ) -> Any:
        """The bin of every value of a number, a numpy array, or a pandas, polars or pyarrow column, in the same type.

        `output` is the midpoint, the index of the bin, or its interval (two columns, rounded outward). A float is
        compared with the rational edge as the number it is stored as, so every container gives the same bins. Values
        outside raise, or are clamped to the nearest bin with ``outside="clamp"``; missing values (NaN, null) raise, or
        count as the number given as `missing`.

        >>> import numpy as np
        >>> Quantizer(0, 1, levels=4).apply(np.array([0.0, 0.3, 1.0]))
        array([0.125, 0.375, 0.875])
        """
        from noiseless.privacy.quantizers.containers import quantize

        return quantize(self, data, output, outside, missing)

    def __repr__(self) -> str:
        if self.edges is None:
            return f"Quantizer({self.low}, {self.high}, levels={self.levels})"
        return f"Quantizer.from_edges([{', '.join(map(str, self.edges))}])"


def outside_error(quantizer: Quantizer) -> DomainError:
    """The error names what was declared, not the value."""
    return DomainError(
        f"a value lies outside [{quantizer.low}, {quantizer.high}]; declare wider bounds, or pass outside='clamp'"
    )


def missing_error() -> DomainError:
    """The error says that a value is missing, not where."""
    return DomainError(
        "a value is missing (NaN or null); drop such records, or pass missing=<the number that stands for it>"
    )
