"""What can be learned by asking a curator (averaging, differencing, bisection), compared with the charge.

The adversary attacks one person, alone in a public cell: the worst case. The bits learned measure how many fewer values
remain possible. All values that the person could have lead to at most 2^charged outcomes, so on average no more is
learned than charged. For a single value more can be learned.
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
from noiseless.curator.sources.quoting import identifier
from noiseless.errors import BudgetExceededError, InputError
from noiseless.exact.number import Number, exact_number
from noiseless.lab.attacks.adversary import SEED, drawn
from noiseless.lab.attacks.curve import Curve, Point

MOST = 64
"""The most questions of a game."""
Codes = tuple[int, int]
"""The first and the last code that is still possible."""
Asked = tuple[str, int | None]
"""A question, and the bits it may cost."""


class Asker(ABC):
    """Chooses one question after another about a column of the person selected by a public condition."""

    name: ClassVar[str]

    def __init__(self, curator: Curator, column: str, where: str) -> None:
        declared = curator.schema.private.get(column)
        if not isinstance(declared, Scale) or isinstance(declared, Date) or declared.apart:
            known = ", ".join(curator.schema.private)
            raise InputError(
                f"column={column!r} is not a private column of numbers, or it has missing='apart'; use another of "
                f"{known}"
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
        """The two positions, in codes, between which the person's value lies by the answer."""

    def choose(self, games: int, draw: np.random.Generator) -> Asked | None:
        """The next question."""
        low, high = self.left
        return None if low == high or self.asked == MOST else self.question()

    def observe(self, chosen: Asked, reports: Answer) -> Codes:
        """The codes that all answers so far allow."""
        self.asked += 1
        low, high = self.narrowed(chosen, reports.rows[0])
        self.left = max(self.left[0], -(-low // 1)), min(self.left[1], high // 1)
        assert self.left[0] <= self.left[1], "answers are true, so they never contradict each other"
        return self.left

    def guess(self, evidence: Codes, draw: np.random.Generator) -> Fraction:
        """The middle of the remaining values."""
        return self.scale.number(sum(evidence) // 2)

    def places(self, low: Fraction, high: Fraction) -> tuple[Fraction, Fraction]:
        """Values as positions; a value lies within half a step of its code."""
        half = Fraction(1, 2)
        return self.scale.position(low) - half, self.scale.position(high) + half


class Bisection(Asker):
    """COUNT(column ≥ t), where t halves the remaining values: the best possible strategy."""

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
    """Asks for the same mean again and again. With noise it would become exact. Here the answer stays the same."""

    name = "averaging"
    repeats: ClassVar[int] = 20

    def question(self) -> Asked | None:
        """The mean in two bins, with one more space each time, so that the text differs."""
        if self.asked == self.repeats:
            return None
        return f"SELECT AVG({self.column}) FROM {self.table}{' ' * (self.asked + 1)}WHERE ({self.where})", 1

    def narrowed(self, chosen: Asked, answer: Row) -> tuple[Fraction, Fraction]:
        """The ends of the answer's interval."""
        return self.places(Fraction(answer.lower), Fraction(answer.upper))


class Differencing(Asker):
    """The sum over everybody minus the sum over everybody else, in finer and finer bins."""

    name = "differencing"

    def __init__(self, curator: Curator, column: str, where: str) -> None:
        super().__init__(curator, column, where)
        self.everybody: Row | None = None

    def question(self) -> Asked:
        """The two sums in turn, with one more bit in each round."""
        rest = f" WHERE NOT ({self.where})" if self.asked % 2 else ""
        return f"SELECT SUM({self.column}) FROM {self.table}{rest}", 1 + self.asked // 2

    def narrowed(self, chosen: Asked, answer: Row) -> tuple[Fraction, Fraction]:
        """The difference, once both sums are known."""
        if self.everybody is None:
            self.everybody = answer
            return Fraction(self.left[0]), Fraction(self.left[1])
        whole, self.everybody = self.everybody, None
        return self.places(
            Fraction(whole.lower) - Fraction(answer.upper), Fraction(whole.upper) - Fraction(answer.lower)
        )


def _one_person(curator: Curator, where: str) -> None:
    """Check that a condition uses public columns and selects one person; the check is free."""
    count = f"SELECT COUNT(*) FROM {identifier(curator.name)} WHERE ({where})"
    if curator.preview(count).factor > 1:
        raise InputError(f"where={where!r} uses private columns; select the person by public columns only")
    if (people := curator.ask(count).rows[0].value) != 1:
        raise InputError(f"where={where!r} selects {people} rows; change it to select one person")


ASKERS: dict[str, type[Asker]] = {each.name: each for each in (Bisection, Averaging, Differencing)}


def questions(
    adversary: str, opened: Callable[[Number], Curator], bits: Sequence[Number], *, column: str, where: str
) -> Curve:
    """What one adversary learns with each budget; `opened` gives a curator with a budget and a separate ledger."""
    if not bits:
        raise InputError("bits is empty; give at least one budget")
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
    """Ask until there is nothing left to ask or to spend; return the bits charged."""
    draw, before = drawn(SEED), curator.sequence.spent()
    while (chosen := asker.choose(1, draw)) is not None:
        sql, bits = chosen
        try:
            asker.observe(chosen, curator.ask(sql, bits=bits))
        except BudgetExceededError:
            break
    return log2(curator.sequence.spent()) - log2(before)
