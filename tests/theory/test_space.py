import datetime
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import noiseless as nl

COLUMNS: dict[str, list] = {"number": [1, 2, 3, 2], "word": ["a", "b", "a", "b"], "flag": [True, False, True, False]}
RECORDS = [dict(zip(COLUMNS, row, strict=True)) for row in zip(*COLUMNS.values(), strict=True)]


@pytest.mark.parametrize(
    "data",
    [
        COLUMNS,
        RECORDS,
        {name: tuple(values) for name, values in COLUMNS.items()},
        {name: np.array(values) for name, values in COLUMNS.items()},
        {name: pd.Series(values) for name, values in COLUMNS.items()},
        {name: pl.Series(values) for name, values in COLUMNS.items()},
        {name: iter(values) for name, values in COLUMNS.items()},
        pd.DataFrame(COLUMNS),
        pd.DataFrame(COLUMNS).convert_dtypes(),
        pd.DataFrame(COLUMNS).astype({"word": "category"}),
        pl.DataFrame(COLUMNS),
        pa.table(COLUMNS),
    ],
    ids=lambda data: type(data).__module__ + "." + type(data).__name__,
)
def test_every_container_gives_the_same_space(data):
    space = nl.Space(data)
    assert space.names == ("number", "word", "flag")
    assert len(space) == 4
    assert space["number"].range == {1, 2, 3}
    assert space["word"].range == {"a", "b"}
    assert space["flag"].range == {True, False}
    assert space["number"].given(word="a", flag=True) == {1, 3}
    assert space["number", "word"].range == {(1, "a"), (2, "b"), (3, "a")}


@pytest.mark.parametrize(
    "values",
    [
        [1, "1", 1.5, int],
        [(1, 2), (1, 3)],
        [Decimal("0.1"), Decimal("0.2")],
        [datetime.date(2020, 1, 1), datetime.date(2021, 1, 1)],
        [2**70, -1, 5],
        [-1, 2**63],
        [2**63, 1],
        [0.5, 1, True],
        ["ä", "", "a"],
        [frozenset({1}), frozenset()],
    ],
    ids=repr,
)
def test_any_hashable_value(values):
    assert nl.Space({"X": values})["X"].range == set(values)


def test_numbers_and_their_texts_are_different_values():
    assert nl.Space({"X": [1, "1"]})["X"].size == 2


@given(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=30))
def test_codes_point_at_the_values(values):
    for column in (values, np.array(values)):
        variable = nl.Space({"X": column})["X"]
        assert variable.column[variable.codes] == values
        assert list(variable.range) == sorted(set(values))


@pytest.mark.parametrize(
    "kind", ["int8", "uint8", "int32", "uint64", "float32", "float64", "bool", "M8[ns]", "m8[s]", "U3"]
)
def test_numpy_kinds(kind):
    values = np.array([0, 1, 1, 0]).astype(kind)
    variable = nl.Space({"X": values})["X"]
    assert variable.size == 2
    assert variable.codes.tolist() == [0, 1, 1, 0]


def test_wide_and_narrow_numbers_are_coded_alike():
    narrow, wide = np.array([5, 3, 5, 4]), np.array([5, 3, 5, 4]) * 10**12
    assert nl.Space({"X": narrow})["X"].codes.tolist() == nl.Space({"X": wide})["X"].codes.tolist() == [2, 0, 2, 1]


@given(st.lists(st.tuples(*[st.integers(0, 3)] * 3), min_size=1, max_size=30))
def test_joint_columns_are_the_tuples(rows):
    space = nl.Space([dict(zip("XYZ", row, strict=True)) for row in rows])
    joint = space["X", "Y", "Z"]
    assert joint.range == set(rows)
    assert joint.column[joint.codes] == rows


def test_derive():
    dice = nl.Space({"number": range(1, 7)}).derive(
        parity=lambda number: number % 2, low=lambda number: number <= 3, both=lambda parity, low: (parity, low)
    )
    assert dice["parity"].given(number=3) == {1}
    assert dice["both"].range == {(0, False), (0, True), (1, False), (1, True)}


