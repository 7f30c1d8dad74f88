"""Data that look harmless: whatever they are, no more answers than certified, and no exception quotes them."""

from decimal import Decimal
from fractions import Fraction
from math import inf, nan
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import noiseless as nl


def test_sums_of_mixed_lists_are_not_rounded():
    """Rounded on the way, the three totals would fall into three bins."""
    made = nl.calibrate(nl.Sum(3, 0, 1), count=2)
    assert len({made.apply([v, 1 - 2.0**-53, 2.0**-60]) for v in (0, 0.5, 1)}) <= 2
    fine = nl.calibrate(nl.Sum(3, 0, 2**60), error="0.01")
    assert abs(fine.apply([2.0**60, 1.0, 1]) - (2**60 + 2)) <= fine.error
    decimals = nl.calibrate(nl.Sum(2, 0, 10**30), error="0.01")
    assert abs(decimals.apply([Decimal(10**30), Decimal("0.5")]) - (10**30 + Fraction(1, 2))) <= decimals.error


def test_clamped_floats_of_any_width_stay_inside():
    made = nl.calibrate(nl.Mean(3, 0, "0.1"), count=2)
    below = np.nextafter(np.float32(0.1), np.float32(0))
    answers = {made.apply(np.array([v, below, 5e-9], "f4"), outside="clamp") for v in (0, 0.05, 5.0)}
    assert len(answers) <= 2
    assert made.apply(np.array([9, 9, 9], "f2"), outside="clamp") <= Fraction(1, 10)


Q = nl.Quantizer(0, 1, levels=10)
NOT_A_QUERY: Any = 5


@pytest.mark.parametrize("kind", [np.float32, np.float16])
def test_narrow_floats_are_the_numbers_they_are_stored_as(kind):
    value = kind(0.7)
    expected = Q.index(Fraction(float(value)))
    for data in (value, [value], np.array([value]), np.array([value], dtype=object), np.array(value)):
        assert np.ravel(Q.apply(data, "index")).tolist() == [expected]
    assert Q.index(value) == expected


def test_masked_values_are_missing():
    masked = np.ma.masked_array([0.1, 0.95], [0, 1])
    with pytest.raises(nl.DomainError, match="missing"):
        Q.apply(masked)
    assert Q.apply(masked, "index", missing=0).tolist() == [1, 0]
    with pytest.raises(nl.DomainError, match="missing"):
        nl.calibrate(nl.Mean(2, 0, 1), bits=1).apply(masked)


@pytest.mark.parametrize(
    "data",
    [
        pd.Series([1, None], dtype="Int64"),
        pd.Series([1, None], dtype=pd.ArrowDtype(pa.int64())),
        pd.Series([Decimal(1), None], dtype=object),
        pl.Series([1, None]),
        pa.array([1, None]),
        [1, pd.NA],
        [1, Decimal("NaN")],
        [1, Decimal("sNaN")],
    ],
)
def test_integers_with_gaps(data):
    quantizer = nl.Quantizer(0, 2, levels=2)
    with pytest.raises(nl.DomainError, match="missing"):
        quantizer.apply(data)
    assert list(map(int, map(str, quantizer.apply(data, "index", missing=0)))) == [1, 0]
    with pytest.raises(nl.DomainError, match="missing"):
        nl.calibrate(nl.Mean(2, 0, 2), bits=1).apply(data)


@pytest.mark.parametrize("data", [np.array([inf]), [inf], [inf, 1][:1], [Decimal("Infinity")], pl.Series([inf])])
@pytest.mark.parametrize("quantizer", [Q, nl.Quantizer(0, 1, 2**41), nl.Quantizer.from_edges([0, "0.3", 1])])
def test_infinity_is_outside_everywhere(data, quantizer):
    with pytest.raises(nl.DomainError, match="outside"):
        quantizer.apply(data)
    assert list(quantizer.apply(data, "index", outside="clamp")) == [quantizer.levels - 1]


def test_more_levels_than_integers_have_room():
    huge = nl.Quantizer(0, 1, 2**70)
    assert huge.apply(0.5, "index") == 2**69
    assert nl.Quantizer(0, 10**400, 2).apply(5) == inf


