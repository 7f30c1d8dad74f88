"""Sums of unknown numbers: constant + Σ factor·unknown, and the range of their sums, products and quotients.

A number that occurs twice is the same both times. So a difference of equal numbers is 0, and a share is at most 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cached_property, reduce
from math import ceil, floor, inf
from typing import Any

SHORT = 1 << 1024
"""Ends with larger denominators are rounded outward to multiples of its inverse."""


class Unknown:
    """A number in a range."""

    __slots__ = ("high", "low")

    def __init__(self, low: Any, high: Any) -> None:
        self.low, self.high = low, high


class Sum:
    """A sum of multiples of unknown numbers, with its range."""

    def __init__(self, known: Any, parts: Mapping[Unknown, Any] | None = None) -> None:
        self.known = Fraction(known)
        self.parts = {unknown: factor for unknown, factor in (parts or {}).items() if factor}

    @cached_property
    def low(self) -> Any:
        """The least it can be."""
        least = (_scaled(each.low if factor > 0 else each.high, factor) for each, factor in self.parts.items())
        return reduce(_add, least, self.known)

    @cached_property
    def high(self) -> Any:
        """The most it can be."""
        most = (_scaled(each.high if factor > 0 else each.low, factor) for each, factor in self.parts.items())
        return reduce(_add, most, self.known)

    @property
    def fixed(self) -> bool:
        """Whether it is one number."""
        return not self.parts

    def multiple(self, factor: Fraction) -> Sum:
        """A multiple of it."""
        return Sum(self.known * factor, {unknown: each * factor for unknown, each in self.parts.items()})


def added(sums: Iterable[Sum]) -> Sum:
    """The sum of several sums."""
    known, parts = Fraction(0), dict[Unknown, Fraction]()
    for each in sums:
        known += each.known
        for unknown, factor in each.parts.items():
            parts[unknown] = parts.get(unknown, Fraction(0)) + factor
    return Sum(known, parts)


def gathered_sum(sums: Iterable[Sum]) -> Sum:
    """The sum over rows: what is known of it is rounded outward if its denominator is too large."""
    whole = added(sums)
    rest = within(whole.known, whole.known)
    return Sum(rest.known, {**whole.parts, **rest.parts})


def within(low: Any, high: Any) -> Sum:
    """A number about which only the range is known."""
    low, high = short_down(low), -short_down(-high)
    return Sum(low) if low == high else Sum(0, {Unknown(low, high): Fraction(1)})


def short_down(number: Any) -> Any:
    """The number, or one just below it with a short denominator."""
    if isinstance(number, float) or number.denominator < SHORT:
        return number
    return Fraction(floor(number * SHORT), SHORT)


def times(one: Sum, other: Sum) -> Sum:
    """The product."""
    if one.fixed:
        return other.multiple(one.known)
    if other.fixed:
        return one.multiple(other.known)
    corners = [_scaled(a, b) for a in (one.low, one.high) for b in (other.low, other.high)]
    return within(min(corners), max(corners))


def divided(top: Sum, bottom: Sum) -> Sum:
    """The quotient. The divisor is not 0."""
    if bottom.fixed:
        return top.multiple(1 / bottom.known)
    if bottom.high < 0:
        top, bottom = top.multiple(Fraction(-1)), bottom.multiple(Fraction(-1))
    if inf in (bottom.high, top.high) or top.low == -inf:
        inverse = [Fraction(0) if end == inf else 1 / end for end in (bottom.low, bottom.high)]
        corners = [_scaled(a, b) for a in (top.low, top.high) for b in inverse]
        return within(min(corners), max(corners))
    greatest, least = _reached(top, bottom), -_reached(top.multiple(Fraction(-1)), bottom)
    return within(least, greatest)


def _reached(top: Sum, bottom: Sum) -> Fraction:
    """The greatest quotient. top − t·bottom, for t below it, is greatest at a corner with a larger quotient."""
    quotient = Fraction(min(top.low / bottom.low, top.low / bottom.high))
    while True:
        ahead = added([top, bottom.multiple(-quotient)])
        corner = {each: each.high if ahead.parts.get(each, 0) > 0 else each.low for each in {*top.parts, *bottom.parts}}
        above, below = (
            each.known + sum((factor * corner[unknown] for unknown, factor in each.parts.items()), Fraction(0))
            for each in (top, bottom)
        )
        reached = Fraction(above / below)
        if reached <= quotient:
            return quotient
        quotient = reached


def rounded_away(number: Fraction, digits: int) -> Fraction:
    """The nearest multiple of 10^-digits, halves away from 0."""
    scaled = number * Fraction(10) ** digits
    nearest = floor(scaled + Fraction(1, 2)) if scaled > 0 else ceil(scaled - Fraction(1, 2))
    return nearest / Fraction(10) ** digits


def _add(one: Any, other: Any) -> Any:
    return next((each for each in (one, other) if isinstance(each, float)), None) or one + other


def _scaled(end: Any, factor: Any) -> Any:
    """A multiple of an end. 0·∞ is 0."""
    if factor == 1:
        return end
    if end == 0 or factor == 0:
        return Fraction(0)
    if isinstance(end, float) or isinstance(factor, float):
        return inf if (end > 0) == (factor > 0) else -inf
    return end * factor
