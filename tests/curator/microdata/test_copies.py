"""Released copies: counts by trying every value, truth inside the intervals, prices, errors, nothing half-written."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from math import inf, nan
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import noiseless as nl
from noiseless.curator.microdata.split import split
from tests.curator.microdata.conftest import AGES, PEOPLE
from tests.curator.small import RAW, SCHEMA, TYPES

GROUPS = {"s": {"no": ["known", "all"], "yes": ["known", "all"], "unknown": ["unknown", "all"]}}
WANTED = [
    {"bits": 9},
    {"bits": 6, "hierarchies": GROUPS, "constant": True},
    {"bits": {"h": 1, "x": 1, "a": 1, "d": 1, "s": 2, "b": 2}},
    {"error": {"h": 1, "x": "0.7"}, "bits": {"a": 0, "d": "1.6"}, "levels": {"s": 2}, "hierarchies": GROUPS},
    {"columns": ["h", "s"], "error": {"h": 0.6}, "levels": {"s": 0}},
    {"columns": ["x", "b"], "bits": 3},
]


def released(rows, wanted, tmp_path, schema=SCHEMA, types=TYPES):
    to = tmp_path / f"{len(list(tmp_path.iterdir()))}.parquet"
    table = pa.Table.from_pylist([dict(zip(types.names, row, strict=True)) for row in rows], schema=types)
    with nl.Curator.open(table, schema, budget=100, table="t") as curator:
        made = curator.release(to, **wanted)
        assert nl.verify(made.certificate, file=to).count == made.guarantee.count
    return made, pq.read_table(to).to_pylist()


@pytest.mark.parametrize("wanted", WANTED)
def test_the_count_of_a_row_by_trying_every_value(wanted, tmp_path):
    """Column by column, everything that a value can be: the different reports are exactly those counted."""
    sample = {name: values[0] for name, values in RAW.items()}
    product = 1
    for name, values in RAW.items():
        rows = [(*{**sample, name: value}.values(), "n", 1) for value in values]
        made, found = released(rows, wanted, tmp_path)
        columns = {column.name: column for column in made.plan.private}
        if name not in columns:
            assert name not in found[0]
            continue
        different = {str(row[name]) for row in found}
        assert len(different) == columns[name].answers
        product *= len(different)
    assert made.plan.answers == product == made.guarantee.count
    assert made.guarantee.exact


def number(value):
    return Fraction((value - date(1970, 1, 1)).days) if isinstance(value, date) else Fraction(value)


@pytest.mark.parametrize("wanted", WANTED)
def test_the_truth_is_inside_and_the_error_is_kept(wanted, tmp_path):
    for name in ("h", "x", "a", "d"):
        column = SCHEMA.columns[name]
        known = [value for value in RAW[name] if value is not None and value not in (nan, inf) and value == value]
        rows = [(*{**{n: v[0] for n, v in RAW.items()}, name: v}.values(), "n", 1) for v in known]
        made, found = released(rows, {**wanted, "intervals": True}, tmp_path)
        if name not in made.errors:
            continue
        stored = [number(np.float32(value).item() if name == "x" else value) for value in known]
        clamped = sorted(min(max(value, column.low), column.high) for value in stored)
        ends = (name, f"{name}_lower", f"{name}_upper")
        reports = sorted(tuple(number(row[end]) for end in ends) for row in found)
        for truth, (report, lower, upper) in zip(clamped, reports, strict=True):
            assert lower <= truth <= upper
            assert lower <= report <= upper
            assert abs(report - truth) <= made.errors[name]


def test_public_columns_as_they_are_and_undeclared_ones_dropped(tmp_path):
    schema = nl.Schema(age=nl.Integer(0, 99), region=nl.Public("n", other="elsewhere"), id=nl.Public())
    with nl.Curator.open(pa.table(PEOPLE), schema, budget=20) as curator:
        curator.release(tmp_path / "out.csv", bits=2)
    rows = duckdb.sql(f"SELECT * FROM '{tmp_path}/out.csv'")
    assert rows.columns == ["age", "region", "id"]
    people = zip(*(PEOPLE[name] for name in ("age", "region", "id")), strict=True)
    wanted = [(25 * (a // 25) + 12.0, r if r == "n" else "elsewhere", i) for a, r, i in people]
    assert sorted(rows.fetchall()) == sorted(wanted)


def test_prices_and_repeats(people, tmp_path):
    preview = people.preview_release(bits={"age": 2, "ill": 3})
    assert (preview.factor, preview.guarantee.count, preview.affordable) == (20, 20, True)
    assert people.remaining == 20
    made = people.release(tmp_path / "a.parquet", bits={"age": 2, "ill": 3})
    assert made.factor == 20
    assert people.release(tmp_path / "b.parquet", bits={"age": 2, "ill": 3}, intervals=True).factor == 1
    assert people.sequence.cells['["n"]'].remaining == {"age": 25, "ill": 1}
    assert people.ask("SELECT ill, COUNT(*) FROM people GROUP BY ill").factor == 1
    assert people.ask("SELECT AVG(age) FROM people", bits=3).factor == 3  # 25 codes left instead of 100
    assert [entry.kind for entry in people.entries()].count("release") == 1
    with pytest.raises(nl.BudgetExceededError, match="max_bits"):
        people.release(tmp_path / "c.parquet", bits={"age": 5, "ill": 3}, max_bits=1)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.parquet", "b.parquet"]


def test_a_grid_has_bits_as_one(tmp_path):
    place = nl.Schema(north=nl.Real(0, 1, step="0.001"), east=nl.Real(0, 2, step="0.001"), kind=nl.Category("a", "b"))
    table = pa.table({"north": [0.1, 0.9], "east": [1.5, 0.2], "kind": ["a", "b"]})
    with nl.Curator.open(table, place, budget=20) as curator:
        for key in ("north+east", ("north", "east")):
            found = curator.preview_release(bits={key: 8})
            assert {column.name: column.answers for column in found.plan.private} == {
                "north": 16,
                "east": 16,
                "kind": 2,
            }
            assert found.plan.grids == (("north", "east"),)
        with pytest.raises(nl.SchemaError, match="a pair of private columns"):
            curator.preview_release(bits={"north+west": 8})


def test_the_budget_forbids(people, tmp_path):
    with nl.Curator.open(pa.table(PEOPLE), AGES, budget=4, table="people") as poor:
        assert not poor.preview_release(bits=6).affordable
        with pytest.raises(nl.BudgetExceededError, match="nothing was charged"):
            poor.release(tmp_path / "out.parquet", bits=6)
        assert poor.remaining == 4
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("wanted", "error", "words"),
    [
        ({}, nl.BudgetError, "'age' needs bits or an error"),
        ({"bits": -1}, nl.BudgetError, "negative"),
        ({"bits": {"age": -1}}, nl.BudgetError, "bits of age=-1 is negative"),
        ({"bits": {"height": 1}}, nl.SchemaError, "'height' is not a private column"),
        ({"columns": ["weight"], "bits": 1}, nl.SchemaError, "'weight' is not a private column"),
        ({"columns": [], "bits": 1}, nl.SchemaError, "at least one"),
        ({"bits": 1}, nl.BudgetError, "ill already make 5"),
        ({"bits": {"age": 1}, "error": {"age": 1}}, nl.BudgetError, "bits and an error"),
        ({"bits": {"age": 1, "ill": 1}}, nl.BudgetError, "no level of a declared hierarchy"),
        ({"error": {"ill": 1}}, nl.BudgetError, "is a category"),
        ({"error": {"age": -1}}, nl.BudgetError, "below 0"),
        ({"bits": 5, "hierarchies": {"ill": {"a": "x", "b": "x"}}}, nl.SchemaError, "names no group for the value 'c'"),
        ({"bits": 5, "hierarchies": {"ill": dict.fromkeys("abcdef", "x")}}, nl.SchemaError, "not a declared value"),
        ({"bits": {"age": 2}, "levels": {"ill": 1}}, nl.SchemaError, "has no hierarchy; declare one"),
        ({"levels": {"age": 1}}, nl.SchemaError, "a level is 0, 1, 2"),
        ({"bits": 9, "grids": [("age", "region")]}, nl.SchemaError, "remove it from grids= or together="),
        ({"bits": 9, "grids": [("age",)]}, nl.SchemaError, "a pair of columns"),
        ({"policies": ["shift"]}, nl.SchemaError, "is not a policy"),
    ],
)
def test_bad_input(people, wanted, error, words, tmp_path):
    with pytest.raises(error, match=words):
        people.release(tmp_path / "out.parquet", **wanted)
    assert list(tmp_path.iterdir()) == []
    assert people.remaining == 20


@pytest.mark.parametrize(
    ("to", "words"), [("out.xlsx", "ends in .parquet or .csv"), ("no/out.parquet", "folder that does not exist")]
)
def test_bad_targets(people, to, words, tmp_path):
    with pytest.raises(nl.SourceError, match=words):
        people.release(tmp_path / to, bits=5)
    assert people.remaining == 20


def test_an_interrupted_copy_is_free_to_write_again(people, tmp_path, monkeypatch):
    """Charged, not written: nothing is left behind, and the retry costs nothing."""
    from noiseless.curator.engines import duckdb as engine

    with monkeypatch.context() as broken:
        broken.setattr(engine, "_sha256", lambda part: 1 / 0)
        with pytest.raises(nl.EngineError, match="nothing was left"):
            people.release(tmp_path / "out.parquet", bits=5)
    assert list(tmp_path.iterdir()) == []
    left = people.remaining
    assert left < 20
    assert people.release(tmp_path / "out.parquet", bits=5).factor == 1
    assert people.remaining == left


def test_several_rows_of_a_person(tmp_path):
    rows = {"home": [1, 1, 1, 2, 2], "day": [1, 2, 3, 1, 2], "kwh": [0.1, 2.0, 3.9, 1.0, 4.0]}
    schema = nl.Schema(kwh=nl.Real(0, 4, step="0.1"), day=nl.Public(), unit="home", rows=2, order_by="day")
    with nl.Curator.open(pa.table(rows), schema, budget=20) as curator:
        made = curator.release(tmp_path / "out.parquet", bits=4)
        assert (made.plan.answers, made.guarantee.count, made.factor) == (4, 16, 16)
    found = sorted(tuple(row.values()) for row in pq.read_table(tmp_path / "out.parquet").to_pylist())
    assert [day for _, day in found] == [1, 1, 2, 2]


def test_certificates_of_copies_are_checked(people, tmp_path):
    made = people.release(tmp_path / "out.parquet", bits=5)
    text = made.certificate.to_json()
    for old, new in (('"cells of":"17"', '"cells of":"20"'), ('"count":"30"', '"count":"29"'), ('"a","b"', '"a","a"')):
        assert old in text
        with pytest.raises(nl.CertificateError, match="wrong"):
            nl.verify(nl.Certificate.from_json(text.replace(old, new)))
    with (tmp_path / "out.parquet").open("ab") as file:
        file.write(b"x")
    with pytest.raises(nl.CertificateError, match="not the file"):
        nl.verify(made.certificate, file=tmp_path / "out.parquet")
    with pytest.raises(nl.CertificateError, match="cannot read the file"):
        nl.verify(made.certificate, file=tmp_path / "none")
    asked = people.ask("SELECT COUNT(*) FROM people WHERE age > 30").certificate
    with pytest.raises(nl.CertificateError, match="not of a copy"):
        nl.verify(asked, file=tmp_path / "out.parquet")


@given(st.dictionaries(st.sampled_from("abcd"), st.integers(1, 50), min_size=1), st.integers(1, 3000))
def test_a_total_is_split_evenly(values, answers):
    """Within the total; no column could have one more; and raising the least by one would take another below it."""
    found = split(values, answers)
    product = np.prod([*found.values()])
    assert product <= max(answers, 1)
    for name, share in found.items():
        assert 1 <= share <= values[name]
        assert share == values[name] or product // share * (share + 1) > answers
    open_ones = [found[name] for name in values if found[name] < values[name]]
    if open_ones:
        even = {name: min(values[name], min(open_ones) + 1) for name in values}
        assert np.prod([*even.values()]) > answers


def test_less_memory_than_data(tmp_path):
    """A file of more than 100 MB with 60 MB of memory: it streams."""
    big = str(tmp_path / "big.parquet")
    duckdb.sql(f"COPY (SELECT random() * 100 AS x, random() * 100 AS y FROM range(8000000)) TO '{big}'")
    assert Path(big).stat().st_size > 100e6
    schema = nl.Schema(x=nl.Real(0, 100, step="0.01"), y=nl.Real(0, 100, step="0.01"))
    with nl.Curator.open(big, schema, budget=20, prepare=False, memory="60MB") as curator:
        curator.release(tmp_path / "out.parquet", bits=8)
    [(rows, different)] = duckdb.sql(f"SELECT COUNT(*), COUNT(DISTINCT x) FROM '{tmp_path}/out.parquet'").fetchall()
    assert (rows, different) == (8_000_000, 16)


def test_what_is_in_flight_may_change_and_is_charged_again(tmp_path):
    source, schema = tmp_path / "src.parquet", nl.Schema(x=nl.Integer(0, 20))
    pq.write_table(pa.table({"x": [1, 2, 3]}), source)
    with nl.Curator.open(source, schema, budget=20, prepare=False) as curator:
        assert curator.release(tmp_path / "1.parquet", bits=3).factor == 7
        pq.write_table(pa.table({"x": [11, 12, 13]}), source)
        assert curator.release(tmp_path / "2.parquet", bits=3).factor > 1


def test_the_order_of_rows_need_not_show(tmp_path):
    """A table that is ordered by a private column: the copy says what it assumes, or is ordered by itself."""
    salaries = {"pay": [1, 2, 40, 50, 90], "region": ["a", "b", "b", "a", "a"]}
    schema = nl.Schema(pay=nl.Integer(0, 99), region=nl.Public("a", "b"))
    with nl.Curator.open(pa.table(salaries), schema, budget=20) as curator:
        plain = curator.release(tmp_path / "plain.parquet", bits=1, sort=False)
        assert any("order" in words for words in plain.guarantee.assumptions)
        assert plain.certificate.content["sort"] is False
        assert "sort=False" in plain.summary()[1]
        ordered = curator.release(tmp_path / "sorted.parquet", bits=1)
        assert "ordered by what is released" in " ".join(ordered.guarantee.assumptions)
        assert nl.verify(ordered.certificate, file=tmp_path / "sorted.parquet").certificate.content["sort"] is True
    rows = [tuple(row.values()) for row in pq.read_table(tmp_path / "sorted.parquet").to_pylist()]
    assert rows == sorted(rows)


def test_many_rows_and_many_cells(tmp_path):
    """More than any budget is not affordable, and cells are never listed."""
    schema = nl.Schema(x=nl.Real(0, 10**6, step="0.01"), day=nl.Public(), unit="home", rows=8760, order_by="day")
    table = pa.table({"x": [1.0, 2.0], "home": [1, 1], "day": [1, 2]})
    with nl.Curator.open(table, schema, budget=20) as curator:
        assert not curator.preview_release(bits={"x": 2}).affordable
        assert "count" in curator.preview_release(bits={"x": 2}).fields()
        with pytest.raises(nl.BudgetExceededError):
            curator.release(tmp_path / "no.parquet", bits={"x": 2})
    with nl.Curator.open(
        pa.table({"x": [5, 10**13]}), nl.Schema(x=nl.Integer(-(10**13), 10**13)), budget=60
    ) as curator:
        curator.release(tmp_path / "fine.parquet", bits=33)
    few = nl.Schema(x=nl.Integer(0, 9), day=nl.Public(), unit="home", rows=2, order_by="day")
    with nl.Curator.open(table, few, budget=20) as curator:
        promise = curator.preview_release(bits={"x": 1}).guarantee
        assert (promise.count, promise.smallest_cell, promise.domain_size) == (4, 25, 100)


def test_whole_numbers_and_truths_have_hierarchies_too():
    schema = nl.Schema(grade=nl.Category(1, 2, 3), well=nl.Boolean())
    with nl.Curator.open(pa.table({"grade": [1, 2], "well": [True, False]}), schema, budget=9) as curator:
        wanted = {"hierarchies": {"grade": {"1": "low", "2": "low", "3": "high"}, "well": {"true": "x", "false": "x"}}}
        found = curator.preview_release(**wanted)
        assert [column.labels for column in found.plan.private] == [("low", "low", "high"), ("x", "x")]


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        ({"error": 5}, "error= is given by column"),
        ({"levels": ["ill"]}, "levels= is given by column"),
        ({"hierarchies": {"ill": 3}}, "groups above every value"),
        (
            {"bits": {"age": 1}, "hierarchies": {"ill": dict.fromkeys("abcde", None)}},
            "list the groups of a value as texts",
        ),
        ({"bits": 3, "together": ["age", "ill"]}, "lists of groups"),
        ({"columns": 3}, "list of names"),
        ({"bits": {"age": 1, "ill": 3}, "levels": {"ill": 0}}, "a level as well as bits"),
        ({"bits": {"ill": 3}, "error": {"age": 1}, "hierarchies": {"age": {"1": "x"}}}, "cannot have a hierarchy"),
    ],
)
def test_more_bad_input(people, wanted, words, tmp_path):
    with pytest.raises(nl.InputError, match=words):
        people.release(tmp_path / "out.parquet", **wanted)


def test_an_empty_table_and_a_hostile_certificate(people, tmp_path):
    nobody = pa.table({"h": pa.array([], pa.int64())})
    empty = nl.Curator.open(nobody, nl.Schema(h=nl.Integer(0, 9)), budget=9)
    with empty, pytest.raises(nl.SourceError, match="empty"):
        empty.release(tmp_path / "out.parquet", bits=1)
    content = dict(people.release(tmp_path / "out.parquet", bits=5).certificate.content)
    content["schema"] += '\n[unit]\ncolumn = "who"\nrows = 60000000000\norder_by = "id"\n'
    with pytest.raises(nl.CertificateError, match="number of rows of a person is impossible"):
        nl.verify(nl.Certificate(content))
