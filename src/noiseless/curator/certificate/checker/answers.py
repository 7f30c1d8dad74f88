"""The certificate of an answer: everything in it follows from its plan, its public cells and the released integers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from noiseless.curator.certificate.checker.bins import Bins, Ladder, read_bins
from noiseless.curator.certificate.checker.centred import report_centred
from noiseless.curator.certificate.checker.columns import Schema
from noiseless.curator.certificate.checker.counts import Widths, joint
from noiseless.curator.certificate.checker.derive import (
    Asked,
    Cells,
    Line,
    derive,
    functions_in,
    number_of_lines,
    number_of_rows,
    read_cells,
)
from noiseless.curator.certificate.checker.derived import read_whole_schema
from noiseless.curator.certificate.checker.intervals import Interval, exactly
from noiseless.curator.certificate.checker.numbers import MOST_WORK, whole
from noiseless.curator.certificate.checker.origin import check_origin
from noiseless.curator.certificate.checker.pairs import report_pair
from noiseless.curator.certificate.checker.plans import Aggregate, Plan
from noiseless.curator.certificate.checker.ranges import Columns, check_bins
from noiseless.curator.certificate.checker.releases import Release
from noiseless.curator.certificate.checker.reports import check_released, report
from noiseless.curator.certificate.checker.spreads import SPREADS
from noiseless.curator.certificate.checker.union import Union, finish_union, read_union
from noiseless.curator.certificate.checker.weights import check_weights
from noiseless.curator.certificate.checker.words import question_of
from noiseless.curator.certificate.checker.wrong import elements, require

Fields = Mapping[str, Any]
FIELDS = {"format", "noiseless", "dataset", "table", "rows", "schema", "cells", "plan", "question", "releases"}
FIELDS |= {"count", "rule", "answer", "ledger", "id"}
OPTIONAL = {"weights", "steps", "centred", "grids", "public"}
"""Fields that may be missing: prices by the answer, earlier steps of the question, whether means come from a count and
a centred sum (in all SELECTs, or in which), the grids of functions of the row, and the SHA-256 of public tables. The
plan repeats their content as far as it matters."""
DIGEST = re.compile("[0-9a-f]{64}")
Integers = Mapping[Release, Sequence[int]]


def check_answer(content: Fields) -> int:
    """The count that the answer needs. The certificate must state at least this."""
    require(set(content) - OPTIONAL == FIELDS, "fields are missing or unknown")
    require("centred" not in content or bool(content["centred"]), "centred is not true")
    tables = content.get("public", {"": "0" * 64})
    named = isinstance(tables, dict) and bool(tables) and all(DIGEST.fullmatch(each) for each in tables.values())
    require(named, "the public tables are not named by their SHA-256")
    schema, rows = read_whole_schema(content["schema"]), whole(content["rows"])
    union = read_union(content["plan"], schema.columns)
    require(isinstance(content["table"], str), "the name of the table is not a text")
    require(
        content["question"] == question_of(content["plan"], content["table"]), "the question is not that of the plan"
    )
    check_origin(content)
    cells = read_cells(content["cells"], union.grouped_by, schema, rows)
    expected = sum(number_of_rows(plan, schema) for plan in union.selects)
    require(union.some or len(elements(content["answer"])) == expected, "the answer has too many rows, or too few")
    require(sum(work_of(plan, schema) for plan in union.selects) <= MOST_WORK, "it would take too long to check")
    grids = elements(content["grids"]) if "grids" in content else None
    require(grids is None or any(grid is not None for grid in grids), "there are grids, and no function needs one")
    schema = replace(schema, columns=dict(schema.columns))  # functions of the row are added to these
    selects = derived(union, cells, schema, content.get("centred", False), grids)
    lines = [line for each in selects for line in each]
    widths, integers = released_by(content["releases"], lines, schema)
    count = joint(widths, schema.columns, schema.rows)
    require(whole(content["count"]) >= count, f"the count is {content['count']}, and at least {count} is needed")
    _check_rule(content, widths, schema, count)
    check_weights(content, widths, integers, schema)
    made = [[(line.keys, numbers_of(line, widths, integers, schema.columns)) for line in own] for own in selects]
    require(content["answer"] == finish_union(union, made), "the answer does not follow from what was released")
    return count


def work_of(plan: Plan, schema: Schema) -> int:
    """The number of steps, roughly, that making the rows of one SELECT takes."""
    lines = number_of_lines(plan, schema) * len(plan.levels or [()])
    return max(number_of_rows(plan, schema), lines) * plan.nodes


def derived(
    union: Union,
    cells: Cells,
    schema: Schema,
    centred: Any,
    grids: list[Any] | None,
    computed: dict[Any, Any] | None = None,
) -> list[list[Line]]:
    """The lines of every SELECT. Each takes its own grids, in the order of the text.

    Functions of the row are added to the columns of the schema, and to those `computed` for other questions.
    `centred` is for all SELECTs, or a list with one for each.
    """
    places: dict[Any, Any] = {} if computed is None else computed
    each_centred = centred if isinstance(centred, list) else [centred] * len(union.selects)
    truths = all(isinstance(each, bool) for each in each_centred) and len(each_centred) == len(union.selects)
    require(truths and (each_centred is not centred or {*each_centred} == {False, True}), "centred is not true")
    found, start = [], 0
    for plan, about_centre in zip(union.selects, each_centred, strict=True):
        end = start + functions_in(plan)
        own = None if grids is None else grids[start:end]
        found.append(list(derive(plan, cells, schema, about_centre, own, places)))
        start = end
    require(grids is None or len(grids) == start, "there are more grids than functions of the row, or fewer")
    return found


def released_by(given: Any, lines: Iterable[Line], schema: Schema, all_of: bool = True) -> tuple[Widths, Integers]:
    """The releases that the lines need, in order: kind, bins, integers. If not all were released, some are null."""
    asked = (number for line in lines for number in line.numbers.values() if isinstance(number, Asked))
    needed = list(dict.fromkeys(release for number in asked for release in number.releases))
    require(len(elements(given)) == len(needed), "the answer needs other releases than there are")
    widths: dict[Release, Bins | Ladder] = {}
    integers: dict[Release, Sequence[int]] = {}
    for release, each in zip(needed, given, strict=True):
        if each is None and not all_of:
            continue
        kind, bins, *released = elements(each)
        widths[release], integers[release] = read_bins(bins), [whole(number) for number in released]
        expected = _kind(release, widths[release])
        require(kind == expected, f"a release is a {kind!r} where the answer needs a {expected!r}")
        check_bins(release, widths[release], schema.columns, schema.rows)
        check_released(release, widths[release], integers[release], schema.columns)
    return widths, integers


def _kind(release: Release, bins: Bins | Ladder) -> str:
    return "stable level" if isinstance(bins, Ladder) else release.kind


def _check_rule(content: Fields, widths: Widths, schema: Schema, count: int) -> None:
    """Rule H is named where it gives a smaller count. Older certificates have the count of the other rules, no H."""
    rule = rule_of(widths, schema)
    without = joint(widths, schema.columns, schema.rows, signatures=False)
    named = [*rule, "H"] if count < without else rule
    enough = whole(content["count"]) >= without and content["rule"] == rule
    require(content["rule"] == named or enough, "the rule is not the one that was used")


def rule_of(widths: Widths, schema: Schema) -> list[str]:
    """The names of the rules that give the count, without rule H."""
    kinds = list(dict.fromkeys(_kind(release, bins) for release, bins in widths.items())) or ["public numbers"]
    groups = len({release.part.cells for release in widths})
    several = ["worst division"] if schema.rows > 1 else ["E"] if groups > 1 else []
    return [*kinds, *several, *(["A", "D", "G"] if len(widths) > groups else [])]


def numbers_of(line: Line, widths: Widths, integers: Integers, columns: Columns) -> dict[Aggregate, Interval | None]:
    """The numbers of a line, from what was released."""
    found: dict[Aggregate, Interval | None] = {}
    for aggregate, source in line.numbers.items():
        if isinstance(source, Asked) and source.sides:
            found[aggregate] = report_pair(aggregate[0], source, widths, integers, columns)
        elif isinstance(source, Asked) and source.beside:
            number = report_centred(source.releases, widths, integers, columns, aggregate[0])
            found[aggregate] = _in_units(number, source, aggregate[0])
        elif isinstance(source, Asked):
            release = source.release
            function = source.function or aggregate[0]
            number = report(release, widths[release], integers[release], columns, function, source.place)
            found[aggregate] = _in_units(number, source, aggregate[0])
        else:
            found[aggregate] = None if source.value is None else exactly(source.value)
        number = found[aggregate]
        if number is not None and isinstance(source, Asked):
            found[aggregate] = replace(number, sure=_sure(aggregate[0], source, widths, integers, columns))
    return found


def _sure(function: str, source: Asked, widths: Widths, integers: Integers, columns: Columns) -> bool:
    """Whether the number certainly exists. If not, the interval holds if it does."""
    if source.sides:
        return False
    if source.beside:
        counted = source.beside[0]
        people = report(counted, widths[counted], integers[counted], columns, "count", 0)
        return people is not None and people.lower >= 2  # type: ignore[operator]
    steady = not isinstance(widths[source.release], Ladder) or source.release.part.plain
    return function in ("count", "sum", "count_distinct") or steady


def _in_units(number: Interval | None, source: Asked, function: str) -> Interval | None:
    """factor·x + shift. Deviations have no sign, and variances are squares."""
    if number is None or (source.factor == 1 and not source.shift):
        return number
    factor = source.factor
    if function in SPREADS:
        factor = factor**2 if function.startswith("var") else abs(factor)
    value, *ends = (factor * Fraction(str(end)) + source.shift for end in (number.value, number.lower, number.upper))
    return Interval(value, min(ends), max(ends))
