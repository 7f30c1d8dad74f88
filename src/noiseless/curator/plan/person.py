"""A declared view with one row for each person: what it says is computed from all rows that are kept of the person.

Source: theory §12, several rows per person: docs/schema.md
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from noiseless.curator.plan.functions.derived import Derived
from noiseless.curator.schema.schema import Schema

Ends = tuple[Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class Measure:
    """COUNT, SUM, MIN, MAX, AVG or RANGE of a function over the rows of a person. COUNT may be about rows alone."""

    label: str
    way: str
    column: Derived | None
    expression: str
    """The expression, as it was declared."""

    def ends(self, rows: int) -> Ends:
        """The least and the largest value for a person with 1 to `rows` rows, at least one of which has a value."""
        if self.column is None:
            return Fraction(1), Fraction(rows)
        low, high = self.column.low, self.column.high
        match self.way:
            case "COUNT":
                return Fraction(0), Fraction(rows)
            case "SUM":
                return min(low, rows * low), max(high, rows * high)
            case "RANGE":
                return Fraction(0), high - low if rows > 1 else Fraction(0)
        return low, high

    @property
    def step(self) -> Fraction:
        """The step of the grid on which all values lie, except means."""
        return Fraction(1) if self.column is None or self.way == "COUNT" else self.column.step


@dataclass(frozen=True, slots=True)
class PerPerson:
    """A view: its name, the schema of the rows that it is computed from, its measures, and its own schema."""

    name: str
    base: Schema
    measures: tuple[Measure, ...]
    schema: Schema

    @property
    def expressions(self) -> dict[str, str]:
        """How each column was declared."""
        return {each.label: each.expression for each in self.measures}
