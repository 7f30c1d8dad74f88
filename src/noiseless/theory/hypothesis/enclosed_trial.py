"""Trials of reports that are not affine: polynomials, quotients, roots, and pieces of them. Every size has two bounds.

On a connected part of the box, a continuous report takes all values between its smallest and its largest. Interval
arithmetic encloses these two, so each range of reports lies between an inner and an outer set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import product
from math import prod
from operator import or_
from typing import Any

from noiseless.exact.enclosure import Enclosure
from noiseless.exact.logratio import LogRatio
from noiseless.theory.hypothesis.continuity import constant_of
from noiseless.theory.hypothesis.pieces import Report, pieces, reads
from noiseless.theory.hypothesis.trial import two_sides
from noiseless.theory.ranges.boxes import Box, Boxes
from noiseless.theory.ranges.intervals import EMPTY, Intervals, point
from noiseless.theory.spread.box_function import BoxFunction
from noiseless.theory.spread.ends import ends_of

MARGIN = Fraction(1, 1 << 40)
"""How far around the ends of ranges nothing is claimed about single reports, relative to all reports."""
ZERO = Fraction(0)
Function = Callable[..., Any]
Parts = Sequence[tuple[Boxes, Function, tuple[str, ...]]]
"""Parts of the box, each with its function and the coordinates that it reads."""


@dataclass(frozen=True, slots=True)
class EnclosedRange:
    """A set of reports, known to contain `inner` and to lie in `outer`, except for finitely many reports."""

    inner: Intervals
    outer: Intervals

    def __or__(self, other: EnclosedRange) -> EnclosedRange:
        return EnclosedRange(self.inner | other.inner, self.outer | other.outer)

    def __sub__(self, other: EnclosedRange) -> EnclosedRange:
        return EnclosedRange(self.inner - other.outer, self.outer - other.inner)

    @property
    def measure(self) -> Enclosure:
        """μ."""
        return Enclosure(self.inner.measure, self.outer.measure)


@dataclass(frozen=True, slots=True, init=False)
class EnclosedTrial:
    """A box, a report of it that interval arithmetic can follow, and the part where the hypothesis holds.

    The report is a continuous function of coordinates (+ − · / **, roots, exponentials, largest and smallest), or a
    dict with one for each of several parts of the box. Sizes are enclosures; logarithms of ratios are pairs, the
    certain lower and the certain upper bound.

    Guarantee: every true value lies between its bounds. Where they differ, the range of the report has no simple end,
    or the box was not cut finely enough.
    Source: NHT §3–5: docs/trials.md

    >>> person = Box(height=(1, 2), mistake=(0, 1))
    >>> trial = EnclosedTrial(person, lambda height, mistake: height**2 + mistake, person.where(height="(3/2, 2]"))
    >>> trial.without.outer, trial.holding.outer, trial.telling
    ([1, 13/4], [9/4, 5], 3)
    """

    without: EnclosedRange
    """⟦Y|p₀⟧."""
    holding: EnclosedRange
    """⟦Y|p₁⟧."""
    revealed: Enclosure
    """The share of the box whose report reveals whether the hypothesis holds."""

    def __init__(self, source: Box, report: Report, hypothesis: Boxes) -> None:
        sides = two_sides(source, report, hypothesis)
        parts = [(part, function, reads(function, source)) for part, function in pieces(report, source)]
        found = [_ranges(parts, side) for side in sides]
        without, holding = (reduce(or_, each) for each in found)
        object.__setattr__(self, "without", without)
        object.__setattr__(self, "holding", holding)
        object.__setattr__(self, "revealed", _share(source, parts, found, self._telling))

    @property
    def _telling(self) -> EnclosedRange:
        return (self.without - self.holding) | (self.holding - self.without)

    @property
    def reports(self) -> Enclosure:
        """m(⟦Y⟧)."""
        return (self.without | self.holding).measure

    @property
    def telling(self) -> Enclosure:
        """m(Y₀ Δ Y₁): no test is correct on more; consistent ones are correct on all of it."""
        return self._telling.measure

    @property
    def positives(self) -> Enclosure:
        """m(Y₁ ∖ Y₀): the most true positives of any test."""
        return (self.holding - self.without).measure

    @property
    def negatives(self) -> Enclosure:
        """m(Y₀ ∖ Y₁): the most true negatives of any test."""
        return (self.without - self.holding).measure

    @property
    def errors(self) -> Enclosure:
        """m(Y₀ ∩ Y₁): the least errors of any test."""
        both = EnclosedRange(self.without.inner & self.holding.inner, self.without.outer & self.holding.outer)
        return both.measure

    @property
    def privacy(self) -> tuple[LogRatio, LogRatio]:
        """log m(⟦Y⟧)/m(Y₀ Δ Y₁), the papers' measure. See `pull_back`."""
        return _log(self.reports, self.telling)

    @property
    def pull_back(self) -> tuple[LogRatio, LogRatio]:
        """log m(⟦X⟧)/m{x that may be revealed}: the measure that post-processing cannot lower."""
        return _log(Enclosure(Fraction(1), Fraction(1)), self.revealed)


