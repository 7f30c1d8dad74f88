"""Several reports of the same data are one report: what stays hidden when all of them are seen.

Privacy against a hypothesis does not compose. Two policies pair a point with different partners, and an adversary who
has both reports is left with the point alone. So the reports are certified together.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from warnings import warn

from noiseless.errors import InputError
from noiseless.exact.enclosure import Enclosure
from noiseless.privacy.definitions.hypothesis.certified import Certified, epsilon_of
from noiseless.privacy.definitions.hypothesis.collapse import Collapse
from noiseless.privacy.definitions.hypothesis.paired import EDGE
from noiseless.privacy.definitions.hypothesis.policy import Policy, Slice
from noiseless.privacy.definitions.hypothesis.samples import Samples
from noiseless.theory.ranges.boundary import Boundary
from noiseless.theory.ranges.boxes import Box
from noiseless.theory.ranges.intervals import EMPTY, Intervals
from noiseless.theory.ranges.region import Region
from noiseless.theory.space import Space


class UndoneWarning(UserWarning):
    """Reports that hide something alone and nothing together."""


@dataclass(frozen=True, slots=True)
class Composed:
    """What several reports hide together, for each hypothesis."""

    alone: tuple[Certified, ...]
    """What each policy promises if only its report is released."""
    boundaries: tuple[Boundary, ...]
    hidden: tuple[Enclosure, ...]
    """For each boundary, the share of the range whose side stays open when all reports are seen."""

    @property
    def epsilons(self) -> tuple[Fraction | float, ...]:
        """For each boundary, the largest ε that the reports keep together; rounded down."""
        return tuple(epsilon_of(each.lower) for each in self.hidden)

    @property
    def epsilon(self) -> Fraction | float:
        """The smallest ε of all hypotheses: it holds for each of them."""
        return min(self.epsilons)

    @property
    def undone(self) -> bool:
        """Whether nothing stays hidden of a hypothesis that one of the policies hides on its own."""
        return self.epsilon == 0 and any(each.epsilon > 0 for each in self.alone)


def certify_reports(policies: Iterable[Policy], range: Box | Space, within: Box | None = None) -> Composed:  # noqa: A002
    """The pull-back of the joint report: each policy releases a copy of the same data, with its column changed.

    Guarantee: for each boundary, at least the share `hidden.lower` of the range shares *all* reports with points of the
    other side. In a finite space every sample is tried, so it is exact. In a box it is proved slice by slice: equal
    policies keep what one of them hides, several `Collapse` keep the narrowest band, a `Collapse` beside another
    policy keeps the pairs that are both inside its band. Otherwise 0 is promised.
    Source: theory §14; docs/policies.md

    >>> reports = [Collapse(Boundary("x", 30), error=error) for error in (2, 3)]
    >>> float(certify_reports(reports, Box(x=(0, 60))).epsilon)
    0.0714285...
    """
    policies = tuple(policies) if isinstance(policies, Iterable) else ()
    if not policies or not all(isinstance(each, Policy) for each in policies):
        raise InputError(
            "the reports need policies; give a list such as [nl.Shift(boundary, 1), nl.Shift(boundary, 2)]"
        )
    alone = tuple(each.certify(range) if isinstance(range, Box) else each.certify(range, within) for each in policies)
    boundaries = _different([each.boundary for each in policies])
    if isinstance(range, Box):
        hidden = tuple(_in_box(policies, boundary, range) for boundary in boundaries)
    else:
        samples = Samples.of(boundaries, range, within)
        seen = list(zip(*(samples.reports(each) for each in policies), strict=True))
        hidden = tuple(samples.hidden(seen, boundary) for boundary in boundaries)
    found = Composed(alone, boundaries, hidden)
    if found.undone:
        warn(
            "these reports of the same data undo each other: together they reveal sides that each of them hides; "
            "release only one of them",
            UndoneWarning,
            stacklevel=2,
        )
    return found


def _different(boundaries: Sequence[Boundary]) -> tuple[Boundary, ...]:
    found: list[Boundary] = []
    for each in boundaries:
        if not any(each.same(other) for other in found):
            found.append(each)
    return tuple(found)


def _in_box(policies: Sequence[Policy], boundary: Boundary, box: Box) -> Enclosure:
    """The certified share; a policy for another boundary may report the exact value anywhere, so none is left."""
    if not all(each.boundary.same(boundary) for each in policies):
        return Enclosure(Fraction(0), Fraction(0))
    found, whole = together(policies, box).measure, box.measure
    return Enclosure(found.lower / whole, min(found.upper / whole, Fraction(1)))


def together(policies: Sequence[Policy], box: Box) -> Region:
    """The points that certainly share all reports with the other side, for policies with the same boundary."""
    first, *rest = [each.hidden(box) for each in policies]
    side = policies[0].side(box)

    def sliced(g: Fraction) -> Intervals:
        slices = {(type(each), each.error): (each, each.sliced(g, side)) for each in policies}
        return side & _kept(list(slices.values()))

    offsets = first.offsets.union(*(each.offsets for each in rest))
    return Region(first.boundary, first.box, offsets, sliced)


def _kept(slices: Sequence[tuple[Policy, Slice | None]]) -> Intervals:
    """What stays hidden in a slice: by the narrowest of the constant reports, and by the one way of pairing."""
    acting = [(policy, at) for policy, at in slices if at is not None]
    if len(acting) < len(slices):
        return EMPTY  # a policy that does not act reports the exact value
    bands = [_promised(policy, at) for policy, at in acting if isinstance(policy, Collapse)]
    pairings = [(policy, at) for policy, at in acting if not isinstance(policy, Collapse)]
    if len(pairings) > 1:
        return EMPTY
    at = acting[0][1]
    below, above = (min(ends) for ends in zip(*(bands or [(at.below, at.above)]), strict=True))
    if not pairings:
        return Intervals.closed(at.g - below, at.g + above)
    [(policy, at)] = pairings
    if bands and (below < at.below or above < at.above):
        return _cut(at, policy.reach, below, above)
    near, far = _promised(policy, at)
    return Intervals.of_cuts([(at.g - near, 0), (at.g + far, 0)])


def _promised(policy: Policy, at: Slice) -> tuple[Fraction, Fraction]:
    return policy.promised(at.below, at.above, at.step, at.least)


def _cut(at: Slice, reach: Fraction, below: Fraction, above: Fraction) -> Intervals:
    """Partners x and x + reach that are both between g − below and g + above; only where both rooms are full."""
    rim = (EDGE + 1) * at.step
    start, stop = max(at.g - below, at.g - reach) + rim, min(at.g + above - reach, at.g) - rim
    if at.below < reach or at.above < reach or start >= stop:
        return EMPTY
    return Intervals.closed(start, stop) | Intervals.closed(start + reach, stop + reach)
