"""Cut points of one's own, columns of which nothing is left, and other data in the same cells."""

from __future__ import annotations

import copy
from datetime import date
from fractions import Fraction

import duckdb
import ibis
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import noiseless as nl
from noiseless.curator.microdata.cuts import cut

SCHEMA = nl.Schema(
    a=nl.Integer(0, 20),
    x=nl.Real(0, 2, step="0.1", missing="apart"),
    d=nl.Date("2024-01-01", "2024-01-20"),
    s=nl.Category("no", "yes", missing="?"),
    g=nl.Public("n", "s"),
)
CUTS = {"a": [3, 18], "x": ["0.55", 1], "d": ["2024-01-03", "2024-01-20"]}
N = 42
TABLE = pa.table(
    {
        "a": [k % 21 for k in range(N)],
        "x": [None if k % 7 == 0 else (k % 21) / 10 for k in range(N)],
        "d": [date(2024, 1, 1 + k % 20) for k in range(N)],
        "s": [("no", "yes", None)[k % 3] for k in range(N)],
        "g": ["n" if k % 2 else "s" for k in range(N)],
    }
)


@pytest.fixture
def curator():
    with nl.Curator.open(TABLE, SCHEMA, budget=60, table="t") as curator:
        yield curator


def released(curator, to, **wanted):
    made = curator.release(to, **wanted)
    assert nl.verify(made.certificate, file=to).count == made.guarantee.count
    return made, pq.read_table(to).to_pylist()


@pytest.mark.parametrize("intervals", [False, True])
@pytest.mark.parametrize("suffix", ["parquet", "csv"])
def test_cells_between_cut_points(curator, tmp_path, intervals, suffix):
    to = tmp_path / f"o.{suffix}"
    made = curator.release(to, cuts=CUTS, columns=["a", "x", "d"], intervals=intervals)
    assert nl.verify(made.certificate, file=to).count == 3 * 4 * 3 == made.factor
    assert [len(cells.middles()) for cells in made.plan.private] == [3, 3, 3]
    if suffix == "csv":
        return
    rows = pq.read_table(to).to_pylist()
    assert {row["a"] for row in rows} == {1.0, 10.0, 19.0}
    assert {row["d"] for row in rows} == {date(2024, 1, 1), date(2024, 1, 11), date(2024, 1, 20)}
    assert {row["x"] for row in rows} == {None, 0.25, 0.75, 1.5}  # 0.55 is on no step: cells begin at 0, 0.6 and 1
    if intervals:
        assert {(row["a_lower"], row["a_upper"]) for row in rows} == {(0, 2), (3, 17), (18, 20)}


def test_the_truth_is_inside_and_errors_are_kept(curator, tmp_path):
    made, _ = released(curator, tmp_path / "o.parquet", cuts=CUTS, columns=["a", "x", "d"], intervals=True)
    cells = {column.name: column for column in made.plan.private}
    for code in range(21):
        place = cells["a"].place_of(code)
        first, end = (0, 3, 18)[place], (3, 18, 21)[place]
        assert first <= code < end
        assert abs(cells["a"].middle_of(place) - code) <= cells["a"].error
    given = TABLE.to_pandas()
    encoded = made.encode(given)
    for before, after in zip(given.to_dict("records"), encoded.to_dict("records"), strict=True):
        assert after["a_lower"] <= before["a"] <= after["a_upper"]
        assert abs(after["a"] - before["a"]) <= cells["a"].error
        if not pd.isna(before["x"]):
            assert after["x_lower"] <= before["x"] <= after["x_upper"]
            assert abs(Fraction(after["x"]) - Fraction(before["x"])) <= cells["x"].error


def test_the_count_is_attained(tmp_path):
    """Every value of one person's column: as many reports as counted."""
    seen = set()
    for value in [*range(21)]:
        table = pa.table({"a": [value]})
        with nl.Curator.open(table, nl.Schema(a=nl.Integer(0, 20)), budget=9, table="t") as curator:
            made, [row] = released(curator, tmp_path / f"{value}.parquet", cuts={"a": [3, 18]})
            seen.add(row["a"])
    assert len(seen) == made.guarantee.count == 3


TENTHS = nl.Real("0.1", "0.7", step="0.1")
CELLS = [
    (nl.Integer(0, 20), [3, 18], [3, 15, 3]),
    (nl.Integer(0, 20), [1, 2, 20], [1, 1, 18, 1]),
    (nl.Integer(0, 20), [15, 18], [15, 3, 3]),
    (TENTHS, ["0.25", "0.5"], [2, 2, 3]),
    (nl.Real(0, 7, step=1, missing="apart"), [4], [4, 4]),
    (nl.Date("2024-01-01", "2024-01-20"), ["2024-01-03"], [2, 18]),
]


