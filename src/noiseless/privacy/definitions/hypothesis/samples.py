"""A finite space seen by the adversary: every sample, its side of each boundary, and who shares its reports."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from noiseless.errors import DomainError, RangeError, SpaceError
from noiseless.exact.enclosure import Enclosure
from noiseless.exact.number import exact_number
from noiseless.privacy.definitions.hypothesis.policy import Policy
from noiseless.privacy.definitions.hypothesis.resolution import side_of_floats
from noiseless.theory.ranges.boundary import Boundary
from noiseless.theory.ranges.boxes import Box
from noiseless.theory.ranges.intervals import Intervals
from noiseless.theory.space import Space

Sample = dict[str, Fraction]


@dataclass(frozen=True, slots=True)
class Samples:
    """The different samples of a space, by the coordinates that the boundaries use."""

    points: tuple[Sample, ...]
    within: Box | None

    @classmethod
    def of(cls, boundaries: Sequence[Boundary], space: Space, within: Box | None = None) -> Samples:
        """All samples as exact numbers."""
        if not isinstance(space, Space):
            raise SpaceError(f"a {type(space).__name__} cannot be certified; give a Box or a Space")
        names = [*dict.fromkeys(name for each in boundaries for name in (each.axis, *each.others))]
        rows: list[Any] = list(space[*names].range) if len(names) > 1 else [(each,) for each in space[names[0]].range]
        found = cls(tuple(dict(zip(names, map(exact_number, row), strict=True)) for row in rows), within)
        for boundary in boundaries:
            if len(set(found.holds(boundary))) < 2:
                raise RangeError(
                    "all samples are on one side of a boundary, so there is nothing to hide; choose another boundary"
                )
        return found

    def side(self, axis: str) -> Intervals:
        """The range of a coordinate: declared, or from the smallest to the largest sample."""
        values = [point[axis] for point in self.points]
        hull = Intervals.closed(min(values), max(values))
        if self.within is None:
            return hull
        side = side_of_floats(self.within[axis])
        if not hull <= side:
            raise DomainError("some samples are outside the range of the policy; declare a wider range")
        return side

    def at(self, boundary: Boundary, point: Sample) -> Fraction:
        """The boundary's value at a sample."""
        return boundary.at(**{name: point[name] for name in boundary.others})

    def holds(self, boundary: Boundary) -> list[bool]:
        """For each sample, whether the hypothesis of a boundary holds."""
        return [point[boundary.axis] >= self.at(boundary, point) for point in self.points]

    def reports(self, policy: Policy) -> list[tuple[Fraction, ...]]:
        """The report of each sample, with all coordinates."""
        return self.reported_together([policy])

    def reported_together(self, policies: Sequence[Policy]) -> list[tuple[Fraction, ...]]:
        """The report of each sample, with all coordinates, after each policy has changed its own coordinate."""
        sides = [self.side(policy.boundary.axis) for policy in policies]
        found = []
        for point in self.points:
            changed = {
                policy.boundary.axis: policy.report(point[policy.boundary.axis], self.at(policy.boundary, point), side)
                for policy, side in zip(policies, sides, strict=True)
            }
            found.append(tuple({**point, **changed}.values()))
        return found

    def shared(self, seen: Sequence[Hashable], boundary: Boundary) -> list[bool]:
        """For each sample, whether its reports also come from the other side of a boundary."""
        holds = self.holds(boundary)
        sides = [{report for report, held in zip(seen, holds, strict=True) if held == side} for side in (False, True)]
        return [report in sides[0] and report in sides[1] for report in seen]

    def hidden(self, seen: Sequence[Hashable], boundary: Boundary) -> Enclosure:
        """The share of samples whose reports also come from the other side of a boundary."""
        return share_of(self.shared(seen, boundary))


def share_of(hidden: Sequence[bool]) -> Enclosure:
    """The share of samples that are hidden."""
    share = Fraction(sum(hidden), len(hidden))
    return Enclosure(share, share)
