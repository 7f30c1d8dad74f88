"""Which division of every column makes the largest loss of a workload smallest, within a number of cells.

The loss of a question is its weight times the share of the range by which its certain error exceeds the error that is
good enough: at most half. The largest loss counts first, then the mean, because a budget that cannot serve everybody
should still serve most of them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import permutations
from math import prod

import numpy as np
from numpy.typing import NDArray

from noiseless.curator.designing.candidates import Candidate
from noiseless.curator.designing.wanted import COUNT, OTHER, Number
from noiseless.curator.designing.workload import Wish

Floats = NDArray[np.float64]
Losses = tuple[float, float]
"""The largest loss, and the mean."""
EQUAL = 12
"""Losses are compared after rounding to this number of digits."""
Chosen = tuple[Candidate, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Options:
    """The candidates of a column by their numbers of cells, the first with one cell, and their effects as arrays."""

    each: tuple[Candidate, ...]
    cells: tuple[int, ...]
    effects: tuple[Floats, Floats, Floats]

    @classmethod
    def of(cls, candidates: Sequence[Candidate]) -> Options:
        """Some candidates of one column."""
        each = tuple(sorted(candidates, key=lambda one: one.cells))
        effects = [np.stack([getattr(one, name) for one in each]) for name in ("sure", "may", "width")]
        return cls(each, tuple(one.cells for one in each), (effects[0], effects[1], effects[2]))


@dataclass(frozen=True, slots=True, eq=False)
class Judge:
    """Judges divisions for a workload. Losses of questions that are `asked` by themselves are given."""

    counted: NDArray[np.bool_]
    others: NDArray[np.bool_]
    enough: Floats
    weights: Floats
    starts: NDArray[np.int64]
    """The first number of every question that has any."""
    having: NDArray[np.int64]
    """These questions."""

    @classmethod
    def of(cls, wishes: Sequence[Wish], numbers: Sequence[Number]) -> Judge:
        """For some questions and their numbers, which are in the order of the questions."""
        enough = [float(wishes[each.question].error / each.range) if each.range else 0.0 for each in numbers]
        having, starts = np.unique([number.question for number in numbers], return_index=True)
        counted, others = (np.array([number.kind == kind for number in numbers], bool) for kind in (COUNT, OTHER))
        weights = np.array([float(wish.weight) for wish in wishes])
        return cls(counted, others, np.array(enough), weights, starts, having.astype(int))

    def shares(self, sure: Floats, may: Floats, width: Floats) -> Floats:
        """The certain error of every number as a share of its range, from shares of rows and widths of cells."""
        unsure = may - sure
        open_ = np.divide(unsure, may, out=np.zeros_like(may), where=may > 0)
        found = np.where(self.counted, unsure / 2, (1 - open_) * width + open_ / 2)
        return np.where(self.others, 0.5, np.minimum(0.5, found))

    def of_questions(self, shares: Floats) -> Floats:
        """The loss of every question: its weight, times what its worst number lacks to be good enough."""
        found = np.zeros((*shares.shape[:-1], len(self.weights)))
        if len(self.having):
            beyond = np.maximum(0.0, shares - self.enough)
            found[..., self.having] = np.maximum.reduceat(beyond, self.starts, axis=-1)
        return found * self.weights

    def losses(self, chosen: Chosen, asked: Floats | None = None) -> Floats:
        """The loss of every question."""
        losses = self.of_questions(self.shares(*self.together(chosen)))
        return losses if asked is None else np.minimum(losses, asked)

    def best_of(
        self, options: Options, count: int, rest: tuple[Floats, Floats, Floats], asked: Floats | None
    ) -> tuple[Losses, int]:
        """The losses and the place of the best of the first `count` options. Other columns have the effects `rest`."""
        sure, may, width = (effect[:count] for effect in options.effects)
        losses = self.of_questions(self.shares(rest[0] * sure, rest[1] * may, np.minimum(rest[2], width)))
        losses = losses if asked is None else np.minimum(losses, asked)
        largest, mean = np.round(losses.max(axis=1), EQUAL), np.round(losses.mean(axis=1), EQUAL)
        place = int(np.lexsort((mean, largest))[0])
        return (float(largest[place]), float(mean[place])), place

    def together(self, chosen: Sequence[Candidate]) -> tuple[Floats, Floats, Floats]:
        """The effects of divisions of several columns together."""
        sure, may, width = np.ones(len(self.enough)), np.ones(len(self.enough)), np.full(len(self.enough), 0.5)
        for each in chosen:
            sure, may, width = sure * each.sure, may * each.may, np.minimum(width, each.width)
        return sure, may, width


def both(losses: Floats) -> Losses:
    """The largest loss and the mean."""
    return round(float(losses.max()), EQUAL), round(float(losses.mean()), EQUAL)


def improved(
    judge: Judge,
    columns: Sequence[Options],
    most: int,
    asked: Floats | None = None,
    go_on: Callable[[], bool] = lambda: True,
    start: Chosen | None = None,
) -> Chosen:
    """A local search: change one column, or two at once, as long as that is better. It starts from one cell."""
    now = start or tuple(options.each[0] for options in columns)
    losses = both(judge.losses(now, asked))
    while go_on():
        better = _one_changed(judge, columns, most, asked, now, losses)
        if better is None:
            better = _two_changed(judge, columns, most, asked, now, losses, go_on)
        if better is None:
            return now
        losses, now = better
    return now


def _one_changed(
    judge: Judge, columns: Sequence[Options], most: int, asked: Floats | None, now: Chosen, losses: Losses
) -> tuple[Losses, Chosen] | None:
    """The best change of one column, if one is better."""
    best: tuple[Losses, Chosen] | None = None
    for place, options in enumerate(columns):
        others = (*now[:place], *now[place + 1 :])
        fits = bisect_right(options.cells, most // prod(each.cells for each in others))
        found, which = judge.best_of(options, fits, judge.together(others), asked)
        if found < (losses if best is None else best[0]):
            best = found, (*now[:place], options.each[which], *now[place + 1 :])
    return best


def _two_changed(
    judge: Judge,
    columns: Sequence[Options],
    most: int,
    asked: Floats | None,
    now: Chosen,
    losses: Losses,
    go_on: Callable[[], bool],
) -> tuple[Losses, Chosen] | None:
    """The best joint change of the first pair of columns for which one is better."""
    for one, two in permutations(range(len(columns)), 2):
        if not go_on():
            return None
        others = [each for place, each in enumerate(now) if place not in (one, two)]
        room, together = most // prod(each.cells for each in others), judge.together(others)
        best: tuple[Losses, Chosen] | None = None
        for option in columns[one].each[: bisect_right(columns[one].cells, room)]:
            fits = bisect_right(columns[two].cells, room // option.cells)
            rest = together[0] * option.sure, together[1] * option.may, np.minimum(together[2], option.width)
            found, which = judge.best_of(columns[two], fits, rest, asked)
            if found < (losses if best is None else best[0]):
                changed = list(now)
                changed[one], changed[two] = option, columns[two].each[which]
                best = found, tuple(changed)
        if best is not None:
            return best
    return None
