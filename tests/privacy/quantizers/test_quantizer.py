"""Every value gets its exact bin, in every container the same."""

from decimal import Decimal
from fractions import Fraction
from math import inf, nan, nextafter

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import noiseless as nl
from noiseless.privacy.quantizers import binning

CONTAINERS = {
    "list": (list, list),
    "tuple": (tuple, list),
    "numpy": (np.array, np.ndarray.tolist),
    "pandas": (lambda v: pd.Series(v, index=range(7, 7 + len(v)), name="x"), pd.Series.tolist),
    "polars": (lambda v: pl.Series("x", v), pl.Series.to_list),
    "arrow": (pa.array, lambda a: a.to_pylist()),
    "chunked": (lambda v: pa.chunked_array([v[:1], v[1:]]), lambda a: a.to_pylist()),
}

LOWS = st.fractions(-100, 100, max_denominator=1000)
SPANS = st.fractions(Fraction(1, 1000), 300, max_denominator=1000)
LEVELS = st.one_of(st.integers(1, 50), st.integers(1, 10**6), st.integers(10**6, 10**13))


def awkward(quantizer, numbers):
    """Floats on, just beside and between the edges."""
    found = []
    for number in numbers:
        edge = float(quantizer.edge(number % (quantizer.levels + 1)))
        found += [edge, nextafter(edge, inf), nextafter(edge, -inf), (edge + float(quantizer.low)) / 2]
    return found


@given(LOWS, SPANS, LEVELS, st.lists(st.integers(0, 10**13), min_size=1, max_size=20))
@settings(max_examples=300)
def test_every_float_gets_its_exact_bin(low, span, levels, numbers):
    quantizer = nl.Quantizer(low, low + span, levels)
    values = awkward(quantizer, numbers)
    expected = [quantizer.index(value, "clamp") for value in values]
    assert quantizer.apply(np.array(values), "index", outside="clamp").tolist() == expected
    for value, index in zip(values, expected, strict=True):
        assert quantizer.edge(index) <= Fraction(value) or index == 0
        assert Fraction(value) < quantizer.edge(index + 1) or index == levels - 1


@given(st.lists(st.fractions(-5, 5, max_denominator=7), min_size=2, max_size=9, unique=True), st.data())
def test_uneven_edges(edges, data):
    quantizer = nl.Quantizer.from_edges(sorted(edges))
    numbers = data.draw(st.lists(st.integers(0, 100), min_size=1, max_size=10))
    values = awkward(quantizer, numbers)
    assert quantizer.apply(values, "index", outside="clamp").tolist() == [quantizer.index(v, "clamp") for v in values]


@pytest.mark.parametrize("bounds", [("1e-300", "2e-300"), (10**9, 10**9 + 1), (-(10**300), 10**300), (0, "1e-320")])
def test_extreme_ranges(bounds):
    quantizer = nl.Quantizer(*bounds, levels=1000)  # type: ignore[misc]
    values = awkward(quantizer, range(0, 1001, 37))
    assert quantizer.apply(np.array(values), "index", outside="clamp").tolist() == [
        quantizer.index(v, "clamp") for v in values
    ]


def test_without_the_doubt_about_edges_bins_would_be_wrong(monkeypatch):
    """The wrong variant: trust the float map at the edges."""
    quantizer = nl.Quantizer(0, "0.7", levels=700)
    values = np.array([nextafter(float(quantizer.edge(k)), -1) for k in range(1, 700)])
    expected = [quantizer.index(value) for value in values.tolist()]
    assert quantizer.apply(values, "index").tolist() == expected
    monkeypatch.setattr(binning, "_beside_an_edge", lambda quantizer, values, edges, outside: edges)
    assert quantizer.apply(values, "index").tolist() != expected


VALUES = [0.0, 0.1, 0.25, 0.3, 0.7, 1.0]


@pytest.mark.parametrize("name", CONTAINERS)
@pytest.mark.parametrize("output", ["index", "midpoint", "interval"])
def test_containers_agree(name, output):
    make, read = CONTAINERS[name]
    quantizer = nl.Quantizer(0, 1, levels=10)
    found = quantizer.apply(make(VALUES), output)
    expected = [quantizer.apply(value, output) for value in VALUES]
    if output == "interval":
        assert list(zip(*map(read, found), strict=True)) == expected
    else:
        assert read(found) == expected


def test_the_container_comes_back():
    quantizer = nl.Quantizer(0, 1, levels=4)
    series = quantizer.apply(pd.Series([0.1, 0.9], index=["a", "b"], name="x"))
    assert (list(series.index), series.name) == (["a", "b"], "x")
    assert isinstance(quantizer.apply(pl.Series("x", [0.1])), pl.Series)
    assert isinstance(quantizer.apply(pa.array([0.1])), pa.Array)
    assert isinstance(quantizer.apply(pa.chunked_array([[0.1]])), pa.ChunkedArray)
    assert quantizer.apply(np.zeros((2, 3))).shape == (2, 3)
    assert quantizer.apply(np.array([])).shape == (0,)
    assert isinstance(quantizer.apply(0.1, "index"), int)
    assert quantizer.apply(0.1) == 0.125


@pytest.mark.parametrize("kind", ["int8", "uint8", "int64", "uint64", "float32", "float16"])
def test_number_types(kind):
    quantizer = nl.Quantizer(0, 10, levels=3)
    values = np.arange(11).astype(kind)
    assert quantizer.apply(values, "index").tolist() == [quantizer.index(int(v)) for v in values]


