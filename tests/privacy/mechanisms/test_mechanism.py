from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import noiseless as nl


@given(st.lists(st.floats(0, 60), min_size=1, max_size=20), st.integers(0, 8))
def test_the_truth_is_within_the_error(values, bits):
    made = nl.calibrate(nl.Mean(len(values), 0, 60), bits=bits)
    truth = sum(map(Fraction, values), Fraction(0)) / len(values)
    assert abs(made.apply(values) - truth) <= made.error


@pytest.mark.parametrize("make", [list, np.array, pd.Series, pl.Series])
def test_containers(make):
    made = nl.calibrate(nl.Sum(3, domain=nl.Codes(4)), bits=1)
    assert made.apply(make([0, 4, 3])) == made.quantizer.midpoint(made.quantizer.index(7))


def test_histograms_report_every_value():
    made = nl.calibrate(nl.Histogram(4, ["a", "b", "c"]), bits=2)
    assert made.apply(["a", "b", "a", "a"]) == {"a": 3, "b": 1, "c": 0}


@pytest.mark.parametrize(
    ("query", "answer"), [(nl.Min(3, 0, 9), 1), (nl.Max(3, 0, 9), 8), (nl.Variance(3, 0, 9), None)]
)
def test_other_queries(query, answer):
    data = [1.0, 8.0, 2.0]
    made = nl.calibrate(query, bits=6)
    truth = query.evaluate(np.array(data))
    assert answer in (None, truth)
    assert abs(made.apply(data) - truth) <= made.error


def test_post_processing_keeps_the_guarantee():
    made = nl.calibrate(nl.Mean(2, 0, 1), bits=2)
    after = made.then(float).then(lambda answer: answer > 0.5)
    assert after.guarantee == made.guarantee
    assert after.apply([1.0, 1.0]) is True
    assert made.apply([1.0, 1.0]) == Fraction(11, 12)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ([0.1], "n=2"),
        ([0.1, 2.0], r"outside \[0, 1\]"),
        ([0.1, float("nan")], "missing"),
        ([0.1, None], "missing"),
    ],
)
def test_data_that_were_not_declared(data, why):
    with pytest.raises(nl.DomainError, match=why):
        nl.calibrate(nl.Mean(2, 0, 1), bits=2).apply(data)


def test_clamping_is_a_choice():
    made = nl.calibrate(nl.Mean(2, 0, 1), bits=2)
    assert made.apply([7.0, -3.0], outside="clamp") == made.apply([1.0, 0.0])
    codes = nl.calibrate(nl.Sum(2, domain=nl.Codes(3)), bits=2)
    assert codes.apply([9, -1], outside="clamp") == codes.apply([3, 0])


@pytest.mark.parametrize(
    ("query", "data", "why"),
    [
        (nl.Sum(1, domain=nl.Codes(3)), [1.5], "not an integer"),
        (nl.Sum(1, domain=nl.Values([0, 2])), [1], "a value is not declared"),
        (nl.Histogram(1, "ab"), ["c"], "a value is not declared"),
    ],
)
def test_values_that_were_not_declared(query, data, why):
    with pytest.raises(nl.DomainError, match=why):
        nl.calibrate(query, bits=1).apply(data)
