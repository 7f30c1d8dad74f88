"""How many rows have each value of a private column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from noiseless.curator.plan.condition import Missing, Within, every
from noiseless.curator.plan.part import Part
from noiseless.curator.releases.addend import Addend
from noiseless.curator.releases.meaning import Meaning
from noiseless.curator.releases.release import Need, Numbers, Released, Width
from noiseless.curator.releases.tally import Tally
from noiseless.curator.releases.written import Fields
from noiseless.curator.schema.schema import Private, Schema
from noiseless.privacy.composition.questions import ExactHistogram, OtherQuestion


@dataclass(frozen=True, slots=True)
class TallyOfCategory(Tally):
    """COUNT(*) grouped by one private column. The counts are in the order of the declared values.

    They are exact, unless a policy rounds counts. Then they are in bins of w, with the same number of answers.

    Guarantee: D answers, one for each value; D + 1 under a private condition; with r rows the ways to distribute them.
    Source: theory §6, the integer model: docs/sql.md
    """

    kind: ClassVar[str] = "histogram"
    part: Part
    name: str
    column: Private

    @property
    def reads(self) -> tuple[str, ...]:
        """The column and the columns of the condition."""
        return self.part.reads(self.name)

    @property
    def values_of(self) -> tuple[str, int]:  # type: ignore[override]
        """The column."""
        return self.name, self.column.values

    def meaning(self, function: str, schema: Schema) -> Meaning:
        """What a number means: how many rows have one value, or a missing one."""
        place = int(function)
        value = Within(self.name, ((place, place),)) if place <= self.column.top else Missing(self.name)
        return Meaning("COUNT", every([self.part.condition, value]))

    @property
    def places(self) -> int:
        """The values, and missing ones if they are kept separate."""
        return self.column.values

    def stated(self, width: Width, rows: int = 1) -> str:
        """The rule, with its numbers."""
        assert isinstance(width, int)
        values, count = self.column.values + (not self.part.plain), self.answers(width, rows)
        if rows == 1:
            return f"an exact histogram: one answer for each value that a person can have, {count}"
        return f"an exact histogram: one answer for each way to distribute {rows} rows over {values} values, {count}"

    def question(self, width: Width) -> ExactHistogram | OtherQuestion:
        """How the ledger books it. Given the others' values, everybody's value is known. Under a condition none is."""
        assert isinstance(width, int)
        if self.part.plain:
            return ExactHistogram(self.name, self.column.values)
        return OtherQuestion(self.reads, self.answers(width))

    def addends(self, width: Width) -> tuple[Addend, ...]:
        """A row adds its code in bins of one code: each value leads to its own answer."""
        values = self.column.values
        return (Addend(self.name, (self.name,), True, values - 1, 1, 1, values),)

    @classmethod
    def how_many(cls, family: Fields, schema: Schema) -> int:
        """One number for every value."""
        return schema.private[family["column"]].values

    def _own_fields(self) -> Fields:
        return {"column": self.name}

    def needs(self, width: Width) -> tuple[Need, ...]:
        """The number of rows with every value."""
        return (("tally", self.name, 1),)

    def observe(self, width: Width, numbers: Numbers) -> Released:
        """The counts of all declared values, and of missing values if they are kept separate."""
        assert isinstance(width, int)
        tally = numbers["tally", self.name, 1]
        codes: list[int | None] = [*range(self.column.top + 1), *([None] if self.column.apart else [])]
        return tuple(tally.get(code, 0) // width for code in codes)
