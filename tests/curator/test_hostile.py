"""No value can make anything fail: opening, checking, asking; and no error says anything about a value."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from math import inf, nan

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import noiseless as nl

SCHEMA = nl.Schema(
    x=nl.Real(-10, 10, step="0.1", missing="apart"),
    y=nl.Integer(0, 5, missing=0),
    d=nl.Date("2000-01-01", "2020-12-31", missing="2000-01-01"),
    s=nl.Category("no", "yes", missing="unknown", other="unknown"),
    b=nl.Boolean(missing=True),
    g=nl.Public("n", "s", other="rest"),
)
EVERYTHING = [
    ("SELECT COUNT(*), COUNT(x), COUNT(s) FROM t WHERE x > 0 OR y IN (1, 2) OR d < '2010-01-01' OR b", {}),
    ("SELECT g, AVG(x), SUM(x), AVG(y) FROM t GROUP BY g", {"bits": 9}),
    ("SELECT MIN(x), MAX(d), MEDIAN(y), QUANTILE(x, 0.25) FROM t WHERE s <> 'no'", {"bits": 12}),
    ("SELECT STDDEV_POP(y), VAR_POP(y) FROM t", {"bits": 3}),
    ("SELECT s, COUNT(*) FROM t WHERE x IS NOT NULL GROUP BY s", {}),
    ("SELECT g, AVG(x) / SUM(y) FROM t GROUP BY g HAVING SUM(y) > 0 ORDER BY 2", {"bits": 5}),
]
HOSTILE = {
    "x": [nan, inf, -inf, None, 1e308, -1e308, 5e-324, -5e-324, 10.05, -0.0, 3.0000000000000004],
    "y": [nan, inf, -inf, None, 2**53 + 0.0, -1.0, 2.5, 1e300, -1e300, 0.4999999999999999, 5.0],
    "d": [None, date.min, date.max, date(1999, 12, 31), date(2020, 12, 31), *[date(2005, 5, 5)] * 6],
    "s": ["no", "yes", "unknown", None, "", "'; DROP TABLE codes; --", "ß", "\x00", "NO", "no ", "yes"],
    "b": [None, True, False, None, True, False, None, True, False, True, None],
    "g": ["n", "s", "rest", None, "", "N", "n ", "'", "ü", "n", "s"],
}


def everything(curator: nl.Curator) -> list[nl.Answer]:
    curator.check()
    curator.public()
    return [curator.ask(sql, **given) for sql, given in EVERYTHING]


@pytest.mark.parametrize("rows", [1, 2, 11])
def test_hostile_tables_never_raise(rows):
    frame = pd.DataFrame({name: values[:rows] for name, values in HOSTILE.items()})
    frame["b"] = frame["b"].astype("boolean")
    with nl.Curator.open(frame, SCHEMA, budget=200, table="t") as curator:
        assert sum(cell["rows"] for cell in curator.public()) == rows
        everything(curator)


@pytest.mark.parametrize("value", HOSTILE["x"])
def test_a_column_of_one_hostile_value(value):
    columns = {name: [values[0]] * 3 for name, values in HOSTILE.items()} | {"x": [value] * 3, "y": [value] * 3}
    kinds = {"x": pl.Float64, "y": pl.Float64, "d": pl.Date, "b": pl.Boolean}
    frame = pl.DataFrame(columns, schema_overrides=kinds, strict=False)
    with nl.Curator.open(frame, SCHEMA, budget=200, table="t") as curator:
        everything(curator)


def test_an_empty_table_and_empty_groups():
    kinds = {"x": pa.float64(), "y": pa.int8(), "d": pa.date32(), "s": pa.string(), "b": pa.bool_(), "g": pa.string()}
    frame = pa.table({name: pa.array([], kind) for name, kind in kinds.items()})
    with nl.Curator.open(frame, SCHEMA, budget=200, table="t") as curator:
        answers = everything(curator)
        assert [answer.factor for answer in answers] == [1] * len(EVERYTHING)
        assert answers[0].rows[0]["COUNT(*)"].value == 0
        assert answers[1].rows[0]["AVG(x)"] is None


def test_numbers_of_every_width():
    types = [pa.int8(), pa.uint64(), pa.float32(), pa.float64(), pa.decimal128(9, 2), pa.decimal128(38, 0)]
    for kind in types:
        values = pa.array([Decimal(3), Decimal(5), None], pa.decimal128(5, 0)).cast(kind)
        schema = nl.Schema(x=nl.Real(0, 10, step="0.5", missing="apart"))
        with nl.Curator.open(pa.table({"x": values}), schema, budget=50, table="t") as curator:
            assert curator.ask("SELECT SUM(x) FROM t", error=2).rows[0].lower <= 8
            assert curator.ask("SELECT COUNT(*) FROM t WHERE x = 5").rows[0].value == 1


def test_values_that_are_declared_to_be_on_the_grid_are_not_rounded():
    """A type is not enough: one person's value may have decided it."""
    table = pa.table({"x": pa.array([Decimal("1.50"), Decimal("2.25")], pa.decimal128(9, 2)), "n": [1, 2]})
    fine = nl.Schema(x=nl.Real(0, 10, step="0.01", on_grid=True), n=nl.Integer(0, 9))
    with nl.Curator.open(table, fine, budget=90, table="t") as curator:
        exact = curator.ask("SELECT SUM(x), SUM(n) FROM t", error=0).rows[0]
        assert (exact["SUM(x)"].value, exact["SUM(x)"].exact, exact["SUM(n)"].value) == (Decimal("3.75"), True, 3)
    coarse = nl.Schema(x=nl.Real(0, 10, step="0.01"))
    with (
        nl.Curator.open(table, coarse, budget=90, table="t") as curator,
        pytest.raises(nl.BudgetError, match="rounding"),
    ):
        curator.ask("SELECT SUM(x) FROM t", error=0)


