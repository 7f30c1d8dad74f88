"""Released copies: counts by trying every value, truth inside the intervals, prices, errors, nothing half-written."""

from __future__ import annotations

import json
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
from tests.curator.small import RAW, SCHEMA, TYPES

GROUPS = {"s": {"no": ["known", "all"], "yes": ["known", "all"], "unknown": ["unknown", "all"]}}
WANTED = [
    {"bits": 9},
    {"bits": 6, "hierarchies": GROUPS},
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


PEOPLE = {
    "age": list(range(20, 70)),
    "region": ["n", "s"] * 25,
    "ill": ["a", "b", "c", "d", "e"] * 10,
    "id": list(range(50)),
}
AGES = nl.Schema(
    age=nl.Integer(0, 99), ill=nl.Category("a", "b", "c", "d", "e"), region=nl.Public("n", "s"), id=nl.Public()
)


@pytest.fixture
def people():
    with nl.Curator.open(pa.table(PEOPLE), AGES, budget=20, table="people") as curator:
        yield curator


def test_public_columns_as_they_are_and_undeclared_ones_dropped(tmp_path):
    schema = nl.Schema(age=nl.Integer(0, 99), region=nl.Public("n", other="elsewhere"), id=nl.Public())
    with nl.Curator.open(pa.table(PEOPLE), schema, budget=20) as curator:
        curator.release(tmp_path / "out.csv", bits=2)
    rows = duckdb.sql(f"SELECT * FROM '{tmp_path}/out.csv'")
    assert rows.columns == ["age", "region", "id"]
    people = zip(PEOPLE["age"], PEOPLE["region"], PEOPLE["id"], strict=True)
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
    assert [entry.kind for entry in people.entries()].count("release") == 2
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
        ({"bits": {"height": 1}}, nl.SchemaError, "'height' is no private column"),
        ({"columns": ["weight"], "bits": 1}, nl.SchemaError, "no private column 'weight'"),
        ({"columns": [], "bits": 1}, nl.SchemaError, "at least one"),
        ({"bits": 1}, nl.BudgetError, "ill already make 5"),
        ({"bits": {"age": 1}, "error": {"age": 1}}, nl.BudgetError, "bits and an error"),
        ({"bits": {"age": 1, "ill": 1}}, nl.BudgetError, "no level of a declared hierarchy"),
        ({"error": {"ill": 1}}, nl.BudgetError, "named values"),
        ({"error": {"age": -1}}, nl.BudgetError, "below 0"),
        ({"bits": 5, "hierarchies": {"ill": {"a": "x", "b": "x"}}}, nl.SchemaError, "gap: no group for the value 'c'"),
        ({"bits": 5, "hierarchies": {"ill": dict.fromkeys("abcdef", "x")}}, nl.SchemaError, "no declared value"),
        ({"bits": {"age": 2}, "levels": {"ill": 1}}, nl.SchemaError, "no hierarchy to generalise by"),
        ({"bits": {"age": 2}, "levels": {"age": 1}}, nl.BudgetError, ""),
        ({"bits": 9, "grids": [("age", "region")]}, nl.SchemaError, "belongs together with nothing"),
        ({"bits": 9, "grids": [("age",)]}, nl.SchemaError, "a pair of columns"),
        ({"policies": ["shift"]}, nl.SchemaError, "no policy"),
    ],
)
def test_bad_input(people, wanted, error, words, tmp_path):
    if wanted.get("levels") == {"age": 1}:
        wanted, error, words = {"levels": {"age": 1}}, nl.SchemaError, "levels are 0, 1, 2"
    with pytest.raises(error, match=words):
        people.release(tmp_path / "out.parquet", **wanted)
    assert list(tmp_path.iterdir()) == []
    assert people.remaining == 20


@pytest.mark.parametrize(
    ("to", "words"), [("out.xlsx", "ends in .parquet or .csv"), ("no/out.parquet", "no such folder")]
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


def test_a_policy_instead_of_cells(tmp_path):
    draw = np.random.default_rng(3)
    table = pa.table({"weight": draw.uniform(0, 200, 500), "height": draw.uniform(0, 250, 500)})
    schema = nl.Schema(weight=nl.Real(0, 200, step="0.1"), height=nl.Real(0, 250, step="0.1"))
    policy = nl.Shift(nl.Boundary("weight", lambda height: 0.003 * height**2), error=2)
    with nl.Curator.open(table, schema, budget=30) as curator:
        made = curator.release(tmp_path / "out.parquet", policies=[policy], together=[("weight", "height")])
        box = nl.Box(weight=(0, 200), height=(0, 250))
        assert float(made.certificate.content["policies"][0]["epsilon"]) <= policy.certify(box).epsilon
        assert made.factor == 2001 * 2501
        assert nl.verify(made.certificate, file=tmp_path / "out.parquet").count == made.factor
    found = pq.read_table(tmp_path / "out.parquet")
    codes = np.round(np.sort(table["height"].to_numpy()), 1)
    assert np.allclose(np.sort(found["height"].to_numpy()), codes, atol=0.051)
    with nl.Curator.open(table, schema, budget=12) as poor, pytest.raises(nl.BudgetExceededError):
        poor.release(tmp_path / "more.parquet", policies=[policy])


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
    with pytest.raises(nl.CertificateError, match="cannot be read"):
        nl.verify(made.certificate, file=tmp_path / "none")
    asked = people.ask("SELECT COUNT(*) FROM people WHERE age > 30").certificate
    with pytest.raises(nl.CertificateError, match="not of a file"):
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


def test_utility(people, tmp_path):
    preview = people.preview_release(bits={"age": 2, "ill": 3}, together=[("age", "ill")])
    found = people.utility(preview)
    [age] = found.columns
    ages = np.array(PEOPLE["age"])
    reports = 25 * (ages // 25) + 12
    assert age.measured == np.abs(ages - reports).max() <= age.promised == 12
    assert age.mean_difference == pytest.approx((reports - ages).mean())
    assert age.before.sum() == pytest.approx(1) == age.after.sum()
    assert age.divergence > 0
    assert 0 < age.variation < 1
    exact = people.utility(people.preview_release(bits={"age": 7, "ill": 3}))
    assert exact.columns[0].divergence == pytest.approx(0, abs=1e-12)
    assert exact.unique == (1.0, 1.0)
    assert "For the custodian only" in found.html()
    assert "must not be passed on" in found.to_json()
    assert "age, ill" in found.html()
    assert json.loads(found.to_json())["generalised"]["ill"] == {"values": 5, "groups": 5}


def test_correlations_are_those_of_the_two_tables(tmp_path):
    draw = np.random.default_rng(5)
    height = draw.normal(170, 10, 2000).clip(100, 250)
    table = pa.table({"height": height, "weight": (height - 100 + draw.normal(0, 8, 2000)).clip(0, 200)})
    schema = nl.Schema(height=nl.Real(100, 250, step="0.1"), weight=nl.Real(0, 200, step="0.1"))
    with nl.Curator.open(table, schema, budget=20) as curator:
        found = curator.utility(curator.release(tmp_path / "out.parquet", bits=8)).correlations["height", "weight"]
    out = pq.read_table(tmp_path / "out.parquet").to_pandas()
    assert found[0] == pytest.approx(table.to_pandas().corr().iloc[0, 1], abs=1e-4)
    assert found[1] == pytest.approx(out.corr().iloc[0, 1], abs=1e-9)


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
