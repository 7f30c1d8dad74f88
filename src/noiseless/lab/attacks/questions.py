"""What can be learned by asking a curator: averaging, differencing, bisection, against what was charged.

The adversary is after one person, alone in a public cell: the worst case. What was learned is how many fewer values of
theirs remain possible, in bits. All values that the person could have lead to at most 2^charged outcomes, so on average
no more is learned than was charged; one value by itself may have a small outcome, and be told by more.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import log2
from typing import ClassVar

import numpy as np

from noiseless.curator.answer.answer import Answer, Row
from noiseless.curator.curator import Curator
from noiseless.curator.schema.dates import Date
from noiseless.curator.schema.scale import Scale
from noiseless.curator.sources.source import identifier
from noiseless.errors import BudgetExceededError, InputError
from noiseless.exact.number import Number, exact_number
from noiseless.lab.attacks.adversary import SEED, drawn
from noiseless.lab.attacks.curve import Curve, Point

MOST = 64
"""Questions."""
Codes = tuple[int, int]
"""The first and the last code that is still possible."""
Asked = tuple[str, int | None]
"""A question, and its bits."""


class Asker(ABC):
    """Chooses one question after another about a column of the person whom a public condition picks out."""

    name: ClassVar[str]

    def __init__(self, curator: Curator, column: str, where: str) -> None:
        declared = curator.schema.private.get(column)
        if not isinstance(declared, Scale) or isinstance(declared, Date) or declared.apart:
            known = ", ".join(curator.schema.private)
            raise InputError(
                f"column={column!r} must be a private column of numbers, without missing values apart; private "
                f"columns are {known}"
            )
        _one_person(curator, where)
        self.scale, self.where = declared, where
        self.table, self.column = identifier(curator.name), identifier(column)
        self.left: Codes = (0, declared.top)
        self.asked = 0

    @abstractmethod
    def question(self) -> Asked | None:
        """The next question; None when there is nothing more to learn."""

    @abstractmethod
    def narrowed(self, chosen: Asked, answer: Row) -> tuple[Fraction, Fraction]:
        """Between which places, counted in codes, the answer leaves the person's value."""

    def choose(self, games: int, draw: np.random.Generator) -> Asked | None:
        """The next question."""
        low, high = self.left
        return None if low == high or self.asked == MOST else self.question()

    def observe(self, chosen: Asked, reports: Answer) -> Codes:
        """The codes that all answers so far allow."""
        self.asked += 1
        low, high = self.narrowed(chosen, reports.rows[0])
        self.left = max(self.left[0], -(-low // 1)), min(self.left[1], high // 1)
        assert self.left[0] <= self.left[1], "answers are true, so that they never contradict each other"
        return self.left

    def guess(self, evidence: Codes, draw: np.random.Generator) -> Fraction:
        """The value in the middle of those that are left."""
        return self.scale.number(sum(evidence) // 2)

    def places(self, low: Fraction, high: Fraction) -> tuple[Fraction, Fraction]:
        """Values as places; a value lies within half a step of its code."""
        half = Fraction(1, 2)
        return self.scale.position(low) - half, self.scale.position(high) + half


class Bisection(Asker):
    """COUNT(column ≥ t), t halving what is left: the best that can be done."""

    name = "bisection"

    @property
    def middle(self) -> int:
        """The code that the next question is about."""
        return (sum(self.left) + 1) // 2

    def question(self) -> Asked:
        """Is the value at least the one in the middle?"""
        least = self.scale.show(self.scale.number(self.middle))
        return f"SELECT COUNT(*) FROM {self.table} WHERE ({self.where}) AND {self.column} >= {least}", None

    def narrowed(self, chosen: Asked, answer: Row) -> tuple[Fraction, Fraction]:
        """One half or the other."""
        low, high = self.left
        ends = (self.middle, high) if answer.value else (low, self.middle - 1)
        return Fraction(ends[0]), Fraction(ends[1])


class Averaging(Asker):
    """The same mean again and again: with noise it would become exact, here it is the same answer, and free."""

    name = "averaging"
    repeats: ClassVar[int] = 20

    def question(self) -> Asked | None:
        """The mean in two bins, with a blank more each time, so that it is another text."""
        if self.asked == self.repeats:
            return None
        return f"SELECT AVG({self.column}) FROM {self.table}{' ' * (self.asked + 1)}WHERE ({self.where})", 1

    def narrowed(self, chosen: Asked, answer: Row) -> tuple[Fraction, Fraction]:
        """What the answer says."""
        return self.places(Fraction(answer.lower), Fraction(answer.upper))


class Differencing(Asker):
    """The sum of everybody less the sum of everybody else, in finer and finer bins."""

    name = "differencing"

    def __init__(self, curator: Curator, column: str, where: str) -> None:
        super().__init__(curator, column, where)
        self.everybody: Row | None = None

    def question(self) -> Asked:
        """The two sums in turn, with one bit more in each round."""
        rest = f" WHERE NOT ({self.where})" if self.asked % 2 else ""
        return f"SELECT SUM({self.column}) FROM {self.table}{rest}", 1 + self.asked // 2

    def narrowed(self, chosen: Asked, answer: Row) -> tuple[Fraction, Fraction]:
        """The difference, once both sums are there."""
        if self.everybody is None:
            self.everybody = answer
            return Fraction(self.left[0]), Fraction(self.left[1])
        whole, self.everybody = self.everybody, None
        return self.places(
            Fraction(whole.lower) - Fraction(answer.upper), Fraction(whole.upper) - Fraction(answer.lower)
        )


def _one_person(curator: Curator, where: str) -> None:
    """Whether a condition is about public columns, and picks one person; finding out is free."""
    count = f"SELECT COUNT(*) FROM {identifier(curator.name)} WHERE ({where})"
    if curator.preview(count).factor > 1:
        raise InputError(f"where={where!r} must be about public columns only: it says whom the adversary is after")
    if (people := curator.ask(count).rows[0].value) != 1:
        raise InputError(f"where={where!r} picks {people} rows; it must pick one person")


ASKERS: dict[str, type[Asker]] = {each.name: each for each in (Bisection, Averaging, Differencing)}


def questions(
    adversary: str, opened: Callable[[Number], Curator], bits: Sequence[Number], *, column: str, where: str
) -> Curve:
    """What one adversary learns with each budget; `opened` gives a curator with a budget, and a ledger of its own."""
    if not bits:
        raise InputError("give at least one budget to run through")
    points, origin = [], ""
    for budget in bits:
        with opened(budget) as curator:
            asker = ASKERS[adversary](curator, column, where)
            charged = played(asker, curator)
            origin = f"table {curator.name}, {column} of the person with {where}"
        low, high = asker.left
        learned = log2(asker.scale.top + 1) - log2(high - low + 1)
        setting = {"budget": float(exact_number(budget, "bits")), "questions": asker.asked, "charged": charged}
        points.append(Point.exactly(setting, learned))
    return Curve(adversary, "bits learned", tuple(points), origin, beside="charged")


def played(asker: Asker, curator: Curator) -> float:
    """Ask until nothing is left to ask, or to spend; the bits that were charged."""
    draw, before = drawn(SEED), curator.sequence.spent()
    while (chosen := asker.choose(1, draw)) is not None:
        sql, bits = chosen
        try:
            asker.observe(chosen, curator.ask(sql, bits=bits))
        except BudgetExceededError:
            break
    return log2(curator.sequence.spent()) - log2(before)
