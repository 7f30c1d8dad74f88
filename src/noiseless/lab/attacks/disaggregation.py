"""Which appliances are on? Combinatorial optimisation over the mains of a house (NP Fig. 4).

In a training period the adversary learns a few levels of each appliance (k-means), and the usual load behind each
report. Then it explains every sample by the combination of levels whose sum is nearest to that load. All sums are
sorted once, so each sample needs only a search.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from noiseless.errors import InputError
from noiseless.exact.answers import answers_within
from noiseless.exact.number import Number, exact_number
from noiseless.lab.attacks.adversary import SEED, drawn
from noiseless.lab.attacks.combinations import LEVELS, ON, TENTHS, Combinations, learned_levels, learned_rest
from noiseless.lab.attacks.curve import Curve, Point
from noiseless.lab.attacks.outside import outside
from noiseless.lab.datasets.appliances import House
from noiseless.privacy.pictures.progress import progress
from noiseless.privacy.quantizers.quantizer import Quantizer

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
TRAIN = 0.3
"""The share of the time used for training."""
REST = "(rest)"
"""The name of the load that no appliance explains."""
ALWAYS_ON = "always on"
STRETCHES, REDRAWN = 100, 1000
"""The number of stretches of time, and how often they are resampled for an interval."""


class Explainer:
    """Knows the mechanism and a training period with its appliances; explains the reports of another period."""

    name = "load disaggregation"

    def __init__(self, training: House, quantizer: Quantizer | None, levels: int = LEVELS) -> None:
        """Learn from the training period. `quantizer` is None if the mains are reported exactly."""
        self.quantizer, self.mains = quantizer, training.mains
        self.combinations = Combinations.of({**learned_levels(training, levels), REST: learned_rest(training)})

    def choose(self, games: int, draw: np.random.Generator) -> Combinations:
        """The combinations it explains reports by."""
        return self.combinations

    def observe(self, chosen: Combinations, reports: Floats) -> Ints:
        """For each report, the combination nearest to the load behind it."""
        return chosen.nearest(reports if self.quantizer is None else self._usual(self.quantizer, reports))

    def guess(self, evidence: Ints, draw: np.random.Generator) -> dict[str, Bools]:
        """Which appliances are on."""
        on = self.combinations.choices[evidence] > TENTHS * ON
        return {name: on[:, place] for place, name in enumerate(self.combinations.names)}

    def _usual(self, quantizer: Quantizer, reports: Floats) -> Floats:
        """The median load of the training period with the same report; the report itself if there is none."""
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
    """The mean F-score against the bits of each reported sample; None means the exact mains.

    `high` bounds the mains, from public knowledge. The first share of the time is for training, and the rest is
    attacked. The 95 % interval comes from resampling stretches of the attacked time. Appliances that are never on in
    that time are left out. Beside the score is the score of always guessing that everything else is on.
    """
    if levels < 2:
        raise InputError(f"levels={levels} is too small; use at least 2, for off and on")
    if not 0 < train < 1:
        raise InputError(f"train={train} is not between 0 and 1; give the share of the time used for training")
    training, attacked = house.split(train)
    if not training.samples and attacked.samples:
        raise InputError("the training period is empty; give it a larger share")
    if not attacked.samples or not bits:
        raise InputError(
            "nothing is left to attack; give the training period a smaller share, and at least one number of bits"
        )
    truth = {name: watts > ON for name, watts in attacked.appliances.items() if (watts > ON).any()}
    if not truth:
        raise InputError("no appliance is on in the attacked time; give the training period a smaller share")
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
    never = [name for name in attacked.appliances if name not in truth]
    left_out = f"; {', '.join(never)} never on in the attacked time, so left out" if never else ""
    origin = house.origin + outside(attacked.mains, 0, float(top)) + left_out
    return Curve(Explainer.name, "mean F-score", tuple(points), origin, seed, beside=ALWAYS_ON, most=1.0)


def _mean(scores: Mapping[str, float]) -> float:
    return float(np.mean([*scores.values()]))


def _interval(
    truth: Mapping[str, Bools], said: Mapping[str, Bools], mean: float, draw: np.random.Generator
) -> tuple[float, float]:
    """The 95 % interval of the mean score, from resampled stretches of time."""
    weights = draw.multinomial(STRETCHES, np.full(STRETCHES, 1 / STRETCHES), REDRAWN).T
    redrawn = [
        _scores(right @ weights, wrong @ weights)
        for right, wrong in (_tallies(on, said[name], STRETCHES) for name, on in truth.items())
    ]
    low, high = np.quantile(np.mean(redrawn, axis=0), [0.025, 0.975])
    return min(float(low), mean), max(float(high), mean)


def _tallies(on: Bools, said: Bools, stretches: int) -> tuple[Ints, Ints]:
    """For each stretch of time, how often both are on, and how often they differ. All stretches are equally long."""
    place = np.arange(len(on)) * stretches // max(1, len(on))
    right, wrong = (np.bincount(place[which], minlength=stretches) for which in (on & said, on != said))
    return right, wrong


def _scores(right: Ints, wrong: Ints) -> Floats:
    return np.where(right + wrong == 0, 1.0, 2 * right / np.maximum(1, 2 * right + wrong))