def test_large_values_warn_nobody():
    with pytest.raises(nl.DomainError, match="outside"):
        Q.apply(np.array([1e308]))


SECRETS = ["secret", Decimal("1.2345e50000"), "123.456", b"secret", [1, 2], object]


@pytest.mark.parametrize("secret", SECRETS, ids=repr)
@pytest.mark.parametrize(
    "query",
    [nl.Sum(2, domain=nl.Codes(3)), nl.Mean(2, 0, 1), nl.Sum(2, domain=nl.Values([0, 2])), nl.Histogram(2, "ab")],
)
def test_exceptions_do_not_quote_data(secret, query):
    with pytest.raises(nl.DomainError) as caught:
        nl.calibrate(query, bits=1).apply([secret, secret])
    assert caught.value.__cause__ is None
    assert not any(part in str(caught.value) for part in ("secret", "1.23", "123", "[1, 2]"))


@pytest.mark.parametrize("data", [[0.5, inf], [Decimal("0.5"), 0.5], [Fraction(1, 2), 1], [np.float64(0.5), 1]])
def test_mixed_numbers_are_clamped_alike(data):
    made = nl.calibrate(nl.Mean(2, 0, 1), bits=3)
    assert made.apply(data, outside="clamp") == made.apply([min(float(value), 1.0) for value in data])


def test_a_float_nearest_to_a_bound_means_the_bound():
    made = nl.calibrate(nl.Mean(2, 0.3, 0.7), bits=2)
    assert made.apply([0.3, 0.7]) == made.apply([Decimal("0.3"), Decimal("0.7")])
    assert nl.Quantizer(0.3, 0.7, 4).apply([0.3, 0.7], "index").tolist() == [0, 3]
    assert 0.3 in nl.Interval(0.3, 1)


def test_natural_columns_are_read():
    histogram = nl.calibrate(nl.Histogram(3, ["a", "b"]), bits=1)
    for data in (["a", "b", "a"], pd.Series(["a", "b", "a"]), pl.Series(["a", "b", "a"]), pa.array(["a", "b", "a"])):
        assert histogram.apply(data) == {"a": 2, "b": 1}
    count = nl.calibrate(nl.Count(3), bits=1)
    for data in ([True, False, True], pd.Series([True, False, True]), pl.Series([True, False, True])):
        assert count.apply(data) == 2


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: nl.calibrate(nl.Mean(1, 0, 1), bits=1).apply([True]), "has type bool"),
        (lambda: nl.calibrate(nl.Mean(1, 0, 1), bits=1).apply([0.5], outside="ignore"), "outside='ignore'"),
        (lambda: nl.Grid([Q]), "named quantizer"),
        (lambda: nl.Grid({"a": Q, "b": Q}).apply({"a": [0.1], "b": [0.1, 0.2]}), "differ in length"),
        (lambda: nl.Grid({"a": Q}).apply(pd.DataFrame([[1, 2]], columns=["a", "a"])), "two columns"),
        (lambda: nl.Grid({"a": Q}).apply(pd.DataFrame([[1, 2]])), "must be text"),
        (lambda: nl.certify(nl.Mean(2, 0, 1), Q), "then a query"),
        (lambda: nl.calibrate(NOT_A_QUERY, bits=1), "a int is not a query"),
        (lambda: nl.theorem_8_as_printed(nl.Variance(1, 0, 1), 1), "no person can move"),
    ],
)
def test_clear_refusals(make, why):
    with pytest.raises(nl.InputError, match=why):
        make()


def test_integers_of_numpy_are_integers():
    query = nl.Sum(np.int64(3), domain=nl.Codes(np.int32(4)))
    two: Any = np.int8(2)
    assert nl.calibrate(query, count=two).guarantee.count == 2
    assert nl.Quantizer(0, 1, np.int64(4)).levels == 4


def test_nothing_of_nan():
    for data in (nan, [nan], np.array([nan]), None, [None]):
        with pytest.raises(nl.DomainError, match="missing"):
            Q.apply(data)
