"""Policies that pair the two sides: points at the same share t of the room below and above get the same report.

Reports are rounded towards the value (down below the boundary, up above it), so no value moves further than its exact
report. Then every multiple of the step strictly inside the band is reported from both sides, also in floats.
"""

from __future__ import annotations

from abc import abstractmethod
from fractions import Fraction
from math import ceil, floor
from typing import Any, ClassVar

import numpy as np

from noiseless.privacy.definitions.hypothesis.policy import Bools, Estimate, Fine, Floats, Policy, Slice

EDGE = 3
"""Within this number of steps of the ends of the band, not only rounding matters."""


class Paired(Policy):
    """[g − l, g) and [g, g + u) are each mapped evenly onto the same band of reports."""

    __slots__ = ()
    upper_end: ClassVar[bool] = False

    @staticmethod
    @abstractmethod
    def from_below(x: Any, g: Any, below: Any, above: Any) -> Any:
        """The report of a value in [g − l, g) before rounding, for numbers and arrays."""

    @staticmethod
    @abstractmethod
    def from_above(x: Any, g: Any, below: Any, above: Any) -> Any:
        """The report of a value in [g, g + u) before rounding."""

    def moved(self, x: Fraction, at: Slice) -> Fraction | None:
        """The multiple of the step next to the exact report, on the side of the value, if it is close enough."""
        if self.short_of_room(at.below, at.above, at.least):
            y = self.together(at)
            return y if self.near(x, y) else None
        first, last = self.reported(at)
        exact = (self.from_below if x < at.g else self.from_above)(x, at.g, at.below, at.above) / at.step
        best, nearer = (floor(exact), -1) if x < at.g else (ceil(exact), 1)
        candidates = (min(max(best, first), last), best + nearer)
        return next((y * at.step for y in candidates if first <= y <= last and self.near(x, y * at.step)), None)

    def shares(self, y: Fraction, at: Slice) -> bool:
        """Whether both sides have values that are reported as y."""
        if self.short_of_room(at.below, at.above, at.least):
            return y == self.together(at)
        first, last = self.reported(at)
        return (y / at.step).denominator == 1 and first <= y / at.step <= last

    def reported(self, at: Slice) -> tuple[int, int]:
        """The first and the last report, in steps.

        Both have at least half a step of the band beside them, so each side has floats with this report. The very first
        multiple needs less if the boundary is itself a float, because that float has this report.
        """
        start = self.from_above(at.g, at.g, at.below, at.above) / at.step
        stop = self.from_above(at.g + at.above, at.g, at.below, at.above) / at.step
        exactly = start.denominator == 1 and (at.g / at.step).denominator == 1
        return int(start) if exactly else ceil(start + Fraction(1, 2)), floor(stop - Fraction(1, 2))

    @staticmethod
    def short_of_room(below: Any, above: Any, least: Any) -> Any:
        """Whether one side has too few floats for all the reports of the other."""
        return (below < least) | (above < least)

    def together(self, at: Slice) -> Fraction:
        """The only report of a slice where a side is short of room: within the error of all promised points."""
        if at.below <= at.above:
            return floor(min(at.g - at.below + self.error, at.g + at.above) / at.step - 1) * at.step
        return ceil(max(at.g + at.above - self.error, at.g - at.below) / at.step + 1) * at.step

    def promised(self, below: Fraction, above: Fraction, step: Fraction, least: Fraction) -> tuple[Fraction, Fraction]:
        """All but a rim at the end of the reach; if one side is short of room, the other loses the same."""
        if not self.short_of_room(below, above, least):
            return min(below, self.reach - self.rim * step), min(above, self.reach - self.rim * step)
        if below <= above:
            return below, min(above, 2 * self.error - below - EDGE * step)
        return min(below, 2 * self.error - above - EDGE * step), above

    def estimated(self, x: Floats, g: Floats, below: Floats, above: Floats, doubt: Floats, fine: Fine) -> Estimate:
        """The reports in steps, computed in floats, and where they are certain."""
        edge = EDGE * fine.step
        with np.errstate(all="ignore"):
            under = x < g
            exact = np.where(under, self.from_below(x, g, below, above), self.from_above(x, g, below, above))
            start, stop = self.from_above(g, g, below, above), self.from_above(g + above, g, below, above)
            slack = doubt * (1 + (below + above) / np.minimum(below, above))
            sure: Bools = np.abs(exact - np.rint(exact / fine.step) * fine.step) > slack
            sure &= (exact > start + edge + slack) & (exact < stop - edge - slack) & (np.abs(x - g) > doubt)
            sure &= ~self.short_of_room(below - doubt, above - doubt, fine.least)
            found = np.where(under, np.floor(exact / fine.step), np.ceil(exact / fine.step))
        return found, sure
