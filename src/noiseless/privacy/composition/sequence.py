"""Questions asked one after another, each possibly chosen after seeing earlier answers: the ledger's rule."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import prod

from noiseless.errors import BudgetExceededError, CompositionError, UnknownVariableError
from noiseless.exact.answers import MOST_BITS, answers_within
from noiseless.exact.number import Number, written
from noiseless.exact.readable import bits_left_shown
from noiseless.exact.rounding import bits_down
from noiseless.privacy.composition.guarded import GuardedOther, GuardedSum
from noiseless.privacy.composition.levels import Levels
from noiseless.privacy.composition.questions import (
    OtherQuestion,
    PlainSum,
    Refinement,
    Repeat,
    Single,
    Together,
    columns_of,
    values_of_column,
)
from noiseless.privacy.composition.remaining import Remaining
from noiseless.privacy.composition.weighted import ByTheAnswer, LedgerQuestion, Weighted
from noiseless.privacy.composition.weights import UNIT, Product, raised

EVERYBODY = ""
"""The only cell, if no public cells were declared."""


@dataclass(frozen=True, slots=True)
class Cell:
    """What was spent on the people of one public cell, and how many codes they can still have in each column."""

    product: Product
    remaining: Remaining
    _checked: bool = field(default=False, init=False, repr=False, compare=False)
    """Whether a sequence has already checked it. A cell is passed on from sequence to sequence."""

    def charged(self, price: Product, narrowed: Remaining) -> Cell:
        """The cell after it was charged a price, rounded up, and after an answer that narrowed some columns."""
        return Cell(raised(self.product, price), {**self.remaining, **narrowed})


@dataclass(frozen=True, slots=True)
class Step:
    """The price of a question: its factor in every cell it touches, and the sequence after it.

    If a question is charged by the answer, its factor is its dearest price, and `after` reserves that price. `settle`
    then replaces it with the price of the outcome.
    """

    factors: Mapping[str, Product]
    after: Sequence
    before: Sequence | None = field(default=None, repr=False)
    asked: Mapping[str, LedgerQuestion] = field(default_factory=dict, repr=False)

    @property
    def factor(self) -> Product:
        """The largest factor."""
        return max(self.factors.values())

    def settle(self, places: Iterable[int] | Mapping[str, Iterable[int]]) -> Step:
        """The step after the outcome is known: the bin of each guarded number, the same for all cells or per cell."""
        weighted = {name: question for name, question in self.asked.items() if isinstance(question, ByTheAnswer)}
        if self.before is None or not weighted:
            raise CompositionError("only a question that is charged by the answer can be settled; ask a Weighted one")
        prices, changed = dict(self.factors), dict(self.after.cells)
        for name, found in _outcomes(weighted, places).items():
            cell = self.before.cells[name]
            prices[name] = weighted[name].price(cell.remaining, found, self.before.rows)
            changed[name] = cell.charged(prices[name], weighted[name].narrowed(cell.remaining, found))
        return Step(prices, replace(self.after, cells=changed))


def _outcomes(
    asked: Mapping[str, ByTheAnswer], places: Iterable[int] | Mapping[str, Iterable[int]]
) -> dict[str, tuple[int, ...]]:
    """The bins that came out in every cell, one for each guarded number."""
    try:
        given = places if isinstance(places, Mapping) else dict.fromkeys(asked, tuple(places))
        found = {name: tuple(given[name]) for name in asked}
        whole = all(type(place) is int for cell in found.values() for place in cell)
    except (KeyError, TypeError):
        found, whole = {}, False
    if not whole or any(len(found[name]) != question.numbers for name, question in asked.items()):
        raise CompositionError(
            "settle needs one bin for each guarded number, as an integer, for every cell that was asked; give them all"
        )
    return found


@dataclass(frozen=True, slots=True, repr=False)
class Sequence:
    """The state of a budget: per public cell the product of the factors so far, and W for every column.

    Public cells are disjoint combinations of public keys, so every person is in exactly one. A question is allowed iff
    in every cell it touches the product of all factors stays within the budget. Then the number of transcripts that one
    person's data can cause is at most the budget, whatever questions are chosen. A `Weighted` question must fit with
    its dearest price and is then charged the price of its outcome.

    Source: theory §6, the ledger, and §11: docs/composition.md

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

    def __repr__(self) -> str:
        cells = "" if len(self.cells) == 1 else f" in the most charged of {len(self.cells)} public cells"
        return f"Sequence: {bits_left_shown(self.bits_left)} left of {bits_left_shown(bits_down(self.budget))}{cells}"

    def __post_init__(self) -> None:
        whole = _are_whole((self.budget, self.rows, *self.values.values()))
        whole = whole and all(cell._checked or _is_valid(cell) for cell in self.cells.values())
        if not whole or not self.cells or not self.values or not all(type(name) is str for name in self.cells):
            raise CompositionError(
                "a sequence needs text cells, named columns and integers of at least 1; build it with Sequence.start"
            )
        if self.budget.bit_length() > MOST_BITS + 1:
            raise CompositionError(f"a budget of more than {MOST_BITS} bits gives no protection; use a smaller one")

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
        """A new budget, in bits or as a number of transcripts, for columns and their numbers of values.

        With several `rows` per person there are no cells, because one person may be in all of them, and W is that of
        the person's total.
        """
        if (bits is None) == (budget is None):
            raise CompositionError(
                "a sequence needs exactly one of bits= and budget=; give the bits, or the number of transcripts"
            )
        if isinstance(cells, str) or (rows != 1 and cells is not None):
            raise CompositionError(
                f"cells={cells!r} or rows={rows} is not valid; give a list of names, and rows=1 if there are several "
                f"cells"
            )
        total = budget if budget is not None else answers_within(bits if bits is not None else 0)
        names = [EVERYBODY] if cells is None else list(cells)
        try:
            remaining = {column: rows * (values - 1) + 1 for column, values in columns.items()}
        except TypeError:
            raise CompositionError(
                "values must give each column its number of values; use integers of at least 1"
            ) from None
        return cls(total, dict(columns), {name: Cell(1, dict(remaining)) for name in names}, rows)

    def ask(self, question: LedgerQuestion | Mapping[str, LedgerQuestion], cells: list[str] | None = None) -> Step:
        """The price of a question and the state after it; refused if a cell's product would exceed the budget.

        A mapping from cells to questions asks each cell its own question, as GROUP BY does with bins of different
        widths.
        """
        if isinstance(cells, str) or (isinstance(question, Mapping) and cells is not None):
            raise CompositionError(
                "cells are given twice; name them in a list or in a mapping from cells to questions, not both"
            )
        wanted = question if isinstance(question, Mapping) else dict.fromkeys(self._known(cells), question)
        factors, changed = {}, {}
        for name in self._known(list(wanted)):
            cell, question_here = self.cells[name], wanted[name]
            self._check(question_here)
            factors[name] = self._factor(question_here, cell)
            left = {} if isinstance(question_here, ByTheAnswer) else question_here.after(cell.remaining)
            changed[name] = cell.charged(factors[name], left)
            if changed[name].product > self.budget:
                raise BudgetExceededError(
                    f"the question has a factor of {_shown(factors[name])}, and with the product of "
                    f"{_shown(cell.product)} so far it would exceed the budget of {written(self.budget)}; ask for "
                    f"wider "
                    "bins, or for less"
                )
        return Step(factors, replace(self, cells={**self.cells, **changed}), self, wanted)

    def _factor(self, question: LedgerQuestion, cell: Cell) -> Product:
        if isinstance(question, ByTheAnswer):
            return question.dearest(cell.remaining, self.rows)
        if self.rows == 1:
            return question.factor(cell.remaining)
        match question:
            case Together():
                return prod(self._factor(single, cell) for single in question.singles)
            case PlainSum() | GuardedSum() | Refinement() | Repeat():
                return question.factor(cell.remaining)
            case OtherQuestion() | GuardedOther():
                return question.count
            case _:
                raise CompositionError(
                    f"with {self.rows} rows per person a {type(question).__name__} cannot be priced by codes; "
                    f"ask OtherQuestion(columns, count) with its count for all rows (see several_rows)"
                )

    def spent(self, cell: str | None = None) -> Product:
        """The product so far, of one cell or of the cell that spent most."""
        if cell is not None:
            return self.cells[self._known([cell])[0]].product
        return max(state.product for state in self.cells.values())

    @property
    def bits_left(self) -> float:
        """What is left in the cell that spent most, rounded down for display."""
        return bits_left(self.budget, self.spent())

    def _known(self, cells: list[str] | None) -> list[str]:
        if cells is None:
            return list(self.cells)
        if unknown := [name for name in cells if name not in self.cells]:
            raise UnknownVariableError(f"public cell {unknown[0]!r} does not exist; use a cell declared at the start")
        if not cells:
            raise CompositionError("the list of cells is empty; leave it out to ask all cells")
        return cells

    def _check(self, question: LedgerQuestion) -> None:
        if not isinstance(question, LedgerQuestion):
            raise CompositionError(
                f"a {type(question).__name__} is not a question; use one of those in docs/composition.md"
            )
        for single in _singles(question):
            values = None if isinstance(single, Levels) else values_of_column(single)
            for column in single.columns if isinstance(single, Levels) else columns_of(single):
                if column not in self.values:
                    raise UnknownVariableError(f"column {column!r} does not exist; use a column declared at the start")
                if values not in (None, self.values[column]):
                    raise CompositionError(
                        f"{column!r} was declared with {self.values[column]} values, and the question assumes "
                        f"{values}; correct it, or use an OtherQuestion if some values have no code"
                    )

    def to_json(self) -> str:
        """The sequence as JSON. Integers are written as text, so that no reader rounds them."""
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
                name: Cell(_product(cell["product"]), {c: int(w) for c, w in cell["remaining"].items()})
                for name, cell in fields["cells"].items()
            }
            values = {column: int(size) for column, size in fields["values"].items()}
            return cls(int(fields["budget"]), values, cells, int(fields["rows"]))
        except (AttributeError, KeyError, TypeError, ValueError, ZeroDivisionError):
            raise CompositionError("the text is not a sequence written by to_json; restore it from a backup") from None


