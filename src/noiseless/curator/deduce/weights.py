"""What a row adds to a sum that was released: a whole number that depends on its codes.

Order statistics are sums too: of m rows that count, the k-th smallest with k = ⌈p·m/q⌉ is at most v if and only if
q·(rows up to v) − p·m ≥ 0, or, for the least, if there is a row up to v.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from noiseless.curator.deduce.atoms import Atoms
from noiseless.curator.deduce.cuts import Integers, Read
from noiseless.curator.plan.functions.derived import Derived
from noiseless.curator.releases.cell_spreads import CellSpreads
from noiseless.curator.releases.cell_sums import CellSums
from noiseless.curator.releases.centred import Centred, CentredSquares
from noiseless.curator.releases.centred_products import CentredProducts
from noiseless.curator.releases.filtered_mean import FilteredMean
from noiseless.curator.releases.filtered_total import FilteredTotal
from noiseless.curator.releases.filtered_variance import FilteredVariance
from noiseless.curator.releases.interpolated import InterpolatedQuantile
from noiseless.curator.releases.order_statistic import NOBODY, OrderStatistic
from noiseless.curator.releases.release import Release, Released, Width, as_bins
from noiseless.curator.releases.spread import far_of, middle_of
from noiseless.curator.releases.total import Total

Ends = tuple[int | None, int | None]


@dataclass(frozen=True, slots=True)
class Measured:
    """A column, or a function on a grid, by its name."""

    name: str
    column: Any

    @property
    def read(self) -> Read:
        """What it reads."""
        if isinstance(self.column, Derived):
            return Read(functions=(self.column.function,))
        return Read(columns=(self.name,))

    @property
    def top(self) -> int:
        """The greatest code."""
        return int(self.column.top)

    def cut(self, starts: list[int]) -> Read:
        """The same, cut at some codes if it is a column."""
        return self.read if isinstance(self.column, Derived) else Read(columns=(self.name,), cuts={self.name: starts})

    def codes(self, atoms: Atoms) -> tuple[Integers, Integers]:
        """The least and the greatest code in each atom."""
        return atoms.codes(self.name, self.column)


@dataclass(frozen=True, slots=True)
class Line:
    """factor·code + shift."""

    of: Measured
    factor: int = 1
    shift: int = 0

    @property
    def read(self) -> Read:
        """What the column reads."""
        return self.of.read

    def ends(self, atoms: Atoms) -> tuple[Integers, Integers]:
        """The least and the most that a row of each atom adds. The factor is above 0."""
        low, high = atoms.ends(self.of.name, self.of.column)
        return self.factor * low + self.shift, self.factor * high + self.shift


@dataclass(frozen=True, slots=True)
class Square:
    """(code − centre)²."""

    of: Measured
    centre: int

    @property
    def read(self) -> Read:
        """Cut at the centre, where it turns."""
        return self.of.cut([self.centre])

    def ends(self, atoms: Atoms) -> tuple[Integers, Integers]:
        """The least and the most that a row of each atom adds."""
        low, high = (each - self.centre for each in self.of.codes(atoms))
        least = np.where((low <= 0) & (high >= 0), 0, np.minimum(low**2, high**2))
        return least, np.maximum(low**2, high**2)


@dataclass(frozen=True, slots=True)
class Product:
    """(code − centre)·(code − centre) of two columns."""

    sides: tuple[Measured, Measured]
    centres: tuple[int, int]

    @property
    def read(self) -> Read:
        """What both columns read."""
        one, two = (side.read for side in self.sides)
        return Read(functions=one.functions + two.functions, columns=one.columns + two.columns)

    def ends(self, atoms: Atoms) -> tuple[Integers, Integers]:
        """The least and the most that a row of each atom adds: products of ends."""
        one, two = (
            [end - centre for end in side.codes(atoms)] for side, centre in zip(self.sides, self.centres, strict=True)
        )
        corners = np.stack(np.broadcast_arrays(*(a * b for a in one for b in two)))
        return corners.min(axis=0), corners.max(axis=0)


@dataclass(frozen=True, slots=True)
class UpTo:
    """`inside` if the code is at most `last`, otherwise `outside`."""

    of: Measured
    last: int
    inside: int
    outside: int

    @property
    def read(self) -> Read:
        """Cut after the last code."""
        return self.of.cut([self.last + 1])

    def ends(self, atoms: Atoms) -> tuple[Integers, Integers]:
        """The least and the most that a row of each atom adds. `inside` is the greater one."""
        low, high = self.of.codes(atoms)
        return np.where(high <= self.last, self.inside, self.outside), np.where(
            low <= self.last, self.inside, self.outside
        )


Weight = Line | Square | Product | UpTo


@dataclass(frozen=True, slots=True)
class Shifted:
    """A weight from its least value on, like the codes of a column."""

    weight: Weight
    least: int
    most: int

    @property
    def top(self) -> int:
        """The greatest, from the least on."""
        return self.most - self.least

    @property
    def read(self) -> Read:
        """What the weight reads."""
        return self.weight.read

    def codes(self, atoms: Atoms) -> tuple[Integers, Integers]:
        """The least and the greatest in each atom."""
        low, high = self.weight.ends(atoms)
        return low - self.least, high - self.least


def weight_of(release: Centred, width: Width = 1) -> tuple[Weight, int, int]:
    """What a row adds to a sum about centres, and the least and the most of it, if it counts."""
    of, centre, top = _measured(release), release.centre(width), release.column.top
    match release:
        case CentredProducts(other=other, against=against):
            sides = of, Measured(other, against)
            return Product(sides, release.centres), release.least, release.least + release.moved
        case CentredSquares():
            return Square(of, release.centre(1)), 0, release.moved
    return Line(of, 1, -centre), -centre, top - centre


def least_of(release: Centred, width: Width = 1) -> int:
    """The sum over the rows that count for which a released integer of 0 stands."""
    match release:
        case CentredProducts():
            return release.least * release.part.size
        case CentredSquares():
            return 0
    return -release.centre(width) * release.part.size


@dataclass(frozen=True, slots=True)
class Bound:
    """The sums of a weight lie between some ends, one pair for each label.

    In proofs it is the sum with this number among all that a release says, times a `scale`.
    """

    weight: Weight
    ends: list[Ends]
    number: int = 0
    scale: Fraction = Fraction(1)


def bounds_of(release: Release, width: Width, numbers: Released) -> Iterator[Bound]:
    """What a release says about sums over the rows of each of its labels."""
    match release:
        case Total():
            yield Bound(Line(_measured(release)), [as_bins(width).ends(numbers[0])])
        case FilteredTotal():
            low, each = release.units
            ends = _moved(as_bins(width).ends(numbers[0]), release.part.size * release.ends[0])
            yield Bound(Line(_measured(release), each, low), [ends], scale=release.column.step / each)
        case FilteredMean():
            yield Bound(Line(_measured(release)), [as_bins(width).ends(numbers[1])])
            if isinstance(release, FilteredVariance):
                assert isinstance(width, int)
                ends = as_bins(width * release.far).ends(numbers[2])
                yield Bound(Square(_measured(release), release.centre), [ends])
        case Centred():
            weight, _, _ = weight_of(release, width)
            yield Bound(weight, [_moved(as_bins(width).ends(numbers[0]), least_of(release, width))])
        case CellSums():
            yield from _of_cells(release, width, numbers)
        case OrderStatistic() if numbers[0] != NOBODY:
            yield from _ranked(release, width, numbers[0])


def _of_cells(release: CellSums, width: Width, numbers: Released) -> Iterator[Bound]:
    """The sums of all cells come after their counts, and the sums of squares after these."""
    assert isinstance(width, int)
    cells, of = release.cells, Measured(release.of, release.column)
    yield Bound(Line(of), [as_bins(width).ends(place) for place in numbers[cells : 2 * cells]])
    if isinstance(release, CellSpreads):
        top, places = release.column.top, numbers[2 * cells : 3 * cells]
        yield Bound(Square(of, middle_of(top)), [as_bins(width * far_of(top)).ends(place) for place in places])


def _ranked(release: OrderStatistic, width: Width, place: int) -> Iterator[Bound]:
    """A k-th smallest, or a number between two neighbours, lies between two codes.

    With m rows, p/q of them: k = ⌈pm/q⌉ rows are up to the last code, and fewer than k below the first. For a number
    between neighbours at place p(m − 1)/q, more than p(m − 1)/q rows are up to the last code, and fewer than
    p(m − 1)/q + 1 are below the first.
    """
    of, (first, last) = _measured(release), as_bins(width).ends(place)
    p, q = release.share.numerator, release.share.denominator
    least, most = (0, -1) if p else (1, 0)
    if isinstance(release, InterpolatedQuantile):
        first, last = -(-first // release.parts), last // release.parts
        least, most = 1 - p, q - p - 1
    yield Bound(UpTo(of, last, q - p, -p), [(least, None)], 0, Fraction(1, q))
    yield Bound(UpTo(of, first - 1, q - p, -p), [(None, most)], 1, Fraction(1, q))


def _measured(release: Any) -> Measured:
    return Measured(release.name, release.column)


def _moved(ends: tuple[int, int], by: int) -> Ends:
    return ends[0] + by, ends[1] + by
