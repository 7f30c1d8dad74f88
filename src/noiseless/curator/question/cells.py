"""From private groups to releases: which table of numbers answers each part of a question, cell by cell."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from itertools import product
from math import prod

from noiseless.curator.plan.condition import TRUE
from noiseless.curator.plan.functions.derived import Derived
from noiseless.curator.plan.group import Shown, cell_of, number_of_cells
from noiseless.curator.plan.part import Part
from noiseless.curator.plan.plan import Aggregate
from noiseless.curator.question.about import ANY_DIALECT, About
from noiseless.curator.question.line import Asked, Known, Line
from noiseless.curator.question.measures import Measures
from noiseless.curator.question.remembered import Remembered
from noiseless.curator.releases.cell_spreads import CellSpreads
from noiseless.curator.releases.cell_sums import CellSums
from noiseless.curator.releases.cross_table import CrossTable
from noiseless.curator.releases.histogram import TallyOfCategory
from noiseless.curator.releases.release import Release
from noiseless.curator.releases.spread import SPREADS
from noiseless.errors import QuestionError
from noiseless.privacy.composition.several_rows import MOST_DIVIDED

NOBODY = {"COUNT": Known(0), "SUM": Known(0)}
"""The public numbers of a cell in which no row may count. Other functions have no value there."""


class Cells:
    """Finds the releases behind the numbers of private groups. Anything shared by all public groups is found once."""

    def __init__(self, measures: Measures) -> None:
        self.measures, self.rows, self.dataset = measures, measures.rows, measures.dataset
        self.plan, self.aggregates = self.rows.plan, self.rows.aggregates
        self._abouts = Remembered(self._about_cells)

    @cached_property
    def cell(self) -> tuple[str, Derived, int]:
        """The cells of private groups."""
        return self._cell()

    def lines(self, keys: dict[str, Shown], group: tuple[int, ...], cells: list[int]) -> list[Line]:
        """One line for each cell of private groups."""
        plan = self.plan
        sources = {each: self._of_cells(each, cells) for each in self.aggregates}
        names = [each.label for each in plan.groups]
        private = [name in names for name in plan.keys]
        lines = []
        for cell, values in enumerate(product(*(each.keys for each in plan.groups))):
            numbers = {
                each: NOBODY.get(each.function, Known(None)) if found is None else Asked(found, f"{word}{cell}")
                for each, (found, word) in sources.items()
            }
            own = iter(values)
            every = {name: next(own) if mine else keys[name] for name, mine in zip(plan.keys, private, strict=True)}
            lines.append(Line(every, group, numbers))
        return lines

    def _of_cells(self, aggregate: Aggregate, cells: list[int]) -> tuple[Release | None, str]:
        """The release that gives a number of every cell, and its name for this number. None if no row may count.

        Counts come from the release of a sum of the same rows, if there is one.
        """
        word, rows = aggregate.function, self.rows
        sums = [each for each in self.aggregates if each.function != "COUNT"]
        same = [each for each in sums if rows.condition(each) == rows.condition(aggregate)]
        same = [each for each in same if aggregate.of in (None, each.of)]
        if word != "COUNT" or same:
            return self._sums_of_cells(aggregate if word != "COUNT" else same[0], cells), f"{word} "
        part = rows.part(cells, aggregate)
        return None if part is None else self._counts_of_cells(part, aggregate, alone=not sums), ""

    def _counts_of_cells(self, part: Part, aggregate: Aggregate, alone: bool) -> Release:
        """The release of the counts of all cells.

        If only one column is counted it is a histogram, which confines everybody.
        """
        groups = self.plan.groups
        if self.rows.present(aggregate) != TRUE:
            about = self.measures.about(aggregate)
            computed = about.column if isinstance(about.column, Derived) else None
            return CrossTable(part, *self.cell, about.name, computed)
        if alone and len(groups) == 1 and (name := groups[0].column) is not None:
            return TallyOfCategory(part, name, self.dataset.schema.private[name])
        return CrossTable(part, *self.cell)

    def _sums_of_cells(self, aggregate: Aggregate, cells: list[int]) -> Release | None:
        spread = next((each for each in self.aggregates if each.function in SPREADS and _alike(each, aggregate)), None)
        if self.dataset.schema.rows > (MOST_DIVIDED if spread is None else 1):
            raise QuestionError(
                f"a person may have {self.dataset.schema.rows} rows, and then {aggregate.function} by private groups "
                f"has no proven count; ask for {'COUNT(*)' if spread is None else 'AVG'}, or group by public columns "
                f"only"
            )
        about, part = self._abouts[spread or aggregate], self.rows.part(cells, aggregate)
        if part is None:
            return None
        if spread is not None:
            self.measures.check_squares(part, about.name, about.column)
        kind = CellSums if spread is None else CellSpreads
        return kind(part, *self.cell, about.name, about.column, about.rounding)

    def _about_cells(self, aggregate: Aggregate) -> About:
        """What a number of a cell is about: a column of numbers, or a function on a grid. Units do not matter here."""
        if aggregate.column is not None:
            return self.measures.about(aggregate)
        assert aggregate.of is not None
        return self.measures.computed(aggregate, aggregate.of.given(self.measures.fixed(aggregate)))

    def _cell(self) -> tuple[str, Derived, int]:
        """The name of the private groups, the function that gives a row's cell, and how many cells there are."""
        groups = self.plan.groups
        cells, function = number_of_cells(groups), cell_of(groups)
        private = self.dataset.schema.private
        reads = tuple(sorted(frozenset[str]().union(*(each.function.reads for each in groups)) & set(private)))
        grid = Fraction(0), Fraction(max(cells - 1, 1)), Fraction(1)
        column = Derived(function, grid, Fraction(0), reads, prod(private[name].values for name in reads))
        column.code(ANY_DIALECT, str)  # refused here if it needs too many digits
        return ", ".join(str(each.function) for each in groups), column, cells


def _alike(one: Aggregate, two: Aggregate) -> bool:
    """Whether two functions are about the same values of the same rows."""
    return (one.column, one.of, one.filter) == (two.column, two.of, two.filter)
