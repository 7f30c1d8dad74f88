"""A count and sums about the same rows: every table of others, every person, every pair of guarded bins."""

from __future__ import annotations

from itertools import product

import pytest

import noiseless as nl
from noiseless.privacy.composition.guarded import GuardedRows
from noiseless.privacy.composition.levels import FinestLevel
from noiseless.privacy.composition.questions import Together

TOP = 2
COUNTS = [nl.Bins(1, 1), nl.Bins(2, 1), nl.Bins(3, 2)]
SUMS = [nl.Bins(2, 2), nl.Bins(3, 2), nl.Bins(5, 3)]


def outcomes(people, total, squares, count_bins, sum_bins, square_bins=None):
    """What a person can cause who is left out, or counts with a value of 0..TOP."""
    tables = [(people, total, squares)] + [(people + 1, total + x, squares + x * x) for x in range(TOP + 1)]
    found = set()
    for n, s, q in tables:
        bins = [(count_bins, n), (sum_bins, s)] + ([(square_bins, q)] if square_bins else [])
        found.add(tuple((each.place(number), each.is_guard(each.place(number))) for each, number in bins))
    return found


def test_a_count_and_a_sum_have_three_answers_and_one_quiet_one():
    most = 0
    for people, total in product(range(8), range(14)):
        for count_bins, sum_bins in product(COUNTS, SUMS):
            found = outcomes(people, total, 0, count_bins, sum_bins)
            assert len(found) <= 3
            assert sum(not any(guard for _, guard in each) for each in found) <= 1
            most = max(most, len(found))
    assert most == 3 == GuardedRows(("x", "s"), 1).factor({"x": 3, "s": 2})


def test_a_count_and_two_sums_have_five_answers():
    squares = nl.Bins(4, 4)
    found = [
        outcomes(people, total, square, count_bins, sum_bins, squares)
        for people, total, square in product(range(4), range(8), range(9))
        for count_bins, sum_bins in product(COUNTS, SUMS)
    ]
    assert max(map(len, found)) <= 5 == GuardedRows(("x", "s"), 2).factor({"x": 3, "s": 2})
    assert all(sum(not any(guard for _, guard in each) for each in every) <= 1 for every in found)


def test_guards_that_are_too_narrow_would_have_more():
    assert max(len(outcomes(n, s, 0, nl.Bins(1, 1), nl.Bins(1, 1))) for n, s in product(range(8), range(14))) > 3


def test_records_that_are_known_have_one_answer():
    assert GuardedRows(("x",), 3).factor({"x": 2}) == 2
    assert GuardedRows(("x",), 1).jumps({"x": 5}) == 4
    assert GuardedRows(("x",), 1).after({"x": 5}) == {}
    assert FinestLevel(("x",), 4).factor({"x": 3}) == 3
    assert FinestLevel(("x",), 4).after({"x": 3}) == {}
    assert Together((GuardedRows(("x", "s"), 1), FinestLevel(("y",), 3))).factor({"x": 9, "s": 2, "y": 9}) == 9
    with pytest.raises(nl.CompositionError):
        GuardedRows(("x",), 0)
    with pytest.raises(nl.CompositionError):
        FinestLevel(("x",), 0)
