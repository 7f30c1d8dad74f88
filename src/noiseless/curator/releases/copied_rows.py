"""A copy of all rows, in which every private value is replaced by its cell."""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from noiseless.curator.plan.part import Part
from noiseless.curator.releases.release import Need, Numbers, Release, Released, Width
from noiseless.curator.releases.reported import Reported
from noiseless.curator.releases.written import Fields
from noiseless.privacy.composition.questions import Counted, Single, Together


@dataclass(frozen=True, slots=True)
class CopiedRows(Release):
    """The rows themselves, by the cells of their columns. They are written to a file, so no number is reported.

    `written` is what becomes of every column, as canonical text. `columns` is how the ledger books each of them.

    Guarantee: the product of the columns' cells for one row, to the power of a person's rows.
    Source: docs/release.md
    """

    kind: ClassVar[str] = "microdata"
    divides: ClassVar[bool] = True
    part: Part
    names: tuple[str, ...]
    columns: tuple[Single, ...]
    cells: int
    written: str

    @property
    def reads(self) -> tuple[str, ...]:
        """The columns in the copy."""
        return self.names

    @property
    def widest(self) -> int:
        """Always 1: the cells are chosen per column, when the copy is planned."""
        return 1

    def answers(self, width: Width, rows: int = 1) -> int:
        """The cells of one row, to the power of a person's rows: each row can be in any cell."""
        return int(self.cells**rows)

    def stated(self, width: Width, rows: int = 1) -> str:
        """The rule, with its numbers."""
        assert isinstance(width, int)
        return f"a copy: every row becomes one of {self.cells} cells, {self.answers(width, rows)} for a person's rows"

    def width_within(self, error: Fraction, function: str, people: int | None = None) -> int:
        """Always 1: errors are chosen per column, when the copy is planned."""
        return 1

    def error(self, width: Width, function: str, people: int | None = None) -> Fraction | None:
        """None: every column has its own error."""
        return None

    def question(self, width: Width) -> Counted:
        """How the ledger books it: by the cells of all columns together."""
        return Together(self.columns)

    def family(self) -> Fields:
        """Two copies are the same if and only if their fields are."""
        fields: Fields = json.loads(self.written)
        return {"kind": self.kind, **fields}

    @property
    def place(self) -> str:
        """Everybody: a copy is about all public cells."""
        return ""

    def needs(self, width: Width) -> tuple[Need, ...]:
        """Nothing: the engine writes the rows."""
        return ()

    def observe(self, width: Width, numbers: Numbers) -> Released:
        """Nothing: the rows are in the file."""
        return ()

    def report(self, width: Width, released: Released, function: str) -> Reported | None:
        """Nothing: the rows are in the file."""
        return None
