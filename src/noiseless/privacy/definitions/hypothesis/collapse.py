"""The papers' policy: values close to the boundary are reported as the boundary."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor
from typing import ClassVar

import numpy as np

from noiseless.privacy.definitions.hypothesis.policy import Bools, Estimate, Fine, Floats, Policy, Slice


class Collapse(Policy):
    """|xᵢ − g| ≤ error ↦ g, or the multiple of the step next to g; all other values are reported unchanged.

    Guarantee: ε = [μ(X)/μ(B) − 1]⁻¹ as pull-back, B the band in the slices where it meets both hypotheses. By the
    papers' own measure it is always 0: the boundary has measure zero, so only reports outside the band count.
    Source: NHT Thm 4 = CDC Thm 3, corrected: docs/theorems.md

    >>> from noiseless import Boundary, Intervals
    >>> policy = Collapse(Boundary("weight", 90), error=2)
    >>> policy.report(91, 90, Intervals("[0, 200]")), policy.report(93, 90, Intervals("[0, 200]"))
    (Fraction(90, 1), Fraction(93, 1))
    """

    __slots__ = ()
    reach_in_errors: ClassVar[int] = 1
    upper_end: ClassVar[bool] = True
    rim: ClassVar[int] = 2
    at_the_end: ClassVar[bool] = True

    def moved(self, x: Fraction, at: Slice) -> Fraction | None:
        """The multiple of the step next to the boundary, for all within the error of it."""
        y = self.together(at)
        return y if y is not None and self.near(x, y) else None

    def shares(self, y: Fraction, at: Slice) -> bool:
        """Whether y is the one report."""
        return y == self.together(at)

    def together(self, at: Slice) -> Fraction | None:
        """The multiple of the step in the range that is nearest to the boundary, if there is one."""
        found = floor(at.g / at.step + Fraction(1, 2))
        if at.side is not None:
            first, last = ceil(at.side.low / at.step), floor(at.side.high / at.step)
            if first > last:
                return None
            found = min(max(found, first), last)
        return found * at.step

    def promised(self, below: Fraction, above: Fraction, step: Fraction, least: Fraction) -> tuple[Fraction, Fraction]:
        """All points within the error, except for two steps."""
        return min(below, self.reach - self.rim * step), min(above, self.reach - self.rim * step)

    def estimated(self, x: Floats, g: Floats, below: Floats, above: Floats, doubt: Floats, fine: Fine) -> Estimate:
        """The report in steps, computed in floats, and where it is certain."""
        found = np.floor(g / fine.step + 0.5)
        sure: Bools = np.abs(g - (found - 0.5) * fine.step) > doubt
        sure &= np.abs(g - (found + 0.5) * fine.step) > doubt
        sure &= np.minimum(below, above) > 2 * fine.step
        sure &= np.abs(x - found * fine.step) < fine.error - doubt
        return found, sure

    @staticmethod
    def literal(hidden: Fraction) -> Fraction | None:
        """μ(Y) = μ(Δ), so 0; 0/0 if all is hidden."""
        return Fraction(0) if hidden < 1 else None
