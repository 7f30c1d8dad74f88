"""Questions one after another, each possibly chosen after seeing the answers before: the ledger's rule."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import prod

from noiseless.errors import BudgetExceededError, CompositionError, UnknownVariableError
from noiseless.exact.answers import answers_within
from noiseless.exact.number import Number, written
from noiseless.exact.rounding import bits_down
from noiseless.privacy.composition.questions import (
    OtherQuestion,
    PlainSum,
    Question,
    Refinement,
    Remaining,
    Repeat,
    Together,
    columns_of,
)

EVERYBODY = ""
"""The only cell, where no public groups were declared."""


@dataclass(frozen=True, slots=True)
class Cell:
    """What was spent on the people of one public cell, and how many codes of each column they can still have."""

    product: int
    remaining: Remaining


@dataclass(frozen=True, slots=True)
class Step:
    """What a question would cost: its factor in every cell it touches, and the sequence after it."""

    factors: Mapping[str, int]
    after: Sequence

    @property
    def factor(self) -> int:
        """The largest factor."""
        return max(self.factors.values())


@dataclass(frozen=True, slots=True)
class Sequence:
    """The state of a budget: per public cell the product of the factors so far, and W for every column.

    Public cells are disjoint: combinations of public keys, so that every person is in one. A question is allowed iff
    in every cell it touches the product of all factors stays within the budget. Then all transcripts that one person's
    data can cause, along whatever questions are chosen, number at most the budget.

    Source: theory §6, the ledger: docs/composition.md

    >>> from noiseless.privacy.composition.questions import PlainSum
    >>> sequence = Sequence.start({"height": 1501}, bits=6)
    >>> step = sequence.ask(PlainSum("height", width=500, people=1000, top=1500))
    >>> step.factor, step.after.spent(), step.after.cells[""].remaining
    (4, 4, {'height': 500})
    """

    budget: int
    cells: Mapping[str, Cell]
    rows: int = 1

    @classmethod
    def start(
        cls,
        columns: Mapping[str, int],
        bits: Number | None = None,
        *,
        budget: int | None = None,
        cells: Iterable[str] | None = None,
        rows: int = 1,
    ) -> Sequence:
        """A fresh budget (in bits, or as a number of transcripts) for columns of so many values and public cells.

        With several `rows` per person there are no cells, since one person may be in all of them, and W is that of the
        person's total.
        """
        if (bits is None) == (budget is None):
            raise CompositionError("give the budget either in bits or as a number of transcripts")
        if not columns or any(values < 1 for values in columns.values()):
            raise CompositionError("every column needs at least one value; name the columns and their sizes")
        names = [EVERYBODY] if cells is None else list(cells)
        if not names:
            raise CompositionError("the public cells are empty; name them, or leave them out for one cell")
        if rows < 1 or (rows > 1 and cells is not None):
            raise CompositionError(f"rows={rows} must be at least 1, and 1 where public cells are told apart")
        total = budget if budget is not None else answers_within(bits if bits is not None else 0)
        if total < 1:
            raise CompositionError(f"budget={total} must be at least 1")
        remaining = {column: rows * (values - 1) + 1 for column, values in columns.items()}
        return cls(total, {name: Cell(1, remaining) for name in names}, rows)

    def ask(self, question: Question | Mapping[str, Question], cells: list[str] | None = None) -> Step:
        """The cost of a question and the state after it; refused if a cell's product would pass the budget.

        A mapping from cells to questions asks each cell its own, as GROUP BY does with bins of different widths.
        """
        wanted = question if isinstance(question, Mapping) else dict.fromkeys(self._known(cells), question)
        factors, changed = {}, {}
        for name in self._known(list(wanted)):
            cell = self.cells[name]
            self._check_columns(wanted[name], cell)
            factors[name] = self._factor(wanted[name], cell)
            product = cell.product * factors[name]
            if product > self.budget:
                raise BudgetExceededError(
                    f"the question costs a factor of {factors[name]} and the product of {written(cell.product)} so far "
                    f"would pass the budget of {written(self.budget)}; ask for wider bins, or for less"
                )
            left = {**cell.remaining, **wanted[name].after(cell.remaining)}
            changed[name] = Cell(product, left)
        return Step(factors, replace(self, cells={**self.cells, **changed}))

    def _factor(self, question: Question, cell: Cell) -> int:
        if self.rows == 1:
            return question.factor(cell.remaining)
        match question:
            case Together():
                return prod(self._factor(single, cell) for single in question.questions)
            case PlainSum() | Refinement() | Repeat():
                return question.factor(cell.remaining)
            case OtherQuestion():
                return question.count
            case _:
                raise CompositionError(
                    f"with {self.rows} rows per person a {type(question).__name__} cannot be priced by one code; "
                    f"ask OtherQuestion(columns, count) with its count for all rows (see several_rows)"
                )

    def spent(self, cell: str | None = None) -> int:
        """The product so far, of one cell or of the one that spent most."""
        if cell is not None:
            return self.cells[self._known([cell])[0]].product
        return max(state.product for state in self.cells.values())

    @property
    def bits_left(self) -> float:
        """What the most expensive cell can still spend, for display, rounded down."""
        return bits_down(self.budget // self.spent())

    def _known(self, cells: list[str] | None) -> list[str]:
        if cells is None:
            return list(self.cells)
        if unknown := [name for name in cells if name not in self.cells]:
            raise UnknownVariableError(f"no public cell {unknown[0]!r}; the cells were declared at the start")
        if not cells:
            raise CompositionError("a question must touch at least one cell; leave cells out for all of them")
        return cells

    @staticmethod
    def _check_columns(question: Question, cell: Cell) -> None:
        singles = question.questions if isinstance(question, Together) else (question,)
        read = {column for single in singles for column in columns_of(single)}
        if unknown := read.difference(cell.remaining):
            raise UnknownVariableError(f"no column {min(unknown)!r}; the columns were declared at the start")

    def to_json(self) -> str:
        """As JSON; integers are written as text, so that no reader rounds them."""
        cells = {
            name: {"product": str(cell.product), "remaining": {c: str(w) for c, w in cell.remaining.items()}}
            for name, cell in self.cells.items()
        }
        return json.dumps({"budget": str(self.budget), "rows": str(self.rows), "cells": cells}, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Sequence:
        """The sequence that `to_json` wrote."""
        try:
            fields = json.loads(text)
            cells = {
                name: Cell(int(cell["product"]), {c: int(w) for c, w in cell["remaining"].items()})
                for name, cell in fields["cells"].items()
            }
            return cls(int(fields["budget"]), cells, int(fields["rows"]))
        except (AttributeError, KeyError, TypeError, ValueError):
            raise CompositionError("this is not a sequence as written by to_json; restore it from a backup") from None
