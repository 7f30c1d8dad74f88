"""Numbers as sums of unknown numbers: what two of them have in common is counted once.

Every released number is a symbol with its interval. Sums and multiples of symbols are exact, and so is the quotient of
two such sums: the share of a number in a total that contains it never exceeds 1.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import ceil, floor, inf
from typing import Any

LONGEST = 1024
"""Ends with longer denominators, in bits, are rounded outward to multiples of 2^-LONGEST."""
GRID = 1 << LONGEST
End = Any
"""An exact number, or an infinity, which is a float."""


@dataclass(frozen=True, slots=True, eq=False)
class Symbol:
    """A number somewhere between two ends."""

    low: End
    high: End


@dataclass(frozen=True, eq=False)
class Form:
    """constant + Σ factor·symbol."""

    constant: Any
    factors: dict[Symbol, Any] = field(default_factory=dict)

    @cached_property
    def low(self) -> End:
        """The least it can be."""
        return self._end(lambda symbol, factor: symbol.low if factor > 0 else symbol.high)

    @cached_property
    def high(self) -> End:
        """The most it can be."""
        return self._end(lambda symbol, factor: symbol.high if factor > 0 else symbol.low)

    def _end(self, chosen: Any) -> End:
        total = self.constant
        for symbol, factor in self.factors.items():
            total = plus(total, times(chosen(symbol, factor), factor))
        return total

    def __add__(self, other: Form) -> Form:
        factors = dict(self.factors)
        for symbol, factor in other.factors.items():
            factors[symbol] = factors.get(symbol, 0) + factor
        return Form(self.constant + other.constant, {symbol: each for symbol, each in factors.items() if each})

    def __sub__(self, other: Form) -> Form:
        return self + other.scaled(-1)

    def scaled(self, factor: Any) -> Form:
        """A multiple of the number."""
        if not factor:
            return Form(0)
        return Form(self.constant * factor, {symbol: each * factor for symbol, each in self.factors.items()})


def total(forms: Iterable[Form]) -> Form:
    """The sum of several numbers."""
    constant, factors = 0, dict[Symbol, Any]()
    for form in forms:
        constant += form.constant
        for symbol, factor in form.factors.items():
            factors[symbol] = factors.get(symbol, 0) + factor
    known = between(constant, constant)  # many denominators can make a long common one
    return Form(known.constant, {symbol: each for symbol, each in (factors | known.factors).items() if each})


def between(low: End, high: End) -> Form:
    """A number about which only its ends are known."""
    low, high = shortened(low, up=False), shortened(high, up=True)
    return Form(low) if low == high else Form(0, {Symbol(low, high): 1})


def shortened(number: End, up: bool) -> End:
    """The number, or a number beside it with a shorter denominator."""
    if isinstance(number, float) or number.denominator.bit_length() <= LONGEST:
        return number
    return Fraction((ceil if up else floor)(number * GRID), GRID)


def plus(first: End, second: End) -> End:
    """The sum of two ends."""
    return first if isinstance(first, float) else second if isinstance(second, float) else first + second


def times(first: End, second: End) -> End:
    """The product of two ends. 0·∞ is 0."""
    if second == 1:
        return first
    if not first or not second:
        return 0
    if isinstance(first, float) or isinstance(second, float):
        return inf if (first > 0) == (second > 0) else -inf
    return first * second


def product_of(left: Form, right: Form) -> Form:
    """The product, which is exact if one of the numbers is known."""
    for one, other in ((left, right), (right, left)):
        if not one.factors:
            return other.scaled(one.constant)
    corners = [times(a, b) for a in (left.low, left.high) for b in (right.low, right.high)]
    return between(min(corners), max(corners))


def quotient_of(top: Form, bottom: Form) -> Form:
    """The quotient by a number that is not 0. If both have finite ends, no smaller interval is certain."""
    if not bottom.factors:
        return top.scaled(1 / Fraction(bottom.constant))
    if bottom.low < 0:
        top, bottom = top.scaled(-1), bottom.scaled(-1)
    if any(isinstance(end, float) for end in (top.low, top.high, bottom.high)):
        corners = [times(a, b) for a in (top.low, top.high) for b in (_inverse(bottom.high), _inverse(bottom.low))]
        return between(min(corners), max(corners))
    return between(-_largest(top.scaled(-1), bottom), _largest(top, bottom))


def _inverse(end: End) -> Fraction:
    return Fraction(0) if isinstance(end, float) else 1 / Fraction(end)


def _largest(top: Form, bottom: Form) -> Fraction:
    """The largest top/bottom, bottom above 0, by Newton's method: exact, since it moves from corner to corner.

    A quotient t can be exceeded exactly where top − t·bottom can be above 0. This is greatest at a corner, whose
    quotient is the next t.
    """
    symbols = list(dict.fromkeys([*top.factors, *bottom.factors]))
    found: Fraction | None = None
    while True:
        above, below = top.constant, bottom.constant
        for symbol in symbols:
            factor, other = top.factors.get(symbol, 0), bottom.factors.get(symbol, 0)
            number = symbol.high if factor - (found or 0) * other > 0 else symbol.low
            above, below = above + factor * number, below + other * number
        reached = Fraction(above) / below
        if found is not None and reached <= found:
            return found
        found = reached
