"""How many rows a private condition selects."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from fractions import Fraction
from math import floor
from typing import ClassVar

from noiseless.curator.plan.condition import Within, is_simple
from noiseless.curator.plan.functions.derived import Derived
from noiseless.curator.plan.part import Part
from noiseless.curator.releases.addend import Addend
from noiseless.curator.releases.release import (
    Need,
    Numbers,
    Release,
    Released,
    Width,
    as_bins,
    guarded_question,
    guarded_words,
    is_guarded,
    rounded_count,
)
from noiseless.curator.releases.reported import Reported
from noiseless.curator.releases.written import Fields
from noiseless.curator.schema.categories import Category
from noiseless.curator.schema.derived import is_derived
from noiseless.curator.schema.schema import Private, Schema
from noiseless.privacy.composition.guarded import GuardedOther
from noiseless.privacy.composition.questions import ExactThreshold, OtherQuestion
from noiseless.privacy.composition.several_rows import predicate_answers
from noiseless.privacy.quantizers.guarded import Bins


@dataclass(frozen=True, slots=True)
class HeadCount(Release):
    """COUNT under a private condition, of rows or of values that are not missing.

    It is exact, unless a policy rounds counts or an error was asked for. Then it is in bins of w, equal or guarded.
    `column` is the column of the condition, if all cells have the same condition on one column.

    Guarantee: 2 answers, counted or not; r + 1 with r rows. In guarded bins 2.
    Source: theory §6, the integer model, and §11: docs/sql.md
    """

    kind: ClassVar[str] = "head count"
    is_count: ClassVar[bool] = True
    part: Part
    column: Private | None = field(hash=False)
    counted: str | None = None
    function: Derived | None = field(default=None, hash=False)
    """The function whose values are counted."""

    @property
    def reads(self) -> tuple[str, ...]:
        """The columns of the condition."""
        return self.part.reads()

    @property
    def computed(self) -> tuple[Derived, ...]:
        """The function, if there is one."""
        return () if self.function is None else (self.function,)

    @property
    def widest(self) -> int:
        """Always 1: in bins of one width, exact counts cost no more than coarse ones."""
        return 1

    def answers(self, width: Width, rows: int = 1) -> int:
        """None to all of the person's rows."""
        if isinstance(width, Bins):
            return min(2, width.place(self.part.size) + 1)
        return predicate_answers(rows)

    def window(self, rows: int = 1) -> int | None:
        """None to all of the person's rows."""
        return rows + 1

    def wide_within(self, error: Fraction, function: str) -> int:
        """2·error + 1 numbers of rows."""
        return min(self.part.size + 1, floor(2 * error) + 1)

    def stated(self, width: Width, rows: int = 1) -> str:
        """The rule, with its numbers."""
        if isinstance(width, Bins):
            return guarded_words("a count of a private condition", width, rows + 1)
        each = "" if rows == 1 else f", none to all of {rows} rows"
        return f"an exact count of a private condition: {self.answers(width, rows)} answers{each}"

    @property
    def attained(self) -> bool:
        """True if ranges of one column decide the condition, which is then sometimes true and sometimes false."""
        return self.column is not None and is_simple(self.part.condition) and not is_derived(self.column)

    def group_bound(self, width: Width, rows: int) -> tuple[Fraction, Fraction] | None:
        """Each row counts once or not at all."""
        return None if is_guarded(width) else (Fraction(rows), Fraction(1))

    def levels(self, width: Width) -> int | None:
        """The number of possible counts: from none to all rows."""
        return width.place(self.part.size) + 1 if isinstance(width, Bins) else self.part.size + 1

    def addends(self, width: Width) -> tuple[Addend, ...]:
        """A row adds nothing: only who counts matters."""
        return ()

    def row_counts(self, width: Width, released: Released) -> tuple[Released, Width] | None:
        """How many rows count."""
        return released, width

    @property
    def identity(self) -> Hashable:
        """The rows and their condition: two counts of the same rows are equal, however they are named."""
        return self.kind, self.part

    @classmethod
    def window_of(cls, family: Fields, top: int) -> int:
        """1: a row counts or not."""
        return 2

    @classmethod
    def fact(cls, family: Fields, schema: Schema) -> tuple[Fields, bool]:
        """COUNT(x), x IS NOT NULL and x IS NULL state one fact, because the number of all rows is public."""
        fact = {name: value for name, value in family.items() if name != "counted"}
        match family["condition"]:
            case ["missing", name]:
                present = [["0", str(schema.private[name].top)]]
            case ["within", name, [[first, _]]] if _is_missing(schema, name, first):  # the last code
                present = [["0", str(int(first) - 1)]]
            case _:
                return fact, False
        return {**fact, "condition": ["within", name, present]}, True

    def width_within(self, error: Fraction, function: str, people: int | None = None) -> int:
        """Always 1: it is exact."""
        return 1

    def error(self, width: Width, function: str, people: int | None = None) -> Fraction | None:
        """0, unless counts are rounded."""
        bins = as_bins(width)
        return Fraction(min(bins.widest - 1, self.part.size) if bins.guard else bins.wide - 1, 2)

    def question(self, width: Width) -> ExactThreshold | OtherQuestion | GuardedOther:
        """A threshold confines everybody to one side. Other conditions are booked with their truth changes."""
        if isinstance(width, Bins):
            return guarded_question(self, width)
        column = self.column
        match self.part.condition:
            case Within(name, ((first, last),)) if column and not column.apart and (first == 0 or last == column.top):
                return ExactThreshold(name, first or last + 1, column.values)
        return OtherQuestion(self.reads, 2, max(1, self.part.changes))

    def _own_fields(self) -> Fields:
        return {"counted": self.counted}

    @property
    def _apart(self) -> Hashable:
        return self.counted

    def needs(self, width: Width) -> tuple[Need, ...]:
        """The number of rows."""
        return (("count", self.counted),)

    @property
    def in_words(self) -> str:
        """A count, in words."""
        return "a count"

    @property
    def largest(self) -> int:
        """All rows."""
        return self.part.size

    @property
    def one_bin(self) -> Width:
        """Guarded bins, of which the first holds all rows. Bins without guards would count as two answers."""
        return Bins(self.part.size + 1, self.part.rows)

    def integer(self, numbers: Numbers) -> int:
        """The number of rows."""
        return int(numbers["count", self.counted])

    def report(self, width: Width, released: Released, function: str) -> Reported | None:
        """The number of rows."""
        return rounded_count(released[0], width, self.part.size)


def _is_missing(schema: Schema, name: str, code: str) -> bool:
    """Whether a code stands for the missing values of a category."""
    column = schema.columns.get(name)
    return isinstance(column, Category) and column.own_missing and code == str(column.top)
