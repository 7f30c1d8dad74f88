"""What a number of a question is about: a column, a column in other units, or a function of the row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import ceil, floor

from noiseless.curator.engines.dialects import InDuckDB
from noiseless.curator.plan.functions.arithmetic import Affine
from noiseless.curator.plan.functions.function import Function
from noiseless.curator.plan.plan import Aggregate
from noiseless.curator.schema.dates import Date
from noiseless.curator.schema.scale import Scale
from noiseless.errors import QuestionError

ANY_DIALECT = InDuckDB()
"""A dialect for trying whether a function fits into whole numbers. The answer is the same for all engines."""


@dataclass(frozen=True, slots=True)
class About:
    """The column behind a number, its name, and how far a value can be from the number of its code.

    Values are reported as factor·x + shift. `of` is the function of a computed column.
    """

    name: str
    column: Scale
    rounding: Fraction
    share: Fraction = Fraction(0)
    factor: Fraction = Fraction(1)
    shift: Fraction = Fraction(0)
    of: Function | None = None


def in_units(aggregate: Aggregate, found: Affine, plain: bool) -> bool:
    """Whether the number follows from the same number of the column in its own units.

    A sum does not if every row adds a constant and rows may be left out. A quantile from the other end does not, unless
    it is the least or the greatest. Quantiles of dates are days, which are not shifted.
    """
    match aggregate.function:
        case "SUM":
            return plain or not found.shift
        case "ORDER":
            dates = isinstance(found.column.column, Date)
            return not dates and (found.factor > 0 or aggregate.share in (0, 1))
    return True


def public_number(
    aggregate: Aggregate, function: Function, cells: Iterable[tuple[Mapping[str, int], int]]
) -> Fraction | None:
    """A number about public columns only, from the keys of the public cells and their numbers of rows."""
    found: dict[Fraction, int] = {}
    for codes, rows in cells:
        value = function.value(codes)
        if isinstance(value, Fraction):
            found[value] = found.get(value, 0) + rows
    people, total = sum(found.values()), sum((value * rows for value, rows in found.items()), Fraction(0))
    if aggregate.function == "SUM":
        return total
    if not people:
        return None
    match aggregate.function:
        case "AVG":
            return total / people
        case "ORDER":
            return _at(found, Fraction(max(1, ceil(aggregate.share * people)) - 1))
        case "PERCENTILE_CONT":
            return _at(found, aggregate.share * (people - 1))
        case "VAR_POP" | "VAR_SAMP":
            squares = sum((value**2 * rows for value, rows in found.items()), Fraction(0)) - total**2 / people
            rest = people - (aggregate.function == "VAR_SAMP")
            return squares / rest if rest else None
    raise QuestionError(
        f"{aggregate.function} of public columns is not released; compute it from the public groups and their sizes"
    )


def _at(found: Mapping[Fraction, int], place: Fraction) -> Fraction:
    """The number at a place, counted from 0. Between two places it lies between their numbers."""
    ranked = sorted(found)
    ends = dict(zip(ranked, accumulate(found[value] for value in ranked), strict=True))
    below, above = (next(value for value in ranked if ends[value] > rank) for rank in (floor(place), ceil(place)))
    return below + (place - floor(place)) * (above - below)
