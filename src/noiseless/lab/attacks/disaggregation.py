"""Which appliances are on? Combinatorial optimisation over the mains of a house (NP Fig. 4).

From a training period the adversary learns a few levels of each appliance (k-means), and what load a report usually
stands for. Then every sample is explained by the combination of levels whose sum is nearest to that load. All sums are
sorted once, so that a sample costs a search.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from noiseless.errors import InputError, TooLargeError
from noiseless.exact.answers import answers_within
from noiseless.exact.number import Number, exact_number
from noiseless.lab.attacks.adversary import SEED, drawn
from noiseless.lab.attacks.curve import Curve, Point
from noiseless.lab.datasets.appliances import House
from noiseless.privacy.mechanisms.quantizer import Quantizer
from noiseless.privacy.progress import progress

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
ON = 10.0
"""Watts from which an appliance is on."""
LEVELS = 2
"""Of each appliance: off and on."""
TRAIN = 0.3
"""The share of the time that the adversary learns from."""
REST = "(rest)"
"""What is not an appliance, among those that explain the mains."""
ROUNDS = 100
MOST_COMBINATIONS = 1 << 20
ALWAYS_ON = "always on"
TENTHS = 10
"""Watts are compared in whole tenths, so that ties are ties."""
STRETCHES, REDRAWN = 100, 1000
"""Of time, and how often they are drawn anew for an interval."""


@dataclass(frozen=True, eq=False)
class Combinations:
    """Every choice of a level for each appliance, and their sums in tenths of watts, sorted."""

    names: tuple[str, ...]
    choices: Ints
    """One row for each combination: the levels, in tenths of watts."""
    order: Ints
    """The combinations by their sums, of equal sums the first only."""
    sums: Ints

    @classmethod
    def of(cls, levels: Mapping[str, Sequence[float]]) -> Combinations:
        """Of the levels that each appliance can have."""
        tenths = [[round(TENTHS * level) for level in each] for each in levels.values()]
        if np.prod([len(each) for each in tenths], dtype=float) > MOST_COMBINATIONS:
            raise TooLargeError(f"{len(tenths)} appliances have more than {MOST_COMBINATIONS} combinations; use fewer")
        choices = np.array(list(product(*tenths)), dtype=np.int64)
        sums, order = np.unique(choices.sum(axis=1), return_index=True)
        return cls(tuple(levels), choices, order, sums)

    def nearest(self, mains: Floats) -> Ints:
        """For each sample the combination whose sum is nearest; of equally near ones the first."""
        wanted = np.rint(TENTHS * mains).astype(np.int64)
        above = np.searchsorted(self.sums, wanted).clip(0, len(self.sums) - 1)
        below = (above - 1).clip(0)
        to_above, to_below = np.abs(self.sums[above] - wanted), np.abs(self.sums[below] - wanted)
        earlier = self.order[below] < self.order[above]
        found: Ints = self.order[np.where((to_below < to_above) | ((to_below == to_above) & earlier), below, above)]
        return found

    def nearest_by_trying(self, mains: Floats) -> Ints:
        """The same by trying all combinations on every sample, which is what the search is compared with."""
        totals, wanted = self.choices.sum(axis=1), np.rint(TENTHS * mains).astype(np.int64)
        return np.array([int(np.argmin(np.abs(totals - each))) for each in wanted.tolist()], dtype=np.int64)


def learned_levels(training: House, levels: int = LEVELS) -> dict[str, list[float]]:
    """k-means of each appliance's watts, from quantiles of those that differ; off is always one level."""
    return {name: _k_means(watts, levels) for name, watts in training.appliances.items()}


def learned_rest(training: House, levels: int = 3) -> list[float]:
    """Levels of what no appliance explains: the base load, and all that is not metered by itself."""
    rest = training.mains - np.sum([*training.appliances.values()], axis=0)
    found: list[float] = np.unique(np.quantile(rest, (np.arange(levels) + 0.5) / levels).round(1)).tolist()
    return found


def _k_means(watts: Floats, levels: int) -> list[float]:
    on = watts[watts > ON]
    if not len(on) or levels < 2:
        return [0.0]
    centres = np.unique(np.quantile(np.unique(on), (np.arange(levels - 1) + 0.5) / (levels - 1)))
    for _ in range(ROUNDS):
        nearest = np.abs(on[:, None] - centres[None, :]).argmin(axis=1)
        sums = np.bincount(nearest, on, minlength=len(centres))
        counts = np.bincount(nearest, minlength=len(centres))
        moved = np.where(counts > 0, sums / np.maximum(counts, 1), centres)
        if np.allclose(moved, centres, atol=1e-3):
            break
        centres = moved
    return [0.0, *np.unique(centres.round(1)).tolist()]


