"""How many different values some rows have."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar

from noiseless.curator.plan.functions.derived import Derived
from noiseless.curator.plan.part import Part
from noiseless.curator.plan.plan import DISTINCT
from noiseless.curator.releases.meaning import Meaning
from noiseless.curator.releases.release import Need, Numbers, Release, Released, Width
from noiseless.curator.releases.reported import Reported
from noiseless.curator.releases.weights import Measured
from noiseless.curator.releases.written import Fields
from noiseless.curator.schema.schema import Schema
from noiseless.privacy.composition.questions import OtherQuestion
from noiseless.privacy.composition.several_rows import predicate_answers


@dataclass(frozen=True, slots=True)
class DistinctCount(Release):
    """COUNT(DISTINCT x) of a column or of a function of the row: how many different codes occur. It is exact.

    Guarantee: 2 answers, because a row adds at most one code to those of the others; r + 1 with r rows. It is not
    monotone: it may change with every code, so rule A counts one jump for each code.
    Source: theory §12, COUNT(DISTINCT e): docs/sql.md
    """

    kind: ClassVar[str] = "distinct count"
    part: Part
    name: str
    private: tuple[str, ...]
    """The private columns that the values depend on."""
    states: int = field(hash=False)
    """How many different values all columns that it reads can have together."""
    function: Derived | None = field(default=None, hash=False)
    """The function of the row whose values are counted, if it is not a column."""

    @property
    def reads(self) -> tuple[str, ...]:
        """The column, or the columns that it is computed from, and the columns of the condition."""
        return self.part.reads(*self.private)

    @property
    def computed(self) -> tuple[Derived, ...]:
        """The function, if there is one."""
        return () if self.function is None else (self.function,)

    def meaning(self, function: str, schema: Schema) -> Meaning:
        """The number of different values of a column or of a function of the row.

        Texts have codes, so they work, too.
        """
        column = self.function or schema.private.get(self.name)
        return Meaning(DISTINCT, self.part.condition, None if column is None else Measured(self.name, column))

    @property
    def widest(self) -> int:
        """Always 1: it is exact."""
        return 1

    @property
    def largest(self) -> int:
        """The most different values: one for each row."""
        return self.part.size

    def answers(self, width: Width, rows: int = 1) -> int:
        """None to all of the person's rows add a new value."""
        return predicate_answers(rows)

    def stated(self, width: Width, rows: int = 1) -> str:
        """The rule, with its numbers."""
        each = "a row adds a value or none" if rows == 1 else f"none to all of {rows} rows add a value"
        return f"an exact number of different values: {self.answers(width, rows)} answers, {each}"

    def width_within(self, error: Fraction, function: str, people: int | None = None) -> int:
        """Always 1: it is exact."""
        return 1

    def error(self, width: Width, function: str, people: int | None = None) -> Fraction | None:
        """0: it is exact."""
        return Fraction(0)

    def question(self, width: Width) -> OtherQuestion:
        """How the ledger books it. No range of values shrinks, and it may change with every value."""
        return OtherQuestion(self.reads, 2, max(1, self.states - 1) if len(self.reads) == 1 else 1)

    def _own_fields(self) -> Fields:
        return {"column": self.name, **({} if self.function is None else self.function.grid)}

    def needs(self, width: Width) -> tuple[Need, ...]:
        """The number of different codes."""
        return (("distinct", self.name),)

    def integer(self, numbers: Numbers) -> int:
        """The number of different codes."""
        return int(numbers["distinct", self.name])

    def report(self, width: Width, released: Released, function: str) -> Reported | None:
        """The number itself."""
        return Reported(released[0], released[0], released[0])
