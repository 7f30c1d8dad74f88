"""Sums about a public centre over the rows that a private condition selects, and the mean and variance they give.

A row that does not count adds nothing, as if it had the value of the centre. So a sum about a centre c₀ near the
mean says little about the number of rows n, and the mean c₀ + Σ(x − c₀)/n hardly depends on n, which can be coarse.

Source: theory §11, AVG under a condition: docs/pay_by_the_answer.md
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar, TypeVar

from noiseless.curator.releases.addend import Addend
from noiseless.curator.releases.of_column import OfColumn
from noiseless.curator.releases.release import (
    Need,
    Numbers,
    Release,
    Released,
    Width,
    as_bins,
    guarded_question,
    guarded_words,
    middle,
)
from noiseless.curator.releases.reported import Reported
from noiseless.curator.releases.spread import SAMPLES, Range, spread, variance_within
from noiseless.curator.releases.total import stated_sum
from noiseless.curator.releases.weights import Bound, Line, Square, Weight
from noiseless.exact.touched import touched
from noiseless.privacy.composition.guarded import GuardedOther
from noiseless.privacy.composition.questions import OtherQuestion
from noiseless.privacy.quantizers.guarded import Bins

Given = tuple[Release, Width, Released]
"""A release, its bins, and the integers that came out."""
C = TypeVar("C", bound=Release)


@dataclass(frozen=True, slots=True)
class Centred(OfColumn):
    """A sum to which every row that counts adds an integer, shifted so that the least possible sum is 0.

    Guarantee: ⌈V/w⌉ + 1 answers, where one row moves it by at most V. In guarded bins 2.
    """

    @property
    @abstractmethod
    def moved(self) -> int:
        """V: the most that one row can move the sum, whatever the centre is."""

    @property
    @abstractmethod
    def turns(self) -> int:
        """How many monotone pieces the sum has as a function of the code of one row that counts."""

    @abstractmethod
    def about(self, centre: int, numbers: Numbers) -> int:
        """The sum about a centre, from the integers that the engine computed."""

    @property
    def widest(self) -> int:
        """One bin for everything."""
        return self.part.size * self.moved + 1

    def centre(self, width: Width) -> int:
        """The centre that belongs to some bins: a code, by default the middle of the range."""
        given = width.centre if isinstance(width, Bins) else None
        return (self.column.top + 1) // 2 if given is None else given

    def answers(self, width: Width, rows: int = 1) -> int:
        """A person's rows move it by at most rows·V."""
        bins = as_bins(width)
        met = 2 if bins.guard else touched(rows * self.moved, bins.wide)
        return min(met, bins.place(self.largest) + 1)

    def window(self, rows: int = 1) -> int | None:
        """A person's rows move it by at most rows·V."""
        return rows * self.moved + 1

    def stated(self, width: Width, rows: int = 1) -> str:
        """The rule, with its numbers."""
        bins, what = as_bins(width), self.in_words + ("" if self.part.plain else " under a private condition")
        if bins.guard:
            return guarded_words(what, bins, rows * self.moved + 1)
        words = stated_sum("V", self.moved, bins.wide, rows, self.part.size, self.answers(width, rows))
        return f"{what} in bins of w = {bins.wide}: {words}"

    def width_within(self, error: Fraction, function: str, people: int | None = None) -> int:
        """Never asked: its error depends on the number of rows that count."""
        raise AssertionError("the bins of a centred sum follow from a count")

    def error(self, width: Width, function: str, people: int | None = None) -> Fraction | None:
        """None: the error depends on the number of rows that count."""
        return None

    def _booked(self, width: Width) -> OtherQuestion | GuardedOther:
        """How the ledger books it. It shrinks no range of values, because a condition may leave a person out."""
        if isinstance(width, Bins) and width.guard:
            return guarded_question(self, width)
        turns = self.turns if self.part.plain else max(1, self.column.top + self.part.changes)
        return OtherQuestion(self.reads, self.answers(width), turns)

    def counts_with(self, count: Release) -> bool:
        """Whether the count has the same rows and the same condition."""
        return count.part == self.part

    def observe(self, width: Width, numbers: Numbers) -> Released:
        """The bin of the sum about the centre of the bins."""
        return (as_bins(width).place(self.about(self.centre(width), numbers)),)

    def integer(self, numbers: Numbers) -> int:
        """The sum about the middle of the range."""
        return self.about(self.centre(1), numbers)

    def ends(self, width: Width, released: Released) -> tuple[int, int]:
        """The least and the most that the sum can be."""
        first, last = as_bins(width).ends(released[0])
        return max(first, 0), min(last, self.largest)

    def added(self, width: Width = 1) -> tuple[Weight, int, int] | None:
        """A row adds its code minus the centre."""
        centre = self.centre(width)
        return Line(self.measured_column, 1, -centre), -centre, self.column.top - centre

    def least_sum(self, width: Width = 1) -> int:
        """The sum if every row counts and adds the least."""
        return -self.centre(width) * self.part.size

    def bounds(self, width: Width, released: Released) -> Iterator[Bound]:
        """The sum about the centre."""
        added = self.added(width)
        assert added is not None
        first, last = as_bins(width).ends(released[0])
        least = self.least_sum(width)
        yield Bound(added[0], [(first + least, last + least)])

    def report(self, width: Width, released: Released, function: str) -> Reported | None:
        """None: the sum alone is never reported, only the mean or variance that it gives."""
        return None


