"""The code of every kind of value in every kind of column, and what the custodian is told of them."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from math import inf, nan, nextafter

import ibis
import ibis.expr.datatypes as dt
import pyarrow as pa
import pytest

import noiseless as nl
from noiseless.curator.sources.codes import check_type, integer_type
from noiseless.curator.sources.codes import code as code_of

REAL = nl.Real(-1, 1, step="0.5")
LOW, HIGH = -1.0, 1.0
NUMBERS = [
    (-1.0, 0),
    (-0.75, 1),  # half a step up
    (nextafter(-0.75, -1), 0),
    (nextafter(-0.75, 0), 1),
    (-0.25, 2),
    (0.0, 2),
    (0.2, 2),
    (0.25, 3),
    (0.75, 4),
    (1.0, 4),
    (nextafter(LOW, -2), 0),
    (nextafter(HIGH, 2), 4),
    (-1e308, 0),
    (1e308, 4),
    (1.7976931348623157e308, 4),
    (-1.7976931348623157e308, 0),
    (None, None),
    (nan, None),
    (inf, None),
    (-inf, None),
]


def codes_of(column, values: pa.Array) -> tuple[list, dict]:
    """The codes in the order of the rows, and the findings of the check."""
    table = pa.table({"x": values, "id": pa.array(range(len(values)))})
    with nl.Curator.open(table, nl.Schema(x=column, id=nl.Public()), budget=1, table="t", store=":memory:") as curator:
        engine = curator._dataset.engine
        rows = engine.run(f"SELECT p0, c0 FROM {engine.codes_for()} ORDER BY p0")
        return [code for _, code in rows], {each.what: each.values for each in curator.check().findings}


@pytest.mark.parametrize(("missing", "code"), [(-1, 0), ("apart", None), ("0.5", 3)])
def test_reals(missing, code):
    column = nl.Real(-1, 1, step="0.5", missing=missing)
    given = [value for value, _ in NUMBERS]
    found, told = codes_of(column, pa.array(given, pa.float64()))
    assert found == [code if expected is None else expected for _, expected in NUMBERS]
    assert told == {"missing": 4, "below": 3, "above": 3}


def test_reals_of_a_csv_file(tmp_path):
    path = tmp_path / "t.csv"
    texts = ["x", "", "1e999", "nan", "-inf", " 0.25", "0.75", "1e308", "-1e308", "0,5"]
    path.write_text("id,x\n" + "".join(f'{place},"{text}"\n' for place, text in enumerate(texts)))
    column = nl.Real(-1, 1, step="0.5", missing="apart")
    with nl.Curator.open(path, nl.Schema(x=column, id=nl.Public()), budget=1, store=":memory:") as curator:
        engine = curator._dataset.engine
        found = dict(engine.run(f"SELECT p0::INT, c0 FROM {engine.codes_for()}"))
        told = {each.what: each.values for each in curator.check().findings}
    assert [found[place] for place in range(10)] == [None, None, None, None, None, 3, 4, 4, 0, None]
    assert told == {"missing": 6, "below": 1, "above": 1}


def test_numbers_of_other_types():
    column = nl.Integer(2, 6, step=2, missing="apart")
    whole = [0, 1, 2, 3, 4, 5, 6, 7, None]
    expected = [0, 0, 0, 1, 1, 2, 2, 2, None]
    for kind in (pa.int8(), pa.uint64(), pa.float32(), pa.float64(), pa.decimal128(9, 2)):
        given = pa.array([None if value is None else Decimal(value) for value in whole], pa.decimal128(5, 0)).cast(kind)
        assert codes_of(column, given) == (expected, {"missing": 1, "below": 2, "above": 1})


def test_dates():
    column = nl.Date("2020-01-01", "2020-01-07", step=3, missing="apart")
    days: list[date | None] = [
        date(2019, 12, 31),
        date(2020, 1, 1),
        date(2020, 1, 2),
        date(2020, 1, 3),
        date(2020, 1, 7),
    ]
    days += [date(2020, 1, 8), date.min, date.max, None]
    expected = [0, 0, 0, 1, 2, 2, 0, 2, None]
    assert codes_of(column, pa.array(days, pa.date32())) == (expected, {"missing": 1, "below": 2, "above": 2})
    moments = [None if day is None else datetime(day.year, day.month, day.day, 23, 59) for day in days]
    for unit in ("s", "ms", "us"):
        given = pa.array(moments, pa.timestamp(unit))
        assert codes_of(column, given) == (expected, {"missing": 1, "below": 2, "above": 2})


def test_truth_values():
    for missing, code in ((True, 1), (False, 0), ("apart", None)):
        column = nl.Boolean(missing=missing)
        assert codes_of(column, pa.array([True, False, None])) == ([1, 0, code], {"missing": 1})
        assert codes_of(column, pa.array([1, 0, 2, None], pa.int64())) == ([1, 0, code, code], {"missing": 2})


def test_categories():
    texts = pa.array(["no", "yes", "NO", "", None])
    counts = {"missing": 1, "unknown": 2}
    assert codes_of(nl.Category("no", "yes", missing="no", other="no"), texts) == ([0, 1, 0, 0, 0], counts)
    assert codes_of(nl.Category("no", "yes", missing="?", other="?"), texts) == ([0, 1, 2, 2, 2], counts)
    assert codes_of(nl.Category("no", "yes", missing="?", other="*"), texts) == ([0, 1, 2, 2, 3], counts)
    assert codes_of(nl.Category("no", "yes", missing="yes", other="no"), texts) == ([0, 1, 0, 0, 1], counts)
    numbers = nl.Category(1, 5, missing=5, other=5)
    for kind in (pa.int16(), pa.float32(), pa.float64()):
        assert codes_of(numbers, pa.array([1, 5, 4, None], kind))[0] == [0, 1, 1, 1]
    assert codes_of(nl.Category("1", "5", other="1"), pa.array([5, 1, 7], pa.int32()))[0] == [1, 0, 0]
    assert codes_of(nl.Category(True, False, missing=True), pa.array([True, False, None]))[0] == [0, 1, 0]


def test_what_a_column_cannot_hold():
    texts, whole = pa.array(["a"]), pa.array([1])
    for column, given in (
        (REAL, texts),
        (nl.Date("2020-01-01", "2020-01-02"), whole),
        (nl.Boolean(), texts),
        (nl.Category(1, 2), texts),
    ):
        with pytest.raises(nl.SchemaError, match="but the schema declares"):
            codes_of(column, given)


def test_numbers_of_all_types_pass_for_each_other():
    """A missing value makes doubles of whole numbers, and of truth values."""
    assert codes_of(nl.Category("1", "1.5", missing="1", other="1"), pa.array([1.5, 1.0, 7.0, None]))[0] == [1, 0, 0, 0]
    assert codes_of(nl.Category(True, False, missing=True), pa.array([1, 0, None]))[0] == [0, 1, 0]
    assert codes_of(nl.Category(1, 0, missing=1), pa.array([True, False, None]))[0] == [0, 1, 0]
    assert codes_of(nl.Boolean(missing=True), pa.array([1.0, 0.0, None]))[0] == [1, 0, 1]


def test_the_smallest_type():
    edges = [(127, "int8"), (128, "int16"), (32767, "int16"), (32768, "int32"), (2**31 - 1, "int32"), (2**31, "int64")]
    assert [integer_type(top) for top, _ in edges] == [name for _, name in edges]


def test_keys_of_a_csv_file(tmp_path):
    """A text that is no truth value and no number must not stop the reading."""
    path = tmp_path / "t.csv"
    path.write_text("b,k,id\ntrue,5,0\nfalse,1,1\nmaybe,x,2\n,,3\n")
    columns = {"b": nl.Category(True, False, missing=False, other=False), "k": nl.Category(1, 5, missing=5, other=5)}
    with nl.Curator.open(path, nl.Schema(columns, id=nl.Public()), budget=1, store=":memory:") as curator:
        engine = curator._dataset.engine
        assert engine.run(f"SELECT c0, c1 FROM {engine.codes_for()} ORDER BY p0") == [(0, 1), (1, 0), (1, 1), (1, 1)]


def coded(column, values, kind=None, texts=False) -> list:
    """The codes as DuckDB finds them, whatever was promised of the values."""
    table = ibis.memtable(pa.table({"x": pa.array(values, kind), "id": range(len(values))}))
    found = table.select("id", code=code_of(column, table.x, texts)).order_by("id").to_pyarrow()["code"]
    assert str(found.type) == integer_type(column.top)
    return found.to_pylist()


def test_values_that_were_not_declared():
    values = ["n", "s", "z", None]
    assert coded(nl.Public("n", "s"), values) == [0, 1, -1, -1]
    assert coded(nl.Public("n", "s", other="o"), values) == [0, 1, 2, 2]
    assert coded(nl.Public("n", "s", other="n"), values) == [0, 1, 0, 0]
    assert coded(nl.Category("s", "n"), values) == [1, 0, 0, 0]
    assert coded(nl.Category("s", "n", missing="?"), values) == [1, 0, 2, 2]


def test_a_single_key():
    assert coded(nl.Public("n"), ["n", "s"]) == coded(nl.Public("n"), ["n", "s"], texts=True) == [0, -1]
    assert coded(nl.Public(7), [7, 8]) == coded(nl.Public(7), ["7", "x"], texts=True) == [0, -1]
    assert coded(nl.Public(True), [True, False]) == coded(nl.Public(True), ["true", "x"], texts=True) == [0, -1]


def test_days_that_cannot_be_read_are_missing():
    column = nl.Date("2020-01-01", "2020-01-07", missing="apart")
    assert coded(column, ["2020-01-02", "x", None, "2020-01-09"], texts=True) == [1, None, None, 6]
    for unit, scale in (("s", 1), ("ms", 1000)):  # beyond what a database calculates with
        assert coded(column, [1577923200 * scale, 2**62, -(2**62)], pa.timestamp(unit)) == [1, None, None]
    assert coded(column, [1577923200 * 10**6, 2**62, -(2**62)], pa.timestamp("us")) == [1, 6, 0]
    assert code_of(column, ibis.table({"x": "timestamp"}, name="t").x, False).type().is_integer()  # of no known unit


def test_what_is_not_a_number_is_missing():
    both = nl.Category(1, 5, missing=7, other=9)
    for kind in (pa.float32(), pa.float64()):
        assert coded(both, [1, 5, 4, nan, None], kind) == [0, 1, 2, 3, 3]
    assert coded(both, [1, 5, 4, None], pa.decimal128(5, 0)) == [0, 1, 2, 3]
    assert coded(nl.Category("no", "yes", missing="?", other="*"), ["no", "x", None]) == [0, 2, 3]
    assert coded(nl.Category("no", "yes", missing="?", other="*"), ["no", "x", None], texts=True) == [0, 2, 3]


def test_texts_that_write_a_number_in_another_way():
    column = nl.Category("no", "1", "5.0")
    assert coded(column, ["1", "1.0", "5", "+5.00", "no", "x"], texts=True) == [1, 1, 2, 2, 0, 0]
    assert coded(column, ["1", "1.0", "5", "5.0"]) == [1, 0, 0, 2]  # texts of a database are what they are
    assert coded(nl.Category("no", "yes"), ["yes", "no", "1"], texts=True) == [1, 0, 0]
    assert coded(column, [1, 5, 7], pa.int64()) == coded(column, [1, 5, 7], pa.float64()) == [1, 2, 0]
    assert coded(nl.Category("no", "1.5", "2"), [1, 2], pa.int64()) == [0, 2]
    assert coded(nl.Category("no", "1.5", "2"), [1.5, 2], pa.float64()) == [1, 2]
    assert coded(nl.Category("no", "yes"), [1, 2], pa.int64()) == [0, 0]
    large = nl.Category("no", str(2**63), str(2**63 - 1), str(-(2**63) + 1))
    assert coded(large, [2**63 - 1, -(2**63) + 1, 0], pa.int64()) == [2, 3, 0]


def test_numbers_that_doubles_cannot_tell_apart():
    assert coded(nl.Category("no", "1", str(2**63 - 1)), [1, 2**63 - 1], pa.int64()) == [1, 2]
    assert coded(nl.Category("no", str(2**53 + 1)), [2**53, 2**53 + 1], pa.int64()) == [0, 1]
    assert coded(nl.Category(2**53 + 1, 5), [4.6, 5.0], pa.float64()) == [0, 1]
    for keys in ((5, 2**24 + 1), (5, 2**24 + 1, 2**53 + 1)):  # which is 2^24 as a float of 32 bits
        assert coded(nl.Category(*keys), [2**24, 5], pa.float32()) == [0, 0]
    whole = nl.Category(5, 2**53)  # a missing value would make doubles of whole numbers, and must not change others
    assert coded(whole, [2**53 + 1], pa.int64()) == coded(whole, [float(2**53 + 1)], pa.float64()) == [1]
    column = nl.Category(5, 2**53 + 1, -(2**53) - 3)
    assert coded(column, [2**53, 2**53 + 1, -(2**53) - 3, 5], pa.int64()) == [0, 1, 2, 0]
    assert coded(column, [str(2**53), str(2**53 + 1), "5", "x"], texts=True) == [0, 1, 0, 0]
    assert coded(nl.Category(5, 2**53), ["5.0", str(2**53), "x"], texts=True) == [0, 1, 0]
    assert coded(nl.Category(2**53, 6), ["6.0", "5.5", "x"], texts=True) == [1, 0, 0]
    assert coded(nl.Category(7, 2), [2, 7, 3], pa.float32()) == [1, 0, 0]
    assert coded(nl.Category(0, 1), [True, False]) == [1, 0]


NAMES = ["int64", "float64", "decimal(9, 2)", "boolean", "string", "date", "timestamp", "uuid", "array<int64>"]
TYPES = {name: ibis.dtype(name) for name in NAMES} | {"unknown": dt.Unknown()}
NUMERIC = {"int64", "float64", "decimal(9, 2)", "boolean"}


@pytest.mark.parametrize(
    ("column", "fitting", "wanted"),
    [
        (REAL, NUMERIC, "numbers"),
        (nl.Boolean(), NUMERIC, "truth values"),
        (nl.Date("2020-01-01", "2020-01-02"), {"date", "timestamp"}, "dates"),
        (nl.Category("a", "b"), {*NUMERIC, "string", "date", "uuid", "unknown"}, "texts"),
        (nl.Public("a"), {*NUMERIC, "string", "date", "uuid", "unknown"}, "texts"),
        (nl.Category(1, 2), NUMERIC, "whole numbers"),
        (nl.Public(1), NUMERIC, "whole numbers"),
        (nl.Category(True, False), NUMERIC, "truth values"),
        (nl.Public(True), NUMERIC, "truth values"),
        (nl.Public(), set(TYPES), ""),
    ],
)
def test_types_that_fit(column, fitting, wanted):
    for name, kind in TYPES.items():
        check_type("x", column, kind, True)  # a text is read as whatever it may be
        if name in fitting:
            check_type("x", column, kind, False)
        else:
            with pytest.raises(nl.SchemaError, match=f"the schema declares {wanted};"):
                check_type("x", column, kind, False)
