"""What the engine computes: integer aggregates of codes, generated from the plan.

The statements contain no text from the question or the schema: columns are called c0, c1, …, and everything else is
integers. They are plain SQL that every engine has, so nothing needs to be translated (decision 9).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from noiseless.curator.dataset.dataset import Dataset
from noiseless.curator.plan.compare import in_sql
from noiseless.curator.plan.condition import TRUE, Condition, columns_read, every, negation
from noiseless.curator.plan.functions.derived import Derived
from noiseless.curator.plan.functions.leaves import columns_in
from noiseless.curator.plan.group import Group, cell_of
from noiseless.curator.plan.plan import Aggregate, Plan
from noiseless.curator.question.line import Asked, Line, releases_of
from noiseless.curator.question.remembered import Remembered
from noiseless.curator.question.widths import Widths
from noiseless.curator.releases.release import Integers, Need, Paid, Release, Released
from noiseless.curator.schema.categories import Category
from noiseless.curator.schema.public import Public

TALLIES = ("tally", "tally of", "squares of")
"""Kinds of integers that are found for every code of a column or every cell of private groups, not for all rows."""
Found = dict[tuple[int, ...], dict[Need, Any]]
"""The integers found, for every group with rows. A group is named by the codes of its public keys."""
Homes = Mapping[Release, tuple[tuple[int, ...], Condition]]
"""The group of every release, and the filter of the number that it is for."""


def execute(plan: Plan, lines: Iterable[Line], widths: Widths, dataset: Dataset) -> list[tuple[Paid, Released]]:
    """What is released for each release: the bin of the integer that the engine found."""
    listed = list(lines)
    if plan.united:
        return [pair for each in _by_select(plan, listed, widths) for pair in execute(*each, dataset)]
    homes = homes_of(listed)
    needs: dict[Condition, dict[Need, None]] = {}
    for release, width in widths.items():
        needs.setdefault(homes[release][1], {}).update(dict.fromkeys(release.needs(width)))
    computed = {column.name: column for release in widths for column in release.computed}
    statements = Statements(plan, dataset, computed)
    return observed(homes, widths, needs, statements.numbers(needs))


def _by_select(plan: Plan, lines: list[Line], widths: Widths) -> Iterator[tuple[Plan, list[Line], Widths]]:
    """The SELECTs of UNION ALL with their lines, each with the releases that no earlier SELECT needs."""
    left = dict(widths)
    for place, select in enumerate(plan.united):
        own = [line for line in lines if line.select == place]
        needed = [release for line in own for release in releases_of(line)]
        given = {release: left.pop(release) for release in dict.fromkeys(needed) if release in left}
        if given:
            yield select, own, given


def needs_of(widths: Widths) -> list[Need]:
    """The integers that some releases need, each once."""
    return list(dict.fromkeys(need for release, width in widths.items() for need in release.needs(width)))


def observed(
    homes: Homes,
    widths: Widths,
    needs: Mapping[Condition, Iterable[Need]],
    found: Mapping[Condition, Found],
) -> list[tuple[Paid, Released]]:
    """What is released for each release, from the integers that were found under every filter."""
    nothing: dict[Condition, dict[Need, Any]] = {
        kept: {need: {} if need[0] in TALLIES else 0 for need in wanted} for kept, wanted in needs.items()
    }
    released = []
    for release, width in widths.items():
        group, kept = homes[release]
        numbers, none = found[kept].get(group, {}), nothing[kept]
        whole = numbers if len(numbers) == len(none) else none | numbers
        released.append(((release, width), release.observe(width, whole)))
    return released


def homes_of(lines: Iterable[Line]) -> Homes:
    """The group of every release, and the filter of the number that it is for."""
    kept = Remembered(_kept)
    return {
        release: (line.group, every([kept[aggregate], number.both]))
        for line in lines
        for aggregate, number in line.numbers.items()
        if isinstance(number, Asked)
        for release in number.releases
    }


def _kept(aggregate: Aggregate) -> Condition:
    """The filter of a number. Where public columns decide whether there is a value, it also asks for one.

    Rows without one for what is public about them are not in the cells of a release, and its function may be what is
    left for the rows in these: of CASE WHEN region = 'north' THEN pay END it is pay.
    """
    of = [side.of for side in aggregate.sides if side.of is not None]
    public = {each.name for each in columns_in(*of) if isinstance(each.column, Public)}
    present = [negation(each.absent()) for each in of if public]
    return every([aggregate.filter, *(each for each in present if columns_read(each) & public)])


def place_in(group: Group) -> Derived:
    """The function that gives the place of a row's key among all keys of a function of public columns."""
    return Derived(cell_of([group]), (Fraction(0), Fraction(max(len(group.values) - 1, 1)), Fraction(1)), Fraction(0))


