"""What a number is about: a column, a column in other units, or a function of the row on a grid that was certified.

The bounds of functions are computed here again, and the certified grid must contain them: then no value is clamped, and
every interval contains the truth. The count follows from the grid that was certified, whatever the bounds are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Any

from noiseless.curator.certificate.checker.bounds import Bounds, bounds_of
from noiseless.curator.certificate.checker.columns import Column
from noiseless.curator.certificate.checker.comparisons import Affine
from noiseless.curator.certificate.checker.function_values import value_of
from noiseless.curator.certificate.checker.functions import Columns, Function
from noiseless.curator.certificate.checker.numbers import rational, whole
from noiseless.curator.certificate.checker.plans import Aggregate
from noiseless.curator.certificate.checker.wrong import WrongCertificateError, elements, require

LARGEST_SUM = 1 << 63


@dataclass(frozen=True, slots=True)
class About:
    """A column with a share, for which factor·x + shift is reported; or a function, whose grid is certified."""

    name: str | None
    share: str
    factor: Fraction = Fraction(1)
    shift: Fraction = Fraction(0)
    function: Function | None = None


def in_units(aggregate: Aggregate, found: Affine, column: Column, plain: bool) -> bool:
    """Whether the number follows from the same number of the column in its own units.

    A sum does not if every row adds a constant and rows may be left out. A quantile from the other end does not, unless
    it is the least or the greatest. Quantiles of dates are days, and are computed directly.
    """
    _, factor, shift = found
    match aggregate[0]:
        case "sum":
            return plain or not shift
        case "kth":
            return column.kind != "date" and (factor > 0 or aggregate[2] in ("0", "1"))
    return True


def turned(share: str, factor: Fraction) -> str:
    """The share from the other end if the factor is below 0."""
    return share if factor > 0 or not share else str(1 - rational(share))


def computed_column(given: Any, function: Function, columns: Columns, rows: int) -> Column:
    """The function on its certified grid, which must hold all its values and the truth."""
    written = elements(given)
    require(len(written) == 4, "a grid is not its lowest value, its step, its largest code and its slack")
    low, step, top, slack = rational(written[0]), rational(written[1]), whole(written[2]), rational(written[3])
    found = bounds_of(function, columns)
    require(step > 0 and top >= 1, "a grid has no steps")
    require(rows * top < LARGEST_SUM, "the step of a grid is too small for a sum")
    require(low <= found.true[0] and low + step * top >= found.true[1], "a function can lie outside its grid")
    needed = found.slack + (0 if _lies_on(found, low, step) else step / 2)
    require(slack >= needed, "a function can be further from the truth than is said")
    kind = "date" if function.kind == "date" else "real"
    return Column(kind, top, low=low, step=step, slack=slack)


def _lies_on(found: Bounds, low: Fraction, step: Fraction) -> bool:
    """Whether all values are on a grid."""
    return found.pitch is not None and ((found.low - low) / step).denominator == (found.pitch / step).denominator == 1


def public_number(
    aggregate: Aggregate, function: Function, columns: Columns, cells: Iterable[tuple[Mapping[str, int], int]]
) -> Fraction | None:
    """A number about public columns only: their keys in every cell, and how many rows it has."""
    values: list[tuple[Fraction, int]] = []
    for codes, rows in cells:
        value = value_of(function, codes, columns)
        values += [(value, rows)] if isinstance(value, Fraction) else []
    people, total = sum(rows for _, rows in values), sum((value * rows for value, rows in values), Fraction(0))
    match aggregate[0]:
        case "sum":
            return total
        case _ if not people:
            return None
        case "avg":
            return total / people
        case "var_pop" | "var_samp":
            squares = sum(((value - total / people) ** 2 * rows for value, rows in values), Fraction(0))
            rest = people - (aggregate[0] == "var_samp")
            return squares / rest if rest else None
        case "percentile_cont":
            return _between(sorted(values), rational(aggregate[2]) * (people - 1))
        case "kth":
            rank = max(1, ceil(rational(aggregate[2]) * people))
            for value, rows in sorted(values):
                rank -= rows
                if rank <= 0:
                    return value
    raise WrongCertificateError("a deviation of public columns is not reported")


def _between(values: list[tuple[Fraction, int]], place: Fraction) -> Fraction:
    """The number at a place, counted from 0. Between two places it lies between their numbers."""
    found = []
    for rank in (floor(place), ceil(place)):
        for value, rows in values:
            rank -= rows
            if rank < 0:
                found.append(value)
                break
    return found[0] + (place - floor(place)) * (found[1] - found[0])


def lies_on(function: Function, columns: Columns, grid: Column) -> bool:
    """Whether all values of a function are numbers of the codes of a grid."""
    return _lies_on(bounds_of(function, columns), grid.low, grid.step)
