"""What can be learned by aiming at guards, or at the levels of stable answers, compared with the charge.

The adversary knows everybody else's data. It counts the people above a threshold, and chooses the threshold and the
error so that one person's value alone decides: between a wide bin and its guard, or between the first level and a
coarser one. Every answer then divides the values that are still possible. Of all such questions it takes one that
promises the most bits learned for a bit charged, and bisects as evenly as that allows.

The game covers every value that the person could have. If T is the transcript and ω its weight, the ledger
charges −log2 ω(T), and the weights of all transcripts sum to at most 1. So for any distribution of values the expected
charge is at least the entropy of T, which is what is learned on average, and there are at most 2^budget transcripts.
For one value alone more can be learned than charged, because other values were charged more.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, log2

import numpy as np
from numpy.typing import NDArray

from noiseless.curator.answer.answer import Answer
from noiseless.curator.curator import Curator
from noiseless.curator.releases.stable_level import WIDTHS
from noiseless.curator.schema.scale import Integer
from noiseless.curator.schema.schema import Schema
from noiseless.errors import BudgetExceededError, InputError
from noiseless.exact.number import Number, as_integer, exact_number
from noiseless.lab.attacks.adversary import SEED, drawn
from noiseless.lab.attacks.curve import Curve, Point
from noiseless.privacy.composition.stable import stable_sum
from noiseless.privacy.quantizers.guarded import Bins

MOST = 64
"""Questions."""
GOOD = 0.9
"""Among questions that promise at least this share of the best one's bits for a bit charged, ask the most even one."""
Left = tuple[int, int]
"""The first and the last value that is still possible."""


@dataclass(frozen=True, slots=True)
class Aim:
    """Count the people whose value is at least `threshold` in bins of `width`. `loud_above` says which side is loud."""

    threshold: int
    width: int
    loud_above: bool

    @property
    def sql(self) -> str:
        """The question."""
        return f"SELECT COUNT(*) FROM people WHERE value >= {self.threshold}"

    @property
    def error(self) -> Fraction:
        """The error for which a curator chooses this width."""
        return Fraction(self.width - 1, 2)


class Aimer:
    """Knows the `others` and asks about one more person, with a value from 0 to `top`."""

    def __init__(self, name: str, others: Sequence[int], top: int) -> None:
        self.name, self.top, self._others = name, top, sorted(others)
        self.stable = name == "levels"
        self.left: Left = (0, top)
        self.asked = 0

    def choose(self, games: int, draw: np.random.Generator) -> Aim | None:
        """The question that promises the most for a bit; None if no value is left to decide, or there is none."""
        if self.left[0] == self.left[1] or self.asked == MOST:
            return None
        found = [(*self._promise(aim), aim) for aim in self._aims()]
        if not found:
            return None
        best = max(ratio for ratio, _, _ in found)
        return max((each for each in found if each[0] >= GOOD * best), key=lambda each: (each[1], each[0]))[2]

    def observe(self, chosen: Aim, reports: Answer) -> Left:
        """The values that remain possible after the answer, which was loud or not."""
        loud, (low, high) = reports.outcome == "loud", self.left
        self.asked += 1
        self.left = (chosen.threshold, high) if loud == chosen.loud_above else (low, chosen.threshold - 1)
        return self.left

    def guess(self, evidence: Left, draw: np.random.Generator) -> int:
        """The middle of the values left."""
        return sum(evidence) // 2

    def is_loud(self, count: int, width: int) -> bool:
        """Whether a count comes out in a guard, or is not stable in the first bins."""
        if self.stable:
            return not stable_sum(count, Bins(width), 2, len(self._others) + 1)
        return Bins(width, 1).is_guard(Bins(width, 1).place(count))

    def _aims(self) -> Iterator[Aim]:
        """All questions whose kind of answer the person's value decides."""
        low, high = self.left
        for threshold in range(low + 1, high + 1):
            without = len(self._others) - bisect_left(self._others, threshold)
            for width in self._widths(without):
                quiet_below, loud_above = not self.is_loud(without, width), self.is_loud(without + 1, width)
                if quiet_below == loud_above:
                    yield Aim(threshold, width, loud_above)

    def _widths(self, count: int) -> set[int]:
        """Widths with an edge right below or above a count: divisors, less the guard if there is one."""
        near = (count, count + 1, count + 2)
        divisors = {each for number in near if number for each in _divisors(number)}
        widths = divisors if self.stable else {each - 1 for each in divisors}
        return {width for width in widths if 3 <= width <= len(self._others)}

    def _promise(self, aim: Aim) -> tuple[float, float]:
        """Expected bits learned for a bit charged, and the bits learned, if every value left is as likely."""
        low, high = self.left
        above = (high - aim.threshold + 1) / (high - low + 1)
        loud = above if aim.loud_above else 1 - above
        chance = 2 / aim.width if self.stable else 1 / (aim.width + 1)
        answers = WIDTHS + 1 if self.stable else 2
        price = (answers - 1) / min(chance, 0.5)
        charged = loud * log2(price) + (1 - loud) * log2(price / (price - answers + 1))
        learned = -loud * log2(loud) - (1 - loud) * log2(1 - loud)
        return learned / charged, learned