class Statements:
    """Runs statements over codes. The functions of a question are columns f0, f1, … of a subquery."""

    def __init__(self, plan: Plan, dataset: Dataset, computed: Mapping[str, Derived] | None = None) -> None:
        keyed = {each.label: place_in(each) for each in plan.public_groups}
        self.dataset, self.computed, self.where = dataset, {**(computed or {}), **keyed}, plan.where
        self.own = {name: f"f{place}" for place, name in enumerate(self.computed)}
        self.keys = [self.own[name] if name in keyed else dataset.field(name) for name in plan.public_keys]

    def numbers(self, needs: Mapping[Condition, Iterable[Need]]) -> dict[Condition, Found]:
        """The integers that are needed under every filter: one statement for all scalars, and one for each tally."""
        wanted = {kept: list(dict.fromkeys(each)) for kept, each in needs.items()}
        found: dict[Condition, Found] = {kept: {} for kept in wanted}
        scalars = [(kept, need) for kept, each in wanted.items() for need in each if need[0] not in TALLIES]
        if scalars:
            for group, numbers in self.grouped([self.scalar(need, kept) for kept, need in scalars]):
                for (kept, need), number in zip(scalars, numbers, strict=True):
                    found[kept].setdefault(group, {})[need] = int(number or 0)
        for kept, need in [(kept, need) for kept, each in wanted.items() for need in each if need[0] in TALLIES]:
            self._tally(kept, need, found[kept])
        return found

    def _tally(self, kept: Condition, need: Need, found: Found) -> None:
        """For every bin, or every cell of private groups, the number of rows, or of values with their sums."""
        if need[0] == "tally":
            for group, (first, count) in self.grouped(["COUNT(*)"], kept, self._first_of_bin(need)):
                found.setdefault(group, {}).setdefault(need, {})[first] = count
            return
        kind, cell_of, *rest = need
        assert isinstance(cell_of, str)
        code = self._code(str(rest[0]))
        squares = [f"SUM(CAST({code} AS BIGINT) * CAST({code} AS BIGINT))"] if kind == "squares of" else []
        for group, (cell, *numbers) in self.grouped(
            [f"COUNT({code})", f"SUM({code})", *squares], kept, self._code(cell_of)
        ):
            found.setdefault(group, {}).setdefault(need, {})[cell] = tuple(int(number or 0) for number in numbers)

    def scalars(self, needs: Sequence[Need]) -> tuple[list[Integers], list[Integers]] | None:
        """The codes of the keys and the needed integers of all groups, as columns. None if there are tallies."""
        import numpy as np

        if any(need[0] in TALLIES for need in needs):
            return None
        rows = [(*group, *numbers) for group, numbers in self.grouped([self.scalar(need) for need in needs])]
        columns = [np.array([int(value or 0) for value in column], np.int64) for column in zip(*rows, strict=True)]
        empty = [np.zeros(0, np.int64)] * (len(self.keys) + len(needs))
        return (columns or empty)[: len(self.keys)], (columns or empty)[len(self.keys) :]

    def grouped(
        self, numbers: list[str], kept: Condition = TRUE, more: str | None = None
    ) -> Iterator[tuple[tuple[int, ...], tuple[Any, ...]]]:
        """The codes of the keys of every group with rows, and its numbers."""
        condition = every([self.where, kept])
        where = "" if condition == TRUE else f" WHERE {self._test(condition)}"
        functions = {
            own: self.computed[name].code(self.dataset.engine.dialect, self.dataset.field)
            for name, own in self.own.items()
        }
        extra = [] if more is None else [more]
        for row in self.dataset.engine.grouped(self.keys, numbers, where, extra, functions):
            yield row[: len(self.keys)], row[len(self.keys) :]

    def scalar(self, need: Need, kept: Condition = TRUE) -> str:
        """One integer, in SQL that every engine has."""
        kind, name = need[0], need[1]
        if name is None:
            return "COUNT(*)" if kept == TRUE else f"COUNT(CASE WHEN {self._test(kept)} THEN 1 END)"
        code = self._code(name, kept)
        if kind == "distinct":
            return f"COUNT(DISTINCT {code})"
        if kind in ("squares", "products"):
            other = self._code(need[2], kept) if len(need) == 3 and isinstance(need[2], str) else code
            return f"SUM(CAST({code} AS BIGINT) * CAST({other} AS BIGINT))"
        return f"{kind.upper()}({code})"

    def _test(self, condition: Condition) -> str:
        return in_sql(condition, self.dataset.engine.dialect, self.dataset.field)

    def _first_of_bin(self, need: Need) -> str:
        """The first code of the bin, which names a bin of a tally."""
        assert need[1] is not None
        name, width = need[1], int(need[2]) if len(need) == 3 else 1
        code = self._code(name) if name in self.own else self.dataset.field(name)
        return code if width == 1 else f"{code} - {code} % {width}"

    def _code(self, name: str, kept: Condition = TRUE) -> str:
        """The code of a value that counts, and null for others."""
        tests = [] if kept == TRUE else [self._test(kept)]
        if name in self.own:
            own, top = self.own[name], self.computed[name].top
            beyond = f"CASE WHEN {own} < 0 THEN 0 ELSE {top} END"  # one test for nearly all rows
            clamped = f"WHEN {own} > {top} OR {own} < 0 THEN {beyond} ELSE {own} END"
            left_out = f"WHEN ({tests[0]}) IS NOT TRUE THEN NULL " if tests else ""
            return f"CASE {left_out}{clamped}"
        code, column = self.dataset.field(name), self.dataset.schema.columns[name]
        if isinstance(column, Category) and column.own_missing:
            tests.append(f"{code} < {column.top}")
        return f"CASE WHEN {' AND '.join(f'({test})' for test in tests)} THEN {code} END" if tests else code
