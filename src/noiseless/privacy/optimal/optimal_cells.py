"""The best cells of a vector query: the fewest, or with the largest smallest cell, for a given error."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, overload

from noiseless.errors import BudgetError, InputError, TooLargeError
from noiseless.exact.number import Number, exact_number
from noiseless.privacy.composition.vector import Vector
from noiseless.privacy.optimal.best import Against
from noiseless.privacy.optimal.cells_of_function import FunctionCells, cells_of_function
from noiseless.privacy.optimal.fewest_cells import Family, fewest_of_all
from noiseless.privacy.optimal.image_of import image_of
from noiseless.privacy.optimal.largest_smallest import largest_smallest
from noiseless.privacy.optimal.maximal_cells import Norm, Point, maximal_cells, report_of
from noiseless.privacy.optimal.measured import Measured
from noiseless.theory.capacity.deadline import Deadline
from noiseless.theory.ranges.boxes import Box

MOST_POINTS = 200
TIME_LIMIT = 10.0


@dataclass(frozen=True)
class OptimalCells(Measured):
    """A policy for a vector query: the data of each cell share one report, within the error of all their values.

    `limit` is an upper bound of the smallest cell's share for any policy with this error, and `least` a lower bound of
    the number of cells. `proved` says that the policy is best: it attains the bound of what was asked for.
    """

    error: Fraction
    norm: Norm
    against: Against
    cells: tuple[Mapping[Point, int], ...]
    """For each cell, how many data of each value it holds."""
    limit: Fraction
    least: int
    proved: bool

    @property
    def reports(self) -> tuple[Point, ...]:
        """The report of each cell: the centre of the smallest ball around its values."""
        return tuple(report_of(list(cell), self.norm) for cell in self.cells)

    @property
    def smallest(self) -> Fraction:
        """The share of all data in the smallest cell."""
        sizes = [sum(cell.values()) for cell in self.cells]
        return Fraction(min(sizes), sum(sizes))

    @property
    def quality(self) -> Fraction:
        """The papers' γ."""
        return 1 / self.error


@overload
def optimal_cells(
    image: Vector | Mapping[Any, int],
    *,
    error: Number,
    norm: Norm = "euclidean",
    against: Against = "leakage",
    split: bool = True,
    time_limit: float = TIME_LIMIT,
) -> OptimalCells: ...


@overload
def optimal_cells(
    image: Callable[..., Any],
    *,
    error: Number,
    norm: Norm = "euclidean",
    against: Against = "leakage",
    box: Box,
    time_limit: float = TIME_LIMIT,
) -> FunctionCells: ...


def optimal_cells(
    image: Vector | Mapping[Any, int] | Callable[..., Any],
    *,
    error: Number,
    norm: Norm = "euclidean",
    against: Against = "leakage",
    split: bool = True,
    box: Box | None = None,
    time_limit: float = TIME_LIMIT,
) -> OptimalCells | FunctionCells:
    """The policy of a vector query with finitely many values that reveals least with this worst-case error.

    `image` is a `Vector` with few records, or each value with its number of data. `norm` measures the error:
    "euclidean" as in the papers, "largest" for the largest difference of a coordinate, "sum" for their sum. Against
    "maximin" the policy has the fewest cells; against "leakage" its smallest cell is largest, and data of one value may
    go to different cells unless `split` is False.

    A function of the coordinates of a `box`, which returns a tuple, gets a policy of small boxes and bounds for all
    others.

    Guarantee: exact if `proved`. If `time_limit` seconds are not enough, `limit` and `least` are still certain.
    Source: TIFS Thm IV.3 for vectors, which the paper leaves open: docs/theorems.md#tifs-thm-iv-3-vectors

    >>> corners = {(0, 0): 1, (0, 1): 1, (1, 0): 1, (1, 1): 1, (3, 0): 1}
    >>> best = optimal_cells(corners, error="0.5", norm="largest")
    >>> len(best.cells), best.smallest, best.proved
    (2, Fraction(1, 5), True)
    """
    allowed = exact_number(error, "error")
    if allowed <= 0:
        raise BudgetError(
            f"error={error} is not above 0, and without error the answer is the query itself; use a positive error"
        )
    if norm not in ("euclidean", "largest", "sum") or against not in ("maximin", "leakage"):
        raise InputError(
            f"norm={norm!r} or against={against!r} is not valid; use 'euclidean', 'largest' or 'sum', and 'maximin' or "
            f"'leakage'"
        )
    deadline = Deadline.after(time_limit)
    if box is not None:
        if not callable(image) or not isinstance(box, Box):
            raise InputError("box= is only for a function of its coordinates; leave it out")
        return cells_of_function(image, box, allowed, norm, against, deadline)
    values = image_of(image)
    if len(values) > MOST_POINTS:
        raise TooLargeError(
            f"the query has {len(values)} different values, more than {MOST_POINTS} to divide; use a coarser step, or "
            f"optimal_grid for unrelated columns"
        )
    points = sorted(values)
    family = Family.of(maximal_cells(points, allowed, norm), len(points))
    numbers = [values[point] for point in points]
    if against == "maximin":
        given, least = fewest_of_all(family, numbers, deadline)
        limit, proved = sum(numbers) // least, least == len(given)
    else:
        found = largest_smallest(family, numbers, split, deadline)
        given, limit, proved = found.given, found.limit, found.limit == found.smallest
        least = sum(map(family.pairwise_separate, family.components()))
    cells = tuple({points[place]: number for place, number in own.items()} for own in given)
    return OptimalCells(allowed, norm, against, cells, Fraction(limit, sum(numbers)), least, proved)
