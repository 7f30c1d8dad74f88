"""Continuous variables and their maps: the same measures, by the sizes of cells; TIFS Example II.1 from end to end."""

from __future__ import annotations

from fractions import Fraction
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

import noiseless as nl
from noiseless import LogRatio

HALF = Fraction(1, 2)


def test_example_ii_1():
    """f(X) = X below 1/2 and 1 otherwise: information sees nothing wrong, leakage and disarray do."""
    x = nl.Continuous("[0, 1]")
    y = x.map({1: "[1/2, 1]"}, repeats="[0, 1/2)")
    assert nl.entropy(x) == LogRatio(1)
    assert nl.conditional_entropy(x, y) == LogRatio(HALF)
    assert nl.information(x, y) == LogRatio(2)
    assert nl.disarray(x, y).ratio == 0
    assert nl.leakage(x, y).ratio == inf
    assert nl.maximin_information(x, y).ratio == inf


@given(st.lists(st.integers(1, 9), min_size=1, max_size=6))
def test_maps_with_finitely_many_cells(lengths):
    edges = [sum(lengths[:k]) for k in range(len(lengths) + 1)]
    x = nl.Continuous(nl.Intervals.closed(0, edges[-1]))
    ends = ["[" if k == 0 else "(" for k in range(len(lengths))]
    y = x.map({k: f"{ends[k]}{edges[k]}, {edges[k + 1]}]" for k in range(len(lengths))})
    assert nl.entropy(x) == LogRatio(edges[-1])
    assert nl.entropy(y) == LogRatio(len(lengths))
    assert nl.conditional_entropy(x, y) == LogRatio(max(lengths))
    assert nl.disarray(x, y) == LogRatio(min(lengths))
    assert nl.information(x, y) == LogRatio.of(edges[-1], max(lengths))
    assert nl.leakage(x, y) == LogRatio.of(edges[-1], min(lengths))
    assert nl.maximin_information(x, y) == nl.maximin_information(y, x) == LogRatio(len(lengths))
    assert nl.leakage(y, x) == nl.symmetric_leakage(x, y) == LogRatio(len(lengths))
    assert nl.maximin_information(x, y) <= nl.symmetric_leakage(x, y) <= nl.leakage(x, y)


def test_coarser_maps_leak_less():
    x = nl.Continuous("[0, 6]")
    fine = x.map({0: "[0, 1)", 1: "[1, 3)", 2: "[3, 6]"})
    coarse = x.map({0: "[0, 3)", 2: "[3, 6]"})
    assert nl.leakage(x, coarse) < nl.leakage(x, fine)
    assert nl.maximin_information(x, coarse) < nl.maximin_information(x, fine)


def test_null_cells_leak_everything():
    """C6: finitely many values are not enough."""
    x = nl.Continuous("[0, 1]")
    assert nl.leakage(x, x.map({"end": "{1}", "rest": "[0, 1)"})).ratio == inf
    assert nl.leakage(x, x).ratio == inf
    assert nl.maximin_information(x, x).ratio == inf
    some = x.map({"rest": "[0, 1)"}, repeats="{1}")
    assert (some.finite, nl.entropy(some)) == (True, LogRatio(2))


def test_boxes():
    people = nl.Box(weight=(0, 200), height=(0, 250))
    x = nl.Continuous(people)
    tall = people.where(height="(150, 250]")
    y = x.map({"tall": tall, "short": people - tall})
    assert nl.leakage(x, y) == LogRatio.of(5, 2)
    assert y.given("tall").measure == 20000


def test_what_is_no_map():
    x = nl.Continuous("[0, 1]")
    for cells in ({0: "[0, 1/2]"}, {0: "[0, 1/2]", 1: "[1/2, 1]"}, {0: "[0, 1]", 1: "[1, 2]"}, {0: "[0, 2]"}):
        with pytest.raises(nl.RangeError, match="disjoint cells whose union is the range"):
            x.map(cells)
    for within in ("{1}", "∅", 5):
        with pytest.raises(nl.RangeError):
            nl.Continuous(within)
    with pytest.raises(nl.RangeError, match="also among the values it repeats"):
        x.map({0: "(0, 1]"}, repeats="{0}")
    with pytest.raises(nl.RangeError, match="a set of the same kind"):
        x.map({0: nl.Box(x=(0, 1))})
    with pytest.raises(nl.UnknownVariableError, match="not a value of the map"):
        x.map({0: "[0, 1]"}).given(7)
    with pytest.raises(nl.SpaceError, match="itself and its maps"):
        nl.leakage(x, nl.Continuous("[0, 1]").map({0: "[0, 1]"}))
    with pytest.raises(nl.SpaceError):
        nl.transmission(x, nl.Space({"X": [0, 1]})["X"])