def test_integers_beyond_the_floats():
    quantizer = nl.Quantizer(0, 2**63, levels=2**53 + 1)
    values = np.array([2**53 + 1, 2**62 + 3, 2**63 - 1], dtype=np.int64)
    assert quantizer.apply(values, "index").tolist() == [quantizer.index(v) for v in values.tolist()]


def test_decimals_are_taken_as_written_and_floats_as_stored():
    quantizer = nl.Quantizer(0, 1, levels=10)
    assert quantizer.index(0.3) == 2  # 0.3 is stored as a little less than 3/10
    assert quantizer.index("0.3") == quantizer.index(Decimal("0.3")) == quantizer.index(Fraction(3, 10)) == 3
    decimals = pl.Series("x", [Decimal("0.3"), Decimal("0.7")])
    assert quantizer.apply(decimals, "index").to_list() == [3, 7]
    assert quantizer.apply([Decimal("0.3"), 0.3], "index").tolist() == [3, 2]


def test_last_bin_is_closed_and_the_others_half_open():
    quantizer = nl.Quantizer(0, 4, levels=4)
    assert quantizer.apply(np.array([0.0, 1.0, 2.0, 3.0, 4.0]), "index").tolist() == [0, 1, 2, 3, 3]


def test_intervals_are_rounded_outward():
    quantizer = nl.Quantizer(0, 1, levels=3)
    lower, upper = quantizer.apply(np.array([0.5]), "interval")
    assert Fraction(lower[0]) <= Fraction(1, 3)
    assert Fraction(upper[0]) >= Fraction(2, 3)


def test_smallest_integer_types():
    kinds = [nl.Quantizer(0, 1, levels).apply(np.array([0.5]), "index").dtype for levels in (5, 127, 128, 40000, 2**40)]
    assert [str(kind) for kind in kinds] == ["int8", "int8", "int16", "int32", "int64"]


BAD = {
    "below": [0.5, -0.1],
    "above": [0.5, 1.1],
    "just above": [nextafter(1.0, inf)],
    "just below": [-5e-324],
    "infinite": [inf],
    "minus infinite": [-inf],
}


@pytest.mark.parametrize("name", CONTAINERS)
@pytest.mark.parametrize("kind", BAD)
def test_outside_raises_or_is_clamped(name, kind):
    make, read = CONTAINERS[name]
    quantizer = nl.Quantizer(0, 1, levels=10)
    data = make(BAD[kind] * 2)
    with pytest.raises(nl.DomainError, match=r"outside \[0, 1\].*outside='clamp'"):
        quantizer.apply(data)
    clamped = read(quantizer.apply(data, "index", outside="clamp"))
    assert set(clamped) <= {0, 5, 9}
    assert clamped[-1] == (9 if BAD[kind][-1] > 0 else 0)


@pytest.mark.parametrize("name", CONTAINERS)
@pytest.mark.parametrize("missing", [nan, None])
def test_missing_raises_or_counts_as_a_number(name, missing):
    make, read = CONTAINERS[name]
    quantizer = nl.Quantizer(0, 1, levels=10)
    data = make([0.5, missing])
    with pytest.raises(nl.DomainError, match="missing"):
        quantizer.apply(data)
    with pytest.raises(nl.DomainError, match="missing"):
        quantizer.apply(data, outside="clamp")
    assert read(quantizer.apply(data, "index", missing="0.99")) == [5, 9]


def test_errors_do_not_quote_data():
    with pytest.raises(nl.DomainError) as caught:
        nl.Quantizer(0, 1, levels=10).apply([123.456])
    assert "123" not in str(caught.value)


@pytest.mark.parametrize(
    "data", [["a"], [True], pd.Series(["a"]), pl.Series([True]), np.array(["a"]), np.array([1j]), {1.0}, object()]
)
def test_not_numbers(data):
    with pytest.raises(nl.DomainError):
        nl.Quantizer(0, 1, levels=10).apply(data)


@pytest.mark.parametrize(
    ("make", "error", "why"),
    [
        (lambda: nl.Quantizer(0, 1, 0), nl.BudgetError, "levels=0"),
        (lambda: nl.Quantizer(0, 1, 2.5), nl.BudgetError, "levels=2.5"),
        (lambda: nl.Quantizer(0, 1, True), nl.BudgetError, "levels=True"),
        (lambda: nl.Quantizer(1, 1, 2), nl.RangeError, "low=1 is not below high=1"),
        (lambda: nl.Quantizer(nan, 1, 2), nl.NumberError, "low=nan"),
        (lambda: nl.Quantizer.from_edges([1]), nl.RangeError, "edges"),
        (lambda: nl.Quantizer.from_edges([1, 1]), nl.RangeError, "edges"),
        (lambda: nl.Quantizer.from_edges([2, 1, 3]), nl.RangeError, "edges"),
        (lambda: nl.Quantizer(0, 1, 2).apply(0.5, "middle"), nl.InputError, "output='middle'"),
        (lambda: nl.Quantizer(0, 1, 2).apply(0.5, outside="ignore"), nl.InputError, "outside='ignore'"),
        (lambda: nl.Quantizer(0, 1, 2).apply(0.5, missing="x"), nl.NumberError, "missing='x'"),
    ],
)
def test_bad_quantizers(make, error, why):
    with pytest.raises(error, match=why):
        make()


def test_even_edges_are_a_uniform_quantizer():
    assert nl.Quantizer.from_edges([0, 1, 2]) == nl.Quantizer(0, 2, levels=2)
    assert repr(nl.Quantizer.from_edges([0, "0.5", 2])) == "Quantizer.from_edges([0, 1/2, 2])"
