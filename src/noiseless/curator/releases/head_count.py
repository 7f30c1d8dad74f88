"""How many rows a private condition picks out."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from noiseless.curator.plan.condition import Within
from noiseless.curator.plan.part import Part
from noiseless.curator.releases.release import Need, Numbers, Released, rounded_count
from noiseless.curator.releases.reported import Reported
from noiseless.curator.schema.schema import Private
from noiseless.privacy.composition.questions import ExactThreshold, OtherQuestion
from noiseless.privacy.composition.several_rows import predicate_answers


@dataclass(frozen=True, slots=True)
class HeadCount:
    """COUNT under a private condition, of the rows or of the values that are not missing.

    It is exact, unless a policy rounds counts: then in bins of w, with as many answers. `column` is the column of the
    condition, if that is the same condition on one column in all cells.

    Guarantee: 2 answers, counted or not; r + 1 with r rows.
    Source: theory §6, the integer model: docs/sql.md
    """

    part: Part
    column: Private | None
    counted: str | None = None

    @property
    def reads(self) -> tuple[str, ...]:
        """The columns of the condition."""
        return self.part.reads()

    @property
    def widest(self) -> int:
        """Exact counts cost no more than coarse ones."""
        return 1

    def answers(self, width: int, rows: int = 1) -> int:
        """None to all of the person's rows."""
        return predicate_answers(rows)

    def stated(self, width: int, rows: int = 1) -> str:
        """The rule, with its numbers."""
        each = "" if rows == 1 else f", none to all of {rows} rows"
        return f"an exact count of a private condition: {self.answers(width, rows)} answers{each}"

    def width_within(self, error: Fraction, function: str) -> int:
        """Exact."""
        return 1

    def error(self, width: int, function: str) -> Fraction | None:
        """None at all, unless counts are rounded."""
        return Fraction(width - 1, 2)

    def question(self, width: int) -> ExactThreshold | OtherQuestion:
        """A threshold confines everybody to one side; other conditions are booked with their truth changes."""
        column = self.column
        match self.part.condition:
            case Within(name, ((first, last),)) if column and not column.apart and (first == 0 or last == column.top):
                return ExactThreshold(name, first or last + 1, column.values)
        return OtherQuestion(self.reads, 2, max(1, self.part.changes))

    def needs(self, width: int) -> tuple[Need, ...]:
        """The number of rows."""
        return (("count", self.counted),)

    def observe(self, width: int, numbers: Numbers) -> Released:
        """The number of rows, in bins of w."""
        return (numbers["count", self.counted] // width,)

    def report(self, width: int, released: Released, function: str) -> Reported | None:
        """The number of rows."""
        return rounded_count(released[0], width, self.part.size)
