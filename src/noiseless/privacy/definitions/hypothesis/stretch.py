"""Both sides of the boundary are stretched over the whole band."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, ClassVar

from noiseless.privacy.definitions.hypothesis.paired import Paired


class Stretch(Paired):
    """[g − l, g) and [g, g + u), l and u at most `error`, are each mapped evenly onto the whole of [g − l, g + u).

    Guarantee: nothing moves further than `error`. Before rounding, ⟦Y⟧ = ⟦X⟧ except for a null set. Both hypotheses
    cover the band, so the papers' ε holds literally and as pull-back. Source: docs/policies.md

    >>> from noiseless import Boundary, Intervals
    >>> policy = Stretch(Boundary("weight", 90), error=2)
    >>> [int(policy.report(x, 90, Intervals("[0, 200]"))) for x in (87, 88, 89, 90, 91, 92)]
    [87, 88, 90, 88, 90, 92]
    """

    __slots__ = ()
    reach_in_errors: ClassVar[int] = 1
    rim: ClassVar[int] = 0

    @staticmethod
    def from_below(x: Any, g: Any, below: Any, above: Any) -> Any:
        """g − l + (x − g + l)(l + u)/l, at most u above x."""
        return g - below + (x - g + below) * ((below + above) / below)

    @staticmethod
    def from_above(x: Any, g: Any, below: Any, above: Any) -> Any:
        """g − l + (x − g)(l + u)/u, at most l below x."""
        return g - below + (x - g) * ((below + above) / above)

    @staticmethod
    def literal(hidden: Fraction) -> Fraction | None:
        """The same as the pull-back."""
        return hidden / (1 - hidden) if hidden < 1 else None