def test_derive_calls_once_per_value():
    calls = []
    nl.Space({"X": [1, 2] * 1000}).derive(Y=lambda X: calls.append(X) or X)  # type: ignore[func-returns-value]
    assert calls == [1, 2]


def test_repr():
    space = nl.Space({"X": [1, 2], "Y": ["a", "a"]})
    assert repr(space) == "Space(2 samples; values per variable: X: 2, Y: 1)"
    assert repr(space["X"]) == "⟦X⟧ = {1, 2}"
    assert "X" in space
    assert list(space) == ["X", "Y"]


DUPLICATE = pd.DataFrame([[1, 2]], columns=["X", "X"])


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ({}, "no variables"),
        ([], "no samples"),
        ({"X": []}, "no samples"),
        (pd.DataFrame({"X": []}), "no samples"),
        (pl.DataFrame(), "no variables"),
        ({"X": [1, 2], "Y": [1]}, "ragged.*X: 2, Y: 1"),
        ([{"X": 1}, {"Y": 1}], "ragged"),
        ([{"X": 1}, {"X": 1, "Y": 2}], "ragged"),
        ([1, 2], "records"),
        (DUPLICATE, "two columns of one name"),
        (pa.table([[1], [2]], names=["X", "X"]), "two columns of one name"),
        ({"X": [1.0, float("nan")]}, "'X' has missing"),
        ({"X": [1, None]}, "'X' has missing"),
        ({"X": [pd.NA, 1]}, "'X' has missing"),
        ({"X": [pd.NaT, 1]}, "'X' has missing"),
        ({"X": np.array([1.0, np.nan])}, "'X' has missing"),
        ({"X": np.array(["2020", "NaT"], dtype="M8[D]")}, "'X' has missing"),
        (pl.DataFrame({"X": [1, None]}), "'X' has missing"),
        (pd.DataFrame({"X": ["a", None]}), "'X' has missing"),
        (pa.table({"X": [1.5, None]}), "'X' has missing"),
        ({"X": [[1], [2]]}, "cannot be hashed"),
        ({"X": np.zeros((2, 2))}, "2 dimensions"),
        ({"X": "abc"}, "one value per sample"),
        ({"X": {1, 2}}, "one value per sample"),
        ({"X": 5}, "one value per sample"),
        ({1: [1]}, "is not a text; rename"),
        (5, "cannot read a space from a int"),
        ("X", "cannot read a space from a str"),
        (pl.LazyFrame({"X": [1]}), "cannot read a space from a LazyFrame"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_bad_data(data, why):
    with pytest.raises(nl.SpaceError, match=why):
        nl.Space(data)


def test_bad_names():
    space = nl.Space({"X": [1], "Y": [2]})
    with pytest.raises(nl.UnknownVariableError, match=r"no variable 'Z'.*X, Y"):
        space["Z"]
    with pytest.raises(nl.SpaceError, match="twice"):
        space["X", "X"]
    with pytest.raises(nl.UnknownVariableError, match="no variable was named"):
        space[()]


@pytest.mark.parametrize(
    ("functions", "error", "why"),
    [
        ({"X": lambda X: X}, nl.SpaceError, "already a variable"),
        ({"Y": lambda Z: Z}, nl.UnknownVariableError, "no variable 'Z'"),
        ({"Y": lambda: 1}, nl.SpaceError, "does not name the variables"),
        ({"Y": lambda *X: 1}, nl.SpaceError, "does not name the variables"),
        ({"Y": lambda X: None}, nl.SpaceError, "missing"),
    ],
)
def test_bad_derivations(functions, error, why):
    with pytest.raises(error, match=why):
        nl.Space({"X": [1]}).derive(**functions)


US = [1729988000 * 10**6, 1729991600 * 10**6]  # the hour that Berlin lived twice in October 2024


@pytest.mark.parametrize(
    "column",
    [
        pl.Series(US).cast(pl.Datetime("us", "UTC")).dt.convert_time_zone("Europe/Berlin"),
        pa.array(US, pa.timestamp("us", "Europe/Berlin")),
        pd.Series(pd.to_datetime(US, unit="us", utc=True)).dt.tz_convert("Europe/Berlin"),
    ],
    ids=["polars", "arrow", "pandas"],
)
def test_the_hour_that_comes_twice_is_two_values(column):
    assert nl.Space({"X": column})["X"].size == 2


def test_times_python_cannot_tell_apart_are_refused():
    with pytest.raises(nl.SpaceError, match="closer than a microsecond"):
        nl.Space({"X": pl.Series([0, 1, 1000]).cast(pl.Time)})


@pytest.mark.parametrize(
    "column",
    [
        np.array([0, 1, 1000], dtype="M8[ns]"),
        np.array([0, 1, 1000], dtype="m8[ns]"),
        pl.Series([0, 1, 1000]).cast(pl.Datetime("ns")),
        pl.Series([0, 1, 1000]).cast(pl.Duration("ns")),
        pd.Series(np.array([0, 1, 1000], dtype="M8[ns]")),
    ],
)
def test_nanoseconds_are_told_apart(column):
    assert nl.Space({"X": column})["X"].size == 3


@pytest.mark.parametrize(
    "column",
    [
        np.array(["2020-01-01"], dtype="M8[ns]"),
        pd.Series(pd.to_datetime(["2020-01-01"])),
        pl.Series([datetime.datetime(2020, 1, 1)]),
        pa.array([datetime.datetime(2020, 1, 1)]),
    ],
)
def test_moments_are_those_of_python(column):
    moment = datetime.datetime(2020, 1, 1)
    assert nl.Space({"X": column})["X"].given(X=moment) == {moment}
    assert nl.Space({"X": np.array(["2020-01-01"], dtype="M8[D]")})["X"].range == {datetime.date(2020, 1, 1)}


def test_years_beyond_python():
    assert nl.Space({"X": np.array([10**6, 10**6 + 1], dtype="M8[Y]")})["X"].size == 2


@pytest.mark.parametrize("values", [[1.0, 3.0, 2.0], [1, 3, 2]])
def test_masked_arrays_are_refused(values):
    with pytest.raises(nl.SpaceError, match="missing"):
        nl.Space({"X": np.ma.array(values, mask=[0, 0, 1])})


def test_plain_arrow_arrays_are_columns():
    assert nl.Space({"X": pa.array([1, 2])})["X"].given(X=1) == {1}
    with pytest.raises(nl.SpaceError, match="missing"):
        nl.Space({"X": pa.array([1, None])})


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ({"X": pd.DataFrame({"a": [1]})}, "whole table"),
        ({"X": [(1, float("nan")), (1, float("nan"))]}, "missing"),
        (pd.DataFrame([[1, 2]]), "is not a text; rename"),
        (pd.DataFrame([[1, 2]], columns=pd.MultiIndex.from_tuples([("a", "b"), ("a", "c")])), "is not a text; rename"),
    ],
)
def test_more_bad_data(data, why):
    with pytest.raises(nl.SpaceError, match=why):
        nl.Space(data)


def test_wide_integers_of_polars():
    assert nl.Space({"X": pl.Series([2**70, 1]).cast(pl.Int128)})["X"].range == {2**70, 1}


@pytest.mark.parametrize("function", [str, max, 5])
def test_functions_that_do_not_name_what_they_read(function):
    with pytest.raises(nl.SpaceError, match="does not name the variables"):
        nl.Space({"X": [1]}).derive(Y=function)


def test_parameters_with_defaults_are_left_alone():
    assert nl.Space({"X": [1, 2]}).derive(Y=lambda X, k=2: X * k)["Y"].range == {2, 4}


@pytest.mark.parametrize("name", [5, None, ("X", 5)])
def test_names_that_are_not_names(name):
    with pytest.raises(nl.UnknownVariableError):
        nl.Space({"X": [1]})[name]


def test_spaces_do_not_change():
    with pytest.raises(AttributeError):
        nl.Space({"X": [1]}).omega = 5  # type: ignore[misc]
