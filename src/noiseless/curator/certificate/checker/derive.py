"""From plan, public cells and schema to the lines of the answer, and the release that each number comes from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise, product
from math import prod
from typing import Any

from noiseless.curator.certificate.checker.columns import Column, Key, Schema
from noiseless.curator.certificate.checker.conditions import (
    FALSE,
    TRUE,
    Condition,
    changes,
    columns_read,
    given_public,
    joined,
    of_one_column,
    size_of,
)
from noiseless.curator.certificate.checker.numbers import MOST_WORK, whole
from noiseless.curator.certificate.checker.plans import Aggregate, Plan
from noiseless.curator.certificate.checker.releases import Part, Release
from noiseless.curator.certificate.checker.wrong import elements, pairs, require

MOST_LINES = 1_000_000
KINDS = {
    "sum": ("total", "filtered total"),
    "avg": ("total", "filtered mean"),
    "kth": ("order statistic", "order statistic"),
    "var_pop": ("variance", ""),
    "stddev_pop": ("variance", ""),
}
"""Kinds without and with a private condition."""


@dataclass(frozen=True, slots=True)
class Known:
    """A public number. SUM over zero rows is 0, and other functions except COUNT are None."""

    value: int | None


@dataclass(frozen=True, slots=True)
class Asked:
    """A number computed from a release and others `beside` it. For a histogram, the number at one place."""

    release: Release
    place: int = 0
    beside: tuple[Release, ...] = ()

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


def read_cells(given: Any, plan: Plan, schema: Schema, rows: int) -> Cells:
    """The public cells of the columns that the plan names: distinct, in order, with all rows of the table."""
    used = {*plan.keys, *columns_read(plan.where)}
    public = {name: column for name, column in schema.public.items() if name in used}
    codes = []
    for keys, _ in pairs(given):
        require(len(elements(keys)) == len(public), "a public cell has too many keys, or too few")
        codes.append(tuple(column.place_of(key) for key, column in zip(keys, public.values(), strict=True)))
    sizes = [whole(size) for _, size in given]
    require(all(one < two for one, two in pairwise(codes)), "public cells are named twice or out of order")
    require(all(size >= 1 for size in sizes) and sum(sizes) == rows, "the rows of the public cells are not all rows")
    return Cells(tuple(public), codes, sizes)


def derive(plan: Plan, cells: Cells, schema: Schema, centred: bool = False) -> Iterator[Line]:
    """One line for every combination of declared keys, in the declared order.

    If `centred`, means and variances under a private condition come from a count and sums about a centre.
    """
    public = [name for name in plan.keys if name != plan.category]
    work = len(cells.codes) * size_of(plan.where) * len(plan.aggregates)
    require(work <= MOST_WORK and number_of_lines(plan, schema) <= MOST_LINES, "it would take too long to check")
    places = [cells.names.index(name) for name in public]
    members: dict[tuple[int, ...], list[int]] = {}
    for index, cell in enumerate(cells.codes):
        members.setdefault(tuple(cell[place] for place in places), []).append(index)
    resolver = _Resolver(plan, cells, schema, centred)
    for group in product(*(range(len(schema.columns[name].keys)) for name in public)):
        keys = {name: schema.columns[name].keys[code] for name, code in zip(public, group, strict=True)}
        yield from resolver.lines(keys, members.get(group, []))


def number_of_lines(plan: Plan, schema: Schema) -> int:
    """How many lines there are before HAVING and LIMIT."""
    return prod(len(schema.columns[name].keys) + schema.columns[name].apart for name in plan.keys)


class _Resolver:
    """Finds the rows behind each number. What is left of a condition is computed once per combination of keys."""

    def __init__(self, plan: Plan, cells: Cells, schema: Schema, centred: bool) -> None:
        self.centred = centred
        self.plan, self.cells, self.columns = plan, cells, schema.columns
        self.left = cache(self._left)
        self.named = [place for place, name in enumerate(cells.names) if name in columns_read(plan.where)]

    def lines(self, keys: Mapping[str, Key], cells: list[int]) -> Iterator[Line]:
        plan = self.plan
        if plan.category is None:
            yield Line(keys, {each: self._number(each, cells) for each in plan.aggregates})
            return
        column, part = self.columns[plan.category], self._part(cells, TRUE)
        values: list[Key | None] = [*column.keys, *([None] if column.apart else [])]
        for place, value in enumerate(values):
            every = {name: value if name == plan.category else keys[name] for name in plan.keys}
            asked = Known(0) if part is None else Asked(Release("histogram", plan.category, part), place)
            yield Line(every, {("count", None, ""): asked})

    def _number(self, aggregate: Aggregate, cells: list[int]) -> Known | Asked:
        function, name, share = aggregate
        present = TRUE if name is None else _present(name, self.columns[name])
        part = self._part(cells, present)
        if function == "count":
            if part is None or part.plain:
                return Known(0 if part is None else part.rows)
            return Asked(_counted(name, present, part))
        if part is None:
            return Known(0 if function == "sum" else None)
        if self.centred and not part.plain and function in ("avg", "var_pop", "stddev_pop"):
            counted, total = _counted(name, present, part), Release("centred total", name, part)
            if function == "avg":
                return Asked(total, beside=(counted,))
            return Asked(Release("centred squares", name, part), beside=(counted, total))
        kind = KINDS[function][0 if part.plain else 1]
        require(kind != "", "a variance has a private condition, which is not allowed")
        return Asked(Release(kind, name, part, share))

    def _part(self, cells: list[int], present: Condition) -> Part | None:
        """The rows of the cells that may count. None if there are none."""
        condition = joined("every", [self.plan.where, present])
        found = {index: self._left_of(condition, index) for index in cells}
        kept = {index: left for index, left in found.items() if left != FALSE}
        if not kept:
            return None
        lefts = set(kept.values())
        shared = lefts.pop() if len(lefts) == 1 else condition  # if it differs among cells, the whole condition
        reads = tuple(sorted(name for name in columns_read(shared) if not self.columns[name].public))
        rows = sum(self.cells.rows[index] for index in kept)
        return Part(tuple(kept), rows, shared, reads, changes(shared, self.columns))

    def _left_of(self, condition: Condition, index: int) -> Condition:
        return self.left(condition, tuple(self.cells.codes[index][place] for place in self.named))

    def _left(self, condition: Condition, codes: tuple[int, ...]) -> Condition:
        """What is left of a condition for the people of a cell, in normal form if it reads one column."""
        names = [self.cells.names[place] for place in self.named]
        left = given_public(condition, dict(zip(names, codes, strict=True)))
        read = columns_read(left)
        if len(read) != 1:
            return left
        [name] = read
        return of_one_column(left, name, self.columns[name])


def _counted(name: str | None, present: Condition, part: Part) -> Release:
    return Release("head count", None if present == TRUE else name, part)


def _present(name: str, column: Column) -> Condition:
    """The condition that a value is present, for columns that keep missing values separate."""
    if column.public or not (column.apart or column.own_missing):
        return TRUE
    return "within", name, ((0, column.top - column.own_missing),)
