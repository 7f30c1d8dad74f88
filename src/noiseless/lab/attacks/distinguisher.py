"""Can an adversary who picks two values tell which of them a person has? (NHT §6, NP §III-C)

The adversary picks two values and knows that a person has one of them. The curator tosses a coin, gives the person one
of the two, and reports: the bin of a mean of this person and n − 1 others, or the person's value changed by a policy.
The adversary names the value. Values are recorded in millionths of their range, so that sums and bins are exact.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noiseless.errors import InputError, TooLargeError
from noiseless.exact.number import Number, exact_number
from noiseless.lab.attacks.adversary import SEED, drawn
from noiseless.lab.attacks.curve import Curve, Point, advantage
from noiseless.lab.attacks.outside import outside
from noiseless.privacy.definitions.hypothesis.collapse import Collapse
from noiseless.privacy.definitions.hypothesis.policy import Policy
from noiseless.privacy.definitions.indistinguishable.indistinguishable import Indistinguishable
from noiseless.privacy.definitions.noiseless.calibrate import calibrate
from noiseless.privacy.pictures.progress import progress
from noiseless.privacy.queries.linear import Mean
from noiseless.theory.ranges.boundary import Boundary
from noiseless.theory.ranges.boxes import Box

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Reporting = Callable[[Ints], NDArray[Any]]
"""From sums of codes to reports."""
TOP = 10**6
"""The highest code."""
GAMES = 2000
GUESSED = 1000
"""An adversary who knows the others' habits imagines this number of groups of others."""
FINE = 40
"""That adversary compares exact means in this number of bins for each person."""
PAIRS = ("people", "extremes")
DEFINITIONS = {"noiseless": "others", "indistinguishable": "nothing", "policy": "others"}
"""What the adversary of each definition knows."""


@dataclass(frozen=True, eq=False)
class Recorded:
    """One value for each person, in codes from 0 to TOP."""

    codes: Ints
    low: Fraction
    high: Fraction
    origin: str

    @classmethod
    def of(cls, values: Floats, low: Number, high: Number, origin: str) -> Recorded:
        """Turn values into codes. Values outside the range are clamped, and the origin says so."""
        least, most = exact_number(low, "low"), exact_number(high, "high")
        if least >= most:
            raise InputError(f"low={low} is not below high={high}; give the range from public knowledge")
        share = (values.clip(float(least), float(most)) - float(least)) / float(most - least)
        note = outside(values, float(least), float(most))
        return cls(np.rint(share * TOP).astype(np.int64), least, most, origin + note)


class Seen(NamedTuple):
    """What the curator shows, and the others' sums, which only an adversary who knows them may read."""

    reports: NDArray[Any]
    others: Ints


class Distinguisher:
    """Knows everybody else's data: noiseless privacy (NP §III-C)."""

    name = "distinguisher who knows the others"

    def __init__(self, pairs: Callable[[int, np.random.Generator], Ints], report: Reporting, others: Others) -> None:
        self.pairs, self.report, self.others = pairs, report, others

    def choose(self, games: int, draw: np.random.Generator) -> Ints:
        """Two values for each game."""
        return self.pairs(games, draw)

    def observe(self, chosen: Ints, reports: Seen) -> Floats:
        """For each of the two values, whether the report can come from it."""
        found = [self.report(reports.others + value) == reports.reports for value in chosen.T]
        return np.stack(found, axis=1).astype(np.float64)

    def guess(self, evidence: Floats, draw: np.random.Generator) -> Ints:
        """The value with more evidence; a coin toss if both have the same."""
        tossed = draw.integers(0, 2, len(evidence))
        found: Ints = np.where(evidence[:, 0] == evidence[:, 1], tossed, evidence.argmax(axis=1))
        return found


class Stranger(Distinguisher):
    """Knows only the range of the others' data: indistinguishability (NHT §6)."""

    name = "distinguisher who knows nothing about the others"

    def observe(self, chosen: Ints, reports: Seen) -> Floats:
        """For each of the two values, whether some data of the others lead to the report; reports rise with the sum."""
        found = [
            (self.report(value) <= reports.reports) & (reports.reports <= self.report(value + self.others.most))
            for value in chosen.T
        ]
        return np.stack(found, axis=1).astype(np.float64)


class Acquaintance(Distinguisher):
    """Knows how the others' data are spread, though not their data."""

    name = "distinguisher who knows the others' habits"

    def observe(self, chosen: Ints, reports: Seen) -> Floats:
        """For each of the two values, in how many imagined groups of others the report is the same."""
        imagined = self.others.drawn(GUESSED, drawn(SEED))
        seen = self.others.coarse(reports.reports)
        found = [
            [(self.others.coarse(self.report(imagined + value)) == report).mean() for value in pair]
            for pair, report in zip(chosen, seen, strict=True)
        ]
        return np.array(found)


KNOWING: dict[str, type[Distinguisher]] = {"others": Distinguisher, "nothing": Stranger, "habits": Acquaintance}


@dataclass(frozen=True, eq=False)
class Others:
    """The n − 1 others, drawn at random from the data."""

    codes: Ints
    number: int
    fine: bool = False
    """Whether reports are exact sums, which are compared in bins."""

    @property
    def most(self) -> int:
        """The largest sum that they can have."""
        return self.number * TOP

    def drawn(self, games: int, draw: np.random.Generator) -> Ints:
        """The sums of the others, drawn at random, one for each game."""
        found: Ints = self.codes[draw.integers(0, len(self.codes), (games, self.number))].sum(axis=1)
        return found

    def coarse(self, reports: NDArray[Any]) -> NDArray[Any]:
        """The reports, in bins if they are exact sums."""
        return reports * FINE // TOP if self.fine else reports


