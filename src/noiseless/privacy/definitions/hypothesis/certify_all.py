"""The promise of one report against several hypotheses: by measure in a box, by trying every sample of a finite space.

In a box, the values of the boundaries on a piece of the other coordinates lie in intervals. Where these decide the
order of the boundaries and which of them share a band, they enclose the length of each band; elsewhere it is between 0
and all.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import reduce
from math import prod
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from noiseless.exact.enclosure import Enclosure
from noiseless.exact.rounding import float_down, float_up
from noiseless.exact.span import Span
from noiseless.privacy.definitions.hypothesis.bands import RIM
from noiseless.privacy.definitions.hypothesis.samples import Samples, share_of
from noiseless.privacy.definitions.hypothesis.shift_all import CertifiedAll, ShiftAll
from noiseless.theory.ranges.boxes import Box
from noiseless.theory.ranges.intervals import EMPTY, Intervals
from noiseless.theory.ranges.quadrature import enclosed, values_on
from noiseless.theory.space import Space

if TYPE_CHECKING:
    from collections.abc import Sequence

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Found = tuple[Bools, Bools, Floats, Span]
SLACK = 1e-12
"""More than the rounding error of a comparison in floats here."""


def all_in_space(policy: ShiftAll, space: Space, within: Box | None) -> CertifiedAll:
    """Every sample is tried: whose report also comes from the other side of a boundary, and of every boundary."""
    samples = Samples.of(policy.boundaries, space, within)
    side = samples.side(policy.axis)
    seen = [tuple({**point, policy.axis: policy.report(point, side)}.values()) for point in samples.points]
    shared = [samples.shared(seen, boundary) for boundary in policy.boundaries]
    return CertifiedAll(
        policy.error, tuple(map(share_of, shared)), share_of([all(row) for row in zip(*shared, strict=True)])
    )


def all_in_box(policy: ShiftAll, box: Box) -> CertifiedAll:
    """The shares of the box."""
    side, domain = policy.side(box), {name: box[name] for name in policy.names[1:]}
    number = len(policy.boundaries)
    wanted: list[Sequence[int]] = [*([place] for place in range(number)), range(number)]
    if not domain:
        hidden = [_exactly(policy, side, places) / box[policy.axis].measure for places in wanted]
        found = [Enclosure(each, each) for each in hidden]
    else:
        whole = prod((each.measure for each in domain.values()), start=box[policy.axis].measure)
        sums = [enclosed(_bounds(policy, side, places), domain) for places in wanted]
        found = [Enclosure(each.lower / whole, min(each.upper / whole, Fraction(1))) for each in sums]
    return CertifiedAll(policy.error, tuple(found[:-1]), found[-1])


def _exactly(policy: ShiftAll, side: Intervals, places: Sequence[int]) -> Fraction:
    """The length that is hidden from all of the given boundaries, for thresholds."""
    surfaces = policy.surfaces({})
    hidden = [
        band.promised(policy.fine(side))
        for band in policy.bands({}, side)
        if all(surfaces[place] in band.boundaries for place in places)
    ]
    return reduce(Intervals.__or__, hidden, EMPTY).measure


def _bounds(
    policy: ShiftAll, side: Intervals, places: Sequence[int]
) -> Callable[[Floats, Floats], tuple[Floats, Floats]]:
    """Two bounds of the length that is hidden from all of the given boundaries, on each piece."""
    names, fine = policy.names[1:], policy.fine(side)
    lost, least = 2 * RIM * float(fine.step), float_up(fine.least)
    most = float_up(min(side.measure, 4 * policy.error))

    def bounds(lows: Floats, highs: Floats) -> tuple[Floats, Floats]:
        rows = [[names.index(name) for name in each.others] for each in policy.boundaries]
        values = [
            values_on(each.function, lows[row], highs[row]) if row else _constant(each.at(), lows.shape[1])
            for each, row in zip(policy.boundaries, rows, strict=True)
        ]
        sure, hides, shortest, whole = _lengths(values, side, policy, places)
        sure &= ~hides | (shortest >= least)
        lower, upper = (
            np.maximum(whole.low - lost * (1 + SLACK), 0.0),
            np.clip(whole.high - lost * (1 - SLACK), 0.0, most),
        )
        return np.where(sure & hides, lower, 0.0), np.where(sure, np.where(hides, upper, 0.0), most)

    return bounds


def _lengths(values: list[Span], side: Intervals, policy: ShiftAll, places: Sequence[int]) -> Found:
    """Whether the intervals decide, whether one band has all the given boundaries, its shortest piece, its length."""
    low, high = (np.stack([getattr(each, end) for each in values]) for end in ("low", "high"))
    order = np.argsort(low + high, axis=0, kind="stable")
    low, high = (np.take_along_axis(each, order, axis=0) for each in (low, high))
    walls = [Span(np.array(float_down(end)), np.array(float_up(end))) for end in (side.low, side.high)]
    inside = (low > walls[0].high) & (high < walls[1].low)
    sure = (inside | (high < walls[0].low) | (low > walls[1].high)).all(axis=0) & (high[:-1] < low[1:]).all(axis=0)
    group, decided = _groups(low, high, inside, float(policy.close))
    rank = np.argsort(order, axis=0, kind="stable")  # where each boundary is in the order
    columns = np.arange(low.shape[1])
    mine = group[rank[places[0]], columns]
    hides = np.ones_like(sure)
    for place in places:
        hides &= inside[rank[place], columns] & (group[rank[place], columns] == mine)
    first, last, (lower, upper) = _ends(low, high, inside, group == mine, walls)
    room = float(2 * policy.error) - (last - first)
    below, above = (_smaller(room, each) for each in (first - lower, upper - last))
    gaps = np.where((group[1:] == mine) & (group[:-1] == mine), low[1:] - high[:-1], np.inf).min(axis=0, initial=np.inf)
    shortest = np.minimum.reduce([below.low, above.low, gaps])
    return sure & decided, hides, shortest, below + above + (last - first)


def _groups(low: Floats, high: Floats, inside: Bools, close: float) -> tuple[NDArray[np.int64], Bools]:
    """Which boundaries share a band, from the lowest up, and whether the intervals decide it."""
    decided = np.ones(low.shape[1], dtype=bool)
    group = np.zeros(low.shape, dtype=np.int64)
    start_low, start_high = low[0], high[0]
    for place in range(1, len(low)):
        both = inside[place] & inside[place - 1]
        joins = both & (high[place] - start_low < close * (1 - SLACK))
        decided &= joins | ~both | (low[place] - start_high > close * (1 + SLACK))
        group[place] = group[place - 1] + ~joins
        start_low, start_high = np.where(joins, start_low, low[place]), np.where(joins, start_high, high[place])
    return group, decided


def _ends(low: Floats, high: Floats, inside: Bools, members: Bools, walls: list[Span]) -> tuple[Span, Span, list[Span]]:
    """The first and the last of a group, and where its room ends: halfway to the neighbours, or at the walls."""
    columns, top = np.arange(low.shape[1]), len(low) - 1
    places = members.argmax(axis=0), top - members[::-1].argmax(axis=0)
    first, last = (Span(low[place, columns], high[place, columns]) for place in places)
    ends = []
    for end, place, step, wall in ((first, places[0], -1, walls[0]), (last, places[1], 1, walls[1])):
        other = np.clip(place + step, 0, top)
        beside = (other != place) & inside[other, columns]
        middle = (Span(low[other, columns], high[other, columns]) + end) / 2
        ends.append(Span(np.where(beside, middle.low, wall.low), np.where(beside, middle.high, wall.high)))
    return first, last, ends


def _smaller(one: Span, other: Span) -> Span:
    return Span(np.minimum(one.low, other.low), np.minimum(one.high, other.high))


def _constant(value: Fraction, pieces: int) -> Span:
    return Span(np.full(pieces, float_down(value)), np.full(pieces, float_up(value)))
