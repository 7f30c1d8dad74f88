"""Non-stochastic hypothesis testing: what a report can reveal about a hypothesis, and how well any test can do.

Y₀ and Y₁ are the possible reports if the hypothesis does not hold and if it does. A test is correct at a report only if
the report can come from only one side and the test names it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import or_
from typing import Any

import numpy as np

from noiseless.errors import InputError, RangeError, SpaceError
from noiseless.exact.logratio import LogRatio
from noiseless.theory.cell_map import CellMap
from noiseless.theory.continuous import Continuous
from noiseless.theory.hypothesis.affine import affine
from noiseless.theory.hypothesis.pieces import pieces, reads
from noiseless.theory.hypothesis.slab import measure_where
from noiseless.theory.hypothesis.verdict import Reports, Verdict, size
from noiseless.theory.ranges.boxes import Box, Boxes
from noiseless.theory.ranges.finite import FiniteRange
from noiseless.theory.ranges.intervals import Intervals
from noiseless.theory.variable import Variable, same_samples

Test = Callable[[Any], Any] | Mapping[Any, Any] | Reports
"""A function or table from reports to the values of the hypothesis, or the set of reports at which it is accepted."""


@dataclass(frozen=True, slots=True, init=False)
class Trial:
    """A source X, a report Y of it, and a hypothesis H about it; finite or continuous.

    Finite: three variables of one space; the hypothesis has two values, of which the second (or True) is "it holds".
    Maps: a continuous variable, and two maps of it with finitely many cells.
    Boxes: a box, an affine function of its coordinates (or a dict with one for each of several parts of the box),
    and the part of the box where the hypothesis holds. For other functions, see `EnclosedTrial`.

    >>> person = Box(height=(100, 250), mistake=(-10, 10))
    >>> trial = Trial(person, lambda height, mistake: height + mistake, person.where(height="(150, 250]"))
    >>> trial.ranges, trial.overlap
    (([90, 160], (140, 260]), (140, 160])
    >>> trial.performance(Intervals("(150, 260]")) == trial.bound == LogRatio(150)
    True
    """

    ranges: tuple[Any, Any]
    """⟦Y|p₀⟧ and ⟦Y|p₁⟧."""
    values: tuple[Any, Any]
    """The values of the hypothesis if it does not hold, and if it does."""
    pull_back: LogRatio
    """log m(⟦X⟧)/m{x that may be revealed}: the measure that post-processing cannot lower."""

    def __init__(
        self, source: Variable | Continuous | Box, report: Any, hypothesis: Variable | CellMap | Boxes
    ) -> None:
        if isinstance(source, Variable):
            ranges, values, pull_back = _finite(source, report, hypothesis)
        elif isinstance(source, Continuous):
            ranges, values, pull_back = _mapped(source, report, hypothesis)
        else:
            ranges, values, pull_back = _continuous(source, report, hypothesis)
        object.__setattr__(self, "ranges", ranges)
        object.__setattr__(self, "values", values)
        object.__setattr__(self, "pull_back", pull_back)

    @property
    def reports(self) -> Reports:
        """⟦Y⟧."""
        found: Reports = self.ranges[0] | self.ranges[1]
        return found

    @property
    def overlap(self) -> Reports:
        """Y₀ ∩ Y₁: reports that reveal nothing about the hypothesis."""
        found: Reports = self.ranges[0] & self.ranges[1]
        return found

    @property
    def telling(self) -> Reports:
        """Y₀ Δ Y₁: telling reports, which reveal whether the hypothesis holds."""
        found: Reports = self.ranges[0] ^ self.ranges[1]
        return found

    @property
    def bound(self) -> LogRatio:
        """log m(Y₀ Δ Y₁): no test performs better, and consistent ones reach it."""
        return LogRatio(size(self.telling))

    @property
    def positive_bound(self) -> LogRatio:
        """log m(Y₁ ∖ Y₀): the best that a test does on true positives."""
        return LogRatio(size(self.ranges[1] - self.ranges[0]))

    @property
    def negative_bound(self) -> LogRatio:
        """log m(Y₀ ∖ Y₁): the best that a test does on true negatives."""
        return LogRatio(size(self.ranges[0] - self.ranges[1]))

    @property
    def least_error(self) -> LogRatio:
        """log m(Y₀ ∩ Y₁): errors of both types together are at least this, since no test is right there."""
        return LogRatio(size(self.overlap))

    @property
    def privacy(self) -> LogRatio:
        """log m(⟦Y⟧)/m(Y₀ Δ Y₁), the papers' measure of privacy; +∞ if no report is telling. See `pull_back`."""
        return LogRatio.of(size(self.reports), size(self.telling))

    @property
    def consistent(self) -> Reports:
        """A consistent test, as the set of reports at which it accepts the hypothesis: wherever possible."""
        found: Reports = self.ranges[1]
        return found

    def is_consistent(self, test: Test) -> bool:
        """Whether the test never names an impossible side."""
        accepted = self._accepted(test)
        return bool(accepted <= self.ranges[1]) and bool(self.reports - accepted <= self.ranges[0])

    def judge(self, test: Test) -> Verdict:
        """What the test gets right and wrong, for positives and negatives separately.

        Guarantee: positives perform at most `positive_bound`, negatives at most `negative_bound`, and errors are at
        least `least_error`. Every consistent test reaches all three at once.
        Source: NHT §3: docs/theorems.md#nht-3-errors
        """
        return Verdict.of(self._accepted(test), *self.ranges)

    def correct(self, test: Test) -> Reports:
        """ℵ(T): the reports that can come from only one side, and where the test names it."""
        return self.judge(test).correct

    def performance(self, test: Test) -> LogRatio:
        """log m(ℵ(T))."""
        return self.judge(test).performance

    def _accepted(self, test: Test) -> Any:
        if isinstance(self.reports, Intervals):
            if not isinstance(test, Intervals):
                raise InputError(
                    "a test of continuous reports must be a set; give the reports at which it accepts, as nl.Intervals"
                )
            return test & self.reports
        if isinstance(test, (set, frozenset, FiniteRange)):
            return FiniteRange(test) & self.reports
        if not isinstance(test, Mapping) and not callable(test):
            raise InputError(
                "this is not a test; give a function or a dict from reports to values of the hypothesis, or a set of "
                "reports"
            )
        said = {y: test.get(y) if isinstance(test, Mapping) else test(y) for y in self.reports}
        if unknown := [each for each in said.values() if each not in self.values]:
            raise InputError(
                f"the test says {unknown[0]!r}, which is not a value of the hypothesis; use one of {self.values}"
            )
        return FiniteRange(y for y, each in said.items() if each == self.values[1])


