"""Every release by brute force: its count, the truth of its interval at every end, its widths; no engine is needed."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import ceil, comb
from typing import Any

import pytest

import noiseless as nl
from noiseless.curator.plan.condition import TRUE, Within
from noiseless.curator.plan.part import Part
from noiseless.curator.releases.filtered_mean import FilteredMean
from noiseless.curator.releases.filtered_total import FilteredTotal
from noiseless.curator.releases.head_count import HeadCount
from noiseless.curator.releases.histogram import TallyOfCategory
from noiseless.curator.releases.order_statistic import OrderStatistic
from noiseless.curator.releases.refined import RefinedTotal
from noiseless.curator.releases.release import narrowest, pieces
from noiseless.curator.releases.total import Total
from noiseless.curator.releases.variance import PRECISION, Variance, root
from noiseless.privacy.composition import questions as q

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


@pytest.fixture(params=COLUMNS)
def column(request):
    return COLUMNS[request.param]


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
        assert narrowest(release, 1, wanted) == (fitting[0] if fitting else None)


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
