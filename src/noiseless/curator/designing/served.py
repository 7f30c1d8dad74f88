"""How certain every question of a workload will be in the worst table, computed exactly."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from noiseless.curator.designing.division import Division
from noiseless.curator.designing.wanted import OTHER, SUM, Codes, Number
from noiseless.curator.designing.workload import Wish
from noiseless.curator.terms import Terms
from noiseless.exact.readable import bits_shown
from noiseless.exact.rounding import decimal_outward
from noiseless.privacy.composition.weights import Product

HALF = Fraction(1, 2)


@dataclass(frozen=True, slots=True, repr=False)
class Served:
    """A question of a design.

    `error` is the most that half the width of its widest interval can be in any table; None if no bound is known.
    `share` is the same as a share of the range of the statistic; a half says nothing. Of several numbers they are those
    of the one with the largest share. If it is `asked` by itself, these are its terms, and `price` and `dearest` what
    it is charged if quiet and at most; otherwise it is free. `sure` is the share that is certain even if it comes too
    late, after a loud answer to another question, or if too few rows count. `expected` is its mean share over tables
    drawn from the prior.
    """

    wish: Wish
    error: Fraction | None
    share: Fraction
    sure: Fraction
    asked: Terms | None = None
    price: Product = 1
    dearest: Product = 1
    expected: float | None = None

    def __repr__(self) -> str:
        error = "with no known bound" if self.error is None else f"to ±{decimal_outward(self.error, 6, up=True)}"
        price = "free" if self.asked is None else f"{bits_shown(self.price)}, at most {bits_shown(self.dearest)}"
        return f"{self.wish.text}: certain {error}, {float(self.share):.3g} of its range; {price}"

    @property
    def loss(self) -> Fraction:
        """The loss, which the design makes small: the weight, times the share beyond the error that is good enough."""
        if self.error is None or not self.error:
            return self.wish.weight * self.share
        return self.wish.weight * self.share * max(Fraction(0), 1 - self.wish.error / self.error)


def from_base(wishes: Sequence[Wish], numbers: Iterable[Number], base: Iterable[Division]) -> list[Served]:
    """Every question as it follows from a base table."""
    labels = {each.name: np.array(each.labels) for each in base}
    found: dict[int, list[tuple[Fraction, Fraction | None]]] = {}
    for number in numbers:
        found.setdefault(number.question, []).append(worst(number, labels))
    return [_served(wish, found.get(place, [])) for place, wish in enumerate(wishes)]


def _served(wish: Wish, errors: Sequence[tuple[Fraction, Fraction | None]]) -> Served:
    """A question served from the base table, with the error of the number that has the largest share."""
    share, error = max(
        errors, key=lambda each: (each[0], each[1] is None, each[1] or 0), default=(Fraction(0), Fraction(0))
    )
    return Served(wish, error, share, share)


def worst(number: Number, labels: Mapping[str, Codes]) -> tuple[Fraction, Fraction | None]:
    """The certain error of a number in the worst table, as a share of its range and in its unit.

    If cells decide which rows count, the worst table has all rows in the widest cell. Otherwise all rows may be
    in a cell that leaves it open, and nothing is promised.
    """
    if number.kind == OTHER or not number.range:
        return HALF, None
    rounding = number.rounding * (number.rows if number.kind == SUM else 1)
    nothing = number.range / 2 + rounding
    if not decided(number, labels):
        return HALF, nothing
    error = min(nothing, number.error(_widest(number, labels)))
    return min(HALF, error / number.range), error


def decided(number: Number, labels: Mapping[str, Codes]) -> bool:
    """Whether every cell decides if its rows count: the condition treats all codes of a cell alike."""
    if number.readings is None:
        return False
    for name, reading in number.readings.items():
        own = labels.get(name, np.zeros(len(reading.alike), np.int64))
        pairs = np.unique(np.stack([own, reading.alike]), axis=1)
        if pairs.shape[1] > len(np.unique(own)):
            return False
    return True


def _widest(number: Number, labels: Mapping[str, Codes]) -> int:
    """The most codes between two values that count and share a cell."""
    if number.column is None:
        return 0
    reading = (number.readings or {}).get(number.column)
    codes = np.arange(number.codes) if reading is None else np.flatnonzero(reading.possible[: number.codes])
    own = labels.get(number.column, np.zeros(number.codes, np.int64))[codes]
    cells = (codes[own == label] for label in np.unique(own))
    return max((int(each[-1] - each[0]) for each in cells), default=0)