def distinguisher(
    people: Recorded,
    bits: Sequence[Number | None],
    *,
    definition: str = "noiseless",
    n: int = 4,
    pair: str = "people",
    knows: str | None = None,
    policy: type[Policy] = Collapse,
    threshold: Number | None = None,
    games: int = GAMES,
    seed: int = SEED,
) -> Curve:
    """The advantage against bits; None means exact reports.

    For a policy, b bits mean an error of the range/2^(b + 1), as coarse as 2^b bins. The adversary picks the values of
    two people at random, or with pair="extremes" the ends of the range; for a policy, one on each side of the
    threshold.
    """
    _checked(definition, n, pair, knows, games, bits)
    if (people.codes == people.codes[0]).all():
        raise InputError(
            "all people have the same value, so no two of them can be distinguished; choose another column"
        )
    local = definition == "policy"
    split = _split(people, threshold) if local else None
    others = people.codes, 0 if local else n - 1
    points = []
    attacker_type = KNOWING[knows or DEFINITIONS[definition]]
    for budget in progress(list(bits), f"{attacker_type.name}, {definition}"):
        report = _exact if budget is None else _reporting(definition, n, budget, policy, split)
        attacker = attacker_type(_pairs(people.codes, pair, split), report, Others(*others, fine=budget is None))
        wins = _wins(attacker, games, drawn(seed))
        points.append(Point({"bits": budget}, *advantage(wins, games)))
    against = f"{policy.__name__}" if local else f"{definition}, n = {n}"
    name = f"{attacker_type.name if not local else 'distinguisher'} ({pair}) against {against}, {games} games"
    return Curve(name, "advantage", tuple(points), people.origin, seed, most=1.0)


def _checked(definition: str, n: int, pair: str, knows: str | None, games: int, bits: Sequence[Number | None]) -> None:
    for name, given, known in (("definition", definition, DEFINITIONS), ("pair", pair, PAIRS)):
        if given not in known:
            raise InputError(f"{name}={given!r} does not exist; use one of {', '.join(known)}")
    if knows is not None and (knows not in KNOWING or definition == "policy"):
        raise InputError(f"knows={knows!r} is not possible here; for a mean use one of {', '.join(KNOWING)}")
    if definition == "indistinguishable" and n < 2:
        raise InputError(f"n={n} is too few to be indistinguishable; use at least 2")
    if n < 1 or games < 1 or not bits:
        raise InputError("there are no people, no games or no bits; give at least one of each")


def _split(people: Recorded, threshold: Number | None) -> int:
    """The threshold as a code."""
    place = (people.low + people.high) / 2 if threshold is None else exact_number(threshold, "threshold")
    found = round((place - people.low) / (people.high - people.low) * TOP)
    if not 0 < found < TOP or not (people.codes < found).any() or not (people.codes >= found).any():
        raise InputError(
            f"threshold={float(place):g} leaves one side empty; choose one inside the range, with people on both sides"
        )
    return found


def _pairs(codes: Ints, pair: str, split: int | None) -> Callable[[int, np.random.Generator], Ints]:
    """How two different values are picked: of two people, or the ends; with a threshold, one of each side."""
    sides = [codes, codes] if split is None else [codes[codes < split], codes[codes >= split]]

    def chosen(games: int, draw: np.random.Generator) -> Ints:
        if pair == "extremes":
            return np.tile(np.array([0, TOP]), (games, 1))
        found = np.stack([side[draw.integers(0, len(side), games)] for side in sides], axis=1)
        while (same := found[:, 0] == found[:, 1]).any():
            found[same, 1] = sides[1][draw.integers(0, len(sides[1]), int(same.sum()))]
        return found

    return chosen


def _exact(sums: Ints) -> NDArray[Any]:
    return sums


def _reporting(definition: str, n: int, bits: Number, policy: type[Policy], split: int | None) -> Reporting:
    """The library's own mechanism, on sums of codes."""
    if split is not None:
        made = policy(Boundary("code", split), TOP / Fraction(2) ** (_whole(bits) + 1))
        return lambda codes: np.asarray(made.apply({"code": codes.astype(float)}, within=Box(code=(0, TOP)))["code"])
    mean = Mean(n=n, low=0, high=TOP)
    quantizer = (
        calibrate(mean, bits=bits).quantizer
        if definition == "noiseless"
        else Indistinguishable(bits).calibrate(mean).quantizer
    )
    levels = quantizer.levels
    if levels * n * TOP >= 1 << 62:
        raise TooLargeError(f"bits={bits} make too many bins to play with; use fewer bits, or 'exact'")
    return lambda sums: np.minimum(sums * levels // (n * TOP), levels - 1)


def _whole(bits: Number) -> int:
    exact = exact_number(bits, "bits")
    if exact.denominator != 1:
        raise InputError(f"bits={bits} is not a whole number; use whole numbers for a policy")
    return int(exact)


def _wins(attacker: Distinguisher, games: int, draw: np.random.Generator) -> int:
    """How often the adversary names the value that the person has."""
    chosen = attacker.choose(games, draw)
    which = draw.integers(0, 2, games)
    others = attacker.others.drawn(games, draw)
    values = np.take_along_axis(chosen, which[:, None], axis=1)[:, 0]
    seen = Seen(attacker.report(others + values), others)
    return int((attacker.guess(attacker.observe(chosen, seen), draw) == which).sum())
