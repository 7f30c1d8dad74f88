"""What each number of a question is about: a column of the table, or a function of the row on a grid."""

from __future__ import annotations

from math import isqrt, prod

from noiseless.curator.dataset.dataset import LARGEST_SUM
from noiseless.curator.plan.condition import FALSE
from noiseless.curator.plan.functions.arithmetic import affine
from noiseless.curator.plan.functions.calendar import check_calendar
from noiseless.curator.plan.functions.derived import Derived, grid_of
from noiseless.curator.plan.functions.function import Function
from noiseless.curator.plan.part import Part
from noiseless.curator.plan.plan import DISTINCT, Aggregate
from noiseless.curator.question.about import ANY_DIALECT, About, in_units
from noiseless.curator.question.counted_rows import CountedRows
from noiseless.curator.question.remembered import Remembered
from noiseless.curator.releases.pair import SQUARES_OF
from noiseless.curator.releases.spread import SPREADS
from noiseless.curator.schema.scale import Scale
from noiseless.errors import QuestionError, SchemaError


class Measures:
    """Finds what the numbers of a question are about. Anything shared by all groups is found once."""

    def __init__(self, rows: CountedRows) -> None:
        self.rows, self.dataset = rows, rows.dataset
        self._roundings, self._abouts = Remembered(rows.dataset.rounding), Remembered(self._about)

    def about(self, aggregate: Aggregate) -> About:
        """What a number is about: a column of the table, perhaps in other units, or a function on a grid."""
        return self._abouts[aggregate]

    def check_squares(self, part: Part, name: str, column: Scale) -> None:
        """Refuse a column whose squares add up to more than the engines can count."""
        if part.size * column.top**2 >= LARGEST_SUM:
            raise QuestionError(
                f"the step of {name!r} is too fine for a variance: {part.size} rows of {column.top}² pass 2^63; "
                f"select fewer rows with public columns, or ask the custodian for a larger step"
            )

    def _about(self, aggregate: Aggregate) -> About:
        if aggregate.column is not None:
            column = self.dataset.schema.columns[aggregate.column]
            rounding = self._roundings[aggregate.column]
            return About(aggregate.column, column, rounding, aggregate.share)  # type: ignore[arg-type]
        assert aggregate.of is not None
        function = aggregate.of.given(self.fixed(aggregate))
        if function.kind == "date":
            check_calendar(function, function.span())
        found = affine(function)
        if found is not None and in_units(aggregate, found, plain=self.rows.always(aggregate)):
            share = aggregate.share if found.factor > 0 else 1 - aggregate.share
            name = found.column.name
            column = self.dataset.schema.columns[name]
            assert isinstance(column, Scale)
            return About(name, column, self._roundings[name], share, found.factor, found.shift)
        return self.computed(aggregate, function)

    def computed(self, aggregate: Aggregate, function: Function) -> About:
        """A function of the row, on a grid."""
        rows = max(1, self.dataset.rows)
        most = LARGEST_SUM // rows - 1
        squared = aggregate.function in (*SPREADS, *SQUARES_OF)
        grid, slack = grid_of(function.span(), isqrt(most) if squared else most)
        if aggregate.function == DISTINCT and grid[2] != function.span().pitch and function.span().steps:
            raise QuestionError(
                f"the values of {str(function)!r} have no common step, so that none are equal by design; round them, "
                f"as in COUNT(DISTINCT ROUND({function}, 2))"
            )
        private = self.dataset.schema.private
        reads = tuple(sorted(function.reads & set(private)))
        try:
            column = Derived(function, grid, slack, reads, prod(private[name].values for name in reads))
        except SchemaError:
            raise QuestionError(
                f"{str(function)[:60]!r} is too large or too finely divided; multiply it by a number, or round it with "
                f"ROUND"
            ) from None
        column.code(ANY_DIALECT, str)  # refused here if it needs too many digits
        return About(column.name, column, slack, aggregate.share, of=function)

    def fixed(self, aggregate: Aggregate) -> dict[str, int]:
        """The public columns in which all rows that may count have the same key, with its code."""
        assert aggregate.of is not None
        public = [name for name in self.dataset.schema.public if name in aggregate.of.reads]
        if not public:
            return {}
        condition, places = self.rows.condition(aggregate), list(self.dataset.schema.public)
        kept = [cell for cell in self.dataset.cells if self.rows.left(condition, cell) != FALSE]
        codes = {name: {cell[places.index(name)] for cell in kept} for name in public}
        return {name: found.pop() for name, found in codes.items() if len(found) == 1}
