"""What the engine computes: integer aggregates of codes, generated from the plan.

The statements contain no text from the question or the schema: columns are called c0, c1, …, and everything else is
integers. They are plain SQL that every engine has, so nothing needs to be translated (decision 9).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from noiseless.curator.dataset.dataset import Dataset
from noiseless.curator.plan.condition import TRUE, statement
from noiseless.curator.plan.plan import Plan
from noiseless.curator.question.resolve import Asked, Line
from noiseless.curator.question.widths import Widths
from noiseless.curator.releases.release import Integers, Need, Paid, Released
from noiseless.curator.schema.categories import Category

Found = dict[tuple[int, ...], dict[Need, Any]]
"""The integers found, for every group with rows. A group is named by the codes of its public keys."""


def execute(plan: Plan, lines: Iterable[Line], widths: Widths, dataset: Dataset) -> list[tuple[Paid, Released]]:
    """What is released for each: the bin of the integer that the engine found."""
    needs = needs_of(widths)
    return observed(lines, widths, needs, engine_numbers(plan, needs, dataset))


def needs_of(widths: Widths) -> list[Need]:
    """The integers that some releases need, each once."""
    return list(dict.fromkeys(need for release, width in widths.items() for need in release.needs(width)))


def observed(lines: Iterable[Line], widths: Widths, needs: Iterable[Need], found: Found) -> list[tuple[Paid, Released]]:
    """What is released for each, from the integers found."""
    nothing: dict[Need, Any] = {need: {} if need[0] == "tally" else 0 for need in needs}
    home = {
        release: line.group
        for line in lines
        for number in line.numbers.values()
        if isinstance(number, Asked)
        for release in number.releases
    }
    released = []
    for release, width in widths.items():
        numbers = found.get(home[release], {})
        whole = numbers if len(numbers) == len(nothing) else nothing | numbers
        released.append(((release, width), release.observe(width, whole)))
    return released


def engine_scalars(plan: Plan, needs: Sequence[Need], dataset: Dataset) -> tuple[list[Integers], list[Integers]] | None:
    """The codes of the keys and the integers needed of all groups, as columns. None if there are tallies."""
    import numpy as np

    if any(need[0] == "tally" for need in needs):
        return None
    keys, where = _keys_and_where(plan, dataset)
    rows = dataset.engine.grouped(keys, scalars_of(needs, dataset), where, [])
    columns = [np.array([int(value or 0) for value in column], np.int64) for column in zip(*rows, strict=True)]
    empty = [np.zeros(0, np.int64)] * (len(keys) + len(needs))
    return (columns or empty)[: len(keys)], (columns or empty)[len(keys) :]


def _keys_and_where(plan: Plan, dataset: Dataset) -> tuple[list[str], str]:
    keys = [dataset.field(name) for name in plan.keys if name != plan.category]
    return keys, "" if plan.where == TRUE else f" WHERE {statement(plan.where, dataset.field)}"


def engine_numbers(plan: Plan, needs: Iterable[Need], dataset: Dataset) -> Found:
    """Run one statement for all scalars, and one for each tally."""
    wanted = list(dict.fromkeys(needs))
    keys, where = _keys_and_where(plan, dataset)
    found: Found = {}
    scalars = [need for need in wanted if need[0] != "tally"]
    if scalars:
        for row in dataset.engine.grouped(keys, scalars_of(scalars, dataset), where, []):
            numbers = zip(scalars, row[len(keys) :], strict=True)
            found[row[: len(keys)]] = {need: int(value or 0) for need, value in numbers}
    for need in wanted:
        if need[0] == "tally":
            first = _first_of_bin(need, dataset)
            for row in dataset.engine.grouped(keys, ["COUNT(*)"], where, [first]):
                group = found.setdefault(row[: len(keys)], {})
                group.setdefault(need, {})[row[-2]] = row[-1]
    return found


def scalars_of(needs: Iterable[Need], dataset: Dataset) -> list[str]:
    """Integers, in SQL that every engine has."""
    return [_scalar(need, dataset) for need in needs]


def _scalar(need: Need, dataset: Dataset) -> str:
    """One integer, in SQL that every engine has."""
    kind, name = need[0], need[1]
    if name is None:
        return "COUNT(*)"
    code, column = dataset.field(name), dataset.schema.columns[name]
    if kind == "count" and isinstance(column, Category) and column.own_missing:
        return f"COUNT(CASE WHEN {code} < {column.top} THEN 1 END)"
    wide = f"CAST({code} AS BIGINT)"
    return f"SUM({wide} * {wide})" if kind == "squares" else f"{kind.upper()}({code})"


def _first_of_bin(need: Need, dataset: Dataset) -> str:
    """The first code of the bin, which names a bin of a tally."""
    assert need[1] is not None
    code, width = dataset.field(need[1]), need[2] if len(need) == 3 else 1
    return code if width == 1 else f"{code} - {code} % {width}"
