"""The promise of a policy, from measures of a box or by trying every sample of a finite space."""

from __future__ import annotations

from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING

from noiseless.errors import RangeError
from noiseless.exact.enclosure import Enclosure
from noiseless.privacy.definitions.hypothesis.certified import Certified, epsilon_of
from noiseless.privacy.definitions.hypothesis.limit import limit_in_box, limit_of_points
from noiseless.privacy.definitions.hypothesis.resolution import Resolution, too_small_error
from noiseless.privacy.definitions.hypothesis.samples import Samples
from noiseless.theory.hypothesis.trial import Trial
from noiseless.theory.hypothesis.verdict import size
from noiseless.theory.ranges.boxes import Box
from noiseless.theory.space import Space

if TYPE_CHECKING:
    from noiseless.privacy.definitions.hypothesis.policy import Policy


def certify_box(policy: Policy, box: Box) -> Certified:
    """The hidden share of the box, by measure."""
    if Resolution.of(policy.error, policy.side(box)) is None:
        raise too_small_error(policy.error, policy.boundary.axis)
    found, whole = policy.hidden(box).measure, box.measure
    if found.upper == 0:
        raise RangeError(
            f"the boundary is outside the range of {policy.boundary.axis!r} everywhere, or runs along its end, so "
            f"there is no one to hide; choose a boundary inside the range"
        )
    hidden = Enclosure(found.lower / whole, min(found.upper / whole, Fraction(1)))
    return Certified(
        policy.error, hidden, policy.literal(hidden.lower), limit_in_box(policy.boundary, policy.error, box)
    )


def certify_space(policy: Policy, space: Space, within: Box | None) -> Certified:
    """The adversary's view of every sample: which reports reveal the side."""
    samples = Samples.of([policy.boundary], space, within)
    reports, holds = samples.reports(policy), samples.holds(policy.boundary)
    tried = Space({"source": list(range(len(reports))), "report": reports, "holds": holds})
    trial = Trial(tried["source"], tried["report"], tried["holds"])
    hidden = 1 - 1 / Fraction(trial.pull_back.ratio) if trial.pull_back.ratio < inf else Fraction(1)
    literal = epsilon_of(1 - size(trial.telling) / size(trial.reports))
    limit = limit_of_points([tuple(point.values()) for point in samples.points], holds, policy.error)
    return Certified(policy.error, Enclosure(hidden, hidden), literal, limit)
