"""From a plan to releases: which integer about which rows answers each part of a question."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import prod
from operator import itemgetter

from noiseless.curator.dataset.dataset import Dataset
from noiseless.curator.plan.condition import (
    TRUE,
    Condition,
    columns_read,
    every,
)
from noiseless.curator.plan.functions.derived import Derived
from noiseless.curator.plan.group import Group, Shown, check_cells, number_of_cells
from noiseless.curator.plan.part import Part
from noiseless.curator.plan.plan import DISTINCT, Aggregate, Plan
from noiseless.curator.question.about import About, public_number
from noiseless.curator.question.cell_by_cell import cells_one_by_one
from noiseless.curator.question.cells import Cells
from noiseless.curator.question.counted_rows import CountedRows
from noiseless.curator.question.line import Asked, Known, Line
from noiseless.curator.question.measures import Measures
from noiseless.curator.releases.centred import CentredSquares, CentredTotal
from noiseless.curator.releases.centred_products import CentredProducts
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
from noiseless.curator.releases.release import Release
from noiseless.curator.releases.spread import SAMPLES, SPREADS
from noiseless.curator.releases.total import Total
from noiseless.curator.releases.variance import Variance
from noiseless.curator.schema.categories import Boolean, Category
from noiseless.curator.schema.public import Public
from noiseless.errors import QuestionError, TooLargeError

MOST_GROUPS = 100_000
COUNT = Aggregate("COUNT")


def resolve(plan: Plan, dataset: Dataset, centred: bool = False, cell_by_cell: bool = True) -> tuple[Line, ...]:
    """One line for every combination of declared keys, in the declared order.

    If `centred`, means and variances under a private condition come from a count and from sums about a centre, and with
    `cell_by_cell` private groups are taken one by one.
    """
    if plan.united:
        each = (resolve(select, dataset, centred) for select in plan.united)
        return tuple(replace(line, select=place) for place, lines in enumerate(each) for line in lines)
    public = public_keys(plan, dataset)
    codes_of = [_codes(name, each, dataset) for name, each in public.items()]
    members: dict[tuple[int, ...], list[int]] = {}
    for index, cell in enumerate(dataset.cells):
        members.setdefault(tuple([code(cell) for code in codes_of]), []).append(index)
    resolver = Resolver(dataset, plan, centred, cell_by_cell)
    lines: list[Line] = []
    codes = product(*(range(len(column.keys)) for column in public.values()))
    for group, keys in zip(codes, product(*(column.keys for column in public.values())), strict=True):
        lines += resolver.lines(dict(zip(public, keys, strict=True)), group, members.get(group, []))
    return tuple(lines)


def public_keys(plan: Plan, dataset: Dataset) -> dict[str, Public | Group]:
    """What is public in GROUP BY. Refused if that makes too many groups."""
    functions = {each.label: each for each in plan.public_groups}
    public = {name: functions.get(name) or dataset.schema.public[name] for name in plan.public_keys}
    groups = prod(len(column.keys) for column in public.values())
    if groups > MOST_GROUPS:
        raise TooLargeError(f"GROUP BY makes more than {MOST_GROUPS} groups; group by fewer columns")
    check_cells(groups * number_of_cells(plan.groups))
    return public


def _codes(name: str, given: Public | Group, dataset: Dataset) -> Callable[[tuple[int, ...]], int]:
    """Finds the place of the key of a public cell among all keys."""
    names = list(dataset.schema.public)
    if isinstance(given, Public):
        return itemgetter(names.index(name))
    places = {value: place for place, value in enumerate(given.values)}
    return lambda cell: places[given.function.value(dict(zip(names, cell, strict=True)))]


class Resolver:
    """Finds the releases behind each number. Anything shared by all groups is found once."""

    def __init__(self, dataset: Dataset, plan: Plan, centred: bool, cell_by_cell: bool = True) -> None:
        self.centred = centred
        private = bool(plan.groups) or plan.category is not None
        self.one_by_one = cells_one_by_one(plan, dataset.schema) if private and centred and cell_by_cell else None
        self.dataset, self.plan, self.aggregates = dataset, plan, plan.aggregates()
        self.rows = CountedRows(dataset, plan)
        self.measures = Measures(self.rows)
        self.of_cells = Cells(self.measures)

    def lines(self, keys: dict[str, Shown], group: tuple[int, ...], cells: list[int]) -> list[Line]:
        """The lines of one group: one, or one for each value of a private category."""
        plan = self.plan
        if self.one_by_one is not None:
            return self._one_by_one(self.one_by_one, keys, group, cells)
        if plan.groups:
            return self.of_cells.lines(keys, group, cells)
        if plan.category is None:
            return [Line(keys, group, {each: self._number(each, cells) for each in self.aggregates})]
        column = self.dataset.schema.private[plan.category]
        assert isinstance(column, (Category, Boolean))
        part = self.rows.part(cells, COUNT)
        values: list[Shown] = [*column.keys, *([None] if column.apart else [])]
        tally = None if part is None else TallyOfCategory(part, plan.category, column)
        return [
            Line(
                {name: value if name == plan.category else keys[name] for name in plan.keys},
                group,
                {Aggregate("COUNT"): Known(0) if tally is None else Asked(tally, str(place))},
            )
            for place, value in enumerate(values)
        ]

    def _one_by_one(
        self,
        of_groups: list[tuple[dict[str, Shown], Condition]],
        keys: dict[str, Shown],
        group: tuple[int, ...],
        cells: list[int],
    ) -> list[Line]:
        """A line for every cell of private groups, each with its own numbers."""
        lines = []
        for values, condition in of_groups:
            every_key, numbers = {**keys, **values}, dict[Aggregate, Known | Asked]()
            for each in self.aggregates:
                number = self._number(replace(each, filter=every([each.filter, condition])), cells)
                if isinstance(number, Asked):
                    number = replace(number, both=every([number.both, condition]))
                numbers[each] = replace(number, cells=len(of_groups))
            lines.append(Line({name: every_key[name] for name in self.plan.keys}, group, numbers))
        return lines

    def _number(self, aggregate: Aggregate, cells: list[int]) -> Known | Asked:
        function = aggregate.function
        if function == "COUNT":
            return self._count(aggregate, cells)
        if function == DISTINCT:
            return self._distinct(aggregate, cells)
        if aggregate.second is not None:
            return self._paired(aggregate, cells)
        about = self.measures.about(aggregate)
        part = self.rows.part(cells, aggregate)
        if part is None:
            return Known(0 if function == "SUM" else None)
        if about.of is not None and part.plain and not part.reads(*about.column.sources(about.name)):
            return Known(
                public_number(
                    aggregate, about.of, [(self.rows.keys(cell), self.dataset.sizes[cell]) for cell in part.cells]
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
                self.measures.check_squares(part, about.name, about.column)
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
        self.measures.check_squares(part, about.name, about.column)
        return Asked(CentredSquares(*given), function, (counted.release, total))

    def _count(self, aggregate: Aggregate, cells: list[int]) -> Known | Asked:
        part = self.rows.part(cells, aggregate)
        if part is None or part.plain:
            return Known(0 if part is None else part.size)
        one = part.columns[0] if len(part.columns) == 1 and columns_read(part.condition) == {*part.columns} else None
        about = None if aggregate.of is None and aggregate.column is None else self.measures.about(aggregate.sides[0])
        counted = None if about is None or self.rows.present(aggregate) == TRUE else about.name
        computed = about.column if about is not None and isinstance(about.column, Derived) and counted else None
        column = None if one is None else self.dataset.schema.private[one]
        return Asked(HeadCount(part, column, counted, computed), "COUNT")

    def _distinct(self, aggregate: Aggregate, cells: list[int]) -> Known | Asked:
        """How many different values there are.

        The number is public if the values and the rows that count are public.
        """
        part, dataset = self.rows.part(cells, aggregate), self.dataset
        if part is None:
            return Known(0)
        about = None if aggregate.of is None else self.measures.about(aggregate)
        name = aggregate.column or (about.name if about is not None else "")
        computed = about.column if about is not None and isinstance(about.column, Derived) else None
        private = computed.reads if computed is not None else tuple({name} & set(dataset.schema.private))
        if part.plain and not private:
            keys = [self.rows.keys(cell) for cell in part.cells]
            return Known(
                len({row[name] if computed is None else computed.function.value(row) for row in keys} - {None})
            )
        states = prod(dataset.schema.private[each].values for each in part.reads(*private))
        return Asked(DistinctCount(part, name, private, states, computed), "COUNT")

    def _paired(self, aggregate: Aggregate, cells: list[int]) -> Known | Asked:
        """COVAR, CORR and REGR: from the number of rows, if that is private, and sums about both middles."""
        part, function = self.rows.part(cells, aggregate), aggregate.function
        if part is None or (part.plain and part.size == 1 and function != "COVAR_POP"):
            return Known(None)
        y, x = (self.measures.about(side) for side in aggregate.sides)
        given = [(part, about.name, about.column, about.rounding) for about in (y, x)]
        sums: list[Release] = [CentredTotal(*each) for each in given]
        sums += [CentredSquares(*given[side]) for side in SQUARES_OF[function]]
        for about in (y, x):
            if not part.reads(*about.column.sources(about.name)):
                raise QuestionError(f"{function} of public columns is not released; compute it from the public groups")
            self.measures.check_squares(part, about.name, about.column)
        counted = self._count(aggregate, cells)
        beside = (*([counted.release] if isinstance(counted, Asked) else []), *sums)
        sides = tuple(Side(each.name, each.column, each.rounding, each.factor, each.shift) for each in (y, x))
        both = every([self.rows.present(side) for side in aggregate.sides])
        products = CentredProducts(*given[0], x.name, x.column)
        return Asked(products, function, beside, pair=Pair(function, sides), both=both)  # type: ignore[arg-type]
