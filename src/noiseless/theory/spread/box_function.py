"""The spread of a box by a function that interval arithmetic can follow: no sampling, and every share has two bounds.

The box is cut into small boxes. On each, the function lies between two numbers. If no edge lies between them, the whole
small box belongs to one cell; otherwise it is halved. What is undecided at the end is the difference of the bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noiseless.exact.enclosure import Enclosure
from noiseless.exact.rounding import float_down, float_up
from noiseless.exact.span import Span
from noiseless.theory.ranges.boxes import Box
from noiseless.theory.ranges.quadrature import SLACK, Floats, cut_evenly, halved, values_on

MOST = 1 << 20
"""The most small boxes."""
SIDES = 8
"""The number of parts of a side, to find the range of a function in exact numbers."""
DOUBT = 1e-7
"""The share of the box that may stay undecided, if the small boxes are enough."""


@dataclass(frozen=True, eq=False)
class BoxFunction:
    """f on a box.

    >>> bowl = BoxFunction(lambda x, y: x**2 + 2 * y**2, Box(x=(-2, 2), y=(-2, 2)))
    >>> bowl.low, bowl.high
    (0, 12)
    >>> [float(share.width) < 0.01 for share in bowl.shares([Fraction(6)])]
    [True, True]
    """

    function: Callable[..., Any]
    box: Box

    @cached_property
    def low(self) -> Enclosure:
        """The smallest value."""
        return self._least(1)

    @cached_property
    def high(self) -> Enclosure:
        """The largest value."""
        least = self._least(-1)
        return Enclosure(-least.upper, -least.lower)

    def shares(self, edges: Sequence[Fraction]) -> list[Enclosure]:
        """The share of the box below the first edge, between the first two, …, from the last edge on."""
        up, down = np.array([float_up(e) for e in edges]), np.array([float_down(e) for e in edges])
        lows, highs = self._cut(1 << 10)
        settled, met = np.zeros(len(edges) + 1), np.zeros(len(edges) + 1, dtype=bool)
        while True:
            values = values_on(self.function, lows, highs)
            first = np.searchsorted(up, values.low, side="right")
            last = np.searchsorted(down, values.high, side="right")
            volume, open_ones = self._volumes(lows, highs), first < last
            met |= _met(first, last, len(edges) + 1)
            settled += np.bincount(first[~open_ones], volume[~open_ones], minlength=len(settled))
            lows, highs, first, last = lows[:, open_ones], highs[:, open_ones], first[open_ones], last[open_ones]
            if 2 * lows.shape[1] > MOST or volume[open_ones].sum() <= DOUBT:
                break
            met = np.zeros(len(edges) + 1, dtype=bool)
            lows, highs = halved(lows, highs)
        met |= settled > 0
        volume = self._volumes(lows, highs)
        maybe = np.zeros(len(settled) + 1)
        np.add.at(maybe, first, volume)
        np.subtract.at(maybe, last + 1, volume)
        found = zip(settled.tolist(), np.maximum(np.cumsum(maybe)[:-1], 0).tolist(), met.tolist(), strict=True)
        return [
            Enclosure(
                Fraction(max(0.0, sure * (1 - SLACK * MOST) - SLACK)),
                Fraction(min(1.0, (sure + more) * (1 + SLACK * MOST) + SLACK) if reached else 0),
            )
            for sure, more, reached in found
        ]

    def histogram(self, edges: Sequence[Fraction]) -> tuple[Floats, Fraction, NDArray[np.bool_]]:
        """The share of small boxes whose middle value is between two edges, how far values are from it at most, and
        whether any value can be between two edges at all.
        """
        lows, highs = self._cut(MOST // 4)
        values = values_on(self.function, lows, highs)
        middle, volume = (values.low + values.high) / 2, self._volumes(lows, highs)
        places = np.array([float(edge) for edge in edges])
        shares = np.bincount(np.searchsorted(places, middle, "right"), volume, len(edges) + 1)
        away = np.maximum(values.high - middle, middle - values.low).max()
        up, down = np.array([float_up(e) for e in edges]), np.array([float_down(e) for e in edges])
        first, last = np.searchsorted(up, values.low, side="right"), np.searchsorted(down, values.high, side="right")
        met = _met(first, last, len(edges) + 1)
        return shares / volume.sum(), Fraction(float_up(Fraction(float(away)) * (1 + Fraction(SLACK)))), met

    def _volumes(self, lows: Floats, highs: Floats) -> Floats:
        """The volumes of the pieces, as shares of the box."""
        sides = np.array([[float(self.box[name].measure)] for name in self.box.names])
        found: Floats = np.prod((highs - lows) / sides, axis=0)
        return found

    def _cut(self, pieces: int) -> tuple[Floats, Floats]:
        return cut_evenly({name: self.box[name] for name in self.box.names}, pieces)

    def _least(self, sign: int) -> Enclosure:
        """An end of the range, between a certain bound and a value attained somewhere; exact for many polynomials."""
        corners, boxes = self._exact_points()
        attained, certain = self._bounds(sign, corners, 1), self._bounds(sign, boxes, 0)
        if certain < attained:
            certain = min(attained, max(certain, self._searched(sign, attained)))
        return Enclosure(certain, attained)

    def _bounds(self, sign: int, sides: list[Span], end: int) -> Fraction:
        """The smallest of the lower ends (0) or of the upper ends (1) of ±f; exact if f uses only + − · / **."""
        try:
            found = sign * self.function(*sides)
            ends = (found.low, found.high)[end].tolist()
            if all(isinstance(value, (int, Fraction)) for value in ends):
                return Fraction(min(ends))
            raise TypeError("not exact")
        except (TypeError, ValueError, AttributeError, ArithmeticError, LookupError):
            lows = np.array([[float_down(low) for low in side.low] for side in sides])
            highs = np.array([[float_up(high) for high in side.high] for side in sides])
            values = values_on(lambda *spans: sign * self.function(*spans), lows, highs)
            return Fraction(float((values.low, values.high)[end].min()))

    def _searched(self, sign: int, attained: Fraction) -> Fraction:
        """Halve small boxes that can hold a lower value than any attained, up to a limit."""
        lows, highs = self._cut(1 << 10)
        for _ in range(24):
            values = values_on(lambda *sides: sign * self.function(*sides), lows, highs)
            least = float(values.low.min())
            hopeful = values.low < float_down(attained)
            least = min(least, float_down(attained))
            if 2 * hopeful.sum() > MOST // 8 or not hopeful.any():
                break
            lows, highs = halved(lows[:, hopeful], highs[:, hopeful])
        return Fraction(least)

    def _exact_points(self) -> tuple[list[Span], list[Span]]:
        """Some points of the box, including corners and middles, and small boxes that cover it."""
        sides = []
        for name in self.box.names:
            parts: list[tuple[Fraction, Fraction]] = []
            for part in self.box[name].components:
                step = (part.high - part.low) / SIDES
                parts += [(part.low + k * step, part.low + (k + 1) * step) for k in range(SIDES)]
            sides.append(parts)
        points = [sorted({end for part in parts for end in part}) for parts in sides]
        return (
            [Span(column, column) for column in _columns(product(*points))],
            [Span(low, high) for low, high in zip(*(_columns(product(*ends)) for ends in _ends(sides)), strict=True)],
        )


def _met(first: NDArray[np.int64], last: NDArray[np.int64], cells: int) -> NDArray[np.bool_]:
    """The cells that some of the runs from first to last meet."""
    runs = np.zeros(cells + 1, dtype=np.int64)
    np.add.at(runs, first, 1)
    np.subtract.at(runs, last + 1, 1)
    return np.cumsum(runs)[:-1] > 0


def _columns(rows: Iterable[tuple[Fraction, ...]]) -> list[Any]:
    return [np.array(column, dtype=object) for column in zip(*rows, strict=True)]


def _ends(sides: list[list[tuple[Fraction, Fraction]]]) -> tuple[list[list[Fraction]], list[list[Fraction]]]:
    return [[low for low, _ in parts] for parts in sides], [[high for _, high in parts] for parts in sides]