Found = tuple[tuple[Any, Any], tuple[Any, Any], LogRatio]


def _finite(source: Variable, report: Any, hypothesis: Any) -> Found:
    for name, each in (("report", report), ("hypothesis", hypothesis)):
        if not isinstance(each, Variable):
            raise SpaceError(
                f"the {name} of a finite trial is not a variable of the source's space; take both from one space"
            )
    same_samples(source, report, hypothesis)
    values = _two_values(hypothesis.range, repr(hypothesis.name))
    order = list(hypothesis.range)
    sides = [np.unique(report.codes[hypothesis.codes == order.index(value)]) for value in values]
    ranges = [FiniteRange(report.column[side]) for side in sides]
    telling = np.unique(source.codes[np.isin(report.codes, np.setxor1d(sides[0], sides[1]))])
    return (ranges[0], ranges[1]), values, LogRatio.of(source.size, len(telling))


def _mapped(source: Continuous, report: Any, hypothesis: Any) -> Found:
    for name, each in (("report", report), ("hypothesis", hypothesis)):
        if not isinstance(each, CellMap) or each.source is not source:
            raise SpaceError(f"the {name} is not a map of the continuous source; make it with the source's .map(…)")
    values = _two_values(hypothesis.range, "the hypothesis")
    without, holding = (report.values_given({hypothesis: value}) for value in values)
    revealed = sum((report.given(y).measure for y in without ^ holding), Fraction(0))
    return (without, holding), values, LogRatio.of(source.range.measure, revealed)


def _two_values(found: FiniteRange, name: str) -> tuple[Any, Any]:
    values: list[Any] = sorted(found) if set(found) <= {False, True} else list(found)
    if len(values) != 2:
        raise SpaceError(f"the hypothesis needs two values, and {name} has {len(values)}; derive one with two")
    return values[0], values[1]


def _continuous(box: Any, report: Any, holds: Any) -> Found:
    without, holding = two_sides(box, report, holds)
    found = [(part, *affine(function, reads(function, box))) for part, function in pieces(report, box)]
    whole = len(found) == 1  # one function on the whole box needs no cutting
    images = [
        reduce(or_, ((side if whole else part & side).image(weights, constant) for part, weights, constant in found))
        for side in (without, holding)
    ]
    telling = images[0] ^ images[1]
    revealed = sum((measure_where(part, weights, constant, telling) for part, weights, constant in found), Fraction(0))
    return (images[0], images[1]), (False, True), LogRatio.of(box.measure, revealed)


def two_sides(box: Any, report: Any, holds: Any) -> tuple[Boxes, Boxes]:
    """Where the hypothesis does not hold, and where it does."""
    if (
        not isinstance(box, Box)
        or not isinstance(holds, (Boxes, Box))
        or not (callable(report) or isinstance(report, Mapping))
    ):
        raise RangeError(
            "a trial needs three variables of a space; or give a box, a function of its coordinates, and the part of "
            "the box where the hypothesis holds, such as box.where(height='(150, 250]')"
        )
    holding = box & holds
    if not holding or not box - holding:
        raise RangeError(
            "the hypothesis holds everywhere in the box or nowhere, so there is nothing to test; choose another one"
        )
    return box - holding, holding
