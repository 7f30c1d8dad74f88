"""The checker reads a schema as the curator wrote it, and no other."""

from __future__ import annotations

from datetime import date, datetime
from fractions import Fraction

import pytest

import noiseless as nl
from noiseless.curator.certificate.checker import columns as c
from noiseless.curator.certificate.checker.wrong import WrongCertificateError

SCHEMA = nl.Schema(
    r=nl.Real("-0.5", "1.5", step="0.25", missing="apart"),
    e=nl.Real(0, 3, step=1, missing=3, on_grid=True),
    f=nl.Real(0, 3, step=1),
    i=nl.Integer(2, 9),
    j=nl.Integer(2, 8, step=3),
    d=nl.Date("2024-01-01", "2024-01-10", missing="2024-01-10"),
    b=nl.Boolean("apart"),
    t=nl.Boolean(True),
    s=nl.Category("no", "yes"),
    m=nl.Category("no", "yes", missing="?"),
    o=nl.Category("no", "yes", missing="no", other="*"),
    n=nl.Category(3, 5),
    p=nl.Public("a", "b", other="c"),
    q=nl.Public(),
)


def test_columns_are_those_of_the_curator():
    read = c.read_schema(nl.Declaration(SCHEMA).write())
    assert (read.rows, list(read.columns), list(read.public)) == (1, list(SCHEMA.columns), ["p"])
    for name, column in SCHEMA.columns.items():
        found = read.columns[name]
        assert (found.public, found.scale) == (name in "pq", name in "refijd")
        if name in SCHEMA.private:
            assert (found.top, found.values, found.apart) == (column.top, column.values, column.apart)
        if found.scale:
            assert (found.low, found.high, found.step) == (column.low, column.high, column.step)
            assert found.on_grid == column.on_grid
            assert [found.low + found.step * code for code in range(found.top + 1)] == [
                column.number(code) for code in range(column.top + 1)
            ]
        elif name in "smon":
            assert found.keys == column.keys
            assert [found.place_of(c.written_key(key)) for key in column.keys] == list(range(len(column.keys)))
            assert found.own_missing == column.own_missing == (name == "m")
    assert read.columns["p"].keys == ("a", "b", "c")
    assert (read.columns["b"].place_of(False), read.columns["b"].place_of(True)) == (0, 1)


def test_rounding():
    read = c.read_schema(nl.Declaration(SCHEMA).write()).columns
    assert read["i"].rounding == read["e"].rounding == 0
    assert read["r"].rounding == Fraction(1, 8) + Fraction(1, 1 << 50) * (
        Fraction(1, 2) + Fraction(3, 2) + 2 + Fraction(1, 4)
    )


def test_codes_of_values():
    read = c.read_schema(nl.Declaration(SCHEMA).write()).columns
    assert [read["r"].code_of(text) for text in ("-1/2", "0", "3/2")] == [0, 2, 8]
    assert [read["d"].code_of(text) for text in ("2024-01-01", "2024-01-10")] == [0, 9]
    for name, text in (("r", "1/8"), ("r", "7/4"), ("r", "-3/4"), ("d", "2024-01-11"), ("d", "2023-12-31")):
        with pytest.raises(WrongCertificateError, match="off the grid or out of bounds"):
            read[name].code_of(text)
    for name, wrong in (("s", "?"), ("n", 3), ("n", "4"), ("s", None), ("s", ["no"])):
        with pytest.raises(WrongCertificateError, match="not a declared key"):
            read[name].place_of(wrong)


def one(fields, more=""):
    return "[columns.x]\n" + "\n".join(f"{name} = {value}" for name, value in fields.items()) + "\n" + more


REAL = {"kind": '"real"', "low": 0, "high": 3, "step": 1}
WHOLE = {**REAL, "kind": '"integer"'}
DAYS = {"kind": '"date"', "low": "2024-01-01", "high": "2024-01-04"}
NAMES = {"kind": '"category"', "values": '["a", "b"]'}
TRUTH = {"kind": '"boolean"'}
DAY = '[columns.day]\nkind = "public"\n'
UNIT = '[unit]\ncolumn = "who"\nrows = 2\norder_by = "day"\n'


