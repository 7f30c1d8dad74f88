"""What a column becomes in a copy, by brute force: cells, errors, ends that hold the truth, groups."""

from __future__ import annotations

from datetime import timedelta
from fractions import Fraction
from itertools import product

import duckdb
import ibis
import pandas as pd
import pyarrow as pa
import pytest

import noiseless as nl
from noiseless.curator.microdata.columns import (
    EXACT,
    OUTWARD,
    Cells,
    Groups,
    PublicKeys,
    hierarchy_of,
    levels_of,
    numbers,
    quotient,
    width_for,
)
from noiseless.curator.microdata.plan import Wanted
from noiseless.curator.microdata.split import split
from noiseless.curator.schema.dates import EPOCH
from noiseless.privacy.composition import questions as q

REAL = nl.Real("-0.4", "1.6", step="0.2", missing="-0.4")
SCALES = [
    REAL,
    nl.Real(0, 7, step=1, missing="apart"),
    nl.Date("2024-01-01", "2024-01-10", missing="2024-01-01"),
    nl.Integer(3, 9, step=2),
    nl.Date("1969-12-20", "1969-12-30", missing="1969-12-20"),
]


@pytest.mark.parametrize("column", SCALES, ids=lambda column: type(column).__name__)
def test_cells(column):
    for width in range(1, column.top + 2):
        made = Cells("x", column, width, column.step / 2)
        cells = [[code for code in range(column.top + 1) if code // width == place] for place in range(made.cells)]
        assert all(cells)
        assert made.answers == len(cells) + column.apart
        assert made.smallest == (1 if column.apart else min(map(len, cells)))
        assert [made.end_of(place) for place in range(made.cells)] == [cell[-1] + 1 for cell in cells]
        assert [made.place_of(code) for code in range(column.top + 1)] == [
            p for p, cell in enumerate(cells) for _ in cell
        ]
        shown = [(cell[0], cell[0] + cell[-1]) for cell in cells for _ in cell]
        sql = f"SELECT {made.first_sql('code')}, {made.middle_sql('code')} FROM range({column.top + 1}) t(code)"
        assert duckdb.sql(sql).fetchall() == shown
        for cell, middle in zip(cells, made.middles(), strict=True):
            exact = (column.number(cell[0]) + column.number(cell[-1])) / 2
            assert middle == (exact // 1 if isinstance(column, nl.Date) else exact)
            for code in cell:
                assert abs(column.number(code) - middle) <= made.error - made.rounding
        if isinstance(column, nl.Date):
            assert made.error == width // 2 + made.rounding
        else:
            assert made.error == Fraction(width - 1, 2) * column.step + made.rounding
        expected = q.OtherQuestion(("x",), made.answers) if column.apart else q.PlainSum("x", width, 1, column.top)
        assert made.question == expected
    too_wide = Cells("x", column, column.top + 5, Fraction(0))
    assert (too_wide.cells, too_wide.error) == (1, Cells("x", column, column.top + 1, Fraction(0)).error)


@pytest.mark.parametrize("rounded", [0, 1], ids=["exact", "rounded"])
@pytest.mark.parametrize("column", SCALES, ids=lambda column: type(column).__name__)
def test_what_every_code_becomes(column, rounded):
    """The middle of its cell and the ends, widened by the rounding of codes; the outer ends are the bounds."""

    def shown(number):
        return EPOCH + timedelta(days=int(number)) if isinstance(column, nl.Date) else float(number)

    codes = ibis.memtable(pa.table({"code": range(column.top + 1)}))
    for width in range(1, column.top + 2):
        made = Cells("x", column, width, rounded * column.step / 2)
        rows = codes.select("code", **made.outputs(codes.code, True)).order_by("code").to_pyarrow().to_pylist()
        for code, row in enumerate(rows):
            place = code // width
            lower = column.number(place * width) - made.margin if place else column.low
            upper = column.number(place * width + width - 1) + made.margin if place < made.cells - 1 else column.high
            ends = {"x_lower": shown(lower), "x_upper": shown(upper)}
            assert row == {"code": code, "x": shown(made.middles()[place]), **ends}
        assert made.outputs(codes.code, False).keys() == {"x"}


@pytest.mark.parametrize("column", SCALES, ids=lambda column: type(column).__name__)
def test_the_narrowest_cells_for_so_many_answers(column):
    for answers in range(1 + column.apart, column.values + 3):
        fitting = [w for w in range(1, column.top + 2) if Cells("x", column, w, 0).answers <= answers]
        assert width_for(column, answers) == min(fitting)
    assert width_for(column, 1) == column.top + 1


def test_margins_are_short_numbers_just_above_the_rounding():
    for column in (REAL, nl.Real(1000, 1001, step="0.01"), nl.Real(0, 6, step=3)):
        made = Cells("x", column, 2, column.step / 2)
        thousandth = column.step / 1000
        assert column.step / 2 < made.margin <= column.step / 2 + thousandth
        assert (made.margin / thousandth).denominator == 1
    assert Cells("x", REAL, 2, Fraction(0)).margin == 0
    least = OUTWARD * 8  # of bounds and step together
    for rounding, thousandths in ((1 - least, 500), (1 - least + OUTWARD / 2, 501)):
        assert Cells("x", nl.Real(-2, 4, step=2), 2, rounding).margin == Fraction(2 * thousandths, 1000)
    assert Cells("d", SCALES[2], 2, Fraction(3, 2)).margin == 2


JUST = Fraction(1, 2) - Fraction(1, 10**6)


@pytest.mark.parametrize(
    "column", [REAL, nl.Real(0, 7, step=1, missing="apart"), nl.Real("0.1", "0.8", step="0.1", missing="0.1")]
)
@pytest.mark.parametrize("width", [1, 2, 3, 5])
def test_the_truth_is_in_every_cell_of_a_copy(column, width, tmp_path):
    """Values off the grid: just below and above the edges of cells, at low and high, beyond them, missing."""
    offsets = (Fraction(-1, 2), -JUST, 0, JUST)
    exact = [column.number(code) + column.step * off for code, off in product(range(column.top + 1), offsets)]
    raw = [float(each) for each in exact] + [float(column.low) - 9, float(column.high) + 9, None]
    table = pd.DataFrame({"x": raw, "id": range(len(raw))})
    answers = Cells("x", column, width, Fraction(0)).answers
    with nl.Curator.open(table, nl.Schema(x=column, id=nl.Public()), budget=90, table="t") as curator:
        made = curator.release(tmp_path / "copy.parquet", bits={"x": f"{len(bin(answers))}"}, intervals=True)
        error = made.plan.private[0].error
        found = duckdb.sql(f"SELECT * FROM '{tmp_path / 'copy.parquet'}' ORDER BY id").fetchall()
        names = [each[0] for each in duckdb.sql(f"DESCRIBE '{tmp_path / 'copy.parquet'}'").fetchall()]
    for value, row in zip(raw, (dict(zip(names, each, strict=True)) for each in found), strict=True):
        if value is None and column.apart:
            assert row["x"] is None
            continue
        truth = column.low if value is None else min(max(Fraction(value), column.low), column.high)
        if value is not None:
            assert Fraction(row["x_lower"]) <= truth <= Fraction(row["x_upper"])
            assert abs(Fraction(row["x"]) - truth) <= error + Fraction(1, 10**12)
        assert float(column.low) <= row["x_lower"] + column.step * 1
        assert row["x_lower"] <= row["x"] <= row["x_upper"]
        assert row["x_lower"] >= float(column.low) - 1e-12
        assert row["x_upper"] <= float(column.high) + 1e-12


def test_the_doubles_of_codes():
    assert numbers(REAL).tolist() == [float(REAL.number(code)) for code in range(REAL.top + 1)]
    large = nl.Real(10**16, 10**16 + 4096, step=1024)
    assert numbers(large).tolist() == [10**16 + 1024.0 * code for code in range(5)]


@pytest.mark.parametrize(
    ("low", "step", "together", "once"), [(3, 3002399751580327, 0, False), (1, 3002399751580328, 1, True)]
)
def test_numbers_are_rounded_once_as_long_as_doubles_are_whole(low, step, together, once):
    """Fifths, so large that 2^53 is reached, and just not."""
    column = nl.Real(Fraction(low, 5), Fraction(low + 3 * step, 5), step=Fraction(step, 5))
    assert (abs(column.low) + abs(column.high) + 1) * 5 == EXACT - together
    nearest = [float(column.number(code)) for code in range(4)]
    twice = [code * float(column.step) + float(column.low) for code in range(4)]
    assert nearest != twice
    codes = ibis.memtable(pa.table({"code": range(4)}))
    made = quotient(codes.code, column.step, column.low, column.high)
    assert numbers(column).tolist() == (nearest if once else twice)
    assert codes.select("code", x=made).order_by("code").to_pyarrow()["x"].to_pylist() == (nearest if once else twice)


ILLS = nl.Category("flu", "cough", "none")
ABOVE = {"flu": ["chest", "ill"], "cough": ["chest", "ill"], "none": ["none", "well"]}


def test_groups():
    kept = Groups("s", ILLS, ILLS.keys)
    assert (kept.kept, kept.answers, kept.smallest, kept.question) == (True, 3, 1, q.ExactHistogram("s", 3))
    chest = Groups("s", ILLS, ("chest", "chest", "none"))
    assert (chest.kept, chest.answers, chest.smallest) == (False, 2, 1)
    assert chest.question == q.OtherQuestion(("s",), 2)
    assert Groups("s", ILLS, ("all",) * 3).smallest == 3
    truth = nl.Boolean(missing="apart")
    told = Groups("b", truth, truth.keys)
    assert (told.kept, told.answers, told.smallest, told.question) == (True, 3, 1, q.OtherQuestion(("b",), 3))
    assert (Groups("b", truth, ("any", "any")).answers, Groups("b", truth, ("any", "any")).smallest) == (2, 1)


@pytest.mark.parametrize(
    ("column", "shown", "kind"),
    [
        (PublicKeys("g", nl.Public("n", "s")), ["n", "s", None], pa.string()),
        (PublicKeys("g", nl.Public("n")), ["n", None, None], pa.string()),
        (PublicKeys("g", nl.Public(7)), [7, None, None], pa.int64()),
        (PublicKeys("g", nl.Public(5, 3, 1)), [5, 3, 1], pa.int64()),
        (PublicKeys("g", nl.Public()), [0, 1, 2], pa.int64()),
        (Groups("g", ILLS, ("chest", "chest", "none")), ["chest", "chest", "none"], pa.string()),
        (Groups("g", nl.Boolean("apart"), (False, True)), [False, True, None], pa.bool_()),
    ],
)
def test_labels_of_codes(column, shown, kind):
    codes = ibis.memtable(pa.table({"code": range(3)}))
    made = codes.select("code", **column.outputs(codes.code, False)).order_by("code").to_pyarrow()["g"]
    assert (made.to_pylist(), made.type) == (shown, kind)


def test_hierarchies():
    assert [hierarchy_of("s", ILLS, ABOVE, level) for level in range(3)] == [
        ("flu", "cough", "none"),
        ("chest", "chest", "none"),
        ("ill", "ill", "well"),
    ]
    assert (levels_of("s", ABOVE), levels_of("s", {}), levels_of("s", {"a": "b", "c": ["d", "e"]})) == (2, 0, 1)
    assert hierarchy_of("k", nl.Category(1, 2), {"1": "low", "2": ["high"]}, 1) == ("low", "high")
    assert hierarchy_of("k", nl.Category(1, 2), {"1": "low", "2": ["high"]}, 0) == (1, 2)
    assert hierarchy_of("s", nl.Category("A", "a"), {"A": "large", "a": "small"}, 1) == ("large", "small")
    assert hierarchy_of("b", nl.Boolean(), {"true": 1, "false": 0}, 1) == ("0", "1")
    wrong = [
        ({"flu": "a", "cough": "b"}, 1, "names no group"),
        ({**ABOVE, "other": "x"}, 1, "not a declared value"),
        (ABOVE, 3, "no level 3"),
        ({**ABOVE, "flu": 1.5}, 1, "as texts"),
        ({**ABOVE, "flu": [None]}, 1, "as texts"),
        ({**ABOVE, "flu": ["chest", None]}, 1, "as texts"),
    ]
    for given, level, words in wrong:
        with pytest.raises(nl.SchemaError, match=words):
            hierarchy_of("s", ILLS, given, level)


def test_shares():
    for sizes in ({"a": 3}, {"a": 10, "b": 4}, {"a": 2, "b": 50, "c": 7}):
        for total in (1, 2, 5, 8, 64, 1000):
            found = split(sizes, total)
            product_of = 1
            for name, answers in found.items():
                assert 1 <= answers <= sizes[name]
                product_of *= answers
            assert product_of <= total


@pytest.fixture
def curator():
    table = pd.DataFrame({"x": [0.1, 1.2], "a": [3, 5], "s": ["flu", "none"], "d": [1, 2], "g": ["n", "s"]})
    columns = {"x": nl.Real(0, 2, step="0.1"), "a": nl.Integer(0, 15), "s": ILLS, "g": nl.Public("n", "s")}
    with nl.Curator.open(table, nl.Schema(columns), budget=90, table="t") as opened:
        yield opened


def answers(curator, **wanted) -> dict[str, int]:
    return {column.name: column.answers for column in curator.preview_release(**wanted).plan.private}


def test_what_is_planned(curator):
    assert answers(curator, bits={"x": 2, "a": 1}) == {"x": 4, "a": 2, "s": 3}
    assert answers(curator, bits={"a": "1.6"}, columns=["a"]) == {"a": 3}
    assert answers(curator, bits={"x": 2, "a": 1, "s": 1}, hierarchies={"s": ABOVE}) == {"x": 4, "a": 2, "s": 2}
    assert answers(curator, bits={"x": 2, "a": 1, "s": 2}, hierarchies={"s": ABOVE})["s"] == 3
    assert answers(curator, bits={"x": 2, "a": 1}, levels={"s": 0}, hierarchies={"s": ABOVE})["s"] == 3
    assert answers(curator, bits={"x": 2, "a": 1}, levels={"s": 1}, hierarchies={"s": ABOVE})["s"] == 2
    assert answers(curator, bits={"x": 2, "a": 1}, hierarchies={"s": ABOVE})["s"] == 2
    found = answers(curator, bits=9)
    assert found["s"] == 3
    assert found["x"] * found["a"] * 3 <= 2**9
    assert answers(curator, bits=9, columns="a") == {"a": 16}
    [whole] = curator.preview_release(bits=0, columns="a").plan.private
    assert (whole.width, whole.answers) == (16, 1)
    assert answers(curator, bits={"x+a": 4}, columns=["x", "a"]).keys() == {"x", "a"}
    pair = curator.preview_release(bits={("x", "a"): 4}, columns=["a", "x"])
    assert pair.plan.answers <= 16
    assert (pair.plan.grids, pair.plan.released) == ((("x", "a"),), ["x", "a"])
    assert answers(curator, error={"x": "0.06"}, columns=["x"]) == {"x": 21}  # the least that rounding allows
    told = curator.preview_release(error={"x": "0.3", "a": 2}, columns=["x", "a"])
    assert [column.error <= wanted for column, wanted in zip(told.plan.private, (Fraction(3, 10), 2), strict=True)]
    for column, wanted in zip(told.plan.private, (Fraction(3, 10), Fraction(2)), strict=True):
        assert column.error <= wanted < Cells(column.name, column.column, column.width + 1, column.rounding).error
    assert [type(column) for column in told.plan.columns][-1] is PublicKeys


def test_a_total_of_bits_holds_whatever_else_is_said(curator):
    """Columns with an error or a level of their own count against it, even if no column is left to choose for."""
    errors = {"error": {"x": 0.3, "a": 2}, "columns": ["x", "a"]}
    rows = curator.preview_release(**errors).plan.answers
    assert (answers(curator, **errors), rows) == ({"x": 5, "a": 4}, 20)
    assert answers(curator, **errors, bits=5) == {"x": 5, "a": 4}
    with pytest.raises(nl.BudgetError, match="bits=4 allow 16 different rows, and x, a already make 20"):
        curator.preview_release(**errors, bits=4)
    assert answers(curator, error={"x": 0.3, "a": 2}) == {"x": 5, "a": 4, "s": 3}


def test_a_name_with_a_plus_is_a_name():
    table = pd.DataFrame({"x": [0, 1], "x+y": [0, 1], "y": [0, 1]})
    schema = nl.Schema({name: nl.Integer(0, 7) for name in ("x", "x+y", "y")})
    with nl.Curator.open(table, schema, budget=9, table="t") as curator:
        assert answers(curator, bits={"x": 1, "x+y": 2, "y": 3}) == {"x": 2, "x+y": 4, "y": 8}


NOT_LISTS = [
    ({"grids": "xa"}, nl.SchemaError),
    ({"together": 5}, nl.SchemaError),
    ({"together": [b"xa"]}, nl.SchemaError),
    ({"grids": [5]}, nl.SchemaError),
    ({"grids": [("x", 5)]}, nl.SchemaError),
    ({"policies": "none"}, nl.SchemaError),
    ({"columns": 5}, nl.SchemaError),
    ({"columns": ["x", 5]}, nl.SchemaError),
    ({"columns": [None]}, nl.SchemaError),
    ({"error": 1}, nl.BudgetError),
    ({"levels": ["s"]}, nl.BudgetError),
    ({"hierarchies": [ABOVE]}, nl.BudgetError),
    ({"hierarchies": {"s": ["ill"]}}, nl.SchemaError),
]


@pytest.mark.parametrize(("wanted", "error"), NOT_LISTS)
def test_what_is_wanted_has_a_shape(wanted, error):
    with pytest.raises(error):
        Wanted(**wanted)


def test_one_name_is_a_list_of_one():
    assert Wanted(columns="x") == Wanted(columns=["x"]) == Wanted(columns=("x",))
    assert Wanted(grids=iter([("x", "a")])).grids == (("x", "a"),)


WRONG = [
    ({"bits": {"x": 1, "a": 1, "z": 1}}, "'z' is not a private column"),
    ({"bits": {"x": 1}, "error": {"x": 1}, "columns": ["x"]}, "bits and an error"),
    ({"bits": {"s": 2}, "levels": {"s": 1}, "columns": ["s"]}, "a level as well as bits"),
    ({"hierarchies": {"x": {}}, "bits": 9}, "is a column of numbers"),
    ({"bits": {"x": 1}}, "'a' needs bits or an error"),
    ({"bits": 1}, "already make 3"),
    ({"error": {"s": 1}, "columns": ["s"]}, "cannot have an error"),
    ({"error": {"x": 0}, "columns": ["x"]}, "rounding to its step"),
    ({"bits": {"s": 1}, "columns": ["s"]}, "groups or fewer"),
    ({"levels": {"s": 1}, "columns": ["s"]}, "no hierarchy"),
    ({"levels": {"x": 1}, "columns": ["x"]}, "a level is 0, 1, 2"),
    ({"levels": {"s": -1}, "columns": ["s"]}, "a level is 0, 1, 2"),
    ({"bits": 9, "columns": []}, "at least one"),
    ({"bits": 9, "columns": ["x", "x"]}, "each once"),
    ({"bits": 9, "columns": ["g"]}, "'g' is not a private column"),
    ({"bits": 9, "grids": [("x", "g")]}, "'g' is not a private column"),
    ({"bits": 9, "grids": [("x", "a", "s")]}, "pair"),
    ({"bits": {"x+g": 4}, "columns": ["x"]}, "pair of private columns"),
    ({"bits": {("x", "a", "s"): 4}}, "pair of private columns"),
    ({"bits": {("x", "a", "g"): 4}}, "pair of private columns"),
    ({"bits": 9, "hierarchies": {"z": {}}}, "'z' is not a private column"),
    ({"bits": 9, "levels": {"z": 1}}, "'z' is not a private column"),
]


@pytest.mark.parametrize(("wanted", "words"), WRONG, ids=[words for _, words in WRONG])
def test_what_cannot_be_planned(curator, wanted, words):
    with pytest.raises(nl.InputError, match=words):
        curator.preview_release(**wanted)


def test_missing_values_apart_need_an_answer_of_their_own():
    table = pd.DataFrame({"x": [0.0, 1.0]})
    schema = nl.Schema(x=nl.Real(0, 7, step=1, missing="apart"))
    with nl.Curator.open(table, schema, budget=90, table="t") as curator:
        with pytest.raises(nl.BudgetError, match="at least 1 bit"):
            curator.preview_release(bits={"x": 0})
        assert curator.preview_release(bits={"x": 1}).plan.answers == 2
        with pytest.raises(nl.BudgetError, match="already make"):
            curator.preview_release(bits=0)
        assert curator.preview_release(bits=1).plan.answers == 2


@pytest.mark.parametrize(("rows", "answers"), [(1, 64), (2, 8), (3, 4)])
def test_a_total_of_bits_is_for_all_rows_of_a_person(rows, answers):
    table = pd.DataFrame({"x": [0, 1], "who": ["a", "a"], "turn": [0, 1]})
    schema = nl.Schema(x=nl.Integer(0, 99), turn=nl.Public(), unit="who", rows=rows, order_by="turn")
    with nl.Curator.open(table, schema, budget=9, table="t") as curator:
        assert curator.preview_release(bits=6).plan.private[0].answers <= answers
        assert curator.preview_release(bits=6).plan.private[0].answers > answers // 2


def test_names_of_ends():
    table = pd.DataFrame({"x": [0.0, 1.0], "X_lower": [0, 1]})
    with nl.Curator.open(
        table, nl.Schema(x=nl.Integer(0, 9), X_lower=nl.Integer(0, 9)), budget=9, table="t"
    ) as curator:
        assert curator.preview_release(bits=4).plan.answers <= 16
        with pytest.raises(nl.SchemaError, match="end of an interval"):
            curator.preview_release(bits=4, intervals=True)
