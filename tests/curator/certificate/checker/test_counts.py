"""The checker's counts beside the curator's, and its divisions beside brute force: two texts of the same formulas."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb, prod

import pytest

import noiseless as nl
from noiseless.curator.certificate.checker import counts
from noiseless.curator.certificate.checker import releases as checked
from noiseless.curator.certificate.checker.bins import Bins
from noiseless.curator.certificate.checker.columns import Column
from noiseless.curator.certificate.checker.conditions import TRUE
from noiseless.curator.certificate.checker.divide import floor_sum, worst_division
from noiseless.curator.certificate.checker.numbers import MOST_BITS
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
from noiseless.privacy.composition import several_rows
from noiseless.privacy.composition.questions import Together

HALF = Fraction(1, 2)
SCALES = [
    nl.Real(0, 7, step=1),
    nl.Real(2, 4, step="0.5"),
    nl.Real("-1.25", "1.25", step="0.5"),
    nl.Real("-3", "-1", step="0.5"),
]
CATEGORY = nl.Category("a", "b", "c")
OTHER = object()
"""A condition; what it says does not count."""


def answers(release, width, *given):
    return counts.answers(release, Bins(width), *given)


def joint(widths, *given):
    """By the other rules; those by signatures have their own tests."""
    columns, person = given
    return counts.joint({release: Bins(width) for release, width in widths.items()}, columns, person, False)


def column_of(column):
    if isinstance(column, nl.Category):
        return Column("category", column.top)
    return Column("real", column.top, low=column.low, step=column.step)


def pairs(column, size, changes):
    """Every kind of release over all rows, and under a condition on the same column, as both see it."""
    plain, some = Part((0,), size), Part((0,), size, Within("x", ((1, 2),)), ("x",), changes)
    all_rows = checked.Part((0,), size, TRUE, (), 0)
    few = checked.Part((0,), size, OTHER, ("x",), changes)
    if isinstance(column, nl.Category):
        yield TallyOfCategory(plain, "x", column), checked.Release("histogram", "x", all_rows)
        yield TallyOfCategory(some, "x", column), checked.Release("histogram", "x", few)
        return
    yield Total(plain, "x", column, HALF), checked.Release("total", "x", all_rows)
    yield Variance(plain, "x", column, HALF), checked.Release("variance", "x", all_rows)
    yield OrderStatistic(plain, "x", column, HALF, HALF), checked.Release("order statistic", "x", all_rows)
    yield OrderStatistic(some, "x", column, HALF, HALF), checked.Release("order statistic", "x", few)
    yield FilteredTotal(some, "x", column, HALF), checked.Release("filtered total", "x", few)
    yield FilteredMean(some, "x", column, HALF), checked.Release("filtered mean", "x", few)
    yield HeadCount(some, None), checked.Release("head count", None, few)


@pytest.mark.parametrize("column", [*SCALES, CATEGORY], ids=str)
def test_answers_are_those_of_the_curator(column):
    columns = {"x": column_of(column)}
    for size, rows, width in product(range(1, 9), range(1, 9), (1, 2, 3, 4, 7, 50)):
        for ours, theirs in pairs(column, size, 1) if rows <= size else ():
            assert answers(theirs, width, columns, rows) == ours.answers(width, rows), (ours, width, rows)


@pytest.mark.parametrize("column", [*SCALES, CATEGORY], ids=str)
def test_several_numbers_of_one_person_count_as_those_of_the_curator(column):
    """With one row: what is asked of one column adds up, as far as the column has values."""
    columns, fresh = {"x": column_of(column)}, {"x": column.values}
    for size, changes, width in product((1, 3), (0, 1, 2, 5), (1, 2, 3, 4, 50)):
        both = list(pairs(column, size, changes))
        for (ours, theirs), (our_other, their_other) in product(both, repeat=2):
            if theirs == their_other or {theirs.kind, their_other.kind} == {"head count", "filtered mean"}:
                continue
            asked = Together((ours.question(width), our_other.question(width)))
            found = joint({theirs: width, their_other: width}, columns, 1)
            assert found == asked.factor(fresh), (ours, our_other, width)


X = {"x": Column("real", 7), "y": Column("real", 3)}


def release(kind, name="x", cells=(0,), rows=4, condition=OTHER, reads=("x",)):
    return checked.Release(kind, name, checked.Part(cells, rows, condition, reads, 1))


def total(*cells, rows=4, name="x"):
    return release("total", name, cells, rows, TRUE, ())


def test_a_head_count_is_part_of_a_mean_under_its_condition():
    mean, same = release("filtered mean"), release("head count", None)
    other = release("head count", None, condition=object())
    alone = answers(mean, 4, X)
    for person in (1, 2):
        assert joint({}, X, person) == 1
        assert joint({same: 1}, X, person) == person + 1
        assert joint({mean: 4, same: 1}, X, person) == joint({mean: 4}, X, person)
        assert joint({mean: 4, other: 1}, X, person) > joint({mean: 4}, X, person)
    assert joint({mean: 4}, X, 1) == min(alone, 8)


def test_people_with_one_row_are_in_one_cell_and_others_in_many():
    """One row: the cell where most is asked. Several: the worst division among cells that have nothing in common."""
    wide, narrow = total(0), total(1)
    assert joint({wide: 4, narrow: 2}, X, 1) == 5
    assert joint({wide: 4, narrow: 2}, X, 2) == 5 * 5  # as if both groups were the one that tells more
    assert joint({total(0, 1): 4, narrow: 2}, X, 1) == min(8, 3 - 1 + 5)
    assert joint({total(0, 1): 4, narrow: 2}, X, 2) == 5 * 8  # one group: both numbers of both rows
    assert joint({total(0): 7, total(1, rows=1): 7}, X, 2) == 2 * 2


def test_a_number_of_two_cells_makes_one_group_of_them():
    """All that is asked of either is of the same rows: 5, 8 and 3 answers of two rows, and 7 of the other column."""
    asked = {total(0): 4, total(1): 2, total(0, 1): 7}
    assert joint(asked, X, 2) == 5 * 8 * 3
    assert joint({**asked, total(1, name="y"): 1}, X, 2) == 5 * 8 * 3 * 7
    assert joint({**asked, total(0, name="y"): 1}, X, 2) == 5 * 8 * 3 * 7


def test_columns_multiply_and_are_no_more_than_their_values():
    both = release("order statistic", "x", reads=("y",))
    assert joint({total(0): 4, total(0, name="y"): 1}, X, 1) == 3 * 4
    assert joint({both: 1}, X, 1) == 9
    assert joint({both: 1, total(0): 7}, X, 1) == 9 * 2
    assert joint({both: 1, total(0): 1, total(0, name="y"): 1}, X, 1) == 8 * 4


def divisions(rows, groups):
    return [each for each in product(range(rows + 1), repeat=groups) if sum(each) <= rows]


@pytest.mark.parametrize("most", [lambda r: r + 1, lambda r: 1 + r * r, lambda r: min(3, r + 1), lambda r: 2**r])
def test_the_worst_division(most):
    for rows, groups in product(range(1, 6), range(1, 5)):
        best = max(prod(most(part) if part else 1 for part in each) for each in divisions(rows, groups))
        assert worst_division(most, rows, groups) == best


def test_the_worst_division_of_many_rows_is_a_bound():
    for most in (lambda r: r + 1, lambda r: min(9, 2 * r + 1)):
        for groups in (1, 2, 3):
            best = max(prod(most(part) if part else 1 for part in each) for each in divisions(66, groups))
            assert best <= worst_division(most, 66, groups) == several_rows.worst_division(most, 66, groups)
    assert worst_division(lambda r: 3, 66, 2) == several_rows.worst_division(lambda r: 3, 66, 2) == (1 + 66) ** 2
    for rows in range(65, 90):
        assert worst_division(lambda r, last=rows: 99 if r == last else 1, rows, 2) >= 99  # type: ignore[misc]


def test_sums_of_roundings():
    for terms, divisor, slope, offset in product(range(6), range(1, 6), range(6), range(8)):
        expected = sum((slope * i + offset) // divisor for i in range(1, terms + 1))
        assert floor_sum(terms, divisor, slope, offset) == expected


def test_what_has_one_answer_jumps_nowhere():
    """Three answers of a total and two of a median add up to four; a sum in one bin adds nothing."""
    median, one_bin = release("order statistic", condition=TRUE, reads=()), release("filtered total", rows=1)
    assert joint({total(0): 4, median: 4}, X, 1) == 4
    assert joint({total(0): 4, median: 4, one_bin: 8}, X, 1) == 4


def test_a_histogram_that_some_budget_can_pay_for_is_counted():
    columns = {"x": Column("category", 2**20 - 1)}
    found = answers(release("histogram", condition=TRUE), 1, columns, 1880)
    assert found == comb(2**20 + 1879, 1880)
    assert found.bit_length() <= MOST_BITS
    with pytest.raises(WrongCertificateError, match="larger than any budget"):
        answers(release("histogram", condition=TRUE), 1, columns, 4000)


def test_groups_that_a_third_one_joins_are_one_in_all_of_their_cells():
    """5, 8 and 3 answers of two rows; apart, each row could be in a group of its own."""
    assert joint({total(0, 1): 4, total(2, 3): 2, total(1, 2): 7}, X, 2) == 5 * 8 * 3


def two(cell, *rows):
    """A group of two numbers of so many rows."""
    return {total(cell, rows=rows[0]): 10, total(cell, cell + 1, rows=rows[1]): 10}


def test_of_groups_that_are_alike_the_largest_decide():
    """In bins of 10, one row of codes up to 7 has one answer if it is alone, two if there is another one."""
    assert joint(two(0, 2, 2) | two(2, 1, 9), X, 2) == 16
    assert joint(two(0, 1, 9) | two(2, 2, 2), X, 2) == 16
    assert joint({total(cell): 4 for cell in range(4000)}, X, 2) == 9  # no more work than for two


@pytest.mark.parametrize(("work", "fits"), [(9, True), (8, False)])
def test_groups_of_which_none_is_the_largest_are_work(monkeypatch, work, fits):
    monkeypatch.setattr(counts, "MOST_WORK", work)
    asked = two(0, 1, 9) | two(2, 2, 8) | two(4, 3, 7)
    if fits:
        assert joint(asked, X, 2) == 16
    else:
        with pytest.raises(WrongCertificateError, match="too long"):
            joint(asked, X, 2)


def test_the_worst_division_is_exact_up_to_64_rows():
    assert worst_division(lambda r: min(9, 2 * r + 1), 64, 2) == 81


def test_only_what_no_budget_can_pay_for_is_refused():
    assert (3**12_000).bit_length() <= worst_division(lambda r: 2 * r + 1, 12_000, 12_000).bit_length() <= MOST_BITS
    assert worst_division(lambda r: 1 << MOST_BITS - 1, 1, 2).bit_length() == MOST_BITS
    with pytest.raises(WrongCertificateError, match="larger than any budget"):
        worst_division(lambda r: 1 << 19_000, 3, 3)
    for slope, rows in ((2, 30_000), (1000, 3000)):
        with pytest.raises(WrongCertificateError, match="larger than any budget"):
            worst_division(lambda r, slope=slope: slope * r + 1, rows, rows)  # type: ignore[misc]
