"""Two points on either side of the boundary are reported as the point between them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, ClassVar

from noiseless.privacy.definitions.hypothesis.paired import Paired


class Shift(Paired):
    """[g, g + 2r) ↦ x − r and [g − 2r, g) ↦ x + r, r the error; with less room, g − l + tl and g + tu ↦ their midpoint.

    Guarantee: nothing moves further than r, and a band of half-width 2r is hidden, except for a few steps of rounding:
    about twice the ε of `Collapse` for the same accuracy. No policy that changes only this coordinate hides more,
    because all points within 2r of the other side are hidden. Source: docs/policies.md

    >>> from noiseless import Boundary, Intervals
    >>> policy = Shift(Boundary("weight", 90), error=2)
    >>> [int(policy.report(x, 90, Intervals("[0, 200]"))) for x in (85, 86, 89, 90, 93, 94)]
    [85, 88, 91, 88, 91, 94]
    """

    __slots__ = ()
    reach_in_errors: ClassVar[int] = 2
    rim: ClassVar[int] = 3

    @staticmethod
    def from_below(x: Any, g: Any, below: Any, above: Any) -> Any:
        """x = g − l + tl ↦ g − l/2 + t(l + u)/2."""
        return g - below / 2 + (x - g + below) * ((below + above) / (2 * below))

    @staticmethod
    def from_above(x: Any, g: Any, below: Any, above: Any) -> Any:
        """x = g + tu ↦ g − l/2 + t(l + u)/2."""
        return g - below / 2 + (x - g) * ((below + above) / (2 * above))

    @staticmethod
    def literal(hidden: Fraction) -> Fraction | None:
        """Half of the band stays empty, so μ(Y)/μ(Δ) = (1 − s/2)/(1 − s): half the pull-back."""
        return hidden / 2 / (1 - hidden) if hidden < 1 else None
