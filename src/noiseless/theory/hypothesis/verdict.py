"""What a test gets right and wrong, for positives and negatives separately."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from noiseless.exact.logratio import LogRatio
from noiseless.theory.ranges.finite import FiniteRange
from noiseless.theory.ranges.intervals import Intervals

Reports = FiniteRange | Intervals


@dataclass(frozen=True, slots=True)
class Verdict:
    """The reports of a trial, sorted by what a test says there. Y₀ and Y₁ are those without and with the hypothesis.

    The test is correct where its answer is certain: ⟦H|⟦X|y⟧⟧ = {T(y)}. Everywhere else it is wrong, if only for some
    of the sources that give this report.
    """

    true_positives: Any
    """In Y₁ ∖ Y₀, and accepted."""
    true_negatives: Any
    """In Y₀ ∖ Y₁, and not accepted."""
    false_positives: Any
    """In Y₀, but accepted: errors of type I."""
    false_negatives: Any
    """In Y₁, but not accepted: errors of type II."""

    @classmethod
    def of(cls, accepted: Any, without: Any, holding: Any) -> Verdict:
        """Sort the reports by those at which the test accepts."""
        return cls(
            accepted & (holding - without),
            (without - holding) - accepted,
            accepted & without,
            holding - accepted,
        )

    @property
    def correct(self) -> Reports:
        """ℵ(T)."""
        found: Reports = self.true_positives | self.true_negatives
        return found

    @property
    def wrong(self) -> Reports:
        """All reports but ℵ(T)."""
        found: Reports = self.false_positives | self.false_negatives
        return found

    @property
    def performance(self) -> LogRatio:
        """log m(ℵ(T)), true positives and true negatives together."""
        return LogRatio(size(self.correct))

    @property
    def positive_performance(self) -> LogRatio:
        """log m of the true positives."""
        return LogRatio(size(self.true_positives))

    @property
    def negative_performance(self) -> LogRatio:
        """log m of the true negatives."""
        return LogRatio(size(self.true_negatives))

    @property
    def error(self) -> LogRatio:
        """log m of the errors of both types: smaller is better."""
        return LogRatio(size(self.wrong))


def size(reports: Reports) -> Fraction:
    """m: the number or the length."""
    return reports.measure if isinstance(reports, Intervals) else Fraction(len(reports))
