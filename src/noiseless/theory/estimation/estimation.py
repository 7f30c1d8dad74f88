"""How well an adversary can estimate X from Y, at best and at worst."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product

from noiseless.errors import NumberError, RangeError, SpaceError
from noiseless.exact.enclosure import Enclosure
from noiseless.exact.number import exact_number
from noiseless.exact.square_root import SquareRoot
from noiseless.theory.cell_map import CellMap
from noiseless.theory.continuous import Continuous
from noiseless.theory.estimation.ball import Ball
from noiseless.theory.estimation.gamma_bound import gamma_bound
from noiseless.theory.information.joint_range import Variables, joint_range
from noiseless.theory.ranges.boxes import Boxes
from noiseless.theory.ranges.intervals import Intervals
from noiseless.theory.variable import as_variable


@dataclass(frozen=True)
class Cell:
    """What remains possible after one answer: the squared radius of the smallest ball around it, and its measure."""

    squared_radius: Fraction
    measure: Fraction | None
    """None for finitely many points, where the volume bounds do not apply."""


@dataclass(frozen=True)
class Estimation:
    """The worst-case error of the best estimate, over all answers: the centre of the smallest ball is the estimate.

    `d_max` belongs to the answer that leaves most possible, `d_min` to the one that leaves least: an adversary
    can know some data that well. The bounds are those of TIFS, by volume alone.
    """

    coordinates: int
    cells: tuple[Cell, ...]

    @cached_property
    def d_max(self) -> SquareRoot:
        """sup over y of the radius of ⟦X|y⟧."""
        return SquareRoot(max(cell.squared_radius for cell in self.cells))

    @cached_property
    def d_min(self) -> SquareRoot:
        """inf over y of the radius of ⟦X|y⟧."""
        return SquareRoot(min(cell.squared_radius for cell in self.cells))

    @property
    def d_max_bound(self) -> Enclosure:
        """TIFS Thm II.1: d_max is not below it."""
        return gamma_bound(max(self._measures), self.coordinates)

    @property
    def d_min_bound(self) -> Enclosure:
        """TIFS Thm II.2: d_min is not below it."""
        return gamma_bound(min(self._measures), self.coordinates)

    @property
    def _measures(self) -> list[Fraction]:
        measures = [cell.measure for cell in self.cells if cell.measure is not None]
        if not measures:
            raise RangeError("the volume is unknown for finitely many points or very many people; use d_min and d_max")
        return measures


def estimation(x: Continuous | Variables, y: CellMap | Variables) -> Estimation:
    """The estimation of a continuous variable from a map of it, or of finite variables whose values are numbers.

    Guarantee: exact; no estimator has a smaller worst-case error at any answer.
    Source: TIFS Thm II.1, II.2: docs/theorems.md#tifs-thm-ii-1

    >>> x = Continuous("[0, 1]")
    >>> found = estimation(x, x.map({"low": "[0, 1/4)", "high": "[1/4, 1]"}))
    >>> found.d_max, found.d_min, found.d_min_bound
    (3/8, 1/8, 1/8)
    """
    if isinstance(x, Continuous) and isinstance(y, CellMap) and y.source is x:
        cells = [_cell(cell) for cell in y.cells.values()]
        cells += [Cell(Fraction(0), Fraction(0))] if y.repeats else []
        return Estimation(len(x.range.names) if isinstance(x.range, Boxes) else 1, tuple(cells))
    if isinstance(x, (Continuous, CellMap)) or isinstance(y, (Continuous, CellMap)):
        raise SpaceError("a continuous variable can only be estimated from its own map; make one with Continuous.map")
    return _finite(x, y)


def _cell(cell: Intervals | Boxes) -> Cell:
    if isinstance(cell, Intervals):
        return Cell(((cell.high - cell.low) / 2) ** 2, cell.measure)
    return Cell(Ball.around(corners(cell)).squared, cell.measure)


def corners(boxes: Boxes) -> Iterable[tuple[Fraction, ...]]:
    """The corners of boxes that make up a set; their smallest ball is the set's."""
    if not boxes.names:
        return [()] if boxes else []
    return [
        (end, *rest)
        for place, others in boxes.layers
        for end, rest in product((place.low, place.high), corners(others))
    ]


def _finite(x: Variables, y: Variables) -> Estimation:
    values = as_variable(x).range
    try:
        points = [tuple(exact_number(number) for number in (v if isinstance(v, tuple) else (v,))) for v in values]
    except NumberError:
        raise SpaceError(
            "the values to estimate are not numbers; use a variable of numbers, or a joint of several"
        ) from None
    pairs = joint_range(x, y)
    groups: dict[int, list[tuple[Fraction, ...]]] = {}
    for value, answer in zip(pairs.x.tolist(), pairs.y.tolist(), strict=True):
        groups.setdefault(answer, []).append(points[value])
    return Estimation(len(points[0]), tuple(Cell(Ball.around(group).squared, None) for group in groups.values()))
