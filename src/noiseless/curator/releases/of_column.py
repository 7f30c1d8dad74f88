"""What all releases about the values of one column have in common."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable
from dataclasses import dataclass, field
from fractions import Fraction

from noiseless.curator.plan.functions.derived import Derived
from noiseless.curator.plan.part import Part
from noiseless.curator.releases.addend import Addend
from noiseless.curator.releases.meaning import Meaning
from noiseless.curator.releases.release import Release, Width, as_bins, guarded_question, is_guarded, pieces
from noiseless.curator.releases.weights import Measured
from noiseless.curator.releases.written import Fields
from noiseless.curator.schema.scale import Scale
from noiseless.curator.schema.schema import Schema
from noiseless.privacy.composition.questions import Counted, OtherQuestion


@dataclass(frozen=True, slots=True)
class OfColumn(Release):
    """A number about a column of some rows. `rounding` is how far a value can be from the number of its code."""

    part: Part
    name: str
    column: Scale = field(hash=False)
    rounding: Fraction = field(hash=False)

    @property
    def reads(self) -> tuple[str, ...]:
        """The column, or the columns that it is computed from, and the columns of the condition."""
        return self.part.reads(*self.column.sources(self.name))

    @property
    def computed(self) -> tuple[Derived, ...]:
        """The column, if it is computed for the question."""
        return (self.column,) if isinstance(self.column, Derived) else ()

    @property
    def measured_column(self) -> Measured:
        """The column by its name."""
        return Measured(self.name, self.column)

    def meaning(self, function: str, schema: Schema) -> Meaning:
        """What a number means: a function of the column."""
        return Meaning(function, self.part.condition, self.measured_column, self.rounding)

    def question(self, width: Width) -> Counted:
        """How the ledger books it. A function of a row shrinks nothing, and may turn at every code.

        One of public columns turns only with the condition.
        """
        if self.column.own:
            return self._booked(width)
        if is_guarded(width):
            return guarded_question(self, as_bins(width))
        count = self.answers(width)
        [column] = self.computed
        turns = column.states - 1 if column.reads else self.part.changes
        return OtherQuestion(self.reads, count, pieces(turns, count) if len(self.reads) == 1 else 1)

    def _adds(self, width: Width, unit: int = 1) -> tuple[Addend]:
        """A row adds a multiple of its code. It can meet at most two guarded bins, whatever their width is."""
        bins, reads = as_bins(width), self.column.sources(self.name)
        wide = 1 if bins.guard else bins.wide
        return (Addend(self.name, reads, self.column.own, self.column.top, unit, wide, self.answers(width)),)

    @abstractmethod
    def _booked(self, width: Width) -> Counted:
        """How the ledger books a number about a column of the table."""

    def _own_fields(self) -> Fields:
        return {"column": self.name, **self.column.grid}

    @property
    def _apart(self) -> Hashable:
        return self.name, id(self.column)
