"""Questions one after another, each possibly chosen after seeing the answers before: the ledger's rule."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import prod

from noiseless.errors import BudgetExceededError, CompositionError, UnknownVariableError
from noiseless.exact.answers import MOST_BITS, answers_within
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
    values_of_column,
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
    >>> step = sequence.ask(PlainSum("height", width=500, rows=1000, top=1500))
    >>> step.factor, step.after.spent(), step.after.cells[""].remaining
    (4, 4, {'height': 500})
    """

    budget: int
    values: Mapping[str, int]
    cells: Mapping[str, Cell]
    rows: int = 1

    def __post_init__(self) -> None:
        sizes = [self.budget, self.rows, *self.values.values()]
        sizes += [number for cell in self.cells.values() for number in (cell.product, *cell.remaining.values())]
        whole = all(type(size) is int and size >= 1 for size in sizes)
        if not whole or not self.cells or not self.values or not all(type(name) is str for name in self.cells):
            raise CompositionError(
                "a sequence has text cells, named columns, and whole numbers of at least 1 throughout"
            )
        if self.budget.bit_length() > MOST_BITS + 1:
            raise CompositionError(f"a budget of more than {MOST_BITS} bits protects nobody")

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
        if isinstance(cells, str) or (rows != 1 and cells is not None):
            raise CompositionError(
                f"cells={cells!r} must be a list of names, and rows={rows} is 1 where cells are told apart"
            )
        total = budget if budget is not None else answers_within(bits if bits is not None else 0)
        names = [EVERYBODY] if cells is None else list(cells)
        try:
            remaining = {column: rows * (values - 1) + 1 for column, values in columns.items()}
        except TypeError:
            raise CompositionError("every column needs its number of values, a whole number of at least 1") from None
        return cls(total, dict(columns), {name: Cell(1, dict(remaining)) for name in names}, rows)

    def ask(self, question: Question | Mapping[str, Question], cells: list[str] | None = None) -> Step:
        """The cost of a question and the state after it; refused if a cell's product would pass the budget.

        A mapping from cells to questions asks each cell its own, as GROUP BY does with bins of different widths.
        """
        if isinstance(cells, str) or (isinstance(question, Mapping) and cells is not None):
            raise CompositionError("name the cells in a list, or give a mapping from cells to questions, not both")
        wanted = question if isinstance(question, Mapping) else dict.fromkeys(self._known(cells), question)
        factors, changed = {}, {}
        for name in self._known(list(wanted)):
            cell = self.cells[name]
            self._check(wanted[name])
            factors[name] = self._factor(wanted[name], cell)
            product = cell.product * factors[name]
            if product > self.budget:
                raise BudgetExceededError(
                    f"the question costs a factor of {written(factors[name])} and the product of "
                    f"{written(cell.product)} so far would pass the budget of {written(self.budget)}; ask for wider "
                    "bins, or for less"
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
        return bits_down(max(1, self.budget // self.spent()))

    def _known(self, cells: list[str] | None) -> list[str]:
        if cells is None:
            return list(self.cells)
        if unknown := [name for name in cells if name not in self.cells]:
            raise UnknownVariableError(f"no public cell {unknown[0]!r}; the cells were declared at the start")
        if not cells:
            raise CompositionError("a question must touch at least one cell; leave cells out for all of them")
        return cells

    def _check(self, question: Question) -> None:
        if not isinstance(question, Question):
            raise CompositionError(f"a question is needed, not a {type(question).__name__}; see docs/composition.md")
        for single in question.questions if isinstance(question, Together) else (question,):
            for column in columns_of(single):
                if column not in self.values:
                    raise UnknownVariableError(f"no column {column!r}; the columns were declared at the start")
                if values_of_column(single) not in (None, self.values[column]):
                    raise CompositionError(
                        f"{column!r} was declared with {self.values[column]} values and the question takes it to have "
                        f"{values_of_column(single)}; a column with values that have no code needs an OtherQuestion"
                    )

    def to_json(self) -> str:
        """As JSON; integers are written as text, so that no reader rounds them."""
        cells = {
            name: {"product": str(cell.product), "remaining": {c: str(w) for c, w in cell.remaining.items()}}
            for name, cell in self.cells.items()
        }
        return json.dumps(
            {
                "budget": str(self.budget),
                "rows": str(self.rows),
                "values": {column: str(size) for column, size in self.values.items()},
                "cells": cells,
            },
            ensure_ascii=False,
        )

    @classmethod
    def from_json(cls, text: str) -> Sequence:
        """The sequence that `to_json` wrote."""
        try:
            fields = json.loads(text)
            cells = {
                name: Cell(int(cell["product"]), {c: int(w) for c, w in cell["remaining"].items()})
                for name, cell in fields["cells"].items()
            }
            values = {column: int(size) for column, size in fields["values"].items()}
            return cls(int(fields["budget"]), values, cells, int(fields["rows"]))
        except (AttributeError, KeyError, TypeError, ValueError):
            raise CompositionError("this is not a sequence as written by to_json; restore it from a backup") from None
