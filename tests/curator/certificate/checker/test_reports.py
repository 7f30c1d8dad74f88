"""The checker's intervals beside the curator's, for every number that can be released, and none beyond."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

import noiseless as nl
from noiseless.curator.certificate.checker import releases as checked
from noiseless.curator.certificate.checker import reports, spreads
from noiseless.curator.certificate.checker.bins import Bins
from noiseless.curator.certificate.checker.columns import Column
from noiseless.curator.certificate.checker.conditions import TRUE
from noiseless.curator.certificate.checker.wrong import WrongCertificateError
from noiseless.curator.plan.condition import Within
from noiseless.curator.plan.part import Part
from noiseless.curator.releases.filtered_mean import FilteredMean
from noiseless.curator.releases.filtered_total import FilteredTotal
from noiseless.curator.releases.head_count import HeadCount
from noiseless.curator.releases.histogram import TallyOfCategory
from noiseless.curator.releases.order_statistic import OrderStatistic
from noiseless.curator.releases.total import Total
from noiseless.curator.releases.variance import Variance

HALF = Fraction(1, 2)
COLUMNS = [
    nl.Real(0, 3, step=1),
    nl.Real(2, 4, step="0.5"),
    nl.Real("-1.25", "0.25", step="0.5"),
    nl.Integer(-3, -1),
    nl.Date("2024-01-01", "2024-01-10", step=3),
]
CATEGORY = nl.Boolean("apart")
WIDTHS = (1, 2, 3, 4, 7, 50)
OTHER = object()


def seen(column, on_grid):
    """A column as the checker reads it."""
    if not hasattr(column, "step"):
        return Column("boolean", 1, apart=True)
    kind = "date" if isinstance(column, nl.Date) else "real"
    return Column(kind, column.top, low=column.low, step=column.step, on_grid=on_grid)


def pairs(column, size, rounding):
    """Every kind of release as both see it, with the functions that are reported of it."""
    plain, some = Part((0,), size), Part((0,), size, Within("x", ((1, 2),)), ("x",), 1)
    all_rows, few = checked.Part((0,), size, TRUE, (), 0), checked.Part((0,), size, OTHER, ("x",), 1)
    if not hasattr(column, "step"):
        for ours, theirs in ((plain, all_rows), (some, few)):
            yield TallyOfCategory(ours, "x", column), checked.Release("histogram", "x", theirs), ("0", "1", "2")
        return
    kth = (plain, all_rows), (some, few)
    for ours, theirs in kth:
        one = OrderStatistic(ours, "x", column, rounding, HALF)
        yield one, checked.Release("order statistic", "x", theirs), ("KTH",)
    if isinstance(column, nl.Date):
        return
    yield Total(plain, "x", column, rounding), checked.Release("total", "x", all_rows), ("SUM", "AVG")
    yield Variance(plain, "x", column, rounding), checked.Release("variance", "x", all_rows), ("VAR_POP", "STDDEV_POP")
    yield FilteredTotal(some, "x", column, rounding), checked.Release("filtered total", "x", few), ("SUM",)
    yield FilteredMean(some, "x", column, rounding), checked.Release("filtered mean", "x", few), ("AVG",)
    yield HeadCount(some, None), checked.Release("head count", None, few), ("COUNT",)


def most(release, size, top, width, kind):
    """The greatest integers that a table can give, by the definition of each kind."""
    unit = (release.column.low / release.column.step).denominator if kind == "filtered total" else 1
    start = release.column.low / release.column.step * unit if kind == "filtered total" else 0
    reach = max(start + unit * top, 0) - min(start, 0) if kind == "filtered total" else top
    variance = max((size * high - high * high) * top**2 for high in range(size + 1))
    whole = {"order statistic": top, "variance": variance, "head count": size, "histogram": size}
    return int(whole.get(kind, size * reach) // width)


@pytest.mark.parametrize("on_grid", [True, False], ids=["exact", "rounded"])
@pytest.mark.parametrize("column", [*COLUMNS, CATEGORY], ids=str)
def test_reports_are_those_of_the_curator(column, on_grid):
    columns = {"x": seen(column, on_grid)}
    rounding = columns["x"].rounding
    for size, width in product((1, 2, 3), WIDTHS):
        for ours, theirs, functions in pairs(column, size, rounding):
            least = -1 if theirs.kind == "order statistic" and not theirs.plain else 0
            last = most(ours, size, column.top, width, theirs.kind)
            for place, function in product(range(least, last + 1), functions):
                released: tuple[int, ...] = (place,)
                if theirs.kind == "filtered mean":
                    released = (size, place)
                if theirs.kind == "histogram":
                    released = (place,) * 3
                else:
                    reports.possible(theirs, Bins(width), released, columns)
                at = int(function) if theirs.kind == "histogram" else 0
                found = reports.report(theirs, Bins(width), released, columns, function.lower(), at)
                told = ours.report(width, released, function)
                expected = None if told is None else (told.value, told.lower, told.upper)
                assert (found and (found.value, found.lower, found.upper)) == expected, (ours, width, place)


@pytest.mark.parametrize("column", [*COLUMNS, CATEGORY], ids=str)
def test_what_no_table_could_give_is_refused(column):
    columns = {"x": seen(column, True)}
    for size, width in product((1, 2, 3), WIDTHS):
        for ours, theirs, _ in pairs(column, size, Fraction(0)):
            last, copies = most(ours, size, column.top, width, theirs.kind), 3 if theirs.kind == "histogram" else 1
            first = (size,) if theirs.kind == "filtered mean" else ()
            least = -1 if theirs.kind == "order statistic" and not theirs.plain else 0
            for wrong in (least - 1, last + 1):
                with pytest.raises(WrongCertificateError, match="impossible"):
                    reports.possible(theirs, Bins(width), (*first, *(wrong,) * copies), columns)
            for number in ((), (0,) * (len(first) + copies + 1)):
                with pytest.raises(WrongCertificateError, match="another number"):
                    reports.possible(theirs, Bins(width), number, columns)
            if first:
                for people in (-1, size + 1):
                    with pytest.raises(WrongCertificateError, match="impossible"):
                        reports.possible(theirs, Bins(width), (people, 0), columns)


def test_a_sum_is_of_as_many_people_as_were_counted():
    columns = {"x": seen(COLUMNS[0], True)}
    mean = checked.Release("filtered mean", "x", checked.Part((0,), 3, OTHER, ("x",), 1))
    for released, width in (((2, 6), 1), ((2, 3), 2), ((0, 0), 5)):
        reports.check_released(mean, Bins(width), released, columns)
    for released, width in (((2, 7), 1), ((2, 4), 2), ((0, 1), 5)):
        with pytest.raises(WrongCertificateError, match="too large for its number of rows"):
            reports.check_released(mean, Bins(width), released, columns)


def test_a_mean_is_of_those_who_count():
    columns, column = {"x": seen(COLUMNS[1], False)}, COLUMNS[1]
    ours = FilteredMean(Part((0,), 3, Within("x", ((1, 2),)), ("x",), 1), "x", column, columns["x"].rounding)
    theirs = checked.Release("filtered mean", "x", checked.Part((0,), 3, OTHER, ("x",), 1))
    assert reports.report(theirs, Bins(2), (0, 0), columns, "avg", 0) is None
    for people, width in product((1, 2), (1, 3)):
        for place in range(people * column.top // width + 1):
            told = ours.report(width, (people, place), "AVG")
            found = reports.report(theirs, Bins(width), (people, place), columns, "avg", 0)
            assert (found.value, found.lower, found.upper) == (told.value, told.lower, told.upper)


TALLIES = [
    ((1, 1, 3), 1, True),
    ((1, 1, 4), 1, False),
    ((0, 1, 1), 2, True),
    ((1, 0, 0), 2, True),
    ((1, 1, 1), 2, False),
]


@pytest.mark.parametrize("condition", [TRUE, OTHER])
@pytest.mark.parametrize(("released", "width", "fits"), TALLIES)
def test_counts_are_no_more_than_the_rows(condition, released, width, fits):
    columns, tally = {"x": Column("category", 2)}, checked.Part((0,), 5, condition, (), 0)
    if fits:
        reports.check_released(checked.Release("histogram", "x", tally), Bins(width), released, columns)
    else:
        with pytest.raises(WrongCertificateError, match="do not add up"):
            reports.check_released(checked.Release("histogram", "x", tally), Bins(width), released, columns)


def test_counts_of_everybody_are_no_fewer_than_the_rows():
    columns = {"x": Column("category", 2)}
    too_few = checked.Release("histogram", "x", checked.Part((0,), 5, TRUE, (), 0))
    for released, width in (((1, 1, 2), 1), ((0, 0, 0), 2)):
        with pytest.raises(WrongCertificateError, match="do not add up"):
            reports.check_released(too_few, Bins(width), released, columns)
        some = checked.Release("histogram", "x", checked.Part((0,), 5, OTHER, (), 0))
        reports.check_released(some, Bins(width), released, columns)


def test_roots_are_outward():
    """At numbers just below, on and just above what has a root of so many digits."""
    for root, off in product((1, 5, 2**64, 3 * 2**70), (-1, 0, 1)):
        number = (root**2 + Fraction(off, 3)) / spreads.PRECISION**2
        low, high = spreads.root(number, up=False), spreads.root(number, up=True)
        assert low**2 <= number <= high**2
        assert (high - low) * spreads.PRECISION == (1 if off else 0)
