"""From plan, public cells and schema to the lines of the answer, and the release that each number comes from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from math import prod
from operator import itemgetter
from typing import Any

from noiseless.curator.certificate.checker.about import About, computed_column, in_units, lies_on, public_number, turned
from noiseless.curator.certificate.checker.cell_by_cell import cells_one_by_one
from noiseless.curator.certificate.checker.columns import Column, Key, Schema
from noiseless.curator.certificate.checker.comparisons import absent, affine, given, tried_for
from noiseless.curator.certificate.checker.conditions import (
    FALSE,
    TRUE,
    Condition,
    changes,
    columns_read,
    given_public,
    joined,
    negation,
    of_one_column,
    size_of,
)
from noiseless.curator.certificate.checker.function_values import value_of
from noiseless.curator.certificate.checker.functions import Function
from noiseless.curator.certificate.checker.groups import cells_of, columns_of
from noiseless.curator.certificate.checker.numbers import MOST_WORK, whole
from noiseless.curator.certificate.checker.plans import DISTINCT, PAIRED, Aggregate, Plan, sides_of
from noiseless.curator.certificate.checker.releases import Computed, Grouped, Part, Release
from noiseless.curator.certificate.checker.spreads import SAMPLES, SPREADS
from noiseless.curator.certificate.checker.wrong import elements, pairs, require

MOST_LINES = 1_000_000
PublicKey = tuple[str, Sequence[Any], Callable[[Mapping[str, int]], int]]
KINDS = {
    "sum": ("total", "filtered total"),
    "avg": ("total", "filtered mean"),
    "kth": ("order statistic", "order statistic"),
    "percentile_cont": ("interpolated quantile", "interpolated quantile"),
    **dict.fromkeys(SPREADS, ("variance", "filtered variance")),
}
"""Kinds without and with a private condition."""
SQUARES = {"covar_pop": (), "covar_samp": (), "regr_slope": (1,), "regr_intercept": (1,)}
"""The columns whose squares a function of two columns needs, by place, if it does not need both."""
OF_GROUPS = ("sum", "avg", *SPREADS)
"""The functions beside counts that are given by private groups."""
ALL: Aggregate = ("count", None, "")
"""COUNT(*)."""


@dataclass(frozen=True, slots=True)
class Known:
    """A public number. SUM over zero rows is 0, and other functions except COUNT are None."""

    value: int | Fraction | None


@dataclass(frozen=True, slots=True)
class Asked:
    """A number computed from a release and others `beside` it. For a histogram, the number at one place.

    It is reported as factor·x + shift.
    """

    release: Release
    place: int = 0
    beside: tuple[Release, ...] = ()
    factor: Fraction = Fraction(1)
    shift: Fraction = Fraction(0)
    function: str | None = None
    """The number that is asked of a cell of private groups."""
    sides: tuple[About, ...] = ()
    """The units of both columns, for a function of two columns."""

    @property
    def releases(self) -> tuple[Release, ...]:
        """All releases, in the order of the certificate."""
        return *self.beside, self.release


@dataclass(frozen=True, slots=True)
class Line:
    """One row before HAVING: its keys, and where each number comes from."""

    keys: Mapping[str, Key | None]
    numbers: Mapping[Aggregate, Known | Asked]


@dataclass(frozen=True, slots=True)
class Cells:
    """The combinations of keys of some public columns that occur, as codes, with their numbers of rows."""

    names: tuple[str, ...]
    codes: Sequence[tuple[int, ...]]
    rows: Sequence[int]


def read_cells(given: Any, named: frozenset[str], schema: Schema, rows: int) -> Cells:
    """The public cells of the columns that are named: distinct, in order, with all rows of the table."""
    public = {name: column for name, column in schema.public.items() if name in named}
    codes = []
    for keys, _ in pairs(given):
        require(len(elements(keys)) == len(public), "a public cell has too many keys, or too few")
        codes.append(tuple(column.place_of(key) for key, column in zip(keys, public.values(), strict=True)))
    sizes = [whole(size) for _, size in given]
    require(all(one < two for one, two in pairwise(codes)), "public cells are named twice or out of order")
    require(all(size >= 1 for size in sizes) and sum(sizes) == rows, "the rows of the public cells are not all rows")
    return Cells(tuple(public), codes, sizes)


def derive(
    plan: Plan,
    cells: Cells,
    schema: Schema,
    centred: bool = False,
    grids: Sequence[Any] | None = None,
    added: dict[Any, Computed] | None = None,
) -> Iterator[Line]:
    """One line for every combination of declared keys, in the declared order.

    If `centred`, means and variances under a private condition come from a count and sums about a centre. Functions of
    the row are added to the columns of the schema on the certified `grids`. `added` are those of other SELECTs.
    """
    require(_work(plan, cells, schema) <= MOST_WORK, "it would take too long to check")
    require(number_of_lines(plan, schema) <= MOST_LINES, "it would take too long to check")
    public = _public_keys(plan, schema.columns)
    members: dict[tuple[int, ...], list[int]] = {}
    for index, cell in enumerate(cells.codes):
        codes = dict(zip(cells.names, cell, strict=True))
        members.setdefault(tuple(place(codes) for _, _, place in public), []).append(index)
    resolver = _Resolver(plan, cells, schema, centred, grids or [None] * functions_in(plan), added)
    for group in product(*(range(len(listed)) for _, listed, _ in public)):
        keys = {name: listed[code] for (name, listed, _), code in zip(public, group, strict=True)}
        yield from resolver.lines(keys, members.get(group, []))
    resolver.check_grids()


def functions_in(plan: Plan) -> int:
    """How many functions of the row a plan has. Each may need a grid."""
    return sum(side in plan.functions for each in plan.aggregates for side in sides_of(each))


def _public_keys(plan: Plan, columns: Mapping[str, Column]) -> list[PublicKey]:
    """The public parts of GROUP BY: each label with all of its keys, and the place of a public cell's key in these."""
    functions = {each.label: each for each in plan.public_groups}

    def place(name: str) -> Callable[[Mapping[str, int]], int]:
        if name not in functions:
            return itemgetter(name)
        places = {value: at for at, value in enumerate(functions[name].values)}
        return lambda codes: places[value_of(functions[name].function, codes, columns)]

    return [
        (name, functions[name].keys if name in functions else columns[name].keys, place(name))
        for name in plan.public_keys
    ]


