"""What the checker lets a column of a copy hold: exactly what the curator writes there."""

from __future__ import annotations

from datetime import timedelta
from fractions import Fraction
from itertools import pairwise
from math import inf, nan, nextafter

import pyarrow as pa
import pytest

import noiseless as nl
from noiseless.curator.certificate.checker import values
from noiseless.curator.certificate.checker.columns import Column
from noiseless.curator.certificate.checker.wrong import WrongCertificateError
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


HALF = Fraction(1, 2)


def seen(column, on_grid):
    kind = "date" if isinstance(column, nl.Date) else "real"
    return Column(kind, column.top, column.apart, low=column.low, step=column.step, on_grid=on_grid)


def shown(column, number):
    return EPOCH + timedelta(days=int(number // 1)) if isinstance(column, nl.Date) else float(number)


def beyond(column):
    """A step too far, and of numbers half a step."""
    shares = [-1, column.top + 1, *([] if isinstance(column, nl.Date) else [-HALF, column.top + HALF])]
    return [shown(column, column.low + column.step * share) for share in shares]


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
        if isinstance(each[0], float):
            assert not rule._fits((Fraction(each[0]), *each[1:]))
    for one, two in pairwise(rows):
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
        assert not any(alone._fits((each,)) for each in beyond(column))


@pytest.mark.parametrize("on_grid", [True, False], ids=["exact", "rounded"])
@pytest.mark.parametrize("column", COLUMNS, ids=str)
def test_cells_between_cuts(column, on_grid):
    read = seen(column, on_grid)
    points = [column.show(column.number(code)) for code in (1, column.top)]
    made = cut("x", column, read.rounding, points)
    rule, alone = (values.CutCells("x", read, made.starts, intervals) for intervals in (True, False))
    rows = [row(made, column, p, first, made.end_of(p) - 1) for p, first in enumerate(made.starts)]
    judged(rule, alone, rows)
    assert not any(alone._fits((each,)) for each in beyond(column))


def test_the_greatest_double_not_above():
    for number in (Fraction(1, 10), Fraction(7, 10), Fraction(1, 2), Fraction(-1, 10), Fraction(-7, 10)):
        assert values._down(number) == float_down(number)
        assert -values._down(-number) == float_up(number)


@pytest.mark.parametrize("ends", [(0, 2**41), (-(2**41), 2**40), (2**40, 2**42)])
def test_margins_are_those_of_the_curator(ends):
    column = nl.Real(*ends, step=1)  # type: ignore[misc]
    read = seen(column, False)
    assert values.Cells("x", read, 2, True)._margin == Cells("x", column, 2, read.rounding).margin > Fraction(501, 1000)


@pytest.mark.parametrize("sign", [-1, 1])
def test_where_doubles_do_not_reach_one_nearby_will_do(sign):
    """2^-50 of 2 * 10^16 is just below 18."""
    low = Fraction(10**16 if sign > 0 else -(10**16) - 4096)
    rule = values.Cells("x", Column("real", 4, low=low, step=Fraction(1024)), 1, False)
    for code in range(5):
        middle = float(low + 1024 * code)
        assert all(rule._fits((middle + off,)) for off in (-16, 0, 16))
        assert not any(rule._fits((middle + off,)) for off in (-18, 18, inf, nan))


def batch(**columns):
    return pa.RecordBatch.from_pydict(columns)


def test_every_value_of_every_batch_is_looked_at():
    rule = values.Cells("x", Column("real", 3), 2, False)
    for _ in range(2):
        rule.check(batch(x=[0.5, 2.5, 0.5]))
        with pytest.raises(WrongCertificateError, match="'x' holds a value that is not one of its cells"):
            rule.check(batch(x=[0.5, 2.5, 1.0]))


@pytest.mark.parametrize(
    ("column", "labels", "fine", "wrong"),
    [
        (Column("category", 1, keys=("a", "b")), ["a", "c"], ["a", "c"], ["b", "A", None]),
        (Column("category", 1, keys=("False", "True")), ["False", "True"], ["True"], ["true", "false"]),
        (Column("public", 0, keys=("a",)), ["a"], ["a"], ["b"]),
        (Column("category", 1, keys=(1, 2)), ["1", "2"], [1, 2], [3, None]),
        (Column("boolean", 1, apart=True, keys=(False, True)), ["False", "True"], [True, False, None], []),
        (Column("boolean", 1, keys=(False, True)), ["False", "True"], ["true", "false", "True"], ["yes", None]),
        (Column("boolean", 1, keys=(False, True)), ["any", "any"], ["any"], ["Any", "True"]),
    ],
)
def test_groups(column, labels, fine, wrong):
    rule = values.Groups("x", labels, column)
    for value in fine:
        rule.check(batch(x=[value]))
    for value in wrong:
        with pytest.raises(WrongCertificateError, match="not one of its names"):
            rule.check(batch(x=[value]))
    whole = type(column.keys[0]) is int
    texts = labels[0] == "any"
    assert (rule.ordered(True), rule.ordered(False)) == (not (whole or texts), True)


def test_bounds_of_policies():
    rule = values.Bounds("x", Column("real", 4, low=Fraction(-2)), "1/2")  # -2 to 2
    end = 2.5 + 5 * 2**-50  # what doubles may add: 2^-50 of |low| + |high| + step
    rule.check(batch(x=[-end, 0.0, end]))
    for value in (nextafter(-end, -inf), nextafter(end, inf), inf, nan, None):
        with pytest.raises(WrongCertificateError, match="no policy reports"):
            rule.check(batch(x=[0.0, value]))


def test_numbers_beyond_whole_doubles_are_near():
    """Quarters up to 2^50: from there on a number is any double nearby, and before only the nearest."""
    near_ones, exact_ones = (
        values.Cells("x", Column("real", top, step=Fraction(1, 4)), 1, False) for top in (2**52 - 3, 2**52 - 4)
    )
    for value, near, exact in (
        (1.0, True, True),
        (1.25, True, False),
        (2 - 2.0**-51, True, False),  # as far as it may be
        (2 - 2.0**-52, False, False),
        (2.0**-51, True, False),
        (2.0**-52, False, False),
        (inf, False, False),
        (nan, False, False),
        (None, False, False),
    ):
        assert (near_ones._is(value, Fraction(1)), exact_ones._is(value, Fraction(1))) == (near, exact)


def test_margins_of_very_many_codes():
    """Three times as many, and two, in units of 2^-50: just more than a thousandth of a step."""
    column = Column("real", 375299968947, on_grid=False)
    assert 1000 * (3 * column.top + 1) <= 1 << 50 < 1000 * (3 * column.top + 2)
    assert values.Cells("x", column, 1, True)._margin == Fraction(502, 1000)
