"""A policy that changes all coordinates: across the boundary instead of along one axis.

Along an axis, a boundary of slope a is hidden up to 2r of that axis. Across it, along the normal, 2r reach √(1 + a²)
times as far. A point x below and its partner x + 2d above, both in the range, are reported as the point between them,
x + d, with ‖d‖ ≤ r.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noiseless.errors import DomainError, NumberError, RangeError
from noiseless.exact.number import Number, exact_number
from noiseless.exact.square_root import SquareRoot
from noiseless.privacy.definitions.hypothesis.certified import Certified
from noiseless.privacy.definitions.hypothesis.resolution import Resolution, side_of_floats, too_small_error
from noiseless.theory.hypothesis.affine import affine
from noiseless.theory.ranges.boundary import Boundary
from noiseless.theory.ranges.boxes import Box
from noiseless.theory.ranges.intervals import Intervals
from noiseless.theory.ranges.quadrature import values_on
from noiseless.theory.space import Space

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Vector = dict[str, Fraction]
HALF = Fraction(1, 2)
PLACES = 1 << 12
"""The slope of a curved boundary is computed at about this number of places."""


@dataclass(frozen=True, slots=True, init=False)
class Across:
    """x ↦ x + d below the boundary and x ↦ x − d above it, wherever the partner x ± 2d is in the range beyond it.

    Guarantee: no report is further than the error from the truth, in Euclidean distance over all coordinates. All
    points whose partner is beyond the boundary and in the range are hidden, except for a few steps of rounding. For an
    affine boundary and its normal these are all points within 2r of the other side, except near the ends of the range:
    no policy hides more. Source: docs/policies.md

    >>> people = Box(income=(0, 100), rent=(0, 100))
    >>> poor = Boundary("income", lambda rent: rent)
    >>> found = Across(poor, error=1, within=people).certify()
    >>> round(float(found.epsilon), 4), round(float(found.limit), 4)
    (0.0586, 0.0594)
    """

    boundary: Boundary
    error: Fraction
    within: Box
    direction: tuple[tuple[str, Fraction], ...]
    """d for each coordinate, in multiples of the step."""
    step: Fraction

    def __init__(
        self, boundary: Boundary, error: Number, within: Box, direction: Mapping[str, Number] | None = None
    ) -> None:
        exact = exact_number(error, "error")
        if exact <= 0:
            raise NumberError(f"error={error} is not above 0, and true reports hide nothing; use a positive error")
        if not isinstance(boundary, Boundary):
            raise NumberError(f"{boundary!r} is not a boundary; write it as nl.Boundary('weight', lambda height: …)")
        if not isinstance(direction, Mapping | None):
            raise DomainError("direction must name its coordinates; write it as {'weight': 2, 'height': -1}")
        boundary.within(within)
        names = (boundary.axis, *boundary.others)
        if parts := [name for name in names if within[name] != Intervals.closed(within[name].low, within[name].high)]:
            raise RangeError(f"the range of {parts[0]!r} is {within[parts[0]]}; use one interval with both ends")
        fine = [Resolution.of(exact, side_of_floats(within[name])) for name in names]
        if not all(fine):
            raise too_small_error(exact, boundary.axis)
        step = max(each.step for each in fine if each is not None)
        object.__setattr__(self, "boundary", boundary)
        object.__setattr__(self, "error", exact)
        object.__setattr__(self, "within", within)
        object.__setattr__(self, "step", step)
        wanted = self._normal() if direction is None else {name: exact_number(direction[name]) for name in direction}
        object.__setattr__(self, "direction", self._of_length(wanted))

    @property
    def names(self) -> tuple[str, ...]:
        """The coordinates of the boundary, its own first."""
        return self.boundary.axis, *self.boundary.others

    @property
    def plane(self) -> tuple[Vector, Fraction] | None:
        """The slopes and the constant of the boundary, if it is affine."""
        try:
            weights, constant = affine(self.boundary.function, self.boundary.others)
        except RangeError:
            return None
        return {name: weights.get(name, Fraction(0)) for name in self.boundary.others}, constant

    def _normal(self) -> Vector:
        """Upwards along the normal of an affine boundary; for others, of their mean slope inside the range."""
        plane = self.plane
        slopes = self._mean_slopes() if plane is None else plane[0]
        return {self.boundary.axis: Fraction(1), **{name: -slope for name, slope in slopes.items()}}

    def _mean_slopes(self) -> Vector:
        sides, own = [self.within[name] for name in self.boundary.others], self.within[self.boundary.axis]
        number = max(3, int(PLACES ** (1 / len(sides))))
        shares = (np.arange(number) + 0.5) / number
        along = np.meshgrid(*(float(side.low) + float(side.measure) * shares for side in sides), indexing="ij")
        places = np.stack([each.ravel() for each in along])
        values = values_on(self.boundary.function, places, places).low.reshape(along[0].shape)
        inside = (values > float(own.low)) & (values < float(own.high))
        if not inside.any():
            return dict.fromkeys(self.boundary.others, Fraction(0))
        rises = np.gradient(values, *(float(side.measure) / number for side in sides))
        each = [rises] if len(sides) == 1 else rises
        return {
            name: Fraction(float(rise[inside].mean())) for name, rise in zip(self.boundary.others, each, strict=True)
        }

    def _of_length(self, wanted: Vector) -> tuple[tuple[str, Fraction], ...]:
        """The direction with a length of nearly the error, so that rounded reports stay within it."""
        if unknown := [name for name in wanted if name not in self.names]:
            raise DomainError(f"direction has {unknown[0]!r}, which the boundary does not; use {', '.join(self.names)}")
        if wanted.get(self.boundary.axis, 0) <= 0:
            raise DomainError(f"direction must rise along {self.boundary.axis!r}; give it a positive number there")
        length = SquareRoot(sum((each**2 for each in wanted.values()), Fraction(0))).enclosure.upper
        most = self.error - (len(self.names) + 1) * self.step
        scaled = {name: wanted.get(name, Fraction(0)) * most / length / self.step for name in self.names}
        return tuple((name, int(each) * self.step) for name, each in scaled.items())

    def holds(self, point: Vector) -> bool:
        """Whether the hypothesis holds at a point."""
        return point[self.boundary.axis] >= self.boundary.at(**{name: point[name] for name in self.boundary.others})

    def report(self, point: Mapping[str, Number]) -> Vector:
        """The exact report of a point: rounded to the step where it moves, unchanged where its partner is missing."""
        if missing := [name for name in self.names if name not in point]:
            raise DomainError(f"the point has no {missing[0]!r}; give a number for each of {', '.join(self.names)}")
        exact = {name: exact_number(point[name], name) for name in self.names}
        above = self.holds(exact)
        sign = -1 if above else 1
        partner = {name: exact[name] + 2 * sign * each for name, each in self.direction}
        if not all(partner[name] in self.within[name] for name in self.names) or self.holds(partner) == above:
            return exact
        moved = {name: exact[name] + sign * each for name, each in self.direction}
        return {
            name: floor(moved[name] / self.step + HALF) * self.step if each else exact[name]
            for name, each in self.direction
        }

    def certify(self, space: Space | None = None) -> Certified:
        """What is hidden in the range of the policy, by measure; or in a finite space inside it, by trying."""
        from noiseless.privacy.definitions.hypothesis.certify_across import across_in_box, across_in_space

        return across_in_box(self) if space is None else across_in_space(self, space)

    def apply(self, data: Any) -> Any:
        """The reports: a copy of the data with the coordinates of the boundary changed, in the same container."""
        from noiseless.privacy.definitions.hypothesis.reports import check_ends, columns, float_ends, with_columns

        moved = [name for name, each in self.direction if each]

        def made(table: Any, known: list[str]) -> list[Any]:
            values = np.stack(columns(table, self.names, known, self.within))
            check_ends(list(values), [float_ends(self.within[name]) for name in self.names])
            found, rows = values.copy(), np.flatnonzero(self._may_move(values))
            for row, point in zip(rows, values[:, rows].T.tolist(), strict=True):
                report = self.report(dict(zip(self.names, point, strict=True)))
                found[:, row] = [float(report[name]) for name in self.names]
            return [found[self.names.index(name)] for name in moved]

        return with_columns(data, moved, made)

    def _may_move(self, values: Floats) -> Bools:
        """Which rows may have a partner on the other side and in the range. By floats, so it may be too many."""
        from noiseless.privacy.definitions.hypothesis.reports import surface

        doubt, (x, *others) = float(self.step), values
        g, _ = surface(self.boundary, others)
        found = np.zeros(len(x), dtype=bool)
        for sign, mine in ((1, x < g + doubt), (-1, x >= g - doubt)):
            partner = values + 2 * sign * np.array([[float(each)] for _, each in self.direction])
            for each, name in zip(partner, self.names, strict=True):
                mine &= (each >= float(self.within[name].low) - doubt) & (each <= float(self.within[name].high) + doubt)
            rows = np.flatnonzero(mine)
            with np.errstate(all="ignore"):  # a partner may be a rounding error outside the range, as √−1e-17
                there, _ = surface(self.boundary, list(partner[1:, rows]))
                found[rows] |= ~(sign * (partner[0, rows] - there) <= -doubt)
        return found & np.isfinite(values).all(axis=0)
