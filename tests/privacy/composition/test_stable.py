"""Stability is exact: said of a table if and only if no change of one person's data changes the answer there."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import ceil

import pytest

import noiseless as nl
from noiseless.privacy.composition import stable
from noiseless.privacy.composition.stable import stable_kth, stable_sum
from noiseless.privacy.quantizers.guarded import Bins

SHARES = [Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(2, 3), Fraction(1)]


def counted(table):
    return sorted(code for code in table if code is not None)


def rank(codes, share):
    return max(1, ceil(share * len(codes)))


def answer(table, share, width):
    """The bin of the k-th smallest of those who count; None if nobody does."""
    codes = counted(table)
    return codes[rank(codes, share) - 1] // width if codes else None


def neighbours(table, values, rows):
    """All tables in which one person, who has `rows` rows in a row, has other data."""
    for first in range(0, len(table), rows):
        for changed in product(values, repeat=rows):
            yield (*table[:first], *changed, *table[first + rows :])


def disagreements(said, top, people, rows, private, shares=SHARES):
    """How many tables are said to be stable and are not, and the other way round."""
    values = [*range(top + 1), *([None] if private else [])]
    wrong = [0, 0]
    for table in product(values, repeat=people * rows):
        if list(table) != [*sorted(table[::rows], key=str)] and rows == 1:
            continue  # the order of people does not matter
        for share, width in product(shares, range(1, top + 2)):
            codes = counted(table)
            claimed = said(codes, rank(codes, share), top, Bins(width), rows, private)
            found = answer(table, share, width)
            true = all(answer(other, share, width) == found for other in neighbours(table, values, rows))
            wrong[0] += claimed and not true
            wrong[1] += true and not claimed
    return wrong


@pytest.mark.parametrize("private", [False, True])
@pytest.mark.parametrize(("top", "people"), [(3, 1), (3, 3), (2, 4)])
def test_order_statistics_are_called_stable_exactly_where_they_are(top, people, private):
    assert disagreements(stable_kth, top, people, 1, private) == [0, 0]


@pytest.mark.parametrize("private", [False, True])
def test_several_rows_are_never_called_stable_wrongly(private):
    """Whose rows they are does not matter to the rule, so it denies some tables in which they are spread luckily."""
    wrong, denied = disagreements(stable_kth, 1, 2, 2, private)
    assert wrong == 0 < denied


def clamped(codes, rank, top, bins, rows, private):
    """Wrong: neighbours beyond the ends are the ends themselves."""
    if not codes or (private and len(codes) <= rows):
        return False
    places = [min(max(place, 1), len(codes)) for place in (rank - rows, rank, rank + rows)]
    return len({bins.place(codes[place - 1]) for place in places}) == 1


def never_alone(codes, rank, top, bins, rows, private):
    """Wrong: nobody left is not looked at."""
    return stable_kth(codes, rank, top, bins, rows)


def one_side(codes, rank, top, bins, rows, private):
    """Wrong: only the neighbour below."""
    return stable_kth(codes, rank, top, bins, rows, private) or (
        len(codes) > rank > 1 and bins.place(codes[rank - 2]) == bins.place(codes[rank - 1])
    )


@pytest.mark.parametrize(("wrong", "private"), [(clamped, False), (never_alone, True), (one_side, False)])
def test_a_wrong_rule_is_caught(wrong, private):
    assert disagreements(wrong, 2, 3, 1, private)[0]


def test_sums_are_called_stable_exactly_where_they_are():
    for people, top, width in product((1, 2, 3), (1, 2), range(1, 7)):
        for table in product(range(top + 1), repeat=people):
            place = sum(table) // width
            tables = neighbours(table, range(-10, 11), 1)  # whatever the others are, a person moves it by top at most
            near = (other for other in tables if abs(sum(other) - sum(table)) <= top)
            true = all(sum(other) // width == place for other in near)
            assert stable_sum(sum(table), Bins(width), top + 1) == true
    assert stable_sum(5, Bins(10, 3), 5)
    assert not stable_sum(10, Bins(10, 3), 2)
    assert not stable_sum(0, Bins(10), 2)  # somebody's value might have been lower, for all the others know


def test_each_level_has_one_outcome_and_its_price():
    """Medians of three people in ever wider bins: every person causes at most one outcome of each level."""
    widths, values = (1, 2, 4), range(4)
    ladder = nl.Levels(("x",), (2, 4, 4))

    def report(table):
        codes = sorted(table)
        level = next(k for k, width in enumerate(widths) if stable_kth(codes, 2, 3, Bins(width)))
        return level, codes[1] // widths[level]

    for others in product(values, repeat=2):
        found = {report((value, *others)) for value in values}
        assert len({level for level, _ in found}) == len(found)
        assert sum(1 / Fraction(ladder.prices[level]) for level, _ in found) <= 1
    assert {report(table)[0] for table in product(values, repeat=3)} == {0, 1, 2}


def test_levels_in_a_sequence():
    start = nl.Sequence.start({"x": 4}, bits=3)
    step = start.ask(nl.Levels(("x",), (Fraction(4, 3), 8, 8)))
    assert step.factor == step.after.spent() == 8
    fine = step.settle([0]).after
    assert 0 <= fine.spent() - Fraction(4, 3) < Fraction(1, 1 << 60)
    assert fine.cells[""].remaining == {"x": 4}
    assert step.settle([2]).after.spent() == 8
    with pytest.raises(nl.BudgetExceededError):
        fine.ask(nl.Levels(("x",), (Fraction(4, 3), 8, 8)))
    for wrong in ([3], [-1], [0, 0], [], 0, ["0"]):
        with pytest.raises(nl.CompositionError):
            step.settle(wrong)
    with pytest.raises(nl.UnknownVariableError):
        start.ask(nl.Levels(("y",), (1,)))


@pytest.mark.parametrize("prices", [(), (1, 2), (2, 2, 2), (Fraction(1, 2),), (2.0, 2.0), (0,), (True,)])
def test_weights_that_are_not_valid(prices):
    with pytest.raises(nl.CompositionError):
        nl.Levels(("x",), prices)
    with pytest.raises(nl.CompositionError, match="columns"):
        nl.Levels("x", (1,))
    assert stable.__doc__