def _singles(question: LedgerQuestion) -> tuple[Single | Levels, ...]:
    """The single questions that are asked as one."""
    match question:
        case Together():
            return question.singles
        case Weighted():
            return question.questions
    return (question,)


def bits_left(budget: int, product: Product) -> float:
    """What a product leaves of a budget. Whole products leave whole factors.

    >>> bits_left(8, 3), round(bits_left(8, Fraction(3, 2)), 3)
    (1.0, 2.415)
    """
    return bits_down(max(1, budget // product) if type(product) is int else max(Fraction(1), budget / product))


def _are_whole(sizes: Iterable[object]) -> bool:
    return all(type(size) is int and size >= 1 for size in sizes)


def _is_valid(cell: Cell) -> bool:
    valid = _are_whole(cell.remaining.values()) and _is_product(cell.product)
    object.__setattr__(cell, "_checked", valid)
    return valid


def _is_product(number: object) -> bool:
    """Whether a number is an integer or a multiple of 1/UNIT, and at least 1."""
    if type(number) is int:
        return number >= 1
    return isinstance(number, Fraction) and number >= 1 and UNIT % number.denominator == 0


def _product(text: str) -> Product:
    whole, slash, parts = str(text).partition("/")
    number = Fraction(int(whole), int(parts) if slash else 1)
    return number.numerator if number.denominator == 1 else number


def _shown(product: Product) -> str:
    return written(int(product)) if type(product) is int or product >= 10**6 else f"{float(product):.6g}"
