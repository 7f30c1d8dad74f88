"""TIFS Thm IV.3 against IV.2 on the line: equal without gaps, and where they are not."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import noiseless as nl


def equal_bins(low, high, error) -> nl.Quantizer:
    """Thm IV.2: ⌈γ(high − low)/2⌉ equal bins of the range."""
    return nl.Quantizer(low, high, max(1, ceil((high - low) / (2 * error))))


@settings(max_examples=25)
@given(st.integers(1, 40), st.fractions(Fraction(1, 5), 9, max_denominator=5))
def test_without_gaps_they_have_equally_many_cells(length, error):
    best = nl.optimal_quantizer(nl.Identity(0, length), error=error, against="maximin")
    assert best.cells == equal_bins(0, length, error).levels


@settings(max_examples=25)
@given(st.integers(1, 40), st.fractions(Fraction(1, 5), 9, max_denominator=5))
def test_the_value_itself_leaks_as_little_in_equal_bins(length, error):
    best = nl.optimal_quantizer(nl.Identity(0, length), error=error)
    assert best.limit == Fraction(1, equal_bins(0, length, error).levels)


@settings(max_examples=60)
@given(st.sets(st.integers(0, 30), min_size=2, max_size=8), st.integers(1, 9))
def test_equal_bins_never_have_fewer_answers(values, width):
    """Empty bins are no answers; the best cover is never larger."""
    error = Fraction(width, 2)
    quantizer = equal_bins(min(values), max(values), error)
    best = nl.optimal_quantizer(dict.fromkeys(values, 1), error=error, against="maximin")
    assert best.cells <= len({quantizer.index(value) for value in values})


def test_with_gaps_equal_bins_have_more():
    """[0, 1] ∪ [2.5, 3.5] and an error of ½: no bin of four is empty, and two cells are enough."""
    gaps, error = nl.Box(x="[0, 1] ∪ [2.5, 3.5]"), Fraction(1, 2)
    printed = equal_bins(Fraction(0), Fraction(7, 2), error)
    assert printed.levels == 4
    inside = [Fraction(k, 100) for k in range(351) if not 100 < k < 250]
    assert {printed.index(x) for x in inside} == {0, 1, 2, 3}
    best = nl.optimal_cells(lambda x: (x,), error=error, against="maximin", box=gaps)
    assert (best.cells, best.least, best.proved) == (2, 2, True)
    assert all(abs(best.apply(x=x)[0] - x) <= error for x in inside)


def test_three_points_are_enough():
    printed = equal_bins(0, 5, Fraction(1, 2))
    assert len({printed.index(value) for value in (0, 1, 5)}) == 3
    assert nl.optimal_quantizer({0: 1, 1: 1, 5: 1}, error="0.5", against="maximin").cells == 2


@pytest.mark.parametrize("error", ["0.2", "0.25"])
def test_against_leakage_equal_bins_are_not_best(error):
    """x² on [0, 1]: √ of the edges are the shares, and the last of equal bins holds least."""
    line = nl.Box(x=(0, 1))
    printed = equal_bins(0, 1, Fraction(error))
    equal = nl.query_leakage(printed, lambda x: x**2, box=line)
    last = 1 - float(printed.edge(printed.levels - 1)) ** 0.5
    assert float(equal.ratio) == pytest.approx(1 / last, rel=1e-4)
    best = nl.optimal_quantizer(lambda x: x**2, error=error, box=line)
    assert (best.leakage < equal) is (error == "0.2")