def test_every_decimal_of_the_declared_step_gets_its_own_code():
    """Plain floor would put 600 of these 1501 decimals one code too low."""
    table = pa.table({"x": [tenth / 10 for tenth in range(1000, 2501)]})
    with nl.Curator.open(table, nl.Schema(x=nl.Real(100, 250, step="0.1")), budget=90, table="t") as curator:
        counts = curator._dataset.engine.fetch(curator._dataset.engine.table("codes"))
        assert [code for (code,) in counts] == list(range(1501))
        assert [int((t / 10 - 100) / 0.1) == t - 1000 for t in range(1000, 2501)].count(False) > 500


def test_texts_of_a_csv_never_raise(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(
        'x,y,d,s,b,g\n1.5,3,2001-01-01,no,true,n\nabc,nan,2001-13-45,ß,maybe,s\n,,,,,\n"1e999",-inf,infinity,"a,b",0,x\n'
    )
    with nl.Curator.open(path, SCHEMA, budget=200) as curator:
        everything(curator)
        found = {(f.column, f.what): f.values for f in curator.check().findings}
        assert found["x", "missing"] == 3
        assert found["b", "missing"] == 2


ODD = ["1", "#", "# x", '"a;b"', '"1\n2"', "'", '"x""y"', "\\", "", "\t", "a|b", "--", "NULL"]


@pytest.mark.parametrize("value", ODD)
def test_no_value_of_a_csv_changes_what_is_public(tmp_path, value):
    """A guessed dialect would take '#' for a comment, and then a row would be missing."""
    path = tmp_path / "t.csv"
    path.write_text("x,g\n" + value + ",n\n" + "".join(f"{k},s\n" for k in range(5)), encoding="utf-8")
    schema = nl.Schema(x=nl.Integer(0, 9, missing="apart"), g=nl.Public("n", "s"))
    with nl.Curator.open(path, schema, budget=9, store=":memory:") as curator:
        assert curator.public() == [{"g": "n", "rows": 1}, {"g": "s", "rows": 5}]


def test_infinite_dates_never_raise(tmp_path):
    path = tmp_path / "t.duckdb"
    with duckdb.connect(str(path)) as connection:
        dates = "unnest(['infinity', '-infinity', '2001-01-01', NULL])::DATE"
        connection.execute(f"CREATE TABLE t AS SELECT {dates} d, unnest([1, 2, 3, 4]) y")
    schema = nl.Schema(d=SCHEMA.columns["d"], y=nl.Integer(0, 5))
    with nl.Curator.open(path, schema, budget=50) as curator:
        assert curator.ask("SELECT MAX(d) FROM t", error=0).rows[0].value == date(2020, 12, 31)


SECRET = "a-private-value-93117"


def traces(error: BaseException) -> str:
    """Everything that an error carries: its words, cause, context and notes."""
    seen, told = [error], []
    for each in seen:
        told.append(repr(each) + str(getattr(each, "__notes__", "")))
        seen += [other for other in (each.__cause__, each.__context__) if other is not None]
    return " ".join(told)


def test_engine_errors_are_replaced_and_not_chained(monkeypatch):
    frame = pd.DataFrame(HOSTILE).astype({"b": "boolean"})
    with nl.Curator.open(frame, SCHEMA, budget=200, table="t") as curator:
        engine = curator._dataset.engine
        right, engine._connection = engine._connection, None  # the engine is gone
        with pytest.raises(nl.EngineError) as caught:
            curator.ask(EVERYTHING[0][0])
        assert caught.value.__context__ is None
        assert caught.value.__cause__ is None
        engine._connection = right
        assert curator.ask(EVERYTHING[0][0]).factor == 1  # the failure stayed charged; its retry is free


def test_errors_of_sources_do_not_quote_data(tmp_path):
    twice = pd.DataFrame([[1.0, SECRET]], columns=["x", "x"])
    with pytest.raises(nl.SourceError) as caught:
        nl.Curator.open(twice, nl.Schema(x=nl.Real(0, 1, 1)), budget=1)
    assert SECRET not in traces(caught.value)
    broken = tmp_path / "t.parquet"
    broken.write_text(SECRET)
    with pytest.raises(nl.SourceError) as caught:
        nl.Curator.open(broken, nl.Schema(x=nl.Real(0, 1, 1)), budget=1)
    assert SECRET not in traces(caught.value)
    texts = pd.DataFrame({"x": [SECRET]})
    with pytest.raises(nl.SchemaError, match="the schema declares numbers") as caught:  # type: ignore[assignment]
        nl.Curator.open(texts, nl.Schema(x=nl.Real(0, 1, 1)), budget=1)
    assert SECRET not in traces(caught.value)
    undeclared = pd.DataFrame({"x": [1.0], "g": [SECRET]})
    with pytest.raises(nl.SchemaError, match="not declared keys") as caught:  # type: ignore[assignment]
        nl.Curator.open(undeclared, nl.Schema(x=nl.Real(0, 1, 1), g=nl.Public("a")), budget=1)
    assert SECRET not in traces(caught.value)


def test_a_csv_without_a_header(tmp_path):
    """Its first line is a person, who is not repeated in what is said to whoever asks, or audits."""
    file = tmp_path / "people.csv"
    file.write_text("ann,cancer,41\nbob,flu,37\n")
    for look in (
        lambda: nl.Curator.open(file, nl.Schema(age=nl.Integer(0, 99)), budget=4),
        lambda: nl.audit(file, ["age"]),
        lambda: nl.audit(file, ["ann"], "illness"),
        lambda: nl.audit(file, ["ann"], original=tmp_path / "people.csv", continuous=["age"]),
    ):
        with pytest.raises(nl.InputError) as said:
            look()
        assert not any(private in str(said.value) for private in ("cancer", "41"))