def aimed(name: str, values: Sequence[int] | NDArray[np.int64], top: int, bits: Sequence[Number], origin: str) -> Curve:
    """What the adversary learns of the first person on average over all their values, with each budget."""
    if not bits:
        raise InputError("bits is empty; give at least one budget")
    others = [int(value) for value in values[1:]]
    if len(others) < 3 or not all(0 <= value <= top for value in others):
        raise InputError("guards and levels need at least four people with values within the bounds; give more data")
    points = []
    for budget in bits:
        games = list(_games(name, others, top, budget))
        setting = {
            "budget": float(exact_number(budget, "bits")),
            "questions": sum(game.share(top) * game.questions for game in games),
            "transcripts": len(games),
            "charged": sum(game.share(top) * game.charged for game in games),
        }
        points.append(Point.exactly(setting, sum(game.share(top) * -log2(game.share(top)) for game in games)))
    about = f"{len(others) + 1} people, {top + 1} values of the first"
    return Curve(name, "bits learned", tuple(points), f"{origin}; {about}", beside="charged")


@dataclass(frozen=True, slots=True)
class Game:
    """The values left in the end, the number of questions and the bits charged."""

    left: Left
    questions: int
    charged: float

    def share(self, top: int) -> float:
        """The share of all values that lead to this end. The bits learned are −log2 of it."""
        return (self.left[1] - self.left[0] + 1) / (top + 1)


def _games(name: str, others: list[int], top: int, budget: Number) -> Iterator[Game]:
    """One game for each transcript: the answers are the same for all values left in the end."""
    value = 0
    while value <= top:
        game = _played(name, others, value, top, budget)
        yield game
        value = game.left[1] + 1


def _played(name: str, others: list[int], value: int, top: int, budget: Number) -> Game:
    """One game with a new curator."""
    import pyarrow

    aimer, draw = Aimer(name, others, top), drawn(SEED)
    table = pyarrow.table({"value": [value, *others]})
    with Curator.open(table, Schema(value=Integer(0, top)), budget, table="people") as curator:
        while (chosen := aimer.choose(1, draw)) is not None:
            try:
                answer = curator.ask(chosen.sql, error=chosen.error, stable=aimer.stable)
            except BudgetExceededError:
                break
            aimer.observe(chosen, answer)
        charged = log2(curator.sequence.spent())
    assert aimer.left[0] <= value <= aimer.left[1], "answers are true, so the value is always among those left"
    return Game(aimer.left, aimer.asked, charged)


def codes_of(values: NDArray[np.float64], low: Number, high: Number, codes: int) -> NDArray[np.int64]:
    """Numbers as codes 0..codes−1 of a range, clamped to it."""
    levels = as_integer(codes)
    least, most = exact_number(low, "low"), exact_number(high, "high")
    if levels is None or not 2 <= levels <= 1024 or not least < most:
        raise InputError(f"codes={codes!r} from low={low} to high={high} is not valid; use 2 to 1024 codes, low < high")
    placed = (values - float(least)) / float(most - least) * (levels - 1)
    found: NDArray[np.int64] = np.clip(np.rint(placed), 0, levels - 1).astype(np.int64)
    return found


def _divisors(number: int) -> set[int]:
    small = [each for each in range(1, ceil(number**0.5) + 1) if number % each == 0]
    return {*small, *(number // each for each in small)}
