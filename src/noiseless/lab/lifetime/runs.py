"""Lifetimes over several runs, each with its own people and its own questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from statistics import mean, median

import numpy as np

from noiseless.lab.lifetime.asked import KINDS, Kind
from noiseless.lab.lifetime.equal import in_equal_bins
from noiseless.lab.lifetime.noise import with_noise
from noiseless.lab.lifetime.people import People
from noiseless.lab.lifetime.priced import lifetime

METHODS = ("equal", "guarded", "stable", "noise")
ERRORS = {"mean": Fraction(1), "count": Fraction(100), "median": Fraction(0)}
"""±1 cm, ±100 people, and the exact year."""
SURVEY_ERRORS = ERRORS | {"count": Fraction(20)}
MOST = 2000
"""The most questions of a run."""


@dataclass(frozen=True, slots=True)
class Summary:
    """How many questions were answered within the error, in several runs."""

    answered: tuple[int, ...]

    @property
    def mean(self) -> float:
        """The mean over all runs."""
        return mean(self.answered)

    @property
    def median(self) -> float:
        """The median: half of the runs answered at least this number."""
        return median(self.answered)

    @property
    def decile(self) -> float:
        """The first decile: nine runs of ten answered at least this number."""
        return float(np.quantile(self.answered, 0.1))


def kinds(errors: dict[str, Fraction]) -> list[Kind]:
    """Means, counts and medians with private conditions, then means and medians without."""
    return [
        Kind(name, private, errors[name]) for private in (True, False) for name in KINDS if private or name != "count"
    ]


def methods(kind: Kind) -> list[str]:
    """How a kind of question can be answered. Medians with an error are always asked at the finest stable level."""
    return [method for method in METHODS if kind.name != "median" or method != "guarded"]


def answered(
    kind: Kind, method: str, people: Sequence[People], bits: int, share: float | None = None, most: int = MOST
) -> Summary:
    """How many questions each run answers within the error, with its own people. Noise does not depend on the bits."""
    found = []
    for run, each in enumerate(people):
        asked = replace(kind, stable=method == "stable" and kind.name != "median")
        questions = islice(asked.questions(each, run, share), most)
        match method:
            case "equal":
                found.append(in_equal_bins(each, questions, bits))
            case "noise":
                found.append(with_noise(each, questions))
            case _:
                found.append(lifetime(each, questions, bits).kept)
    return Summary(tuple(found))
