"""What a number of a question is, whichever release would answer it: a function of a column over some rows."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any

from noiseless.curator.deduce.rows import Grid
from noiseless.curator.plan.condition import Condition
from noiseless.curator.plan.read import Read
from noiseless.curator.question.line import Asked
from noiseless.curator.releases.release import Release
from noiseless.curator.releases.weights import Measured, Shifted
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
        """The columns and functions that it reads, and where they are cut."""
        return Read((self.condition,)), *([] if self.of is None else [self.of.read])

    @property
    def straight(self) -> Read | None:
        """What it reads, cut so that the least and the greatest value are linear in the codes of a run.

        Values that are off the grid are clamped to the bounds, so there is a bend beside each bound. Functions have no
        codes to cut. None if nothing bends.
        """
        of = self.column
        if of is None or self.function not in ("SUM", "AVG") or not self.rounding:
            return None
        bend = ceil(self.rounding / self.grid.step)
        return of.cut([each for each in (bend, of.top - bend + 1) if 0 <= each <= of.top])

    @property
    def grid(self) -> Grid:
        """The grid: the numbers that its codes stand for."""
        assert self.of is not None
        return Grid(*self.of.scale, self.rounding)

    @property
    def presented(self) -> Any:
        """The column, if the number is one of its values, which may be dates. Otherwise None."""
        return self.column.column if self.column is not None and self.function == "ORDER" else None

    @property
    def column(self) -> Measured | None:
        """The column whose values it is a function of. None if only the number of rows matters."""
        return self.of if isinstance(self.of, Measured) else None


def target_of(number: Asked, schema: Schema) -> Target:
    """What a number of a question is about."""
    release = number.release.itself.unrefined
    part, said = release.part, release.meaning(number.function, schema)
    given = frozenset(part.cells), part.size
    return Target(said.function, *given, said.condition, said.of, said.rounding, said.share)


def sum_of(release: Release) -> Target:
    """The sum that a release of two columns needs, or the number of rows."""
    part, added = release.part, release.added()
    given = frozenset(part.cells), part.size, part.condition
    return Target("COUNT", *given) if added is None else Target("SUM", *given, Shifted(*added))
