"""From a plan to releases: which integer about which rows answers each part of a question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import prod

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
    of_one_column,
    truth_changes,
)
from noiseless.curator.plan.part import Part
from noiseless.curator.plan.plan import Aggregate, Plan
from noiseless.curator.releases.centred import CentredSquares, CentredTotal, report_centred
from noiseless.curator.releases.filtered_mean import FilteredMean
from noiseless.curator.releases.filtered_total import FilteredTotal
from noiseless.curator.releases.head_count import HeadCount
from noiseless.curator.releases.histogram import TallyOfCategory
from noiseless.curator.releases.order_statistic import OrderStatistic
from noiseless.curator.releases.release import Paid, Release, Released, Width
from noiseless.curator.releases.reported import Reported
from noiseless.curator.releases.total import Total
from noiseless.curator.releases.variance import Variance
from noiseless.curator.schema.categories import Boolean, Category, Key
from noiseless.curator.schema.public import Public
from noiseless.curator.schema.scale import Scale
from noiseless.curator.schema.schema import Private
from noiseless.errors import QuestionError, TooLargeError

MOST_GROUPS = 100_000


@dataclass(frozen=True, slots=True)
class Known:
    """A public number. SUM over zero rows is 0, and other functions except COUNT are None."""

    value: int | None


@dataclass(frozen=True, slots=True)
class Asked:
    """A number computed from a release, and others `beside` it, by the function that was asked for."""

    release: Release
    function: str
    beside: tuple[Release, ...] = ()

    @property
    def releases(self) -> tuple[Release, ...]:
        """All releases, in the order in which they are released."""
        return *self.beside, self.release

    def report(self, widths: Mapping[Release, Width], released: Mapping[Paid, Released]) -> Reported | None:
        """The number, from what was released."""
        found = [(each, widths[each], released[each, widths[each]]) for each in self.releases]
        if not self.beside:
            [(release, width, numbers)] = found
            return release.report(width, numbers, self.function)
        return report_centred(found, self.function)


@dataclass(frozen=True, slots=True)
class Line:
    """One row of the answer: its keys, the codes of its public keys, and where each number comes from."""

    keys: Mapping[str, Key | None]
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
    public = {name: dataset.schema.public[name] for name in plan.keys if name != plan.category}
    if prod(len(column.keys) for column in public.values()) > MOST_GROUPS:
        raise TooLargeError(f"GROUP BY makes more than {MOST_GROUPS} groups; group by fewer columns")
    return public


class Resolver:
    """Finds the rows behind each number. What is the same for all groups is found once."""

    def __init__(self, dataset: Dataset, plan: Plan, centred: bool) -> None:
        self.centred = centred
        self.dataset, self.plan, self.aggregates = dataset, plan, plan.aggregates()
        self.left, self.condition, self.rounding = cache(self._left), cache(self._condition), cache(dataset.rounding)
        self.shape, self.everywhere = cache(self._shape), cache(self._everywhere)

    def lines(self, keys: dict[str, Key], group: tuple[int, ...], cells: list[int]) -> list[Line]:
        """The lines of one group: one, or one for each value of a private category."""
        plan = self.plan
        if plan.category is None:
            return [Line(keys, group, {each: self._number(each, cells) for each in self.aggregates})]
        column = self.dataset.schema.private[plan.category]
        assert isinstance(column, (Category, Boolean))
        part = self._part(cells)
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

    def conditions_in_cells(self) -> list[int] | None:
        """A number for what is left of the conditions in every cell, equal for equal ones. None if in all the same."""
        conditions = list(dict.fromkeys(self.condition(each.column) for each in self.aggregates))
        if not any(columns_read(condition) & set(self.dataset.schema.public) for condition in conditions):
            return None
        known: dict[tuple[Condition, ...], int] = {}
        lefts = (tuple([self.left(each, cell) for each in conditions]) for cell in self.dataset.cells)
        return [known.setdefault(left, len(known)) for left in lefts]

    def _number(self, aggregate: Aggregate, cells: list[int]) -> Known | Asked:
        name, function = aggregate.column, aggregate.function
        if function == "COUNT" or name is None:
            return self._count(name, cells)
        column = self.dataset.schema.columns[name]
        assert isinstance(column, Scale)
        part = self._part(cells, name)
        if part is None:
            return Known(0 if function == "SUM" else None)
        rounding = self.rounding(name)
        if self.centred and not part.plain and function in ("AVG", "VAR_POP", "STDDEV_POP"):
            return self._centred(function, part, name, column, cells)
        match function:
            case "SUM":
                total = Total if part.plain else FilteredTotal
                return Asked(total(part, name, column, rounding), function)
            case "AVG":
                mean = Total if part.plain else FilteredMean
                return Asked(mean(part, name, column, rounding), function)
            case "ORDER":
                return Asked(OrderStatistic(part, name, column, rounding, aggregate.share), function)
            case "VAR_POP" | "STDDEV_POP":
                self._check_variance(part, name, column)
                return Asked(Variance(part, name, column, rounding), function)
        raise QuestionError(f"{function} cannot be released; ask for COUNT, SUM, AVG, a variance or a quantile")

    def _centred(self, function: str, part: Part, name: str, column: Scale, cells: list[int]) -> Asked:
        counted, rounding = self._count(name, cells), self.rounding(name)
        assert isinstance(counted, Asked)
        total = CentredTotal(part, name, column, rounding)
        if function == "AVG":
            return Asked(total, function, (counted.release,))
        self._check_squares(part, name, column)
        return Asked(CentredSquares(part, name, column, rounding), function, (counted.release, total))

    def _count(self, name: str | None, cells: list[int]) -> Known | Asked:
        part = self._part(cells, name)
        if part is None or part.plain:
            return Known(0 if part is None else part.size)
        one = part.columns[0] if len(part.columns) == 1 and columns_read(part.condition) == {*part.columns} else None
        counted = name if self._present(name) != TRUE else None
        return Asked(HeadCount(part, None if one is None else self.dataset.schema.private[one], counted), "COUNT")

    def _check_variance(self, part: Part, name: str, column: Scale) -> None:
        if not part.plain:
            raise QuestionError(
                f"a variance of {name!r} under a private condition, or with missing values, needs error= (how far off "
                f"it may be) or bits= below one; or use public columns in WHERE"
            )
        self._check_squares(part, name, column)

    def _check_squares(self, part: Part, name: str, column: Scale) -> None:
        if part.size * column.top**2 >= LARGEST_SUM:
            raise QuestionError(
                f"the step of {name!r} is too fine for a variance: {part.size} rows of {column.top}² pass 2^63; "
                f"select fewer rows with public columns, or ask the custodian for a larger step"
            )

    def _present(self, name: str | None) -> Condition:
        """The condition that a value is present, for columns that keep missing values separate."""
        column = None if name is None else self.dataset.schema.columns[name]
        if name is None or not isinstance(column, Private):
            return TRUE
        if isinstance(column, Category):
            return Within(name, ((0, column.top - 1),)) if column.own_missing else TRUE
        return Within(name, ((0, column.top),)) if column.apart else TRUE

    def _part(self, cells: list[int], name: str | None = None) -> Part | None:
        """The rows of the cells that may count. None if there are none."""
        dataset, condition, shared = self.dataset, self.condition(name), self.everywhere(name)
        kept = cells if shared != FALSE else []
        if shared is None:
            lefts = {index: self.left(condition, dataset.cells[index]) for index in cells}
            kept = [index for index in cells if lefts[index] != FALSE]
            different = {lefts[index] for index in kept}
            shared = different.pop() if len(different) == 1 else condition  # if it differs, the whole condition
        if not kept:
            return None
        columns, changes = self.shape(shared)
        return Part(
            cells=tuple(kept),
            size=sum([dataset.sizes[index] for index in kept]),
            condition=shared,
            columns=columns,
            changes=changes,
            whole=len(kept) == len(dataset.cells),
            rows=dataset.schema.rows,
        )

    def _condition(self, name: str | None) -> Condition:
        """Which rows count in a number about a column."""
        return every([self.plan.where, self._present(name)])

    def _everywhere(self, name: str | None) -> Condition | None:
        """What is left of the condition in every cell, if it reads no public column."""
        condition, dataset = self.condition(name), self.dataset
        if not dataset.cells or columns_read(condition) & set(dataset.schema.public):
            return None
        return self.left(condition, dataset.cells[0])

    def _shape(self, condition: Condition) -> tuple[tuple[str, ...], int]:
        """The private columns that a condition reads, and how often it changes."""
        return tuple(sorted(columns_read(condition) & set(self.dataset.schema.private))), self._changes(condition)

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
        if columns_read(condition) == private:
            return truth_changes(condition, column.top, column.apart)
        return len({cut for cut in cuts(condition, name) if 0 < cut <= column.top}) + column.apart