def _work(plan: Plan, cells: Cells, schema: Schema) -> int:
    """The number of steps, roughly, to find what remains of every condition in every cell."""
    conditions = [plan.where] * len(plan.aggregates) + list(plan.filters.values())
    steps = sum(size_of(condition) + tried_for(condition, schema.columns) for condition in conditions)
    steps += sum(
        2 * function.size + tried_for(("absent", function), schema.columns) for function in plan.functions.values()
    )
    steps += sum(each.function.size for each in plan.public_groups)
    return len(cells.codes) * steps


def number_of_lines(plan: Plan, schema: Schema) -> int:
    """How many lines there are before HAVING and LIMIT, of the finest level."""
    return prod(map(_sizes(plan, schema).__getitem__, plan.keys))


def number_of_rows(plan: Plan, schema: Schema) -> int:
    """How many rows the answer has before HAVING and LIMIT."""
    sizes = _sizes(plan, schema)
    return sum(prod(sizes[name] for name in level) for level in plan.levels or [plan.keys])


def _sizes(plan: Plan, schema: Schema) -> dict[str, int]:
    """How many values every key has."""
    groups = {each.label: len(each.values) for each in (*plan.groups, *plan.public_groups)}
    columns = {name: schema.columns[name] for name in plan.keys if name not in groups}
    return {**groups, **{name: len(column.keys) + column.apart for name, column in columns.items()}}


