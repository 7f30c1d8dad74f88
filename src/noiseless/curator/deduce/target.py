"""What a number of a question is, whichever release would answer it: a function of a column over some rows."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any

from noiseless.curator.deduce.cuts import Read
from noiseless.curator.deduce.rows import Grid
from noiseless.curator.deduce.weights import Measured, Shifted, weight_of
from noiseless.curator.plan.compare import compared
from noiseless.curator.plan.condition import Condition, Missing, Within, every
from noiseless.curator.plan.functions.leaves import Constant
from noiseless.curator.plan.plan import DISTINCT
from noiseless.curator.question.line import Asked
from noiseless.curator.releases.centred import Centred
from noiseless.curator.releases.distinct_count import DistinctCount
from noiseless.curator.releases.histogram import TallyOfCategory
from noiseless.curator.releases.of_column import OfColumn
from noiseless.curator.releases.release import Release
from noiseless.curator.schema.schema import Schema


@dataclass(frozen=True, slots=True)
class Target:
    """A `function` over the rows of some public cells that meet a condition."""

    function: str
    cells: frozenset[int]
    size: int
    condition: Condition
    of: Measured | Shifted | None = None
    rounding: Fraction = Fraction(0)
    share: Fraction = Fraction(0)

    @property
    def read(self) -> tuple[Read, ...]:
        """What it reads."""
        return Read((self.condition,)), *([] if self.of is None else [self.of.read])

    @property
    def straight(self) -> Read | None:
        """The column cut so that the least and the greatest value are linear in the codes of a run.

        Values that are off the grid are clamped to the bounds, so there is a bend beside each bound. Functions have no
        codes to cut. None if nothing bends.
        """
        if not (self.function in ("SUM", "AVG") and self.rounding and isinstance(self.of, Measured)):
            return None
        bend = ceil(self.rounding / self.grid.step)
        return self.of.cut([each for each in (bend, self.of.top - bend + 1) if 0 <= each <= self.of.top])

    @property
    def grid(self) -> Grid:
        """The numbers of its codes."""
        assert self.of is not None
        if isinstance(self.of, Shifted):
            return Grid(Fraction(self.of.least), Fraction(self.of.most), Fraction(1), Fraction(0))
        column = self.of.column
        return Grid(column.low, column.high, column.step, self.rounding)

    @property
    def presented(self) -> Any:
        """The column, if the number is a value of it, which may be a date."""
        dated = self.function == "ORDER" and isinstance(self.of, Measured)
        return self.of.column if dated else None  # type: ignore[union-attr]


def target_of(number: Asked, schema: Schema) -> Target:
    """What a number is."""
    release, function = number.release.itself.unrefined, number.function
    part = release.part
    given = frozenset(part.cells), part.size
    if release.cells_of is not None:
        word, _, cell = function.rpartition(" ")
        condition = every([part.condition, _in_cell(release, int(cell))])
        of = Measured(release.of, release.column) if word not in ("", "COUNT") else None  # type: ignore[attr-defined]
        rounding = release.rounding if of is not None else Fraction(0)  # type: ignore[attr-defined]
        return Target(word or "COUNT", *given, condition, of, rounding)
    match release:
        case TallyOfCategory(_, name, column):
            place = int(function)
            value = Within(name, ((place, place),)) if place <= column.top else Missing(name)
            return Target("COUNT", *given, every([part.condition, value]))
        case DistinctCount():
            return Target(DISTINCT, *given, part.condition, _values_of(release, schema))
        case OfColumn():
            share = getattr(release, "share", Fraction(0))
            of = Measured(release.name, release.column)
            return Target(function, *given, part.condition, of, release.rounding, share)
    return Target("COUNT", *given, part.condition)


def _in_cell(release: Release, cell: int) -> Condition:
    assert release.cells_of is not None
    return compared("=", release.cells_of[0].function, Constant(Fraction(cell)))


def _values_of(release: DistinctCount, schema: Schema) -> Measured | None:
    column = release.function or schema.private.get(release.name)
    return None if column is None else Measured(release.name, column)


def sum_of(release: Release) -> Target:
    """The sum that a release of two columns needs, or the number of rows."""
    part = release.part
    given = frozenset(part.cells), part.size, part.condition
    if release.is_count:
        return Target("COUNT", *given)
    assert isinstance(release, Centred)
    return Target("SUM", *given, Shifted(*weight_of(release)))
