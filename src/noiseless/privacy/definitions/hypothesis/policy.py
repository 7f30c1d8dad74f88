"""What the three policies share: where they act, what they hide, and how they are certified, calibrated and applied.

In a slice of the other coordinates, l and u are the room below and above g inside the range, at most the reach. A
policy acts on [g − l, g + u] where both sides exist, and changes only one coordinate. Its promise holds for the floats
that it reports, not only for real numbers: see `Resolution`.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from noiseless.errors import BudgetError, NumberError, RangeError
from noiseless.exact.number import Number, exact_number
from noiseless.privacy.definitions.hypothesis.certified import Certified
from noiseless.privacy.definitions.hypothesis.resolution import Resolution, side_of_floats
from noiseless.theory.ranges.boundary import Boundary
from noiseless.theory.ranges.boxes import Box
from noiseless.theory.ranges.intervals import EMPTY, Intervals
from noiseless.theory.ranges.region import Region
from noiseless.theory.space import Space

FINEST = 1 << 40
"""Calibrated errors are multiples of this fraction of the range."""
FAR = 1 << 50
"""The relative error of rounding a number to a float is below this."""
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Estimate = tuple[Floats, Bools]


class Slice(NamedTuple):
    """A slice of the other coordinates: the boundary, the room below and above it, and the resolution of reports."""

    g: Fraction
    below: Fraction
    above: Fraction
    step: Fraction
    least: Fraction
    side: Intervals | None


class Fine(NamedTuple):
    """The resolution and the error, as floats."""

    step: float
    least: float
    error: float


@dataclass(frozen=True, slots=True)
class Policy:
    """Reports that differ from the truth by at most `error`, and only in the boundary's coordinate."""

    boundary: Boundary
    error: Fraction

    reach_in_errors: ClassVar[int]
    """How far from the boundary the policy acts, in multiples of the error."""
    upper_end: ClassVar[bool]
    """Whether the policy acts on g + u itself."""
    rim: ClassVar[int]
    """The number of steps at each end of the reach that are not promised, because reports are rounded."""
    at_the_end: ClassVar[bool] = False
    """Whether the policy acts if g is the upper end of the range, so that the upper side has only one point."""

    def __init__(self, boundary: Boundary, error: Number) -> None:
        if not isinstance(boundary, Boundary):
            raise NumberError(f"{boundary!r} is not a boundary; write it as nl.Boundary('weight', lambda height: …)")
        exact = exact_number(error, "error")
        if exact <= 0:
            raise NumberError(f"error={error} is not above 0, and true reports hide nothing; use a positive error")
        object.__setattr__(self, "boundary", boundary)
        object.__setattr__(self, "error", exact)

    @property
    def reach(self) -> Fraction:
        """The largest distance from the boundary at which it acts."""
        return self.reach_in_errors * self.error

    @property
    def accuracy(self) -> Fraction:
        """The papers' ρ = 1/error."""
        return 1 / self.error

    @abstractmethod
    def moved(self, x: Fraction, at: Slice) -> Fraction | None:
        """The report of a value between g − l and g + u; None if it is unchanged."""

    @abstractmethod
    def shares(self, y: Fraction, at: Slice) -> bool:
        """Whether values of both sides are reported as y."""

    @abstractmethod
    def promised(self, below: Fraction, above: Fraction, step: Fraction, least: Fraction) -> tuple[Fraction, Fraction]:
        """How far below and above the boundary all points are certainly hidden, in a slice with room on both sides."""

    @abstractmethod
    def estimated(self, x: Floats, g: Floats, below: Floats, above: Floats, doubt: Floats, fine: Fine) -> Estimate:
        """The reports in steps, computed in floats that may be off by `doubt`, and whether they are certain."""

    @staticmethod
    @abstractmethod
    def literal(hidden: Fraction) -> Fraction | None:
        """The ε of the papers' own measure for a hidden share; None for 0/0."""

    def rooms(self, g: Fraction, side: Intervals) -> tuple[Fraction, Fraction] | None:
        """l and u, if the policy acts in this slice."""
        below, above = (min(room, self.reach) for room in (g - side.low, side.high - g))
        if below <= 0 or above < 0 or (above == 0 and not (self.at_the_end and g in side)):
            return None
        return below, above

    def sliced(self, g: Fraction, side: Intervals | None) -> Slice | None:
        """What is needed to report values in a slice where the policy acts; without `side` the range has no ends."""
        rooms = (self.reach, self.reach) if side is None else self.rooms(g, side)
        fine = Resolution.of(self.error, side)
        return None if rooms is None or fine is None else Slice(g, *rooms, fine.step, fine.least, side)

    def report(self, x: Number, g: Number, side: Intervals | None) -> Fraction:
        """The exact report of one value. The float nearest to it prints as this number; `apply` gives that float."""
        return self.reported_in(self.sliced(exact_number(g, "g"), side), exact_number(x, "x"))

    def reported_in(self, at: Slice | None, x: Fraction) -> Fraction:
        """The report of a value in a slice; None stands for a slice where the policy does not act."""
        if at is None or not at.g - at.below <= x <= at.g + at.above or (x == at.g + at.above and not self.upper_end):
            return x
        found = self.moved(x, at)
        return x if found is None else found

    def near(self, x: Fraction, y: Fraction) -> bool:
        """Whether a report is within the error of the value, as decimals; also as floats, unless exactly that far.

        The floats 0.2 and 0.4 differ by slightly more than 0.2.
        """
        spare = self.error - abs(y - x)
        if spare <= 0 or spare * FAR > abs(x) + abs(y):
            return spare >= 0
        return abs(Fraction(float(y)) - Fraction(float(x))) <= self.error

    def hides(self, y: Fraction, g: Fraction, side: Intervals) -> bool:
        """Whether a report can come from both sides of the boundary."""
        at = self.sliced(g, side)
        return at is not None and self.shares(y, at)

    def _band(self, g: Fraction, below: Fraction, above: Fraction) -> Intervals:
        return Intervals.of_cuts([(g - below, 0), (g + above, int(self.upper_end))])

    def side(self, box: Box) -> Intervals:
        """The range of the coordinate, from its first float to its last."""
        return side_of_floats(self.boundary.within(box))

    def hidden(self, box: Box) -> Region:
        """The points whose reports certainly do not reveal their side; slightly fewer than all such points."""
        side = self.side(box)
        fine = Resolution.of(self.error, side)
        if fine is None:
            return Region(self.boundary, box, frozenset({Fraction(0)}), lambda _: EMPTY)

        def sliced(g: Fraction) -> Intervals:
            rooms = self.rooms(g, side)
            return EMPTY if rooms is None else side & self._band(g, *self.promised(*rooms, fine.step, fine.least))

        bends = {Fraction(0), self.reach, self.reach - self.rim * fine.step, fine.least}
        floats = box if side == box[self.boundary.axis] else Box(**{**dict(box.sides), self.boundary.axis: side})
        return Region(self.boundary, floats, frozenset(bends | {-bend for bend in bends}), sliced)

    def certify(self, range: Box | Space, within: Box | None = None) -> Certified:  # noqa: A002
        """What the policy promises for everybody in a box, or, by trying every sample, in a finite space.

        `within` is the box of the policy for a finite space; by default it extends from the smallest to the largest
        value of the coordinate.
        """
        from noiseless.privacy.definitions.hypothesis.certify import certify_box, certify_space

        return certify_box(self, range) if isinstance(range, Box) else certify_space(self, range, within)

    def calibrate(self, within: Box, epsilon: Number) -> Self:
        """The same policy with the smallest error (to 2^-40 of the range) that is certified to reach `epsilon`."""
        wanted = exact_number(epsilon, "epsilon")
        if not isinstance(within, Box):
            raise RangeError(f"a policy cannot be calibrated for a {type(within).__name__}; give a Box")
        if wanted <= 0:
            raise BudgetError(f"epsilon={epsilon} is not above 0, and every error reaches 0; use a positive one")
        part = self.boundary.within(within).measure / FINEST
        share = wanted / (1 + wanted)

        def reaches(parts: int) -> bool:
            return self.with_error(parts * part).hidden(within).measure.lower >= share * within.measure

        if not reaches(FINEST):
            most = self.with_error(FINEST * part).hidden(within).measure.lower
            raise BudgetError(
                f"epsilon={epsilon} cannot be reached with any error: only part of the range has both sides of the "
                f"boundary; use at most {float(most / (within.measure - most)):.6g}"
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

        A float means the decimal it prints as. Reports are multiples of a small power of ten. Otherwise, computed from
        the two sides, they could differ in the last bits of a float, and that would reveal the side.

        Guarantee: no value is moved by more than `error`, and the reports equal those of `report` exactly, so they hide
        all that `certify` says.
        """
        from noiseless.privacy.definitions.hypothesis.reports import reports

        return reports(self, data, within)

    def with_error(self, error: Number) -> Self:
        """The same policy with another error."""
        return type(self)(self.boundary, error)
