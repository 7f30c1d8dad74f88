"""The count of every release by brute force, and how the ledger sees it; no engine is needed."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

import pytest

import noiseless as nl
from noiseless.curator.plan.condition import Within
from noiseless.curator.releases.filtered_mean import FilteredMean
from noiseless.curator.releases.filtered_total import FilteredTotal
from noiseless.curator.releases.head_count import HeadCount
from noiseless.curator.releases.histogram import TallyOfCategory
from noiseless.curator.releases.order_statistic import OrderStatistic
from noiseless.curator.releases.refined import RefinedTotal
from noiseless.curator.releases.release import pieces
from noiseless.curator.releases.total import Total
from noiseless.curator.releases.variance import Variance
from noiseless.privacy.composition import questions as q
from tests.curator.releases.small import (
    HALF,
    WIDTHS,
    filtered,
    part,
)


def most(outcomes) -> int:
    """The most different outcomes over all that the others may have."""
    return max(len(set(each)) for each in outcomes)


@pytest.mark.parametrize(("size", "rows"), [(1, 1), (2, 1), (3, 1), (3, 2), (3, 3), (4, 2)])
def test_counts_by_brute_force(column, size, rows):
    top, others = column.top, size - rows
    own = list(product(range(top + 1), repeat=rows))
    maybe = list(product([None, *range(top + 1)], repeat=rows))
    total, mean = Total(part(size), "x", column, HALF), FilteredMean(filtered(size), "x", column, HALF)
    some = FilteredTotal(filtered(size), "x", column, HALF)
    low, each = some.units
    assert (Fraction(low, each) * column.step, column.step / each) == (column.low, some._unit)

    def joint(codes, width, before):
        numbers = [low + each * code for code in codes if code is not None]
        return before[0] + len(numbers), (before[1] + sum(code for code in codes if code is not None)) // width

    for width in WIDTHS:
        sums = [[(sum(codes) + other) // width for codes in own] for other in range(others * top + 1)]
        assert total.answers(width, rows) == most(sums)
        joints = [[joint(codes, width, (0, other)) for codes in maybe] for other in range(width)]
        assert mean.answers(width, rows) >= most(joints)
        if rows == 1 or width == 1:
            assert mean.answers(width, rows) == most(joints)
        least, greatest = some.ends
        assert (least, greatest) == (min(low, 0), max(low + each * top, 0))
        adds = [sum(low + each * code for code in codes if code is not None) for codes in maybe]
        starts = {other * greatest + (others - other) * least for other in range(others + 1)} if others else {0}
        bins = [[(add + start - size * least) // width for add in adds] for start in starts]
        assert most(bins) <= some.answers(width, rows)
        assert some.answers(width, rows) == min(
            -(-rows * (greatest - least) // width) + 1, size * (greatest - least) // width + 1
        )
    order = OrderStatistic(part(size), "x", column, HALF, HALF)
    for width in WIDTHS:
        assert order.answers(width, rows) == order.bins(width) == len({code // width for code in range(top + 1)})
        assert OrderStatistic(filtered(size), "x", column, HALF, HALF).answers(width) == order.bins(width) + 1


@pytest.mark.parametrize(("size", "rows"), [(1, 1), (2, 1), (3, 1), (3, 2), (4, 1), (4, 2)])
def test_counts_of_variances_by_brute_force(column, size, rows):
    release, codes = Variance(part(size), "x", column, HALF), range(column.top + 1)

    def scaled(table):
        return size * sum(code**2 for code in table) - sum(table) ** 2

    found = [[scaled(own + rest) for own in product(codes, repeat=rows)] for rest in product(codes, repeat=size - rows)]
    assert release.largest == max(map(max, found))
    assert release.answers(release.widest, rows) == 1
    assert not release.largest or release.answers(release.widest - 1, rows) == 2
    for width in range(1, release.widest + 2):
        bins = len({number // width for number in range(release.largest + 1)})
        count = release.answers(width, rows)
        assert most([number // width for number in each] for each in found) <= count
        assert count == min(bins, q.touched(min(rows * (size - rows), size**2 // 4) * column.top**2, width))  # type: ignore[attr-defined]


def test_exact_counts():
    category = nl.Category("a", "b", "c")
    for rows in (1, 2, 3):
        assert HeadCount(filtered(5), None).answers(1, rows) == rows + 1
        assert TallyOfCategory(part(5), "s", category).answers(1, rows) == comb(rows + 2, 2)
        assert TallyOfCategory(filtered(5), "s", category).answers(1, rows) == comb(rows + 3, 3)
    tally = TallyOfCategory(part(5), "s", category)
    assert tally.observe(1, {("tally", "s", 1): {0: 3, 2: 2, None: 9}}) == (3, 0, 2)
    assert [tally.report(1, (3, 0, 2), str(place)).value for place in range(3)] == [3, 0, 2]
    truth = TallyOfCategory(part(5), "s", nl.Boolean(missing="apart"))
    assert truth.observe(1, {("tally", "s", 1): {1: 3, None: 1}}) == (0, 3, 1)
    assert tally.needs(1) == (("tally", "s", 1),)
    assert tally.question(1) == q.ExactHistogram("s", 3)
    assert TallyOfCategory(filtered(5, "x"), "s", category).question(1) == q.OtherQuestion(("s", "x"), 4)
    heads = HeadCount(filtered(5), None, "y")
    assert (heads.needs(1), heads.observe(1, {("count", "y"): 4})) == ((("count", "y"),), (4,))
    assert heads.report(1, (4,), "COUNT").exact
    for release in (tally, heads):
        assert (release.widest, release.error(1, ""), release.width_within(Fraction(0), "")) == (1, 0, 1)


def test_how_the_ledger_sees_counts():
    scale, apart = nl.Integer(0, 9), nl.Integer(0, 9, missing="apart")

    def asked(first, last, column, changes=1):
        condition = Within("x", ((first, last),))
        return HeadCount(part(5, condition=condition, columns=("x",), changes=changes), column).question(1)

    assert asked(4, 9, scale) == q.ExactThreshold("x", 4, 10)
    assert asked(0, 3, scale) == q.ExactThreshold("x", 4, 10)
    assert asked(3, 8, scale, 2) == q.OtherQuestion(("x",), 2, 2)
    assert asked(4, 9, apart) == q.OtherQuestion(("x",), 2, 1)
    assert asked(4, 9, None) == q.OtherQuestion(("x",), 2, 1)
    assert asked(4, 9, None, 0) == q.OtherQuestion(("x",), 2, 1)
    total = Total(part(6), "x", scale, HALF)
    assert total.question(4) == q.PlainSum("x", 4, 6, 9)
    assert RefinedTotal(total, 8).question(2) == q.Refinement("x", 8, 2)
    assert (RefinedTotal(total, 8).answers(2), RefinedTotal(total, 8).answers(8)) == (4, 1)
    assert RefinedTotal(total, 80).answers(2) == total.answers(2) == 6
    assert Variance(part(6), "x", scale, HALF).question(100) == q.VarianceSum("x", 100, 6, 9, 6)
    assert OrderStatistic(part(6), "x", scale, HALF, HALF).question(4) == q.KthSmallest("x", 4, 3)
    assert OrderStatistic(filtered(6), "x", scale, HALF, HALF).question(4) == q.OtherQuestion(("x", "y"), 4)
    assert OrderStatistic(filtered(6, changes=9), "x", scale, HALF, HALF).question(4) == q.OtherQuestion(("x", "y"), 4)
    for changes, width in product(range(1, 9), range(1, 10)):
        found = OrderStatistic(filtered(6, "x", changes=changes), "x", scale, HALF, HALF).question(width)
        bins = 9 // width + 1  # from one to the next, and at every change of the condition to nobody or back
        assert found == q.OtherQuestion(("x",), bins + 1, -(-(bins - 1 + changes) // bins))
    for release in (FilteredMean, FilteredTotal):
        several = release(filtered(6), "x", scale, HALF)
        assert several.question(4) == q.OtherQuestion(("x", "y"), several.answers(4))
        for changes, width in product(range(1, 9), range(1, 12)):
            of_one = release(filtered(6, "x", changes=changes), "x", scale, HALF)
            found, count = of_one.question(width), of_one.answers(width)
            jumps = -(-9 // width) + changes
            assert (found.columns, found.count) == (("x",), count)
            assert found.pieces == max(1, -(-jumps // (count - 1)))
    halves = FilteredTotal(filtered(6, "x"), "x", nl.Real("0.5", "9.5", step=1), HALF)
    assert halves.units == (1, 2)
    assert halves.question(4).pieces == max(1, -(-(-(-18 // 4) + 1) // (halves.answers(4) - 1)))


def test_pieces():
    for jumps, count in product(range(12), range(2, 6)):
        fewest = next(many for many in range(1, 20) if many * (count - 1) >= jumps)
        assert pieces(jumps, count) == fewest
    assert pieces(5, 1) == 1