class _Resolver:
    """Finds the rows behind each number. What remains of a condition is computed once for each combination of keys."""

    def __init__(
        self, plan: Plan, cells: Cells, schema: Schema, centred: bool, grids: Sequence[Any], added: Any
    ) -> None:
        self.centred, self.schema, self.given = centred, schema, grids
        self.alone: list[tuple[dict[str, Any], _Resolver]] | None = None
        self.plan, self.cells, self.columns = plan, cells, schema.columns
        self.left, self.condition, self.about = cache(self._left), cache(self._condition), cache(self._about)
        self.named, self.computed = cache(self._named), cache(self._computed)
        sides = [side for each in plan.aggregates for side in sides_of(each) if side in plan.functions]
        require(len(grids) == len(sides), "there are more grids than functions of the row, or fewer")
        self.grids: dict[Aggregate, Any] = dict(zip(sides, grids, strict=True))
        same = all(self.grids[side] == grid for side, grid in zip(sides, grids, strict=True))
        require(same, "a function of the row has two grids")
        private = bool(plan.groups) or plan.category is not None
        of_groups = all(each[0] in ("count", *OF_GROUPS) for each in plan.aggregates)
        require(of_groups or not private, "a function is not given by private groups")
        self.places: dict[Any, Computed] = {} if added is None else added
        self.used: set[Aggregate] = set()

    def lines(self, keys: Mapping[str, Key], cells: list[int]) -> Iterator[Line]:
        plan = self.plan
        if self.centred and (plan.groups or plan.category is not None):
            yield from self._one_by_one(keys, cells)
            return
        if plan.groups:
            yield from self._cells_of_groups(keys, cells)
            return
        if plan.category is None:
            yield Line(keys, {each: self._number(each, cells) for each in plan.aggregates})
            return
        column, part = self.columns[plan.category], self._part(cells, ALL)
        values: list[Key | None] = [*column.keys, *([None] if column.apart else [])]
        for place, value in enumerate(values):
            every = {name: value if name == plan.category else keys[name] for name in plan.keys}
            asked = Known(0) if part is None else Asked(Release("histogram", plan.category, part), place)
            yield Line(every, {ALL: asked})

    def _one_by_one(self, keys: Mapping[str, Key], cells: list[int]) -> Iterator[Line]:
        """A line for every cell of private groups, with numbers of its rows alone."""
        if self.alone is None:
            self.alone = [
                (own, self._among(condition))
                for own, condition in cells_one_by_one(self.plan.groups, self.plan.category, self.columns)
            ]
        for own, resolver in self.alone:
            every = {**keys, **own}
            numbers = {each: resolver._number(each, cells) for each in self.plan.aggregates}
            yield Line({name: every[name] for name in self.plan.keys}, numbers)

    def _among(self, condition: Condition) -> _Resolver:
        """The same resolver, for only the rows that also meet a condition."""
        plan = replace(self.plan, where=joined("every", [self.plan.where, condition]))
        found = _Resolver(plan, self.cells, self.schema, self.centred, self.given, self.places)
        found.used = self.used
        return found

    def _cells_of_groups(self, keys: Mapping[str, Key], cells: list[int]) -> Iterator[Line]:
        """A line for every cell of private groups, in the order of the listed values."""
        plan = self.plan
        found = {each: self._of_groups(each, cells) for each in plan.aggregates}
        labels = [each.label for each in plan.groups]
        for place, values in enumerate(product(*(each.keys for each in plan.groups))):
            every = {**keys, **dict(zip(labels, values, strict=True))}
            numbers: dict[Aggregate, Known | Asked] = {}
            for each, (release, function) in found.items():
                none = Known(0 if each[0] in ("count", "sum") else None)
                numbers[each] = none if release is None else Asked(release, place, function=function)
            yield Line({name: every[name] for name in plan.keys}, numbers)

    def _of_groups(self, aggregate: Aggregate, cells: list[int]) -> tuple[Release | None, str]:
        """The release that gives a number of every cell. Counts come from a sum of the same rows, if there is one."""
        kind = aggregate[0]
        sums = [each for each in self.plan.aggregates if each[0] != "count"]
        same = [each for each in sums if self.condition(each) == self.condition(aggregate)]
        if aggregate in self.plan.functions:
            same = [each for each in same if each[1] == aggregate[1]]
        if kind != "count" or same:
            found = self._sums(aggregate if kind != "count" else same[0], cells)
            if found is not None and aggregate in self.plan.functions:
                self._name_of_sum(aggregate)
            return found, kind
        part, groups = self._part(cells, aggregate), self.plan.groups
        if part is None:
            return None, kind
        name = None if self._present(aggregate) == TRUE else self._name(aggregate)
        if name is None and not sums and len(groups) == 1 and groups[0].column is not None:
            return Release("histogram", groups[0].column, part), kind
        return Release("cross table", name, part, groups=self._grouped()), kind

    def _sums(self, aggregate: Aggregate, cells: list[int]) -> Release | None:
        """The sums of the column or function of an aggregate, with squares if a variance of it is asked."""
        kept, part = self.plan.filter_of(aggregate), self._part(cells, aggregate)
        alike = [each for each in self.plan.aggregates if each[1] == aggregate[1] and self.plan.filter_of(each) == kept]
        spread = next((each for each in alike if each[0] in SPREADS), None)
        if part is None:
            return None
        kind = "sums of groups" if spread is None else "variances of groups"
        return Release(kind, self._name_of_sum(spread or aggregate), part, groups=self._grouped())

    def _name_of_sum(self, aggregate: Aggregate) -> str | Computed | None:
        """A column, or a function on its grid: in other units it is a function too."""
        return self.computed(aggregate) if aggregate in self.plan.functions else aggregate[1]

    def _grouped(self) -> Grouped:
        read = columns_of(self.plan.groups)
        private = tuple(sorted(name for name in read if not self.columns[name].public))
        return Grouped(cells_of(self.plan.groups), private, self.plan.groups)

    def _number(self, aggregate: Aggregate, cells: list[int]) -> Known | Asked:
        function, part = aggregate[0], self._part(cells, aggregate)
        if function == "count":
            if part is None or part.plain:
                return Known(0 if part is None else part.rows)
            return Asked(self._counted(aggregate, part))
        if part is None:
            return Known(0 if function in ("sum", DISTINCT) else None)
        if function == DISTINCT:
            return self._distinct(aggregate, part)
        if function in PAIRED:
            return self._paired(aggregate, part)
        about = self.about(aggregate)
        if about.function is not None and part.plain and not self._private(about.function):
            return Known(public_number(aggregate, about.function, self.columns, map(self._cell, part.cells)))
        if part.plain and part.rows == 1 and function in SAMPLES:
            return Known(None)
        if about.factor == 1 and not about.shift:
            return self._asked(aggregate, about, part)
        shift = Fraction(0) if function in SPREADS else about.shift * (part.rows if function == "sum" else 1)
        return replace(self._asked(aggregate, about, part), factor=about.factor, shift=shift)

    def _asked(self, aggregate: Aggregate, about: About, part: Part) -> Asked:
        function, name = aggregate[0], self._name(aggregate)
        if self.centred and not part.plain and function in ("avg", *SPREADS):
            counted, total = self._counted(aggregate, part), Release("centred total", name, part)
            if function == "avg":
                return Asked(total, beside=(counted,))
            return Asked(Release("centred squares", name, part), beside=(counted, total))
        kind = KINDS[function][0 if part.plain else 1]
        return Asked(Release("function total" if kind == "total" and about.function else kind, name, part, about.share))

    def _distinct(self, aggregate: Aggregate, part: Part) -> Known | Asked:
        """How many different values there are.

        The number is public if the values and the rows that count are public.
        """
        about = self.about(aggregate)
        if about.function is not None:
            if part.plain and not self._private(about.function):
                values = {value_of(about.function, self._cell(each)[0], self.columns) for each in part.cells}
                return Known(len(values - {None}))
            made = self.computed(aggregate)
            grid = self.columns[made]  # type: ignore[index]
            require(lies_on(about.function, self.columns, grid), "different values of a function have one code")
            return Asked(Release("distinct count", made, part))
        name = str(about.name)
        if not self.columns[name].public:
            return Asked(Release("distinct count", name, part))
        if part.plain:
            return Known(len({self._cell(each)[0][name] for each in part.cells}))
        return Asked(Release("distinct count", None, part, name))

    def _paired(self, aggregate: Aggregate, part: Part) -> Known | Asked:
        """A count if it is private, sums about the middles of both ranges, squares and products."""
        if part.plain and part.rows == 1 and aggregate[0] != "covar_pop":
            return Known(None)
        sides = sides_of(aggregate)
        names = [self._name(side) for side in sides]
        some = [name for side, name in zip(sides, names, strict=True) if self._present(side) != TRUE]
        counted = names[0] if some and names[0] == some[0] else None
        beside = [] if part.plain else [Release("head count", counted, part)]
        beside += [Release("centred total", name, part) for name in names]
        beside += [Release("centred squares", names[each], part) for each in SQUARES.get(aggregate[0], (0, 1))]
        products = Release("centred products", names[0], part, second=names[1])
        return Asked(products, beside=tuple(beside), sides=tuple(map(self.about, sides)))

    def _counted(self, aggregate: Aggregate, part: Part) -> Release:
        """The release of how many rows count. It is by column or function, if some rows have no value of it."""
        return Release("head count", None if self._present(aggregate) == TRUE else self._name(aggregate), part)

    def _name(self, aggregate: Aggregate) -> str | Computed | None:
        about = self.about(aggregate)
        return about.name if about.function is None else self.computed(aggregate)

    def _about(self, aggregate: Aggregate) -> About:
        """What a number is about. Public columns with one key in all rows that may count are constants."""
        _, name, share, *_ = aggregate
        if aggregate not in self.plan.functions:
            return About(name, share)
        function = given(self.plan.functions[aggregate], self._fixed(aggregate), self.columns)
        found, plain = affine(function), not self._private(self.condition(aggregate))
        if (
            found is not None
            and self.columns[found[0]].scale
            and in_units(aggregate, found, self.columns[found[0]], plain)
        ):
            return About(found[0], turned(share, found[1]), *found[1:])
        return About(None, share, function=function)

    def _fixed(self, aggregate: Aggregate) -> dict[str, int]:
        public = [name for name in self.cells.names if name in self.plan.functions[aggregate].reads]
        condition = self.condition(aggregate)
        kept = [index for index in range(len(self.cells.codes)) if self._left_of(condition, index) != FALSE]
        codes = {name: {self.cells.codes[i][self.cells.names.index(name)] for i in kept} for name in public}
        return {name: found.pop() for name, found in codes.items() if len(found) == 1}

    def _computed(self, aggregate: Aggregate) -> Computed:
        """The function on its grid, as another column."""
        function, grid = self.about(aggregate).function, self.grids[aggregate]
        if function is None:  # in private groups, also a column in other units
            function = given(self.plan.functions[aggregate], self._fixed(aggregate), self.columns)
        require(grid is not None, "a function of the row has no grid")
        column = computed_column(grid, function, self.columns, sum(self.cells.rows))
        key = function, column.low, column.step, column.top, column.slack
        made = self.places.setdefault(key, Computed(len(self.places), self._private(function)))
        self.columns[made] = column  # type: ignore[index]
        self.used.add(aggregate)
        return made

    def check_grids(self) -> None:
        """Refuse a grid that no number needs."""
        needed = {each for each, grid in self.grids.items() if grid is not None}
        require(needed <= self.used, "a grid is not needed")

    def _private(self, what: Condition | Function) -> tuple[str, ...]:
        """The private columns that something reads."""
        read = columns_read(what) if isinstance(what, tuple) else what.reads
        return tuple(sorted(name for name in read if not self.columns[name].public))

    def _cell(self, index: int) -> tuple[dict[str, int], int]:
        return dict(zip(self.cells.names, self.cells.codes[index], strict=True)), self.cells.rows[index]

    def _present(self, aggregate: Aggregate) -> Condition:
        """The condition that there is a value."""
        if aggregate in self.plan.functions:
            return negation(absent(self.plan.functions[aggregate], self.columns))
        return TRUE if aggregate[1] is None else _present(self.columns[aggregate[1]], aggregate[1])

    def _condition(self, aggregate: Aggregate) -> Condition:
        """Which rows count."""
        present = map(self._present, sides_of(aggregate))
        return joined("every", [self.plan.where, self.plan.filter_of(aggregate), *present])

    def _part(self, cells: list[int], aggregate: Aggregate) -> Part | None:
        """The rows of the cells that may count. None if there are none."""
        condition = self.condition(aggregate)
        found = {index: self._left_of(condition, index) for index in cells}
        kept = {index: left for index, left in found.items() if left != FALSE}
        if not kept:
            return None
        lefts = set(kept.values())
        shared = lefts.pop() if len(lefts) == 1 else condition  # if cells differ, the whole condition
        rows = sum(self.cells.rows[index] for index in kept)
        return Part(tuple(kept), rows, shared, self._private(shared), changes(shared, self.columns))

    def _named(self, condition: Condition) -> tuple[int, ...]:
        """The places of the public columns that a condition reads."""
        read = columns_read(condition)
        return tuple(place for place, name in enumerate(self.cells.names) if name in read)

    def _left_of(self, condition: Condition, index: int) -> Condition:
        return self.left(condition, tuple(self.cells.codes[index][place] for place in self.named(condition)))

    def _left(self, condition: Condition, codes: tuple[int, ...]) -> Condition:
        """What remains of a condition for the people of a cell, in normal form if it reads one column."""
        names = [self.cells.names[place] for place in self.named(condition)]
        left = given_public(condition, dict(zip(names, codes, strict=True)), self.columns)
        read = columns_read(left)
        if len(read) != 1:
            return left
        [name] = read
        return of_one_column(left, name, self.columns[name])


def _present(column: Column, name: str) -> Condition:
    """The condition that a value is present, for columns that keep missing values separate."""
    if column.public or not (column.apart or column.own_missing):
        return TRUE
    return "within", name, ((0, column.top - column.own_missing),)
