"""The papers' policy: what is close to the boundary is reported as the boundary."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, ClassVar

from noiseless.privacy.definitions.hypothesis.policy import Policy


class Collapse(Policy):
    """|xᵢ − g| ≤ error ↦ g; all else is reported as it is.

    Guarantee: ε = [μ(X)/μ(B) − 1]⁻¹ as pull-back, B the band in the slices where it meets both hypotheses. By the
    papers' own measure it is 0, always: the boundary is null, so reports outside the band are all there are.
    Source: NHT Thm 4 = CDC Thm 3, corrected: docs/theorems.md

    >>> from noiseless import Boundary, Intervals
    >>> policy = Collapse(Boundary("weight", 90), error=2)
    >>> policy.report(91, 90, Intervals("[0, 200]")), policy.report(93, 90, Intervals("[0, 200]"))
    (Fraction(90, 1), Fraction(93, 1))
    """

    __slots__ = ()
    reach_in_errors: ClassVar[int] = 1
    upper_end: ClassVar[bool] = True
    at_the_end: ClassVar[bool] = True

    @staticmethod
    def from_below(x: Any, g: Any, below: Any, above: Any) -> Any:
        """The boundary."""
        return g

    @staticmethod
    def from_above(x: Any, g: Any, below: Any, above: Any) -> Any:
        """The boundary."""
        return g

    @staticmethod
    def literal(hidden: Fraction) -> Fraction | None:
        """μ(Y) = μ(Δ), so 0; where all is hidden, 0/0."""
        return Fraction(0) if hidden < 1 else None