def _log(top: Enclosure, bottom: Enclosure) -> tuple[LogRatio, LogRatio]:
    return LogRatio.of(top.lower, bottom.upper), LogRatio.of(top.upper, bottom.lower)


def _ranges(parts: Parts, side: Boxes) -> list[EnclosedRange]:
    """The values of each function on each connected box of its part on this side."""
    found = []
    for part, function, names in parts:
        for box, _ in _connected(part & side, names):
            low, high = ends_of(_on(function, names, box))
            inner = Intervals.closed(low.upper, high.lower) if low.upper <= high.lower else EMPTY
            found.append(EnclosedRange(inner, Intervals.closed(low.lower, high.upper)))
    return found


def _share(source: Box, parts: Parts, sides: Sequence[Sequence[EnclosedRange]], telling: EnclosedRange) -> Enclosure:
    """The share of the box with a telling report. At the ends of ranges, a single report may belong to either."""
    doubtful = _around_ends([*sides[0], *sides[1]])
    surely, perhaps = telling.inner - doubtful, telling.outer | doubtful
    lower = upper = ZERO
    for part, function, names in parts:
        for box, factor in _connected(part, names):
            weight = box.measure * factor / source.measure
            if weight and (constant := constant_of(function, len(names))) is not None:
                found = _single([_belongs(constant, side, doubtful) for side in sides])
            elif weight:
                values = _on(function, names, box)
                found = Enclosure(_within(values, surely).lower, _within(values, perhaps).upper)
            else:
                continue
            lower, upper = lower + weight * found.lower, upper + weight * found.upper
    return Enclosure(lower, min(upper, Fraction(1)))


def _belongs(report: Fraction, side: Sequence[EnclosedRange], doubtful: Intervals) -> bool | None:
    """Whether a single report is possible on a side; None if that is uncertain."""
    alone = point(report)
    if any(each.inner == each.outer == alone or report in each.inner - doubtful for each in side):
        return True
    return None if any(report in each.outer for each in side) else False


def _single(possible: list[bool | None]) -> Enclosure:
    """1 if a report is possible on one side only, 0 if on both, and both bounds if that is uncertain."""
    if None in possible:
        return Enclosure(ZERO, Fraction(1))
    revealed = Fraction(possible[0] != possible[1])
    return Enclosure(revealed, revealed)


def _around_ends(ranges: Iterable[EnclosedRange]) -> Intervals:
    found = list(ranges)
    outer = reduce(or_, (each.outer for each in found))
    margin = (outer.high - outer.low or 1) * MARGIN
    around = EMPTY
    for each in found:
        for end in (each.outer - each.inner).components:
            around |= Intervals.closed(end.low - margin, end.high + margin)
        for at in (each.outer.low, each.outer.high):
            around |= Intervals.closed(at - margin, at + margin)
    return around


def _within(values: BoxFunction, reports: Intervals) -> Enclosure:
    """The share of the box whose value lies in a set, up to the ends of the set."""
    if not reports:
        return Enclosure(ZERO, ZERO)
    edges = sorted({at for at, _ in reports.cuts})
    shares = values.shares(edges)
    inside = [shares[k + 1] for k in range(len(edges) - 1) if (edges[k] + edges[k + 1]) / 2 in reports]
    return Enclosure(sum((each.lower for each in inside), ZERO), sum((each.upper for each in inside), ZERO))


def _connected(part: Boxes, names: tuple[str, ...]) -> Iterable[tuple[Box, Fraction]]:
    """The closed boxes of the coordinates that a function reads, with the measure of the others."""
    used = names or part.names[:1]
    for sides in part.products:
        for chosen in product(*(side.components for side in sides)):
            closed = dict(zip(part.names, (Intervals.closed(each.low, each.high) for each in chosen), strict=True))
            others = (side.measure for name, side in closed.items() if name not in used)
            yield Box(**{name: closed[name] for name in used}), prod(others, start=Fraction(1))


def _on(function: Function, names: tuple[str, ...], box: Box) -> BoxFunction:
    constant = constant_of(function, len(names))
    return BoxFunction(function if constant is None else lambda first, *_: 0 * first + constant, box)