@dataclass(frozen=True, slots=True)
class CentredTotal(Centred):
    """Σ(x − c₀) over the rows that count: the sum of all codes, if rows that do not count had the code c₀."""

    kind: ClassVar[str] = "centred total"

    @property
    def in_words(self) -> str:
        """The sum, in words."""
        return "a sum about a centre"

    @property
    def moved(self) -> int:
        """M: the code of a row goes from 0 to M, whether it counts or not."""
        return self.column.top

    @property
    def turns(self) -> int:
        """One piece: the sum only rises with a code."""
        return 1

    def addends(self, width: Width) -> tuple[Addend, ...]:
        """A row that counts adds its code instead of the centre."""
        return self._adds(width)

    def about(self, centre: int, numbers: Numbers) -> int:
        """The sum of codes, with the centre for every row that does not count."""
        return int(numbers["sum", self.name] + centre * (self.part.size - numbers["count", self.name]))

    def needs(self, width: Width) -> tuple[Need, ...]:
        """The sum of codes, and how many there are."""
        return ("sum", self.name), ("count", self.name)

    def mean(self, width: Width, released: Released, people: tuple[int, int]) -> Range | None:
        """The mean in codes: c₀ + S/n for all possible sums and numbers of rows. None if certainly no row counts.

        If perhaps no row counts, the interval holds only if one does.
        """
        centre, (fewest, most) = self.centre(width), people
        if not most:
            return None
        fewest = max(1, fewest)
        low, high = (end - centre * self.part.size for end in self.ends(width, released))
        lowest = centre + min(Fraction(low, fewest), Fraction(low, most))
        highest = centre + max(Fraction(high, fewest), Fraction(high, most))
        return max(Fraction(0), lowest), min(Fraction(self.column.top), highest)

    def report_mean(self, mean: Range | None) -> Reported | None:
        """The mean as a number, widened by the rounding, within the bounds."""
        if mean is None:
            return None
        column, (low, high) = self.column, mean
        return middle(
            max(column.number(low) - self.rounding, column.low), min(column.number(high) + self.rounding, column.high)
        )


@dataclass(frozen=True, slots=True)
class CentredSquares(Centred):
    """Σ(x − c₀)² over the rows that count, always about the middle of the range."""

    kind: ClassVar[str] = "centred squares"

    @property
    def in_words(self) -> str:
        """The sum, in words."""
        return "a sum of squares about a centre"

    @property
    def moved(self) -> int:
        """The largest square of a row."""
        centre = self.centre(1)
        return max(centre, self.column.top - centre) ** 2

    @property
    def turns(self) -> int:
        """Two pieces: the sum falls and then rises with a code."""
        return 2

    def addends(self, width: Width) -> tuple[Addend, ...]:
        """A row adds a square, which falls and then rises with its code."""
        [added] = self._adds(width)
        return (replace(added, name=f"the square of {self.name}", own=False, top=self.moved),)

    def added(self, width: Width = 1) -> tuple[Weight, int, int] | None:
        """A row adds the square of its distance from the centre."""
        return Square(self.measured_column, self.centre(1)), 0, self.moved

    def least_sum(self, width: Width = 1) -> int:
        """0: no square is negative."""
        return 0

    def about(self, centre: int, numbers: Numbers) -> int:
        """Σx² − 2c₀Σx + nc₀²."""
        squares, total, people = (numbers[kind, self.name] for kind in ("squares", "sum", "count"))
        return int(squares - 2 * centre * total + people * centre**2)

    def needs(self, width: Width) -> tuple[Need, ...]:
        """The sums of codes and of their squares, and how many there are."""
        return ("squares", self.name), ("sum", self.name), ("count", self.name)

    def variance(self, width: Width, released: Released, people: tuple[int, int], mean: Range | None) -> Range | None:
        """The variance in codes, Σ(x − c₀)²/n − (mean − c₀)²."""
        fewest, most = max(1, people[0]), people[1]
        if mean is None:
            return None
        return variance_within(self.ends(width, released), mean, (fewest, most), self.centre(width), self.column.top)


def report_centred(found: Sequence[Given], function: str) -> Reported | None:
    """The mean from a count and a sum, or the variance from a count and two. None if certainly no row counts."""
    (counted, width, numbers), total, *squares = found
    people = counted.report(width, numbers, "COUNT")
    assert people is not None
    between = int(people.lower), int(people.upper)
    if function in SAMPLES:
        between = max(2, between[0]), between[1]  # with fewer rows the number does not exist
    mean = mean_of(total, between)
    if not squares:
        return in_bins(CentredTotal, total)[0].report_mean(mean)
    square, width, numbers = in_bins(CentredSquares, squares[0])
    variance = square.variance(width, numbers, between, mean)
    return None if variance is None else spread(variance, square.column, square.rounding, function, between)


def mean_of(given: Given, people: tuple[int, int]) -> Range | None:
    """The mean in codes, from a sum about a centre and the number of rows."""
    total, width, numbers = in_bins(CentredTotal, given)
    return total.mean(width, numbers, people)


def in_bins(kind: type[C], given: Given) -> tuple[C, Width, Released]:
    """The sum itself, in the bins of its level if it is given at a stable level."""
    release, width, numbers = given
    found, bins, places = release.at_level(width, numbers)
    assert isinstance(found, kind)
    return found, bins, places
