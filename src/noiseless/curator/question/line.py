"""The lines of an answer, and where each number in them comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from noiseless.curator.plan.condition import TRUE, Condition
from noiseless.curator.plan.functions.derived import Derived
from noiseless.curator.plan.group import Shown
from noiseless.curator.plan.plan import Aggregate
from noiseless.curator.releases.centred import report_centred
from noiseless.curator.releases.pair import Pair
from noiseless.curator.releases.release import Paid, Release, Released, Width
from noiseless.curator.releases.reported import Reported
from noiseless.curator.releases.spread import SPREADS, VARIANCES
from noiseless.privacy.quantizers.ladder import Ladder

ENOUGH = 2
"""With this many rows every number exists, also a variance of a sample."""


@dataclass(frozen=True, slots=True)
class Known:
    """A public number. SUM over zero rows is 0, and other functions except COUNT are None."""

    value: int | Fraction | None
    cells: int = 0
    """If it is a number of one cell of private groups by itself, the number of all cells."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A number computed from a release, and others `beside` it, by the function that was asked for.

    In other units it is reported as factor·number + shift.
    """

    release: Release
    function: str
    beside: tuple[Release, ...] = ()
    factor: Fraction = Fraction(1)
    shift: Fraction = Fraction(0)
    pair: Pair | None = None
    """The function of two columns, if the number is one."""
    both: Condition = TRUE
    """The condition that both columns have a value, for a function of two columns, or that a row is in its cell."""
    cells: int = 0
    """The number of all cells, if this is a number of one cell of private groups by itself."""

    @property
    def in_steps(self) -> bool:
        """Whether its bins follow from what comes out of an earlier release."""
        return bool(self.beside) and self.pair is None

    @property
    def grids(self) -> tuple[Derived | None, ...]:
        """The grids of the columns that are computed for it, in the order of the text."""
        if self.pair is None:
            return self.release.measured
        return tuple(each.column if isinstance(each.column, Derived) else None for each in self.pair.sides)

    def __hash__(self) -> int:
        return hash((self.function, self.release.part))

    @property
    def releases(self) -> tuple[Release, ...]:
        """All releases, in the order in which they are released."""
        return *self.beside, self.release

    def report(self, widths: Mapping[Release, Width], released: Mapping[Paid, Released]) -> Reported | None:
        """The number, from what was released."""
        found = [(each, widths[each], released[each, widths[each]]) for each in self.releases]
        if self.pair is not None:
            return self.pair.report(found, self.release.part.size)
        if not self.beside:
            [(release, width, numbers)] = found
            return self.in_units(release.report(width, numbers, self.function))
        return self.in_units(report_centred(found, self.function))

    def sure(self, widths: Mapping[Release, Width], released: Mapping[Paid, Released]) -> bool:
        """Whether the number certainly exists: enough rows count, and no divisor may be 0."""
        if self.pair is not None:
            return False
        if not self.beside:
            return self.release.part.plain or not isinstance(widths[self.release], Ladder)
        counted = self.beside[0]
        people = counted.report(widths[counted], released[counted, widths[counted]], "COUNT")
        return people is not None and people.lower >= ENOUGH

    @property
    def unit(self) -> Fraction:
        """One unit of the release, in the unit that is reported."""
        if self.factor == 1:
            return self.factor
        return self.factor**2 if self.function in VARIANCES else abs(self.factor)

    def own_error(self, error: Fraction) -> Fraction:
        """An error in the unit of the release."""
        return error / self.unit

    def in_units(self, number: Reported | None) -> Reported | None:
        """A number of the release in the units that are reported."""
        if number is None or (self.factor == 1 and not self.shift):
            return number
        factor = self.unit if self.function in SPREADS else self.factor
        ends = sorted(factor * end + self.shift for end in (number.lower, number.upper))
        return Reported(factor * number.value + self.shift, *ends)


@dataclass(frozen=True, slots=True)
class Line:
    """One row of the answer: its keys, the codes of its public keys, and where each number comes from."""

    keys: Mapping[str, Shown]
    group: tuple[int, ...]
    numbers: Mapping[Aggregate, Known | Asked]
    select: int = 0
    """The place of its SELECT in UNION ALL."""


def releases_of(line: Line) -> list[Release]:
    """What a line needs from the data, each release once, in the order of its numbers."""
    asked = (number for number in line.numbers.values() if isinstance(number, Asked))
    return list(dict.fromkeys(release for number in asked for release in number.releases))
