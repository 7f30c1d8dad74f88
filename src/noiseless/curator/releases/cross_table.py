"""How many rows are in each cell of private groups."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar

from noiseless.curator.plan.compare import compared
from noiseless.curator.plan.condition import Condition, every
from noiseless.curator.plan.functions.derived import Derived
from noiseless.curator.plan.functions.leaves import Constant
from noiseless.curator.plan.part import Part
from noiseless.curator.releases.addend import Addend
from noiseless.curator.releases.meaning import Meaning
from noiseless.curator.releases.release import Need, Numbers, Release, Released, Width, pieces
from noiseless.curator.releases.tally import Tally
from noiseless.curator.releases.written import Fields
from noiseless.curator.schema.schema import Schema
from noiseless.privacy.composition.questions import OtherQuestion


@dataclass(frozen=True, slots=True)
class OfCells(Release):
    """Some numbers for every cell of private groups. `groups` computes the number of a row's cell, from 0 on."""

    part: Part
    name: str
    """The groups, in words."""
    groups: Derived = field(hash=False)
    cells: int

    @property
    def computed(self) -> tuple[Derived, ...]:
        """The function that gives the number of a row's cell."""
        return (self.groups,)

    @property
    def measured(self) -> tuple[Derived, ...]:
        """The cells need no grid."""
        return ()

    @property
    def cells_of(self) -> tuple[Derived, int]:  # type: ignore[override]
        """The function that gives the number of a row's cell, and how many cells there are."""
        return self.groups, self.cells

    def meaning(self, function: str, schema: Schema) -> Meaning:
        """A function such as "AVG 3" over one cell. A number alone is a count."""
        word, _, cell = function.rpartition(" ")
        inside = every([self.part.condition, compared("=", self.groups.function, Constant(Fraction(cell)))])
        return self._of_cell(word, inside)

    def _of_cell(self, word: str, inside: Condition) -> Meaning:
        return Meaning("COUNT", inside)

    def _pieces(self, count: int) -> int:
        """A function of one column may turn at every code."""
        return pieces(self.groups.states - 1, count) if len(self.reads) == 1 else 1

    def _own_fields(self) -> Fields:
        return {"groups": self.name, "cells": str(self.cells)}


@dataclass(frozen=True, slots=True)
class CrossTable(Tally, OfCells):
    """COUNT(*) grouped by private columns and functions of the row: exact counts of all cells, also of empty ones.

    They are exact, unless a policy rounds counts. Then they are in bins of w, with the same number of answers.

    Guarantee: D answers, one for each cell; D + 1 under a private condition; with r rows the ways to distribute them.
    Source: theory §12: docs/sql.md
    """

    kind: ClassVar[str] = "cross table"
    counted: str | None = None
    """The column or function of which values are counted. None: rows."""
    function: Derived | None = field(default=None, hash=False)

    @property
    def computed(self) -> tuple[Derived, ...]:
        """The number of the cell, and the function whose values are counted."""
        return self.groups, *self.measured

    @property
    def measured(self) -> tuple[Derived, ...]:
        """The function whose values are counted."""
        return () if self.function is None else (self.function,)

    @property
    def reads(self) -> tuple[str, ...]:
        """The columns of the groups and of the condition."""
        return self.part.reads(*self.groups.reads)

    @property
    def places(self) -> int:
        """The cells."""
        return self.cells

    def stated(self, width: Width, rows: int = 1) -> str:
        """The rule, with its numbers."""
        cells, count = self.cells + (not self.part.plain), self.answers(width, rows)
        if rows == 1:
            return f"exact counts of private groups: one answer for each cell that a person can be in, {count}"
        return (
            f"exact counts of private groups: one answer for each way to distribute {rows} rows over {cells}, {count}"
        )

    def question(self, width: Width) -> OtherQuestion:
        """Different values may be in one cell, so no range of values shrinks."""
        count = self.answers(width)
        return OtherQuestion(self.reads, count, self._pieces(count))

    def addends(self, width: Width) -> tuple[Addend, ...]:
        """A row adds nothing: it only counts in its cell."""
        return ()

    def needs(self, width: Width) -> tuple[Need, ...]:
        """The number of rows or values in every cell."""
        return (
            ("tally", self.groups.name, 1) if self.counted is None else ("tally of", self.groups.name, self.counted),
        )

    def observe(self, width: Width, numbers: Numbers) -> Released:
        """The counts of all cells."""
        assert isinstance(width, int)
        [need] = self.needs(width)
        tally, nothing = numbers[need], 0 if self.counted is None else (0, 0)
        found = (tally.get(cell, nothing) for cell in range(self.cells))
        return tuple((each if self.counted is None else each[0]) // width for each in found)
