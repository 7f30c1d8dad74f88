"""Tiny tables of three people, all of them, and what questions release about each: the numbers that engines would find,
from plain Python."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from math import ceil

import pandas as pd

import noiseless as nl
from noiseless.curator.plan.condition import holds_for
from noiseless.curator.question.line import releases_of
from noiseless.curator.question.reading import meaning
from noiseless.privacy.quantizers.guarded import Bins

SIZES = {"n": 2, "s": 1}
VALUES = list(product([None, 0, 1, 2], [-1, 0, 1]))
CONDITIONS = {
    "": lambda x, h, g: True,
    "x > 0": lambda x, h, g: x is not None and x > 0,
    "x IS NULL": lambda x, h, g: x is None,
    "h < 1": lambda x, h, g: h < 1,
    "x > h": lambda x, h, g: x is not None and x > h,
    "x = 2 OR h = 1": lambda x, h, g: x == 2 or h == 1,
    "NOT x = 1": lambda x, h, g: x is not None and x != 1,
    "NOT (x = 1 OR h = 0)": lambda x, h, g: x is not None and x != 1 and h != 0,
    "g = 'n'": lambda x, h, g: g == "n",
    "g = 'n' AND x < 2": lambda x, h, g: g == "n" and x is not None and x < 2,
    "g = 'n' OR h = 0": lambda x, h, g: g == "n" or h == 0,
}
"""Which rows a condition keeps."""
MEASURES = {
    "x": lambda x, h, g: x,
    "h": lambda x, h, g: h,
    "x * h": lambda x, h, g: None if x is None else x * h,
    "2 * h - 1": lambda x, h, g: 2 * h - 1,
    "-x": lambda x, h, g: None if x is None else -x,
}
GROUPS = {
    "": lambda x, h, g: (),
    "g": lambda x, h, g: (g,),
    "x": lambda x, h, g: (x,),
    "h > 0": lambda x, h, g: (h > 0,),
    "h, g": lambda x, h, g: (h, g),
    "x, h": lambda x, h, g: (x, h),
    "x + h": lambda x, h, g: (None if x is None else x + h,),
}


def kth(share):
    return lambda values: sorted(values)[max(1, ceil(share * len(values))) - 1] if values else None


def between(values):
    if not values:
        return None
    values, place = sorted(values), Fraction(2, 5) * (len(values) - 1)
    below, above = values[int(place)], values[min(int(place) + 1, len(values) - 1)]
    return below + (place - int(place)) * (above - below)


def spread(rest):
    def statistic(values):
        if len(values) <= rest:
            return None
        return (sum(v * v for v in values) - Fraction(sum(values) ** 2, len(values))) / (len(values) - rest)

    return statistic


NUMBERS = {
    "COUNT({})": len,
    "SUM({})": sum,
    "AVG({})": lambda values: Fraction(sum(values), len(values)) if values else None,
    "MIN({})": kth(Fraction(0)),
    "MEDIAN({})": kth(Fraction(1, 2)),
    "QUANTILE({}, 0.7)": kth(Fraction(7, 10)),
    "PERCENTILE_CONT(0.4) WITHIN GROUP (ORDER BY {})": between,
    "VAR_POP({})": spread(0),
    "VAR_SAMP({})": spread(1),
    "COUNT(DISTINCT {})": lambda values: len(set(values)),
}
"""What a function is of the values that count."""


@cache
def dataset():
    rows = [(1, 0, g) for g, size in SIZES.items() for _ in range(size)]
    schema = nl.Schema(x=nl.Integer(0, 2, missing="apart"), h=nl.Integer(-1, 1), g=nl.Public("n", "s"))
    table = pd.DataFrame(rows, columns=["x", "h", "g"])
    return nl.Curator.open(table, schema, budget=900, table="t", store=":memory:")._dataset


@cache
def tables():
    """All tables with these numbers of rows, in no order."""
    each = [[(*values, g) for values in VALUES] for g in SIZES]
    parts = [list(combinations_with_replacement(rows, size)) for rows, size in zip(each, SIZES.values(), strict=True)]
    return [[*one, *two] for one, two in product(*parts)]


def codes_of(row):
    x, h, g = row
    return {"x": x, "h": h + 1, "g": "ns".index(g)}


def found(need, release, rows):
    """The integer that an engine finds, from the codes of the rows that count."""
    functions = {column.name: column for column in release.computed}

    def code(name, row):
        if name not in functions:
            return codes_of(row)[name]
        column = functions[name]
        value = column.function.value(codes_of(row))
        return None if value is None else int(min(max((value - column.low) / column.step, 0), column.top))

    kept = [
        row
        for row in rows
        if holds_for(release.part.condition, codes_of(row)) and codes_of(row)["g"] in cells_of(release)
    ]
    kind, name, *rest = need
    codes = [code(name, row) for row in kept] if name is not None else []
    match kind:
        case "count":
            return len(kept)
        case "sum":
            return sum(codes)
        case "squares":
            return sum(each * each for each in codes)
        case "products":
            return sum(a * code(rest[0], row) for a, row in zip(codes, kept, strict=True))
        case "min" | "max":
            return (min if kind == "min" else max)(codes, default=0)
        case "distinct":
            return len(set(codes))
        case "tally":
            starts = [each if each is None else each - each % int(rest[0]) for each in codes]
            return {each: starts.count(each) for each in set(starts)}
    inside = {each: [row for row, own in zip(kept, codes, strict=True) if own == each] for each in set(codes)}
    powers = (0, 1) if kind == "tally of" else (0, 1, 2)
    return {each: tuple(sum(code(rest[0], row) ** p for row in own) for p in powers) for each, own in inside.items()}


def cells_of(release):
    return {dataset().cells[cell][0] for cell in release.part.cells}


def lines_of(question, centred=False):
    """The lines of a question. Its aggregate is the only one."""
    number, of, condition, groups = question
    where = f" WHERE {condition}" if condition else ""
    keys = f"{groups}, " if groups else ""
    sql = f"SELECT {keys}{number.format(of)} AS number FROM t{where}" + (f" GROUP BY {groups}" if groups else "")
    return list(meaning(sql, dataset(), centred)[1])


def truth(line, question, rows):
    """The number of a line, if this is the table."""
    number, of, condition, groups = question
    kept = [
        row
        for row in rows
        if CONDITIONS[condition](*row) and (not groups or GROUPS[groups](*row) == tuple(line.keys.values()))
    ]
    values = [1 if of == "*" else MEASURES[of](*row) for row in kept]
    return NUMBERS[number]([value for value in values if value is not None])


def widths_for(lines, random):
    """Bins of one to three numbers; counts in guarded bins or exact."""
    widths = {}
    for line in lines:
        for release in releases_of(line):
            wide = random.randint(1, 3)
            widths[release] = min(wide, release.widest) if release.widest > 1 else 1
            if release.kind == "head count" and wide > 1:
                widths[release] = Bins(wide, 1)
    return widths


def released_about(widths, rows):
    """What is released about a table."""
    return [
        (release, width, release.observe(width, {need: found(need, release, rows) for need in release.needs(width)}))
        for release, width in widths.items()
    ]
