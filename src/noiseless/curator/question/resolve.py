"""From a plan to releases: which integer about which rows answers each part of a question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property
from itertools import product
from math import isqrt, prod
from typing import Any

from noiseless.curator.dataset.dataset import LARGEST_SUM, Dataset
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
from noiseless.curator.plan.functions.arithmetic import affine
from noiseless.curator.plan.functions.derived import Derived, grid_of
from noiseless.curator.plan.functions.function import Function
from noiseless.curator.plan.group import Shown, cell_of, check_cells, number_of_cells
from noiseless.curator.plan.part import Part
from noiseless.curator.plan.plan import DISTINCT, Aggregate, Plan
from noiseless.curator.question.about import ANY_DIALECT, About, in_units, public_number
from noiseless.curator.releases.cell_sums import CellSums
from noiseless.curator.releases.centred import CentredSquares, CentredTotal, report_centred
from noiseless.curator.releases.centred_products import CentredProducts
from noiseless.curator.releases.cross_table import CrossTable
from noiseless.curator.releases.distinct_count import DistinctCount
from noiseless.curator.releases.filtered_mean import FilteredMean
from noiseless.curator.releases.filtered_total import FilteredTotal
from noiseless.curator.releases.filtered_variance import FilteredVariance
from noiseless.curator.releases.function_total import FunctionTotal
from noiseless.curator.releases.head_count import HeadCount
from noiseless.curator.releases.histogram import TallyOfCategory
from noiseless.curator.releases.interpolated import InterpolatedQuantile
from noiseless.curator.releases.order_statistic import OrderStatistic
from noiseless.curator.releases.pair import SQUARES_OF, Pair, Side
from noiseless.curator.releases.release import Paid, Release, Released, Width
from noiseless.curator.releases.reported import Reported
from noiseless.curator.releases.spread import SAMPLES, SPREADS, VARIANCES
from noiseless.curator.releases.total import Total
from noiseless.curator.releases.variance import Variance
from noiseless.curator.schema.categories import Boolean, Category, Key
from noiseless.curator.schema.public import Public
from noiseless.curator.schema.scale import Scale
from noiseless.curator.schema.schema import Private
from noiseless.errors import QuestionError, SchemaError, TooLargeError

MOST_GROUPS = 100_000
COUNT = Aggregate("COUNT")


@dataclass(frozen=True, slots=True)
class Known:
    """A public number. SUM over zero rows is 0, and other functions except COUNT are None."""

    value: int | Fraction | None


@dataclass(frozen=True, slots=True)
class Asked:
    """A number computed from a release, and others `beside` it, by the function that was asked for.

    In other units it is reported as factor·number + shift.
    """

    release: Release
    function: str
    beside: tuple[Release, ...] = ()
    factor: Fraction = Fraction(1)
    shift: Fraction = Fraction(0)
    pair: Pair | None = None
    """The function of two columns, if it is one."""
    both: Condition = TRUE
    """That both columns have a value, for a function of two columns."""

    @property
    def in_steps(self) -> bool:
        """Whether its bins follow from what comes out of an earlier release."""
        return bool(self.beside) and self.pair is None

    @property
    def grids(self) -> tuple[Derived | None, ...]:
        """The grids of the columns that are computed for it, in the order of the text."""
        if self.pair is None:
            return self.release.measured
        return tuple(each.column if isinstance(each.column, Derived) else None for each in self.pair.sides)

    def __hash__(self) -> int:
        return hash((self.function, self.release.part))

    @property
    def releases(self) -> tuple[Release, ...]:
        """All releases, in the order in which they are released."""
        return *self.beside, self.release

    def report(self, widths: Mapping[Release, Width], released: Mapping[Paid, Released]) -> Reported | None:
        """The number, from what was released."""
        found = [(each, widths[each], released[each, widths[each]]) for each in self.releases]
        if self.pair is not None:
            return self.pair.report(found, self.release.part.size)
        if not self.beside:
            [(release, width, numbers)] = found
            return self.in_units(release.report(width, numbers, self.function))
        return self.in_units(report_centred(found, self.function))

    @property
    def unit(self) -> Fraction:
        """How large the unit of the release is in the unit that is reported."""
        if self.factor == 1:
            return self.factor
        return self.factor**2 if self.function in VARIANCES else abs(self.factor)

    def own_error(self, error: Fraction) -> Fraction:
        """An error in the unit of the release."""
        return error / self.unit

    def in_units(self, number: Reported | None) -> Reported | None:
        """A number of the release in the units that are reported."""
        if number is None or (self.factor == 1 and not self.shift):
            return number
        factor = self.unit if self.function in SPREADS else self.factor
        ends = sorted(factor * end + self.shift for end in (number.lower, number.upper))
        return Reported(factor * number.value + self.shift, *ends)


@dataclass(frozen=True, slots=True)
class Line:
    """One row of the answer: its keys, the codes of its public keys, and where each number comes from."""

    keys: Mapping[str, Shown]
    group: tuple[int, ...]
    numbers: Mapping[Aggregate, Known | Asked]


def releases_of(line: Line) -> list[Release]:
    """What a line needs from the data, each release once, in the order of its numbers."""
    asked = (number for number in line.numbers.values() if isinstance(number, Asked))
    return list(dict.fromkeys(release for number in asked for release in number.releases))


def resolve(plan: Plan, dataset: Dataset, centred: bool = False) -> tuple[Line, ...]:
    """One line for every combination of declared keys, in the declared order.

    If `centred`, means and variances under a private condition come from a count and from sums about a centre.
    """
    public = public_keys(plan, dataset)
    places = [list(dataset.schema.public).index(name) for name in public]
    members: dict[tuple[int, ...], list[int]] = {}
    for index, cell in enumerate(dataset.cells):
        members.setdefault(tuple([cell[place] for place in places]), []).append(index)
    resolver = Resolver(dataset, plan, centred)
    lines: list[Line] = []
    codes = product(*(range(len(column.keys)) for column in public.values()))
    for group, keys in zip(codes, product(*(column.keys for column in public.values())), strict=True):
        lines += resolver.lines(dict(zip(public, keys, strict=True)), group, members.get(group, []))
    return tuple(lines)


def public_keys(plan: Plan, dataset: Dataset) -> dict[str, Public]:
    """The public columns of GROUP BY. Refused if they make too many groups."""
    public = {name: dataset.schema.public[name] for name in plan.public_keys}
    groups = prod(len(column.keys) for column in public.values())
    if groups > MOST_GROUPS:
        raise TooLargeError(f"GROUP BY makes more than {MOST_GROUPS} groups; group by fewer columns")
    check_cells(groups * number_of_cells(plan.groups))
    return public


class Resolver:
    """Finds the rows behind each number. What is the same for all groups is found once."""

    def __init__(self, dataset: Dataset, plan: Plan, centred: bool) -> None:
        self.centred = centred
        self.dataset, self.plan, self.aggregates = dataset, plan, plan.aggregates()
        self.left, self.condition, self.rounding = cache(self._left), cache(self._condition), cache(dataset.rounding)
        self.about_cells = cache(self._about_cells)
        self.shape, self.everywhere, self.about = cache(self._shape), cache(self._everywhere), cache(self._about)

    @cached_property
    def cell(self) -> tuple[str, Derived, int]:
        """The cells of private groups."""
        return self._cell()

    def lines(self, keys: dict[str, Key], group: tuple[int, ...], cells: list[int]) -> list[Line]:
        """The lines of one group: one, or one for each value of a private category."""
        plan = self.plan
        if plan.groups:
            return self._lines_of_cells(keys, group, cells)
        if plan.category is None:
            return [Line(keys, group, {each: self._number(each, cells) for each in self.aggregates})]
        column = self.dataset.schema.private[plan.category]
        assert isinstance(column, (Category, Boolean))
        part = self._part(cells, COUNT)
        values: list[Key | None] = [*column.keys, *([None] if column.apart else [])]
        tally = None if part is None else TallyOfCategory(part, plan.category, column)
        return [
            Line(
                {name: value if name == plan.category else keys[name] for name in plan.keys},
                group,
                {Aggregate("COUNT"): Known(0) if tally is None else Asked(tally, str(place))},
            )
            for place, value in enumerate(values)
        ]

    def _lines_of_cells(self, keys: dict[str, Key], group: tuple[int, ...], cells: list[int]) -> list[Line]:
        """One line for each cell of private groups."""
        plan = self.plan
        sources = {each: self._of_cells(each, cells) for each in self.aggregates}
        names = [each.label for each in plan.groups]
        lines = []
        for cell, values in enumerate(product(*(each.keys for each in plan.groups))):
            every = {**keys, **dict(zip(names, values, strict=True))}
            numbers = {
                each: Known(None if word == "AVG" else 0) if found is None else Asked(found, f"{word}{cell}")
                for each, (found, word) in sources.items()
            }
            lines.append(Line({name: every[name] for name in plan.keys}, group, numbers))
        return lines

    def _of_cells(self, aggregate: Aggregate, cells: list[int]) -> tuple[Release | None, str]:
        """The release that gives a number of every cell, and what it calls this number. None if no row may count.

        Counts come from the release of a sum of the same rows, if there is one.
        """
        word = aggregate.function
        sums = [each for each in self.aggregates if each.function in ("SUM", "AVG") and each.filter == aggregate.filter]
        if word == "COUNT" and (aggregate.column is not None or aggregate.of is not None):
            sums = [each for each in sums if (each.column, each.of) == (aggregate.column, aggregate.of)]
        elif word in ("SUM", "AVG"):
            sums = [aggregate]
        if not sums:
            part = self._part(cells, aggregate)
            return (None if part is None else self._counts_of_cells(part, aggregate)), ""
        found = self._sums_of_cells(sums[0], cells)
        rows = word == "COUNT" and aggregate.column is None and aggregate.of is None
        return found, "ROWS " if rows else f"{word} "

    def _counts_of_cells(self, part: Part, aggregate: Aggregate) -> Release:
        groups = self.plan.groups
        if self._present(aggregate) != TRUE:
            about = self.about(aggregate)
            computed = about.column if isinstance(about.column, Derived) else None
            return CrossTable(part, *self.cell, about.name, computed)
        if len(groups) == 1 and (name := groups[0].column) is not None:
            return TallyOfCategory(part, name, self.dataset.schema.private[name])
        return CrossTable(part, *self.cell)

    def _sums_of_cells(self, aggregate: Aggregate, cells: list[int]) -> Release | None:
        if self.dataset.schema.rows > 1:
            raise QuestionError(
                f"a person may have {self.dataset.schema.rows} rows, and then {aggregate.function} by private groups "
                f"has no proven count; ask for COUNT(*), or group by public columns only"
            )
        about = self.about_cells(aggregate)
        shown = Aggregate("COUNT", filter=aggregate.filter)
        first = next(
            each for each in self.aggregates if each.function in ("SUM", "AVG") and each.filter == shown.filter
        )
        beside = shown in self.aggregates and (first.column, first.of) == (aggregate.column, aggregate.of)
        all_rows = beside and self._present(aggregate) != TRUE
        part = self._part(cells, shown if all_rows else aggregate)
        if part is None:
            return None
        return CellSums(part, *self.cell, about.name, about.column, about.rounding, all_rows)

    def _about_cells(self, aggregate: Aggregate) -> About:
        """A column of numbers, or a function on a grid. Other units make no difference here."""
        if aggregate.column is not None:
            return self.about(aggregate)
        assert aggregate.of is not None
        return self._computed(aggregate, aggregate.of.given(self._fixed(aggregate)))

    def _cell(self) -> tuple[str, Derived, int]:
        """What the private groups are called, the number of a row's cell, and the number of all cells."""
        groups = self.plan.groups
        cells, function = number_of_cells(groups), cell_of(groups)
        private = self.dataset.schema.private
        reads = tuple(sorted(frozenset[str]().union(*(each.function.reads for each in groups)) & set(private)))
        grid = Fraction(0), Fraction(max(cells - 1, 1)), Fraction(1)
        column = Derived(function, grid, Fraction(0), reads, prod(private[name].values for name in reads))
        column.code(ANY_DIALECT, str)  # refused here if it needs too many digits
        return ", ".join(str(each.function) for each in groups), column, cells

    def conditions_in_cells(self) -> list[int] | None:
        """A number for what is left of the conditions in every cell, equal for equal ones. None if in all the same."""
        conditions = list(dict.fromkeys(self.condition(each) for each in self.aggregates))
        if not any(columns_read(condition) & set(self.dataset.schema.public) for condition in conditions):
            return None
        known: dict[tuple[Condition, ...], int] = {}
        lefts = (tuple([self.left(each, cell) for each in conditions]) for cell in self.dataset.cells)
        return [known.setdefault(left, len(known)) for left in lefts]

    def _number(self, aggregate: Aggregate, cells: list[int]) -> Known | Asked:
        function = aggregate.function
        if function == "COUNT":
            return self._count(aggregate, cells)
        if function == DISTINCT:
            return self._distinct(aggregate, cells)
        if aggregate.second is not None:
            return self._paired(aggregate, cells)
        about = self.about(aggregate)
        part = self._part(cells, aggregate)
        if part is None:
            return Known(0 if function == "SUM" else None)
        if about.of is not None and part.plain and not part.reads(*about.column.sources(about.name)):
            return Known(
                public_number(
                    aggregate, about.of, [(self._keys(cell), self.dataset.sizes[cell]) for cell in part.cells]
                )
            )
        if part.plain and part.size == 1 and function in SAMPLES:
            return Known(None)
        if self.centred and not part.plain and function in ("AVG", *SPREADS):
            return self._in_units(self._centred(aggregate, part, about, cells), about, part)
        return self._in_units(self._released(aggregate, part, about), about, part)

    def _released(self, aggregate: Aggregate, part: Part, about: About) -> Asked:
        function, given = aggregate.function, (part, about.name, about.column, about.rounding)
        match function:
            case "SUM" | "AVG" if part.plain:
                return Asked((Total if about.column.own else FunctionTotal)(*given), function)
            case "SUM":
                return Asked(FilteredTotal(*given), function)
            case "AVG":
                return Asked(FilteredMean(*given), function)
            case "ORDER":
                return Asked(OrderStatistic(*given, about.share), function)
            case "PERCENTILE_CONT":
                return Asked(InterpolatedQuantile(*given, about.share), function)
            case _ if function in SPREADS:
                self._check_squares(part, about.name, about.column)
                return Asked((Variance if part.plain else FilteredVariance)(*given), function)
        raise QuestionError(f"{function} cannot be released; ask for COUNT, SUM, AVG, a variance or a quantile")

    @staticmethod
    def _in_units(number: Asked, about: About, part: Part) -> Asked:
        """The number in the units of the question. A sum of n shifted numbers is shifted n times."""
        if about.factor == 1 and not about.shift:
            return number
        shift = Fraction(0) if number.function in SPREADS else about.shift
        return replace(number, factor=about.factor, shift=shift * (part.size if number.function == "SUM" else 1))

    def _centred(self, aggregate: Aggregate, part: Part, about: About, cells: list[int]) -> Asked:
        function, given = aggregate.function, (part, about.name, about.column, about.rounding)
        counted, total = self._count(aggregate, cells), CentredTotal(*given)
        assert isinstance(counted, Asked)
        if function == "AVG":
            return Asked(total, function, (counted.release,))
        self._check_squares(part, about.name, about.column)
        return Asked(CentredSquares(*given), function, (counted.release, total))

    def _count(self, aggregate: Aggregate, cells: list[int]) -> Known | Asked:
        part = self._part(cells, aggregate)
        if part is None or part.plain:
            return Known(0 if part is None else part.size)
        one = part.columns[0] if len(part.columns) == 1 and columns_read(part.condition) == {*part.columns} else None
        about = None if aggregate.of is None and aggregate.column is None else self.about(aggregate.sides[0])
        counted = None if about is None or self._present(aggregate) == TRUE else about.name
        computed = about.column if about is not None and isinstance(about.column, Derived) and counted else None
        column = None if one is None else self.dataset.schema.private[one]
        return Asked(HeadCount(part, column, counted, computed), "COUNT")

    def _distinct(self, aggregate: Aggregate, cells: list[int]) -> Known | Asked:
        """How many different values there are: known if they are public, and so is which rows count."""
        part, dataset = self._part(cells, aggregate), self.dataset
        if part is None:
            return Known(0)
        about = None if aggregate.of is None else self.about(aggregate)
        name = aggregate.column or (about.name if about is not None else "")
        computed = about.column if about is not None and isinstance(about.column, Derived) else None
        private = computed.reads if computed is not None else tuple({name} & set(dataset.schema.private))
        if part.plain and not private:
            keys = [self._keys(cell) for cell in part.cells]
            return Known(
                len({row[name] if computed is None else computed.function.value(row) for row in keys} - {None})
            )
        states = prod(dataset.schema.private[each].values for each in part.reads(*private))
        return Asked(DistinctCount(part, name, private, states, computed), "COUNT")

    def _paired(self, aggregate: Aggregate, cells: list[int]) -> Known | Asked:
        """COVAR, CORR and REGR: from the number of rows, if that is private, and sums about both middles."""
        part, function = self._part(cells, aggregate), aggregate.function
        if part is None or (part.plain and part.size == 1 and function != "COVAR_POP"):
            return Known(None)
        y, x = (self.about(side) for side in aggregate.sides)
        given = [(part, about.name, about.column, about.rounding) for about in (y, x)]
        sums: list[Release] = [CentredTotal(*each) for each in given]
        sums += [CentredSquares(*given[side]) for side in SQUARES_OF[function]]
        for about in (y, x):
            if not part.reads(*about.column.sources(about.name)):
                raise QuestionError(f"{function} of public columns is not released; compute it from the public groups")
            self._check_squares(part, about.name, about.column)
        counted = self._count(aggregate, cells)
        beside = (*([counted.release] if isinstance(counted, Asked) else []), *sums)
        sides = tuple(Side(each.name, each.column, each.rounding, each.factor, each.shift) for each in (y, x))
        both = every([self._present(side) for side in aggregate.sides])
        products = CentredProducts(*given[0], x.name, x.column)
        return Asked(products, function, beside, pair=Pair(function, sides), both=both)  # type: ignore[arg-type]

    def _check_squares(self, part: Part, name: str, column: Scale) -> None:
        if part.size * column.top**2 >= LARGEST_SUM:
            raise QuestionError(
                f"the step of {name!r} is too fine for a variance: {part.size} rows of {column.top}² pass 2^63; "
                f"select fewer rows with public columns, or ask the custodian for a larger step"
            )

    def _about(self, aggregate: Aggregate) -> About:
        """What a number is about: a column of the table, perhaps in other units, or a function on a grid."""
        if aggregate.column is not None:
            column = self.dataset.schema.columns[aggregate.column]
            rounding = self.rounding(aggregate.column)
            return About(aggregate.column, column, rounding, aggregate.share)  # type: ignore[arg-type]
        assert aggregate.of is not None
        function = aggregate.of.given(self._fixed(aggregate))
        found = affine(function)
        if found is not None and in_units(aggregate, found, plain=self._always(aggregate)):
            share = aggregate.share if found.factor > 0 else 1 - aggregate.share
            name = found.column.name
            column = self.dataset.schema.columns[name]
            assert isinstance(column, Scale)
            return About(name, column, self.rounding(name), share, found.factor, found.shift)
        return self._computed(aggregate, function)

    def _computed(self, aggregate: Aggregate, function: Function) -> About:
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

    def _fixed(self, aggregate: Aggregate) -> dict[str, int]:
        """The public columns with one and the same key for all rows that may count, with its code."""
        assert aggregate.of is not None
        public = [name for name in self.dataset.schema.public if name in aggregate.of.reads]
        if not public:
            return {}
        condition, places = self.condition(aggregate), list(self.dataset.schema.public)
        kept = [cell for cell in self.dataset.cells if self.left(condition, cell) != FALSE]
        codes = {name: {cell[places.index(name)] for cell in kept} for name in public}
        return {name: found.pop() for name, found in codes.items() if len(found) == 1}

    def _always(self, aggregate: Aggregate) -> bool:
        """Whether every row counts that the public columns keep."""
        condition = self.condition(aggregate)
        return not columns_read(condition) & set(self.dataset.schema.private)

    def _present(self, aggregate: Aggregate) -> Condition:
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

    def _keys(self, cell: int) -> dict[str, int]:
        return dict(zip(self.dataset.schema.public, self.dataset.cells[cell], strict=True))

    def _part(self, cells: list[int], aggregate: Aggregate) -> Part | None:
        """The rows of the cells that may count. None if there are none."""
        dataset, condition, shared = self.dataset, self.condition(aggregate), self.everywhere(aggregate)
        kept = cells if shared != FALSE else []
        if shared is None:
            lefts = {index: self.left(condition, dataset.cells[index]) for index in cells}
            kept = [index for index in cells if lefts[index] != FALSE]
            different = {lefts[index] for index in kept}
            shared = different.pop() if len(different) == 1 else condition  # if it differs, the whole condition
        if not kept:
            return None
        columns, changes, said = self.shape(shared)
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
        """Which rows count in a number."""
        return every([self.plan.where, aggregate.filter, *(self._present(side) for side in aggregate.sides)])

    def _everywhere(self, aggregate: Aggregate) -> Condition | None:
        """What is left of the condition in every cell, if it reads no public column."""
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

    def _left(self, condition: Condition, cell: tuple[int, ...]) -> Condition:
        """What is left of a condition for the people of a cell, in normal form if it reads one column."""
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
