"""A number or date, released as its cell between declared cut points, such as under 18, 18 to 64, and 65 or more."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import ceil
from typing import Any

import numpy as np

from noiseless.curator.microdata.columns import Cells, as_date, days_of, double
from noiseless.curator.microdata.prior import Shares, fine_cells
from noiseless.curator.schema.dates import Date, days
from noiseless.curator.schema.scale import Scale
from noiseless.errors import InputError, SchemaError
from noiseless.exact.number import exact_number
from noiseless.exact.rounding import float_down, float_up
from noiseless.privacy.composition.questions import OtherQuestion, Single

MOST_CUTS = 1000


@dataclass(frozen=True, slots=True)
class CutCells(Cells):
    """Cells of different widths. `width` is the largest of them, and `starts` are their first codes.

    With a prior, `halves` are twice the codes that are reported: the mean of the prior in each cell, to half a step.

    Guarantee: one cell for each start, and one more if missing values are kept separate.
    """

    starts: tuple[int, ...]
    halves: tuple[int, ...] = ()

    @property
    def cells(self) -> int:
        """How many cells there are: one more than cut points."""
        return len(self.starts)

    @property
    def smallest(self) -> int:
        """The fewest codes of a cell."""
        return 1 if self.column.apart else min(self.end_of(place) - first for place, first in enumerate(self.starts))

    @property
    def error(self) -> Fraction:
        """The largest distance of a report from the further end of its cell. A date between two days adds one day."""
        ends = ((first, self.end_of(place) - 1, self.half_of(place)) for place, first in enumerate(self.starts))
        half = Fraction(max(max(half - 2 * first, 2 * last - half) for first, last, half in ends), 2) * self.column.step
        if isinstance(self.column, Date):
            half = Fraction(-(-half.numerator // half.denominator))
        return half + self.rounding

    def half_of(self, place: int) -> int:
        """Twice the code that is reported for a cell."""
        return self.halves[place] if self.halves else self.starts[place] + self.end_of(place) - 1

    def fields(self) -> dict[str, Any]:
        """The first code of each cell, and with a prior what is reported."""
        starts = [str(first) for first in self.starts]
        means = {"values": [str(value) for value in self.middles()]} if self.halves else {}
        return {"column": self.name, "cells from": starts, **means, "answers": str(self.answers)}

    @property
    def question(self) -> Single:
        """How the ledger books it. Cells of different widths only count, and confine nobody."""
        return OtherQuestion((self.name,), self.answers)

    def end_of(self, place: int) -> int:
        """The first code after a cell."""
        return (*self.starts, self.column.top + 1)[place + 1]

    def place_of(self, code: int) -> int:
        """The cell that a code lies in."""
        return bisect_right(self.starts, code) - 1

    def outputs(self, code: Any, intervals: bool) -> dict[str, Any]:
        """The middle of the cell, and its ends widened by the rounding of codes. The outermost ends are the bounds."""
        column, last = self.column, self.cells - 1
        made = {self.name: self._chosen(code, self.middles())}
        if intervals:
            lower = [column.number(first) - self.margin for first in self.starts]
            upper = [column.number(self.end_of(place) - 1) + self.margin for place in range(self.cells)]
            lower[0], upper[last] = Fraction(float_down(column.low)), Fraction(float_up(column.high))
            made[f"{self.name}_lower"] = self._chosen(code, lower)
            made[f"{self.name}_upper"] = self._chosen(code, upper)
        return made

    def first_sql(self, code: str) -> str:
        """The first code of the cell."""
        return self._cases(code, [str(first) for first in self.starts])

    def middle_sql(self, code: str) -> str:
        """Twice the middle code of the cell."""
        return self._cases(code, [str(self.half_of(place)) for place in range(self.cells)])

    def middle_of(self, place: int) -> Fraction:
        """What is reported for a cell. Between two days, the earlier one."""
        found = self.column.number(Fraction(self.half_of(place), 2))
        return Fraction(found // 1) if isinstance(self.column, Date) else found

    def _cases(self, code: str, texts: list[str]) -> str:
        ends = (f"WHEN {code} < {self.end_of(place)} THEN {text}" for place, text in enumerate(texts))
        return f"(CASE {' '.join(ends)} END)"

    def _chosen(self, code: Any, numbers: list[Fraction]) -> Any:
        import ibis

        literal = days_of if isinstance(self.column, Date) else double
        made = ibis.cases(*((code < self.end_of(place), literal(number)) for place, number in enumerate(numbers)))
        return as_date(made) if isinstance(self.column, Date) else made


def cut(name: str, column: Any, rounding: Fraction, given: Any, shares: Shares | None = None) -> CutCells:
    """The cells between declared cut points. Values are rounded to steps first. A value on a cut is above it."""
    if not isinstance(column, Scale):
        raise SchemaError(f"cuts of {name!r}: only numbers and dates have cut points; give a hierarchy instead")
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise SchemaError(f"cuts of {name!r} must be a list, such as [18, 65]")
    try:
        points = [days(point) if isinstance(column, Date) else exact_number(point) for point in given]
    except InputError as wrong:
        raise SchemaError(f"cuts of {name!r}: {wrong}") from None
    starts = [0, *(ceil(column.position(point)) for point in points)]
    if not 1 <= len(points) <= MOST_CUTS or not all(one < two for one, two in pairwise([*starts, column.top + 1])):
        raise SchemaError(
            f"cuts of {name!r} must rise by at least a step each, and lie above low={column.show(column.low)} and not "
            f"above high={column.show(column.high)}"
        )
    return _cells(name, column, rounding, starts, shares)


def cells_of_prior(name: str, column: Scale, rounding: Fraction, cells: int, shares: Shares) -> CutCells:
    """Cells that are small where the custodian expects much.

    This number of cells cannot have a smaller expected width.
    """
    weights = shares.of(name)[: column.top + 1]
    *_, labels = fine_cells(np.zeros(column.top + 1, np.int64), weights, cells)
    starts = np.flatnonzero(np.concatenate([[True], labels[1:] != labels[:-1]]))
    return _cells(name, column, rounding, starts.tolist(), shares)


def _cells(name: str, column: Scale, rounding: Fraction, starts: list[int], shares: Shares | None) -> CutCells:
    """The cells with these first codes. With a prior, what is reported is its mean in each."""
    ends = list(pairwise([*starts, column.top + 1]))
    width = max(end - first for first, end in ends)
    halves = () if shares is None else tuple(_mean(shares.parts[name], first, end) for first, end in ends)
    return CutCells(name, column, width, rounding, tuple(starts), halves)


def _mean(parts: Sequence[int], first: int, end: int) -> int:
    """Twice the mean code of a prior between two codes, rounded. The middle, if it puts nothing there."""
    own = parts[first:end]
    total = sum(own)
    if not total:
        return first + end - 1
    return round(Fraction(2 * sum(code * part for code, part in zip(range(first, end), own, strict=True)), total))