@pytest.mark.parametrize(
    "text",
    [
        one(REAL),
        one({**REAL, "missing": 3}),
        one({**REAL, "missing": 0}),
        one({**REAL, "high": 1}),
        one({**REAL, "step": '"1/3"'}),
        one({**REAL, "step": 0.5, "on_grid": "true"}),
        one({**WHOLE, "step": 3, "on_grid": "false"}),
        one({**WHOLE, "high": 4, "step": 2, "on_grid": "false"}),
        one({**REAL, "high": "1e4000", "step": "1e4000"}),
        one(DAYS),
        one(TRUTH | {"missing": "false"}),
        one(NAMES | {"missing": '"b"', "other": '"a"'}),
        one(REAL, DAY + UNIT),
        one(REAL, DAY + UNIT.replace("2", "10000")),
    ],
)
def test_what_is_read(text):
    assert set(c.read_schema(text).columns) in ({"x"}, {"x", "day"})


@pytest.mark.parametrize(
    "text",
    [
        None,
        one({**REAL, "kind": '"fly"'}),
        one({**REAL, "values": "[]"}),
        one({**REAL, "high": 0}),
        one({**REAL, "high": -1}),
        one({**REAL, "step": 0}),
        one({**REAL, "step": -1}),
        one({**REAL, "step": 2}),
        one({**REAL, "missing": 4}),
        one({**REAL, "missing": -1}),
        one({**REAL, "missing": 0.5}),
        one({**REAL, "on_grid": 1}),
        one({**REAL, "high": "1e5000"}),
        one({**REAL, "high": "inf"}),
        one({**REAL, "low": "true"}),
        one({**WHOLE, "step": 0.5}),
        one({**WHOLE, "on_grid": "false"}),
        one({**DAYS, "low": "2024-01-01T00:00:00"}),
        one({**DAYS, "on_grid": "false"}),
        one(TRUTH | {"missing": 1}),
        one(TRUTH | {"missing": '"b"'}),
        one({**NAMES, "values": '["a"]'}),
        one({**NAMES, "values": '["a", "a"]'}),
        one({**NAMES, "values": '["a", 1]'}),
        one({**NAMES, "values": "[1.5, 2.5]"}),
        one({**NAMES, "values": '"ab"'}),
        DAY,
        one(REAL, DAY + UNIT + "more = 1\n"),
        one(REAL, UNIT),
        one(REAL, DAY + UNIT.replace("2", "0")),
        one(REAL, DAY + UNIT.replace("2", "10001")),
        one(REAL, DAY + UNIT.replace("2", "true")),
        one(REAL, DAY + UNIT.replace('"day"', '"x"')),
        one(REAL, DAY + UNIT.replace('"who"', '"x"')),
        one(REAL, "[other]\n"),
        one(REAL, "[columns.a.b.c.d.e]\n"),
        one({**REAL, "low": "{}"}),
        one({**REAL, "high": "9" * 1000}),
    ],
)
def test_what_is_not_read(text):
    with pytest.raises(WrongCertificateError):
        c.read_schema(text)


def test_keys_as_they_are_written():
    assert [c.written_key(key) for key in (True, "a", 3)] == [True, "a", "3"]
    assert c.read_schema(one(NAMES | {"other": '"*"'})).columns["x"].keys == ("a", "b", "*")
    assert c.read_schema(one(NAMES | {"other": '"b"'})).columns["x"].keys == ("a", "b")
    with pytest.raises(WrongCertificateError, match="has a time"):
        c.days(datetime(2024, 1, 1))


def test_schemas_are_no_longer_and_no_deeper_than_any_curators(monkeypatch):
    monkeypatch.setattr(c, "LONGEST_SCHEMA", len(one(REAL)))
    monkeypatch.setattr(c, "MOST_DOTS", 1)
    assert c.read_schema(one(REAL)).rows == 1
    with pytest.raises(WrongCertificateError, match="too long"):
        c.read_schema(one(REAL) + "\n")


def test_days_beyond_the_calendar():
    first, last = (date.min - c.EPOCH).days, (date.max - c.EPOCH).days  # type: ignore[attr-defined]
    assert [c.date_of(number) for number in (first - 1, first, 0, last, last + 1)] == [
        date.min,
        date.min,
        c.EPOCH,  # type: ignore[attr-defined]
        date.max,
        date.max,
    ]
    assert c.days(date(1970, 1, 3)) == 2
