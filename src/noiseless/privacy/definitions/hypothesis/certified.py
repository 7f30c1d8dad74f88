"""What a policy promises against one hypothesis."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import inf

from noiseless.exact.enclosure import Enclosure
from noiseless.exact.logratio import LogRatio


@dataclass(frozen=True, slots=True)
class Certified:
    """How much of a range a policy hides, and what follows. All numbers are rounded to the safe side.

    A point is *hidden* if its report does not reveal on which side of the boundary it lies.
    """

    error: Fraction
    hidden: Enclosure
    """The share of the range that is hidden."""
    literal_epsilon: Fraction | float | None
    """The papers' own ε, log μ(⟦Y⟧)/μ(Y₀ΔY₁) = log(1 + ε): not monotone under post-processing; None for 0/0, or if not
    computed."""
    limit: Fraction | float | None
    """An upper bound of ε for any policy with this error, whatever coordinates it changes; None if not computed."""

    @property
    def epsilon(self) -> Fraction | float:
        """The largest ε with μ(⟦X⟧) ≥ (1 + ε)·μ{x : the report reveals the side of x}; rounded down."""
        return epsilon_of(self.hidden.lower)

    @property
    def accuracy(self) -> Fraction:
        """The papers' ρ = 1/error."""
        return 1 / self.error

    @property
    def privacy(self) -> LogRatio:
        """log(1 + ε)."""
        return LogRatio.of(Fraction(1), 1 - self.hidden.lower)


def epsilon_of(share: Fraction) -> Fraction | float:
    """1 + ε = 1/(1 − share)."""
    return share / (1 - share) if share < 1 else inf
