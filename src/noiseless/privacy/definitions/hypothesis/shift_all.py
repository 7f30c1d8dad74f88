"""One report that hides several hypotheses about the same coordinate."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

from noiseless.errors import InputError, NumberError
from noiseless.exact.enclosure import Enclosure
from noiseless.exact.number import Number, exact_number
from noiseless.privacy.definitions.hypothesis.bands import CLOSE, Band, bands_of
from noiseless.privacy.definitions.hypothesis.certified import epsilon_of
from noiseless.privacy.definitions.hypothesis.resolution import Resolution, side_of_floats, too_small_error
from noiseless.theory.ranges.boundary import Boundary
from noiseless.theory.ranges.boxes import Box
from noiseless.theory.ranges.intervals import Intervals
from noiseless.theory.space import Space


@dataclass(frozen=True, slots=True)
class CertifiedAll:
    """How much of a range one report hides, for each of several hypotheses and for all at once."""

    error: Fraction
    each: tuple[Enclosure, ...]
    """For each boundary, the share of the range whose side of it stays open."""
    every: Enclosure
    """The share of the range for which the sides of all boundaries stay open."""

    @property
    def epsilons(self) -> tuple[Fraction | float, ...]:
        """ε for each hypothesis, rounded down."""
        return tuple(epsilon_of(hidden.lower) for hidden in self.each)

    @property
    def epsilon(self) -> Fraction | float:
        """The ε that holds for each hypothesis: the smallest."""
        return min(self.epsilons)


@dataclass(frozen=True, slots=True, init=False)
class ShiftAll:
    """`Shift` for several boundaries of one coordinate: boundaries up to `close` apart are hidden together.

    Guarantee: no value moves further than the error r. With boundaries g₁ < … < g_k that are d ≤ `close` apart, a band
    from 2r − d below the first to 2r − d above the last is hidden from all of them at once. No policy that changes only
    this coordinate hides more from all, because such a report comes from below g₁ and from above g_k. Boundaries
    further apart each have a band, and share the room between them. Beyond 4r/3, the default, each of two boundaries
    is hidden better in this way, but not both at once. Source: docs/policies.md

    >>> grades = ShiftAll([Boundary("points", 50), Boundary("points", 52)], error=3)
    >>> found = grades.certify(Box(points=(0, 100)))
    >>> [round(float(hidden), 6) for hidden in (*found.each, found.every)]
    [0.1, 0.1, 0.1]
    """

    boundaries: tuple[Boundary, ...]
    error: Fraction
    close: Fraction

    def __init__(self, boundaries: Iterable[Boundary], error: Number, close: Number | None = None) -> None:
        boundaries = tuple(boundaries) if isinstance(boundaries, Iterable) else ()
        if not boundaries or not all(isinstance(each, Boundary) for each in boundaries):
            raise NumberError("boundaries must be a list of boundaries; write it as [nl.Boundary('points', 50), …]")
        if len({each.axis for each in boundaries}) > 1:
            raise InputError(
                f"the boundaries are about {boundaries[0].axis!r} and other coordinates, and one report changes one "
                "coordinate; use boundaries of the same coordinate"
            )
        if any(one.same(other) for one, other in combinations(boundaries, 2)):
            raise InputError("a boundary is given twice; give each of them once")
        exact = exact_number(error, "error")
        if exact <= 0:
            raise NumberError(f"error={error} is not above 0, and true reports hide nothing; use a positive error")
        most = CLOSE * exact if close is None else exact_number(close, "close")
        if not 0 <= most < 2 * exact:
            raise NumberError(
                f"close={close} is not from 0 to below {2 * exact}; reports hide boundaries together only if they are "
                "less than two errors apart"
            )
        object.__setattr__(self, "boundaries", boundaries)
        object.__setattr__(self, "error", exact)
        object.__setattr__(self, "close", most)

    @property
    def axis(self) -> str:
        """The coordinate that is changed."""
        return self.boundaries[0].axis

    @property
    def names(self) -> tuple[str, ...]:
        """The coordinates that are needed, the changed one first."""
        return tuple(dict.fromkeys((self.axis, *(name for each in self.boundaries for name in each.others))))

    def side(self, box: Box) -> Intervals:
        """The range of the coordinate, from its first float to its last."""
        sides = [each.within(box) for each in self.boundaries]
        return side_of_floats(sides[0])

    def fine(self, side: Intervals) -> Resolution:
        """The resolution of reports; pieces must be longer than a few steps of it."""
        found = Resolution.of(self.error, side)
        if found is None or found.least < 4 * found.step:
            raise too_small_error(self.error, self.axis)
        return found

    def surfaces(self, point: Mapping[str, Number]) -> list[Fraction]:
        """The values of the boundaries at a point."""
        return [each.at(**{name: point[name] for name in each.others}) for each in self.boundaries]

    def bands(self, point: Mapping[str, Number], side: Intervals) -> list[Band]:
        """The bands in the slice of a point."""
        return bands_of(self.surfaces(point), side, self.error, self.close)

    def report(self, point: Mapping[str, Number], side: Intervals) -> Fraction:
        """The exact report of one point; `apply` gives the float nearest to it."""
        if missing := [name for name in self.names if name not in point]:
            raise InputError(f"the point has no {missing[0]!r}; give a number for each of {', '.join(self.names)}")
        return self._reported(exact_number(point[self.axis]), self.bands(point, side), self.fine(side))

    def certify(self, range: Box | Space, within: Box | None = None) -> CertifiedAll:  # noqa: A002
        """What is hidden of each hypothesis, and of all at once: in a box by measure, in a finite space by trying."""
        from noiseless.privacy.definitions.hypothesis.certify_all import all_in_box, all_in_space

        return all_in_box(self, range) if isinstance(range, Box) else all_in_space(self, range, within)

    def apply(self, data: Any, within: Box) -> Any:
        """The reports: a copy of the data with the one column changed, in the same kind of container."""
        from noiseless.privacy.definitions.hypothesis.reports import (
            check_ends,
            columns,
            float_ends,
            surface,
            with_columns,
        )

        side, names = self.side(within), self.names
        fine = self.fine(side)

        def made(table: Any, known: list[str]) -> list[Any]:
            values = columns(table, names, known, within)
            check_ends(values, [float_ends(within[name]) for name in names])
            found, slices = values[0].copy(), dict[tuple[float, ...], list[Band]]()
            near = np.zeros(len(found), dtype=bool)
            for each in self.boundaries:
                g, wrong = surface(each, [values[names.index(name)] for name in each.others])
                near |= np.abs(values[0] - g) <= 2 * float(self.error) + float(fine.step) + 2 * wrong
            rows = np.flatnonzero(near & np.isfinite(values).all(axis=0))
            for row, (x, *rest) in zip(rows, np.stack(values)[:, rows].T.tolist(), strict=True):
                key = tuple(rest)
                if key not in slices:
                    slices[key] = self.bands(dict(zip(names[1:], rest, strict=True)), side)
                found[row] = float(self._reported(exact_number(x), slices[key], fine))
            return [found]

        return with_columns(data, [self.axis], made)

    def _reported(self, x: Fraction, bands: list[Band], fine: Resolution) -> Fraction:
        for band in bands:
            if band.cuts[0] <= x < band.cuts[-1]:
                return band.report(x, self.error, fine)
        return x
