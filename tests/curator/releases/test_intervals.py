"""The truth is in the interval of every release, at every end; no engine is needed."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import ceil

import pytest

import noiseless as nl
from noiseless.curator.releases.filtered_mean import FilteredMean
from noiseless.curator.releases.filtered_total import FilteredTotal
from noiseless.curator.releases.order_statistic import OrderStatistic
from noiseless.curator.releases.total import Total
from noiseless.curator.releases.variance import Variance
from tests.curator.releases.small import (
    HALF,
    SIZES,
    WIDTHS,
    filtered,
    holds,
    part,
    tables,
)


@pytest.mark.parametrize("size", SIZES)
def test_the_truth_of_sums_and_means(column, size):
    total = Total(part(size), "x", column, column.step / 2)
    some = FilteredTotal(filtered(size), "x", column, column.step / 2)
    mean = FilteredMean(filtered(size), "x", column, column.step / 2)
    for width, (codes, values) in product(WIDTHS, tables(column, size)):
        numbers = {("sum", "x"): sum(codes), ("count", "x"): size}
        holds(total, width, numbers, "SUM", sum(values))
        holds(total, width, numbers, "AVG", Fraction(sum(values), size))
        for kept in range(size + 1):  # the others are left out by the condition
            chosen = {("sum", "x"): sum(codes[:kept]), ("count", "x"): kept}
            holds(some, width, chosen, "SUM", sum(values[:kept]))
            if kept:
                holds(mean, width, chosen, "AVG", Fraction(sum(values[:kept]), kept))
            else:
                assert mean.report(width, mean.observe(width, chosen), "AVG") is None


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("share", [Fraction(0), Fraction(1), HALF, Fraction(1, 3), Fraction(9, 10)])
def test_the_truth_of_order_statistics(column, size, share):
    release = OrderStatistic(part(size), "x", column, column.step / 2, share)
    for width, (codes, values) in product(WIDTHS, tables(column, size)):
        rank = max(1, ceil(share * size))
        tally: dict = {None: 5}
        for code in codes:
            tally[code // width * width] = tally.get(code // width * width, 0) + 1
        numbers = {
            ("min", "x"): min(codes),
            ("max", "x"): max(codes),
            ("count", "x"): size,
            ("tally", "x", width): tally,
        }
        assert all(need in numbers for need in release.needs(width))
        holds(release, width, {need: numbers[need] for need in release.needs(width)}, "ORDER", sorted(values)[rank - 1])
    nobody = {("min", "x"): None, ("max", "x"): None, ("count", "x"): 0, ("tally", "x", 2): {None: 3}}
    assert release.report(2, release.observe(2, nobody), "ORDER") is None


@pytest.mark.parametrize("size", SIZES)
def test_the_truth_of_variances(column, size):
    release = Variance(part(size), "x", column, column.step / 2)
    for width, (codes, values) in product((1, 2, 5, 9), tables(column, size)):
        numbers = {("sum", "x"): sum(codes), ("squares", "x"): sum(code**2 for code in codes)}
        told = {f: release.report(width, release.observe(width, numbers), f) for f in ("VAR_POP", "STDDEV_POP")}
        truth = sum(value**2 for value in values) / Fraction(size) - (sum(values) / Fraction(size)) ** 2
        assert told["VAR_POP"].lower <= truth <= told["VAR_POP"].upper
        assert told["STDDEV_POP"].lower ** 2 <= truth <= told["STDDEV_POP"].upper ** 2
        assert 0 <= told["STDDEV_POP"].lower <= told["STDDEV_POP"].upper <= column.span / 2
        assert told["VAR_POP"].upper <= (column.span / 2) ** 2


def test_intervals_are_no_wider_than_they_must_be():
    """The ends themselves, of a column from 10 to 13 in steps of 1, rounded by a quarter."""
    column, off = nl.Real(10, 13, step=1), Fraction(1, 4)
    total = Total(part(4), "x", column, off)
    assert (total.report(3, (2,), "SUM").lower, total.report(3, (2,), "SUM").upper) == (46 - 1, 48 + 1)
    assert (total.report(3, (0,), "SUM").lower, total.report(3, (0,), "SUM").upper) == (40, 42 + 1)
    assert (total.report(5, (2,), "SUM").lower, total.report(5, (2,), "SUM").upper) == (50 - 1, 52)
    assert (total.report(3, (2,), "AVG").lower, total.report(3, (2,), "AVG").upper) == (
        Fraction(45, 4),
        Fraction(49, 4),
    )
    mean = FilteredMean(filtered(4), "x", column, off)
    told = mean.report(3, (2, 1), "AVG")
    assert (told.lower, told.upper) == (10 + Fraction(3, 2) - off, 10 + Fraction(5, 2) + off)
    assert (mean.report(4, (2, 1), "AVG").upper, mean.report(4, (2, 0), "AVG").lower) == (13, 10)
    some = FilteredTotal(filtered(4), "x", column, off)
    assert (some.report(3, (4,), "SUM").lower, some.report(3, (4,), "SUM").upper) == (12 - 1, 14 + 1)
    assert (some.report(9, (0,), "SUM").lower, some.report(9, (5,), "SUM").upper) == (0, 52)
    halves = FilteredTotal(filtered(2), "x", nl.Real(-1, 1, step="0.5"), Fraction(1, 8)).report(9, (0,), "SUM")
    assert (halves.lower, halves.upper) == (-2, 2)
    order = OrderStatistic(part(4), "x", column, off, HALF)
    assert (order.report(2, (0,), "").lower, order.report(2, (0,), "").upper) == (10, 11 + off)
    assert (order.report(2, (1,), "").lower, order.report(2, (1,), "").upper) == (12 - off, 13)
    assert (order.report(3, (1,), "").lower, order.report(3, (1,), "").upper) == (13 - off, 13)
    spread = Variance(part(2), "x", column, Fraction(0))
    assert (spread.report(3, (1,), "VAR_POP").lower, spread.report(3, (1,), "VAR_POP").upper) == (
        Fraction(3, 4),
        Fraction(5, 4),
    )
    assert spread.report(9, (1,), "STDDEV_POP").lower == spread.report(9, (1,), "STDDEV_POP").upper == Fraction(3, 2)
    rough = Variance(part(2), "x", column, off)
    assert (rough.report(9, (0,), "STDDEV_POP").lower, rough.report(4, (1,), "STDDEV_POP").lower) == (0, 1 - off)
    assert rough.report(5, (0,), "STDDEV_POP").upper == 1 + off
    assert rough.report(5, (0,), "VAR_POP").upper == (1 + off) ** 2


def test_dates_are_whole_days():
    column = nl.Date("2024-01-01", "2024-01-10", step=3)
    release = OrderStatistic(part(2), "d", column, Fraction(3, 2), Fraction(0))
    told = release.report(1, (1,), "ORDER")
    assert [str(day) for day in (told.value, told.lower, told.upper)] == ["2024-01-04", "2024-01-02", "2024-01-06"]
