"""One table in which several policies each change their own column."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import prod
from typing import Any

from noiseless.errors import InputError
from noiseless.exact.enclosure import Enclosure
from noiseless.privacy.definitions.hypothesis.policy import Policy
from noiseless.privacy.definitions.hypothesis.samples import Samples, share_of
from noiseless.privacy.definitions.hypothesis.shift_all import CertifiedAll
from noiseless.theory.ranges.boxes import Box
from noiseless.theory.space import Space


@dataclass(frozen=True, slots=True, init=False)
class InOneTable:
    """Policies for different columns, applied to one table. No boundary may read a column that is changed.

    Guarantee: each hypothesis stays hidden as by its policy alone. The partner of a point differs from it in one column
    only, which no other policy reads, so all other columns of the report are the same. If no two boundaries share a
    coordinate, what is hidden of all at once is the product; otherwise it is at least Σ − (k − 1) of the shares, and at
    most the smallest. Source: docs/policies.md

    >>> from noiseless import Boundary, Shift
    >>> both = InOneTable([Shift(Boundary("weight", 90), error=5), Shift(Boundary("height", 180), error=5)])
    >>> found = both.certify(Box(weight=(0, 200), height=(100, 200)))
    >>> [round(float(hidden), 4) for hidden in (*found.each, found.every)]
    [0.1, 0.2, 0.02]
    """

    policies: tuple[Policy, ...]

    def __init__(self, policies: Iterable[Policy]) -> None:
        policies = tuple(policies) if isinstance(policies, Iterable) else ()
        if not policies or not all(isinstance(each, Policy) for each in policies):
            raise InputError("a table needs policies; give them as a list: [nl.Shift(boundary, error=1), …]")
        changed = [each.boundary.axis for each in policies]
        if len(set(changed)) < len(changed):
            raise InputError("two policies change the same column; hide its boundaries with one nl.ShiftAll instead")
        read = {name for each in policies for name in each.boundary.others}
        if both := [name for name in changed if name in read]:
            raise InputError(
                f"column {both[0]!r} is changed by one policy and read by the boundary of another, so nothing is "
                "proved about them together; release one of them, or use a boundary of unchanged columns"
            )
        object.__setattr__(self, "policies", policies)

    def certify(self, range: Box | Space, within: Box | None = None) -> CertifiedAll:  # noqa: A002
        """What is hidden of each hypothesis, and of all at once: in a box by measure, in a finite space by trying."""
        error = max(each.error for each in self.policies)
        if not isinstance(range, Box):
            return CertifiedAll(error, *self._tried(range, within))
        hidden = tuple(each.certify(range).hidden for each in self.policies)
        return CertifiedAll(error, hidden, self._every(hidden))

    def apply(self, data: Any, within: Box | None = None) -> Any:
        """The reports: a copy of the data with the columns changed, in the same kind of container."""
        for each in self.policies:
            data = each.apply(data, within)
        return data

    def _every(self, hidden: tuple[Enclosure, ...]) -> Enclosure:
        used = [{each.boundary.axis, *each.boundary.others} for each in self.policies]
        if not any(one & other for one, other in combinations(used, 2)):
            return Enclosure(
                prod((each.lower for each in hidden), start=Fraction(1)),
                prod((each.upper for each in hidden), start=Fraction(1)),
            )
        lower = sum((each.lower for each in hidden), Fraction(1 - len(hidden)))
        return Enclosure(max(lower, Fraction(0)), min(each.upper for each in hidden))

    def _tried(self, space: Space, within: Box | None) -> tuple[tuple[Enclosure, ...], Enclosure]:
        boundaries = [each.boundary for each in self.policies]
        samples = Samples.of(boundaries, space, within)
        seen = samples.reported_together(self.policies)
        shared = [samples.shared(seen, boundary) for boundary in boundaries]
        return tuple(map(share_of, shared)), share_of([all(row) for row in zip(*shared, strict=True)])
