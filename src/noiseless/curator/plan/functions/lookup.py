"""What a public table says about the value of one column: CASE, with the value for every code known in advance.

Source: theory §12: a join with a public table on a unique key is a function of the row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from noiseless.curator.plan.condition import Condition, Missing, Within, ranges, statement
from noiseless.curator.plan.functions.choice import Case, Choice, choice
from noiseless.curator.plan.functions.function import ANYWHERE, Function, Kind, Row, Value
from noiseless.curator.plan.functions.leaves import NOTHING, ColumnOf, Constant
from noiseless.curator.plan.functions.span import Codes, Span, common
from noiseless.curator.plan.functions.term import Term, Writer

FEW_CASES = 64
"""More cases than this are found by their place in a list."""


@dataclass(frozen=True, slots=True)
class LookUp(Choice):
    """A value for every code of a column, and one for missing values if these are kept separate."""

    listed: tuple[Value, ...] = field(default=(), compare=False, repr=False)
    missing: Value = field(default=None, compare=False, repr=False)
    _known: dict[str, Any] = field(default_factory=dict, init=False, compare=False, repr=False)
    """Its bounds and its text, found once: there may be thousands of cases."""

    @property
    def _column(self) -> ColumnOf:
        return self.columns[0]

    def given(self, keys: Mapping[str, int]) -> Function:
        """A constant, if the column is known."""
        if self._column.name not in keys:
            return self
        found = self.listed[keys[self._column.name]]
        return NOTHING if found is None else Constant(found, self.kind)

    def value(self, row: Row) -> Value:
        """The value for the code of the row."""
        code = row[self._column.name]
        return self.missing if code is None else self.listed[code]

    def span(self, codes: Codes = ANYWHERE) -> Span:
        """The bounds, as for any CASE."""
        if self._column.name in codes:
            return Choice.span(self, codes)
        if "span" not in self._known:
            self._known["span"] = Choice.span(self)
        found: Span = self._known["span"]
        return found

    def __str__(self) -> str:
        if "text" not in self._known:
            self._known["text"] = Choice.__str__(self)
        return str(self._known["text"])

    def term(self, writer: Writer) -> Term:
        """CASE, or a list in which the code is the place."""
        numbers = [value for value in self.listed if isinstance(value, Fraction)]
        if len(self.cases) <= FEW_CASES or len(numbers) + self.listed.count(None) < len(self.listed):
            return Choice.term(self, writer)
        low = min(numbers)
        pitch = common(Fraction(0), *(number - low for number in numbers)) or Fraction(1)
        steps = [None if value is None else int((Fraction(value) - low) / pitch) for value in self.listed]
        text = writer.dialect.element(steps, writer(self._column.name))
        found = writer.made(text, 0, int((max(numbers) - low) / pitch))
        if self._column.apart:
            absent = None if self.missing is None else writer.whole(int((Fraction(self.missing) - low) / pitch))
            found = writer.chosen([(statement(Missing(self._column.name), writer), absent)], found)
        return Term(low, pitch, found)


def looked_up(
    column: ColumnOf, rows: Sequence[int | None], given: Sequence[Value], kind: Kind, inner: bool
) -> Function:
    """What a column of a public table says, from the place of its row for every code. None: no row.

    An `inner` join drops rows without a match, so their values do not matter.
    """
    free = [inner and row is None for row in rows]
    codes: dict[Value, list[int]] = {}
    for code, row in enumerate(rows):
        if not free[code]:
            codes.setdefault(None if row is None else given[row], []).append(code)
    absent: list[Condition] = [Missing(column.name)] if column.apart and not inner else []
    absent += [_is(column, codes.pop(None))] if None in codes else []
    known: list[Case] = [(_is(column, found), Constant(value, kind)) for value, found in codes.items()]
    last = known[-1][1] if known else NOTHING
    made = choice([*((test, NOTHING) for test in absent), *known], last, (column,))
    if not isinstance(made, Choice):
        return made
    other = last.value({})
    listed = tuple(other if free[code] else None if row is None else given[row] for code, row in enumerate(rows))
    return LookUp(made.cases, made.otherwise, (column,), listed=listed, missing=other if inner else None)


def _is(column: ColumnOf, codes: Sequence[int]) -> Condition:
    return Within(column.name, ranges((code, code) for code in codes))
