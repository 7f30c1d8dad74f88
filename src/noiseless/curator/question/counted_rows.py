"""Which rows count in each number of a question: the public cells, and what remains of the conditions in them."""

from __future__ import annotations

from typing import Any

from noiseless.curator.dataset.dataset import Dataset
from noiseless.curator.plan.compare import in_sql
from noiseless.curator.plan.condition import (
    FALSE,
    TRUE,
    Condition,
    Within,
    columns_read,
    cuts,
    every,
    given_public,
    is_simple,
    negation,
    of_one_column,
    truth_changes,
)
from noiseless.curator.plan.part import Part
from noiseless.curator.plan.plan import Aggregate, Plan
from noiseless.curator.question.about import ANY_DIALECT
from noiseless.curator.question.remembered import Remembered
from noiseless.curator.schema.categories import Category
from noiseless.curator.schema.schema import Private


class CountedRows:
    """Finds the rows behind each number. Anything shared by all groups is found once."""

    def __init__(self, dataset: Dataset, plan: Plan) -> None:
        self.dataset, self.plan, self.aggregates = dataset, plan, plan.aggregates()
        self._lefts, self._conditions = Remembered(self._left), Remembered(self._condition)
        self._shapes, self._everywheres = Remembered(self._shape), Remembered(self._everywhere)

    def left(self, condition: Condition, cell: tuple[int, ...]) -> Condition:
        """What remains of a condition for the people of a cell, in normal form if it reads one column."""
        return self._lefts[condition, cell]

    def condition(self, aggregate: Aggregate) -> Condition:
        """Which rows count in a number."""
        return self._conditions[aggregate]

    def conditions_in_cells(self) -> list[int] | None:
        """For every cell, a number for what remains of the conditions there. None if the same remains in all cells."""
        conditions = list(dict.fromkeys(self.condition(each) for each in self.aggregates))
        if not any(columns_read(condition) & set(self.dataset.schema.public) for condition in conditions):
            return None
        known: dict[tuple[Condition, ...], int] = {}
        lefts = (tuple([self.left(each, cell) for each in conditions]) for cell in self.dataset.cells)
        return [known.setdefault(left, len(known)) for left in lefts]

    def always(self, aggregate: Aggregate) -> bool:
        """Whether a number counts every row that the public columns keep."""
        condition = self.condition(aggregate)
        return not columns_read(condition) & set(self.dataset.schema.private)

    def present(self, aggregate: Aggregate) -> Condition:
        """The condition that there is a value, for columns that keep missing values separate, and for functions."""
        name = aggregate.column
        if aggregate.of is not None:
            return negation(aggregate.of.absent())
        column = None if name is None else self.dataset.schema.columns[name]
        if name is None or not isinstance(column, Private):
            return TRUE
        if isinstance(column, Category):
            return Within(name, ((0, column.top - 1),)) if column.own_missing else TRUE
        return Within(name, ((0, column.top),)) if column.apart else TRUE

    def keys(self, cell: int) -> dict[str, int]:
        """The keys of a public cell, as codes."""
        return dict(zip(self.dataset.schema.public, self.dataset.cells[cell], strict=True))

    def part(self, cells: list[int], aggregate: Aggregate) -> Part | None:
        """The rows of the cells that may count. None if there are none."""
        dataset, condition, shared = self.dataset, self.condition(aggregate), self._everywheres[aggregate]
        kept = cells if shared != FALSE else []
        if shared is None:
            lefts = {index: self.left(condition, dataset.cells[index]) for index in cells}
            kept = [index for index in cells if lefts[index] != FALSE]
            different = {lefts[index] for index in kept}
            shared = different.pop() if len(different) == 1 else condition  # if cells differ, the whole condition
        if not kept:
            return None
        columns, changes, said = self._shapes[shared]
        return Part(
            cells=tuple(kept),
            size=sum([dataset.sizes[index] for index in kept]),
            condition=shared,
            columns=columns,
            changes=changes,
            whole=len(kept) == len(dataset.cells),
            rows=dataset.schema.rows,
            said=said,
        )

    def _condition(self, aggregate: Aggregate) -> Condition:
        """The condition of a number. Refused if it needs too many digits, because a database might overflow."""
        found = every([self.plan.where, aggregate.filter, *(self.present(side) for side in aggregate.sides)])
        if not is_simple(found):
            in_sql(found, ANY_DIALECT, str)
        return found

    def _everywhere(self, aggregate: Aggregate) -> Condition | None:
        """What remains of the condition in every cell, if it reads no public column."""
        condition, dataset = self.condition(aggregate), self.dataset
        if not dataset.cells or columns_read(condition) & set(dataset.schema.public):
            return None
        return self.left(condition, dataset.cells[0])

    def _shape(self, condition: Condition) -> tuple[tuple[str, ...], int, tuple[Any, ...]]:
        """The private columns that a condition reads, how often it changes, and what is written about it."""
        columns, changes = (
            tuple(sorted(columns_read(condition) & set(self.dataset.schema.private))),
            self._changes(condition),
        )
        return columns, changes, ((condition, columns, changes), {})

    def _left(self, of: tuple[Condition, tuple[int, ...]]) -> Condition:
        condition, cell = of
        left = given_public(condition, dict(zip(self.dataset.schema.public, cell, strict=True)))
        read = columns_read(left)
        if len(read) != 1:
            return left
        [name] = read
        column = self.dataset.schema.private[name]
        return of_one_column(left, name, column.top, column.apart)

    def _changes(self, condition: Condition) -> int:
        """How often a condition on one private column changes; if it also reads public ones, its number of cuts."""
        private = columns_read(condition) & set(self.dataset.schema.private)
        if len(private) != 1:
            return 0
        [name] = private
        column = self.dataset.schema.private[name]
        if columns_read(condition) == private or not is_simple(condition):
            return truth_changes(condition, column.top, column.apart)
        return len({cut for cut in cuts(condition, name) if 0 < cut <= column.top}) + column.apart