@pytest.mark.parametrize(("column", "points", "sizes"), CELLS)
def test_cells_by_brute_force(column, points, sizes):
    made = cut("x", column, Fraction(0), points)
    cells = [[code for code in range(column.top + 1) if made.place_of(code) == place] for place in range(made.cells)]
    assert list(map(len, cells)) == sizes
    assert [code for cell in cells for code in cell] == list(range(column.top + 1))
    assert (made.width, made.smallest) == (max(sizes), 1 if column.apart else min(sizes))
    assert made.answers == len(sizes) + column.apart
    for place, cell in enumerate(cells):
        exact = column.number(Fraction(cell[0] + cell[-1], 2))
        assert made.middle_of(place) == (exact // 1 if isinstance(column, nl.Date) else exact)
        for code in cell:
            [found] = duckdb.sql(f"SELECT {made.first_sql(str(code))}, {made.middle_sql(str(code))}").fetchall()
            assert found == (cell[0], cell[0] + cell[-1])


def test_the_outer_ends_are_outside_of_the_bounds():
    """0.1 as a double is above a tenth, and 0.7 below seven of them."""
    codes = ibis.memtable(pa.table({"code": range(TENTHS.top + 1)}))
    made = cut("x", TENTHS, Fraction(0), ["0.4"]).outputs(codes.code, True)
    rows = codes.select("code", **made).order_by("code").to_pyarrow().to_pylist()
    assert Fraction(rows[0]["x_lower"]) < Fraction(1, 10)
    assert Fraction(rows[-1]["x_upper"]) > Fraction(7, 10)
    assert [rows[0]["x_upper"], rows[-1]["x_lower"]] == [0.3, 0.4]


def test_most_cuts():
    column = nl.Integer(0, 2000)
    assert cut("x", column, Fraction(0), range(1, 1001)).cells == 1001
    with pytest.raises(nl.SchemaError):
        cut("x", column, Fraction(0), range(1, 1002))


def test_forged_cells_do_not_verify(curator, tmp_path):
    made, _ = released(curator, tmp_path / "o.parquet", cuts={"a": [3, 18]}, columns=["a"])
    for forged in (["0", "4", "18"], ["0", "3"], ["3", "18"], ["0", "18", "3"], ["0", "3", "18", "21"], []):
        content = copy.deepcopy(made.certificate.content)
        content["columns"][0]["cells from"] = forged
        from noiseless.curator.certificate.certificate import seal

        content.pop("id")
        with pytest.raises(nl.CertificateError):
            nl.verify(seal(content, None), file=tmp_path / "o.parquet")


@pytest.mark.parametrize(
    ("cuts", "words"),
    [
        ({"a": [3, 3]}, "must rise"),
        ({"a": [0]}, "must rise"),
        ({"a": [21]}, "must rise"),
        ({"a": []}, "must rise"),
        ({"a": ["x"]}, "cuts of 'a'"),
        ({"a": "318"}, "must be a list"),
        ({"a": 3}, "must be a list"),
        ({"s": [1]}, "only numbers and dates"),
        ({"z": [1]}, "'z' is not a private column"),
        ([3], "given by column"),
    ],
)
def test_cuts_that_make_no_sense(curator, cuts, words):
    with pytest.raises(nl.InputError, match=words):
        curator.preview_release(cuts=cuts, columns=["a", "s"])


def test_cuts_and_bits_exclude_each_other(curator):
    with pytest.raises(nl.BudgetError, match="'a' has cut points as well as bits"):
        curator.preview_release(cuts={"a": [3]}, bits={"a": 2}, columns=["a"])


def test_a_total_that_leaves_nothing_of_a_column(curator, tmp_path):
    wanted = {"bits": 1, "columns": ["a", "d"]}
    assert "d is constant: every row shows the same value" in curator.preview_release(**wanted).summary()
    with pytest.raises(nl.BudgetError, match=r"every row would show the same.*constant=True"):
        curator.release(tmp_path / "o.parquet", **wanted)
    assert len(curator.entries()) == 1
    made, rows = released(curator, tmp_path / "o.parquet", **wanted, constant=True)
    assert {len({str(row[name]) for row in rows}) for name in ("a", "d")} == {1, 2}
    assert made.guarantee.count == 2


KINDS = [lambda table: table, lambda table: table.to_pandas(), pl.from_arrow]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "wanted", [{"bits": 12}, {"cuts": CUTS, "intervals": True}, {"error": {"a": 2, "x": 1, "d": 3}}]
)
def test_encoding_the_table_itself_gives_the_copy(curator, tmp_path, kind, wanted):
    made, rows = released(curator, tmp_path / "o.parquet", **wanted)
    encoded = made.encode(kind(TABLE))
    assert type(encoded) is type(kind(TABLE))
    table = encoded.to_arrow() if isinstance(encoded, pl.DataFrame) else pa.table(encoded)
    assert sorted(map(str, table.to_pylist())) == sorted(map(str, rows))
    assert [entry.kind for entry in curator.entries()] == ["open", "release", "answer"]  # nothing more is charged


def test_encoding_other_data(curator, tmp_path):
    made, _ = released(curator, tmp_path / "o.parquet", cuts={"a": [3, 18]}, columns=["a", "s"])
    other = pd.DataFrame({"s": ["yes", "?!", None], "a": [-5, 17.4, 900], "unused": [1, 2, 3]})
    assert made.encode(other).to_dict("list") == {"a": [1.0, 10.0, 19.0], "s": ["yes", "?", "?"]}
    with pytest.raises(nl.SchemaError, match="no private column of the copy; give at least one of a, s"):
        made.encode(pd.DataFrame({"unused": [1]}))
    with pytest.raises(nl.SourceError, match="cannot be encoded"):
        made.encode([1, 2])


def test_encoding_with_a_policy(tmp_path):
    box = nl.Schema(w=nl.Real(0, 20, step=1), h=nl.Real(0, 4, step=1))
    data = pd.DataFrame({"w": [float(k % 21) for k in range(60)], "h": [float(k % 5) for k in range(60)]})
    heavy = nl.Boundary("w", lambda h: 3 * h + 2)
    with nl.Curator.open(data, box, budget=30, table="t") as curator:
        made = curator.release(tmp_path / "o.parquet", policies=[nl.Shift(heavy, error=2)])
        found = pd.read_parquet(tmp_path / "o.parquet")
        again = made.encode(data)
        assert sorted(map(tuple, again.to_numpy().tolist())) == sorted(map(tuple, found.to_numpy().tolist()))
