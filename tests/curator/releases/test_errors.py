"""The widths and errors that releases promise; no engine is needed."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

import noiseless as nl
from noiseless.curator.plan.condition import TRUE, Within
from noiseless.curator.releases.filtered_mean import FilteredMean
from noiseless.curator.releases.filtered_total import FilteredTotal
from noiseless.curator.releases.head_count import HeadCount
from noiseless.curator.releases.histogram import TallyOfCategory
from noiseless.curator.releases.order_statistic import OrderStatistic
from noiseless.curator.releases.release import Release
from noiseless.curator.releases.spread import PRECISION, root
from noiseless.curator.releases.total import Total
from noiseless.curator.releases.variance import Variance
from noiseless.privacy.composition import questions as q
from tests.curator.releases.small import (
    COLUMNS,
    HALF,
    WIDTHS,
    filtered,
    part,
)

RELEASES: list[Any] = [
    Total(part(3), "x", COLUMNS["both sides"], HALF),
    FilteredTotal(filtered(3), "x", COLUMNS["both sides"], HALF),
    FilteredTotal(filtered(3), "x", COLUMNS["below 0"], Fraction(0)),
    FilteredMean(filtered(3), "x", COLUMNS["both sides"], HALF),
    OrderStatistic(part(3), "x", COLUMNS["both sides"], HALF, HALF),
    OrderStatistic(filtered(3), "x", COLUMNS["both sides"], Fraction(0), HALF),
    Variance(part(3), "x", COLUMNS["both sides"], HALF),
    Variance(part(4), "x", COLUMNS["from 0"], Fraction(0)),
]


@pytest.mark.parametrize("release", RELEASES, ids=lambda release: type(release).__name__)
def test_widths(release):
    """The narrowest for so many answers; beyond the widest nothing changes; one less than it still tells more."""
    widest = release.widest
    counts = [release.answers(width) for width in range(1, widest + 3)]
    assert counts == sorted(counts, reverse=True)
    assert counts[widest - 1] == counts[-1]
    for wanted in range(1, counts[0] + 2):
        fitting = [width for width in range(1, widest + 1) if release.answers(width) <= wanted]
        assert release.narrowest(1, wanted) == (fitting[0] if fitting else None)


@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize("rows", [1, 2, 3, 7])
def test_a_solved_width_is_the_one_that_a_search_finds(name, rows):
    column = COLUMNS[name]
    for size in (1, 2, 3, 5, 17):
        kept = [each(filtered(size), "x", column, HALF) for each in (FilteredTotal, FilteredMean)]
        for release in (Total(part(size), "x", column, HALF), *kept):
            for wanted in range(release.answers(1, rows) + 2):
                assert release.narrowest(rows, wanted) == Release.narrowest(release, rows, wanted)


@pytest.mark.parametrize("function", ["SUM", "AVG", "ORDER", "VAR_POP", "STDDEV_POP"])
@pytest.mark.parametrize("release", RELEASES, ids=lambda release: type(release).__name__)
def test_errors(release: Any, function):
    """The width for an error is the widest that keeps it; half of the widest interval is the error that is promised."""
    kinds: dict[str, Any] = {"SUM": (Total, FilteredTotal), "AVG": (Total,), "ORDER": (OrderStatistic,)}
    if not isinstance(release, kinds.get(function, (Variance,))):
        return
    least, tiny = release.error(1, function), Fraction(1, PRECISION // 8)
    for eighths in range(60):
        error = least + Fraction(eighths, 8)
        width = release.width_within(error, function)
        assert release.error(width, function) <= error + tiny
        assert width == release.widest or release.error(width + 1, function) > error - tiny
    if least > tiny:
        with pytest.raises(nl.BudgetError, match="at least that"):
            release.width_within(least - tiny - Fraction(1, 1000), function)
    if function in ("VAR_POP", "STDDEV_POP") and not release.rounding:
        assert (least == 0) == (function == "VAR_POP")


@pytest.mark.parametrize("release", [each for each in RELEASES if not isinstance(each, FilteredMean)])
def test_no_interval_is_wider_than_was_promised(release):
    functions = {Total: ("SUM", "AVG"), FilteredTotal: ("SUM",), OrderStatistic: ("ORDER",)}
    for function, width in product(functions.get(type(release), ("VAR_POP", "STDDEV_POP")), WIDTHS):  # type: ignore[call-overload]
        last = (release.widest - 1) // width
        told = [release.report(width, (place,), function) for place in range(last + 1)]
        widest = max(each.upper - each.lower for each in told) / 2
        assert widest <= release.error(width, function)
        assert told[0].lower <= told[-1].lower


def test_a_mean_under_a_condition_promises_no_error():
    release = FilteredMean(filtered(3), "x", COLUMNS["both sides"], HALF)
    assert release.error(1, "AVG") is None
    assert release.widest == 3
    assert FilteredMean(filtered(3), "x", COLUMNS["both sides"], HALF).part.rows == 1
    with pytest.raises(nl.BudgetError, match="bits="):
        release.width_within(Fraction(1), "AVG")


def test_large_variances_and_what_rounding_adds_to_them():
    """A deviation moves by half a step, a variance by that times the span; roots add 2/2^64 of the unit."""
    release = Variance(part(2), "x", nl.Real(0, 100, step=1), HALF)
    numbers = {("sum", "x"): 100, ("squares", "x"): 100**2}
    told = release.report(1, release.observe(1, numbers), "VAR_POP")
    assert (told.lower, told.upper) == ((50 - HALF) ** 2, 50**2)
    added = HALF + Fraction(2, PRECISION)
    assert (release.error(1, "STDDEV_POP"), release.error(1, "VAR_POP")) == (added, 100 * added)
    exact = Variance(part(2), "x", nl.Real(0, 100, step=1), Fraction(0))
    assert (exact.error(1, "STDDEV_POP"), exact.error(1, "VAR_POP")) == (Fraction(2, PRECISION), 0)


@pytest.mark.parametrize("release", RELEASES, ids=lambda release: type(release).__name__)
def test_one_bin_for_everything_has_the_largest_error(release):
    for function in ("SUM", "AVG", "VAR_POP", "STDDEV_POP"):
        assert release.error(release.widest + 9, function) == release.error(release.widest, function)


def test_roots():
    for top, bottom in product(range(30), range(1, 8)):
        number = Fraction(top, bottom)
        low, high = root(number, up=False), root(number, up=True)
        assert low**2 <= number <= high**2
        assert high - low in (0, Fraction(1, PRECISION))
        assert (high == low) == (low**2 == number)


def test_parts():
    assert part(3).plain
    assert not filtered(3).plain
    assert part(3).condition == TRUE
    assert filtered(3, "y", "x").reads("z") == ("x", "y", "z")


def test_a_mean_among_so_many(column):
    """Once the number of rows is known: no interval is wider than is said, and bins are as wide as may be."""
    mean = FilteredMean(filtered(3), "x", column, column.step / 2)
    widths = range(1, mean.widest + 1)
    assert (mean.widest, mean.error(2, "AVG", 0)) == (column.top, 0)
    for people, width in product((1, 2, 3), range(1, 3 * column.top + 3)):
        told = [mean.report(width, (people, place), "AVG") for place in range(people * column.top // width + 1)]
        assert max(each.upper - each.lower for each in told) / 2 <= mean.error(width, "AVG", people)
        half = min(Fraction(width - 1, 2 * people) * column.step, column.span / 2)
        assert mean.error(width, "AVG", people) == half + column.step / 2
    for people, eighths in product((1, 2, 3), range(4, 24)):
        error = eighths * column.step / 8
        fitting = [width for width in widths if mean.error(width, "AVG", people) <= error]
        assert mean.width_within(error, "AVG", people) == max(fitting)
    with pytest.raises(nl.BudgetError):
        mean.width_within(column.step * Fraction(49, 100), "AVG", 1)
    assert mean.width_within(Fraction(1), "AVG", 0) == mean.widest


def test_a_mean_under_a_condition_is_stated_for_the_rows_of_a_person():
    mean = FilteredMean(filtered(3), "x", COLUMNS["both sides"], HALF)
    assert mean.stated(2).endswith("at most ⌈M/w⌉ + 2 = 4 joint answers for M = 3")
    assert mean.stated(2, 2).endswith("at most 1 + Σ (⌈iM/w⌉ + 1) = 8 joint answers for i = 1, …, 2 and M = 3")


def test_the_question_of_a_mean_that_reads_two_columns():
    mean = FilteredMean(filtered(3, "y", changes=9), "x", COLUMNS["both sides"], HALF)
    assert (mean.reads, mean.question(2)) == (("x", "y"), q.OtherQuestion(("x", "y"), 4))


@pytest.mark.parametrize(
    ("ranges", "words"), [((0, 3), "values there are"), ((1, 3), "rows the cond"), ((0, 2), "rows the cond")]
)
def test_what_the_error_of_a_mean_depends_on(ranges, words):
    some = part(3, condition=Within("x", (ranges,)), columns=("x",), changes=1)
    with pytest.raises(nl.BudgetError, match=f"depends on how many {words}"):
        FilteredMean(some, "x", COLUMNS["both sides"], HALF).width_within(Fraction(1), "AVG")


@pytest.mark.parametrize("width", [1, 2, 3, 5, 20])
def test_rounded_counts(width):
    """The truth is inside, and no further from the middle than is said."""
    count, tally = HeadCount(filtered(9), None), TallyOfCategory(part(9), "s", nl.Boolean("apart"))
    assert count.error(width, "COUNT") == tally.error(width, "0") == Fraction(width - 1, 2)
    assert (count.widest, tally.widest) == (1, 1)
    for truth in range(10):
        one = count.report(width, count.observe(width, {("count", None): truth}), "COUNT")
        released = tally.observe(width, {("tally", "s", 1): {1: truth, None: 9 - truth}})
        assert released == (0, truth // width, (9 - truth) // width)
        for told, number in ((one, truth), (tally.report(width, released, "1"), truth)):
            assert told.lower == number // width * width <= number <= told.upper == min(told.lower + width - 1, 9)
            assert told.value == (told.lower + told.upper) / 2
            assert abs(told.value - number) <= count.error(width, "COUNT")


def test_counts_are_stated_for_the_rows_of_a_person():
    count, category = HeadCount(filtered(9), None), nl.Category("a", "b", "c")
    assert count.stated(1).endswith("condition: 2 answers")
    assert count.stated(1, 2).endswith("condition: 3 answers, none to all of 2 rows")
    tally, some = TallyOfCategory(part(9), "s", category), TallyOfCategory(filtered(9), "s", category)
    assert tally.stated(1).endswith("one answer for each value that a person can have, 3")
    assert some.stated(1).endswith("one answer for each value that a person can have, 4")
    assert tally.stated(1, 2).endswith("one answer for each way to distribute 2 rows over 3 values, 6")
    assert some.stated(1, 2).endswith("one answer for each way to distribute 2 rows over 4 values, 10")
