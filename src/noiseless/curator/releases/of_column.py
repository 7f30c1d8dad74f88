"""What all numbers about the values of one column have."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from noiseless.curator.plan.part import Part
from noiseless.curator.releases.release import Release
from noiseless.curator.releases.written import Fields
from noiseless.curator.schema.scale import Scale


@dataclass(frozen=True, slots=True)
class OfColumn(Release):
    """A number about a column of some rows. `rounding` is how far a value can be from the number of its code."""

    part: Part
    name: str
    column: Scale = field(hash=False)
    rounding: Fraction = field(hash=False)

    @property
    def reads(self) -> tuple[str, ...]:
        """The column and the columns of the condition."""
        return self.part.reads(self.name)

    def _own_fields(self) -> Fields:
        return {"column": self.name}
