"""The engine's part: integer aggregates of codes, generated from the plan.

Nothing of the question's text is in what runs: names are those of the schema, everything else is an integer.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from noiseless.curator.dataset import Dataset
from noiseless.curator.plan import Plan
from noiseless.curator.predicate import TRUE, expression
from noiseless.curator.question import Paid
from noiseless.curator.releases.release import Need, Released
from noiseless.curator.resolve import Asked, Line
from noiseless.curator.schema.categories import Category
from noiseless.curator.widths import Widths

Found = dict[tuple[int, ...], dict[Need, Any]]
"""For every group with rows, by the codes of its public keys, the integers that were wanted."""


def execute(plan: Plan, lines: Iterable[Line], widths: Widths, dataset: Dataset) -> list[tuple[Paid, Released]]:
    """What is released of each: the bin of the integer that the engine found."""
    found = engine_numbers(plan, [need for release, width in widths.items() for need in release.needs(width)], dataset)
    home = {
        number.release: line.group for line in lines for number in line.numbers.values() if isinstance(number, Asked)
    }
    observed = []
    for release, width in widths.items():
        needs = release.needs(width)
        nothing: dict[Need, Any] = {need: {} if need[0] == "tally" else 0 for need in needs}
        numbers = nothing | found.get(home[release], {})
        observed.append(((release, width), release.observe(width, numbers)))
    return observed


def engine_numbers(plan: Plan, needs: Iterable[Need], dataset: Dataset) -> Found:
    """One statement for all scalars, and one for each tally."""
    wanted = list(dict.fromkeys(needs))
    codes = dataset.engine.table("codes")
    rows = (
        codes if plan.where == TRUE else codes.filter(expression(plan.where, lambda name: codes[dataset.field(name)]))
    )
    keys = [dataset.field(name) for name in plan.keys if name != plan.category]
    found: Found = {}
    scalars = [need for need in wanted if need[0] != "tally"]
    if scalars:
        metrics = {f"n{place}": _metric(need, rows, dataset) for place, need in enumerate(scalars)}
        grouped = rows.group_by(keys).aggregate(**metrics) if keys else rows.aggregate(**metrics)
        for row in dataset.engine.fetch(grouped):
            found[row[: len(keys)]] = {
                need: int(value or 0) for need, value in zip(scalars, row[len(keys) :], strict=True)
            }
    for need in wanted:
        if need[0] == "tally":
            _tally(need, rows, keys, dataset, found)
    return found


def _metric(need: Need, rows: Any, dataset: Dataset) -> Any:
    kind, name = need[0], need[1]
    if name is None:
        return rows.count()
    code = rows[dataset.field(name)]
    match kind:
        case "sum":
            return code.sum()
        case "squares":
            return (code.cast("int64") * code.cast("int64")).sum()
        case "min":
            return code.min()
        case "max":
            return code.max()
        case _:
            column = dataset.schema.columns[name]
            own = isinstance(column, Category) and column.own_missing
            return rows.count(where=code < column.top) if own else code.count()


def _tally(need: Need, rows: Any, keys: list[str], dataset: Dataset, found: Found) -> None:
    """How many rows are in every bin; a bin is named by its first code."""
    name, width = need[1], need[2] if len(need) == 3 else 1
    assert name is not None
    code = rows[dataset.field(name)].cast("int64")
    first = code if width == 1 else code - code % width
    grouped = rows.group_by([*(rows[key] for key in keys), first.name("bin")])
    for row in dataset.engine.fetch(grouped.aggregate(n=rows.count())):
        group = found.setdefault(row[: len(keys)], {})
        group.setdefault(need, {})[row[len(keys)]] = row[-1]