class Explainer:
    """Knows the mechanism, and a training period with its appliances; explains the reports of another time."""

    name = "load disaggregation"

    def __init__(self, training: House, quantizer: Quantizer | None, levels: int = LEVELS) -> None:
        """Without a quantizer the mains are reported as they are."""
        self.quantizer, self.mains = quantizer, training.mains
        self.combinations = Combinations.of({**learned_levels(training, levels), REST: learned_rest(training)})

    def choose(self, games: int, draw: np.random.Generator) -> Combinations:
        """What it will explain reports by."""
        return self.combinations

    def observe(self, chosen: Combinations, reports: Floats) -> Ints:
        """For each report the combination that is nearest to the load it stands for."""
        return chosen.nearest(reports if self.quantizer is None else self._usual(self.quantizer, reports))

    def guess(self, evidence: Ints, draw: np.random.Generator) -> dict[str, Bools]:
        """Which appliances are on."""
        on = self.combinations.choices[evidence] > TENTHS * ON
        return {name: on[:, place] for place, name in enumerate(self.combinations.names)}

    def _usual(self, quantizer: Quantizer, reports: Floats) -> Floats:
        """The median load of the training period where it has the same report; the report itself where it never has."""
        known, group = np.unique(_reports(quantizer, self.mains), return_inverse=True)
        ordered = self.mains[np.lexsort((self.mains, group))]
        ends = np.cumsum(np.bincount(group))
        usual = ordered[(np.concatenate([[0], ends[:-1]]) + ends - 1) // 2]
        place = np.searchsorted(known, reports).clip(0, len(known) - 1)
        return np.where(known[place] == reports, usual[place], reports)


def _reports(quantizer: Quantizer | None, mains: Floats) -> Floats:
    """The curator's part: the middle of the bin of every sample."""
    return mains if quantizer is None else np.asarray(quantizer.apply(mains, outside="clamp"))


def f_scores(truth: Mapping[str, Bools], said: Mapping[str, Bools]) -> dict[str, float]:
    """For each appliance 2·TP/(2·TP + FP + FN) of being on."""
    return {name: float(_scores(*_tallies(on, said[name], 1))[0]) for name, on in truth.items()}


def disaggregation(
    house: House,
    bits: Sequence[Number | None],
    *,
    high: Number,
    train: float = TRAIN,
    levels: int = LEVELS,
    seed: int = SEED,
) -> Curve:
    """The mean F-score against the bits of each reported sample; None among them is the exact mains.

    `high` bounds the mains, from public knowledge. Split in time: the first share trains, the rest is attacked. The
    95 % interval comes from drawing stretches of the attacked time anew. Appliances that are never on then are left
    out; beside the score is that of saying blindly that all the others always are.
    """
    if levels < 2:
        raise InputError(f"levels={levels} must be at least 2: off, and on")
    if not 0 < train < 1:
        raise InputError(f"train={train} must be between 0 and 1: the share of the time that the adversary learns from")
    training, attacked = house.split(train)
    if not training.samples and attacked.samples:
        raise InputError("the training period is empty; give it a larger share")
    if not attacked.samples or not bits:
        raise InputError("nothing is left to attack; give the training period a smaller share, and at least one budget")
    truth = {name: watts > ON for name, watts in attacked.appliances.items() if (watts > ON).any()}
    if not truth:
        raise InputError("no appliance is on in the time that is attacked; give the training period a smaller share")
    blind = _mean(f_scores(truth, {name: np.ones_like(on) for name, on in truth.items()}))
    top, draw, points = exact_number(high, "high"), drawn(seed), []
    for budget in progress(list(bits), "disaggregating"):
        quantizer = None if budget is None else Quantizer(0, top, answers_within(budget))
        explainer = Explainer(training, quantizer, levels)
        chosen = explainer.choose(attacked.samples, draw)
        said = explainer.guess(explainer.observe(chosen, _reports(quantizer, attacked.mains)), draw)
        scores = f_scores(truth, said)
        ends = _interval(truth, said, _mean(scores), drawn(seed))
        points.append(Point({"bits": budget, ALWAYS_ON: blind}, _mean(scores), *ends, scores))
    return Curve(Explainer.name, "mean F-score", tuple(points), house.origin, seed, beside=ALWAYS_ON)


def _mean(scores: Mapping[str, float]) -> float:
    return float(np.mean([*scores.values()]))


def _interval(
    truth: Mapping[str, Bools], said: Mapping[str, Bools], mean: float, draw: np.random.Generator
) -> tuple[float, float]:
    """95 % of the mean scores of times made of stretches that are drawn, with repeats, from those there are."""
    weights = draw.multinomial(STRETCHES, np.full(STRETCHES, 1 / STRETCHES), REDRAWN).T
    redrawn = [
        _scores(right @ weights, wrong @ weights)
        for right, wrong in (_tallies(on, said[name], STRETCHES) for name, on in truth.items())
    ]
    low, high = np.quantile(np.mean(redrawn, axis=0), [0.025, 0.975])
    return min(float(low), mean), max(float(high), mean)


def _tallies(on: Bools, said: Bools, stretches: int) -> tuple[Ints, Ints]:
    """In each of some equal stretches of time, how often both were on, and how often they differ."""
    place = np.arange(len(on)) * stretches // max(1, len(on))
    right, wrong = (np.bincount(place[which], minlength=stretches) for which in (on & said, on != said))
    return right, wrong


def _scores(right: Ints, wrong: Ints) -> Floats:
    return np.where(right + wrong == 0, 1.0, 2 * right / np.maximum(1, 2 * right + wrong))
