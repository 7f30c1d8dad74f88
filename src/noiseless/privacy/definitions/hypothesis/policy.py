"""What the three policies share: where they act, what they hide, and how they are certified, calibrated and applied.

In the slice of the other coordinates, l and u are the room below and above g inside the range, at most the reach. A
policy acts where both sides are there, on [g − l, g + u], and changes one coordinate only.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Self

from noiseless.errors import BudgetError, NumberError, RangeError
from noiseless.exact.number import Number, exact_number
from noiseless.privacy.definitions.hypothesis.certified import Certified
from noiseless.theory.ranges.boundary import Boundary
from noiseless.theory.ranges.boxes import Box
from noiseless.theory.ranges.intervals import EMPTY, Intervals
from noiseless.theory.ranges.region import Region
from noiseless.theory.space import Space

FINEST = 1 << 40
"""Calibrated errors are multiples of this part of the range."""


@dataclass(frozen=True, slots=True)
class Policy:
    """Reports that differ from the truth by at most `error`, in the boundary's coordinate only."""

    boundary: Boundary
    error: Fraction

    reach_in_errors: ClassVar[int]
    """How far from the boundary it acts, in errors."""
    upper_end: ClassVar[bool]
    """Whether it acts on g + u itself."""
    at_the_end: ClassVar[bool] = False
    """Whether it acts where g is the upper end of the range, so that one point only is on its side."""

    def __init__(self, boundary: Boundary, error: Number) -> None:
        if not isinstance(boundary, Boundary):
            raise NumberError(f"{boundary!r} is no boundary; give one such as nl.Boundary('weight', lambda height: …)")
        exact = exact_number(error, "error")
        if exact <= 0:
            raise NumberError(f"error={error} must be above 0: reports that are the truth hide nothing")
        object.__setattr__(self, "boundary", boundary)
        object.__setattr__(self, "error", exact)

    @property
    def reach(self) -> Fraction:
        """How far from the boundary it acts at the most."""
        return self.reach_in_errors * self.error

    @property
    def accuracy(self) -> Fraction:
        """The papers' ρ = 1/error."""
        return 1 / self.error

    @staticmethod
    @abstractmethod
    def from_below(x: Any, g: Any, below: Any, above: Any) -> Any:
        """The report of a value in [g − l, g), for numbers and for arrays."""

    @staticmethod
    @abstractmethod
    def from_above(x: Any, g: Any, below: Any, above: Any) -> Any:
        """The report of a value in [g, g + u]."""

    @staticmethod
    @abstractmethod
    def literal(hidden: Fraction) -> Fraction | None:
        """The ε of the papers' own measure, for a share that is hidden; None where it is 0/0."""

    def rooms(self, g: Fraction, side: Intervals) -> tuple[Fraction, Fraction] | None:
        """l and u, if the policy acts in this slice."""
        below, above = (min(room, self.reach) for room in (g - side.low, side.high - g))
        if below <= 0 or above < 0 or (above == 0 and not (self.at_the_end and g in side)):
            return None
        return below, above

    def report(self, x: Number, g: Number, side: Intervals) -> Fraction:
        """The exact report of one value."""
        value, surface = exact_number(x, "x"), exact_number(g, "g")
        rooms = self.rooms(surface, side)
        if rooms is None or value not in self._band(surface, *rooms):
            return value
        made = self.from_below if value < surface else self.from_above
        return Fraction(made(value, surface, *rooms))

    def _band(self, g: Fraction, below: Fraction, above: Fraction) -> Intervals:
        return Intervals.of_cuts([(g - below, 0), (g + above, int(self.upper_end))])

    def hidden(self, box: Box) -> Region:
        """The points whose reports do not tell their side."""
        side = self.boundary.within(box)

        def sliced(g: Fraction) -> Intervals:
            rooms = self.rooms(g, side)
            return EMPTY if rooms is None else side & self._band(g, *rooms)

        offsets = frozenset({Fraction(0), self.reach, -self.reach})
        return Region(self.boundary, box, offsets, sliced)

    def certify(self, range: Box | Space, within: Box | None = None) -> Certified:  # noqa: A002
        """What the policy promises for everybody in a box, or, by trying every sample, in a finite space.

        `within` is the box that the policy is applied within to a finite space; without it, from the least to the
        greatest value of the coordinate.
        """
        from noiseless.privacy.definitions.hypothesis.certify import certify_box, certify_space

        return certify_box(self, range) if isinstance(range, Box) else certify_space(self, range, within)

    def calibrate(self, within: Box, epsilon: Number) -> Self:
        """The same policy with the smallest error (to 2^-40 of the range) that is certified to reach `epsilon`."""
        wanted = exact_number(epsilon, "epsilon")
        if not isinstance(within, Box):
            raise RangeError(f"a policy is calibrated for a Box, and this is a {type(within).__name__}")
        if wanted <= 0:
            raise BudgetError(f"epsilon={epsilon} must be above 0; every report has an epsilon of 0")
        part = self.boundary.within(within).measure / FINEST
        share = wanted / (1 + wanted)

        def reaches(parts: int) -> bool:
            return self.with_error(parts * part).hidden(within).measure.lower >= share * within.measure

        if not reaches(FINEST):
            most = self.with_error(FINEST * part).hidden(within).measure.lower
            raise BudgetError(
                f"epsilon={epsilon} cannot be reached with any error: the boundary has both sides for a part of the "
                f"range only, which gives at most {float(most / (within.measure - most)):.6g}"
            )
        low, high = 0, FINEST
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if reaches(middle) else (middle, high)
        return self.with_error(high * part)

    def apply(self, data: Any, within: Box | None = None) -> Any:
        """The reports: a copy of the data with the one column changed, in the same kind of container.

        `data` is a pandas, polars or pyarrow table, a dict of numpy arrays, or a structured array. `within` is the
        range that the policy was certified for; without it the range has no ends.

        Reports are rounded to a grid of about a millionth of the error: computed from two sides, they may differ in
        the last bits of a float, and that would tell.

        Guarantee: no value is moved by more than `error`, but for a millionth of it.
        """
        from noiseless.privacy.definitions.hypothesis.reports import reports

        return reports(self, data, within)

    def with_error(self, error: Number) -> Self:
        """The same policy with another error."""
        return type(self)(self.boundary, error)
