"""What the checker lets a column of a copy hold: exactly what the curator writes there."""

from __future__ import annotations

from datetime import timedelta
from fractions import Fraction
from math import inf, nan, nextafter

import pytest

import noiseless as nl
from noiseless.curator.certificate.checker import values
from noiseless.curator.certificate.checker.columns import Column
from noiseless.curator.microdata.columns import Cells
from noiseless.curator.microdata.cuts import cut
from noiseless.curator.schema.dates import EPOCH
from noiseless.exact.rounding import float_down, float_up

COLUMNS = [
    nl.Real("0.1", "0.7", step="0.1"),
    nl.Real("-0.4", "1.6", step="0.2"),
    nl.Real(0, 7, step=1, missing="apart"),
    nl.Integer(3, 9, step=2),
    nl.Date("2024-01-01", "2024-01-10"),
    nl.Date("2024-01-01", "2024-01-10", step=3),
]


def seen(column, on_grid):
    kind = "date" if isinstance(column, nl.Date) else "real"
    return Column(kind, column.top, column.apart, low=column.low, step=column.step, on_grid=on_grid)


def shown(column, number):
    return EPOCH + timedelta(days=int(number // 1)) if isinstance(column, nl.Date) else float(number)


def row(made, column, place, first, last):
    """What the curator writes for a cell of codes: its middle and its ends."""
    date = isinstance(column, nl.Date)
    lower = shown(column, column.number(first) - made.margin)
    upper = shown(column, column.number(last) + made.margin)
    if place == 0:
        lower = shown(column, column.low) if date else float_down(column.low)
    if place == made.cells - 1:
        upper = shown(column, column.high) if date else float_up(column.high)
    return shown(column, made.middle_of(place)), lower, upper


def near(value):
    """What is almost the same."""
    if isinstance(value, float):
        return [nextafter(value, -inf), nextafter(value, inf), nan, inf, None]
    return [value - timedelta(days=1), value + timedelta(days=1), None]


def judged(rule, alone, rows):
    middles = {None, *(middle for middle, _, _ in rows)}
    for each in rows:
        assert rule._fits(each)
        assert alone._fits(each[:1])
        assert not any(alone._fits((other,)) for other in near(each[0]) if other not in middles)
        for at in range(3):
            for other in near(each[at]):
                assert not rule._fits((*each[:at], other, *each[at + 1 :])), (each, at, other)
    for one, two in zip(rows, rows[1:], strict=False):
        assert not rule._fits((one[0], *two[1:]))
    absent = rule.column.apart
    assert (rule._fits((None,) * 3), alone._fits((None,))) == (absent, absent)
    for wrong in (7, "7", True):
        assert not alone._fits((wrong,))


@pytest.mark.parametrize("on_grid", [True, False], ids=["exact", "rounded"])
@pytest.mark.parametrize("column", COLUMNS, ids=str)
def test_cells(column, on_grid):
    for width in range(1, column.top + 2):
        read = seen(column, on_grid)
        made = Cells("x", column, width, read.rounding)
        rule, alone = (values.Cells("x", read, width, intervals) for intervals in (True, False))
        assert (rule.names, alone.names) == (["x", "x_lower", "x_upper"], ["x"])
        places = range(made.cells)
        judged(rule, alone, [row(made, column, p, p * width, made.end_of(p) - 1) for p in places])
        beyond = [column.low - column.step, column.number(column.top + 1)]
        assert not any(alone._fits((shown(column, each),)) for each in beyond)


@pytest.mark.parametrize("on_grid", [True, False], ids=["exact", "rounded"])
@pytest.mark.parametrize("column", COLUMNS, ids=str)
def test_cells_between_cuts(column, on_grid):
    read = seen(column, on_grid)
    points = [column.show(column.number(code)) for code in (1, column.top)]
    made = cut("x", column, read.rounding, points)
    rule, alone = (values.CutCells("x", read, made.starts, intervals) for intervals in (True, False))
    rows = [row(made, column, p, first, made.end_of(p) - 1) for p, first in enumerate(made.starts)]
    judged(rule, alone, rows)
    beyond = [column.low - column.step, column.number(column.top + 1)]
    assert not any(alone._fits((shown(column, each),)) for each in beyond)


def test_the_greatest_double_not_above():
    for number in (Fraction(1, 10), Fraction(7, 10), Fraction(1, 2), Fraction(-1, 10), Fraction(-7, 10)):
        assert values._down(number) == float_down(number)
        assert -values._down(-number) == float_up(number)
