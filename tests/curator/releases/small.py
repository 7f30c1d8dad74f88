"""Small columns and parts, and every table over them."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import noiseless as nl
from noiseless.curator.plan.condition import Within
from noiseless.curator.plan.part import Part

HALF = Fraction(1, 2)
JUST = HALF - Fraction(1, 10**6)
"""Nearly half a step: a value this far above a number has its code; one a half below has it, too."""
COLUMNS = {
    "from 0": nl.Real(0, "1.5", step="0.5"),
    "below 0": nl.Real("-1.25", "0.25", step="0.5"),
    "both sides": nl.Real(-1, 2, step=1),
    "above": nl.Real("0.5", "1.5", step="0.5"),
    "all below": nl.Real("-1.5", "-0.5", step="0.5"),
}
CONDITION = Within("x", ((1, 3),))
SIZES, WIDTHS = (1, 2, 3), (1, 2, 3, 4, 7)


def part(size: int, **given) -> Part:
    return Part((0,), size, **given)


def filtered(size: int, *columns: str, changes: int = 1) -> Part:
    return part(size, condition=CONDITION, columns=columns or ("y",), changes=changes)


def raws(column, code: int) -> list[Fraction]:
    """Values of a code: on the grid, just below and above it, clamped at low and high."""
    number, step = column.number(code), column.step
    return sorted({min(max(number + step * off, column.low), column.high) for off in (-HALF, 0, JUST)})


def tables(column, size: int):
    """All tables of so many codes, with the raw values that make the statistics least and greatest."""
    for codes in product(range(column.top + 1), repeat=size):
        for pick in (0, -1):
            yield codes, [raws(column, code)[pick] for code in codes]
        yield codes, [raws(column, code)[place % 2 - 1] for place, code in enumerate(codes)]


def holds(release, width, numbers, function, truth) -> None:
    told = release.report(width, release.observe(width, numbers), function)
    assert told.lower <= truth <= told.upper, (width, numbers, function)
    assert told.value == (told.lower + told.upper) / 2
