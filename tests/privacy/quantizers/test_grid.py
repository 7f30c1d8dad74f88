import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import noiseless as nl

BOXES = nl.Grid({"north": nl.Quantizer(0, 10, levels=2), "east": nl.Quantizer(0, 9, levels=3)})
COLUMNS = {"north": [1.0, 6.0], "east": [0.0, 8.0], "name": ["a", "b"]}


@pytest.mark.parametrize("make", [dict, pd.DataFrame, pl.DataFrame, pa.table])
def test_tables(make):
    boxes = BOXES.apply(make(COLUMNS), "index")
    assert set(boxes.keys() if make is dict else getattr(boxes, "column_names", None) or boxes.columns) == {
        "north",
        "east",
    }
    assert list(map(int, boxes["north"])) == [0, 1] if make is not pa.table else boxes["north"].to_pylist() == [0, 1]


def test_intervals_are_two_columns():
    boxes = BOXES.apply(pl.DataFrame(COLUMNS), "interval")
    assert boxes.columns == ["north_lower", "north_upper", "east_lower", "east_upper"]
    assert boxes.row(1) == (5.0, 10.0, 6.0, 9.0)


def test_the_index_of_pandas_stays():
    frame = pd.DataFrame(COLUMNS, index=["p", "q"])
    assert list(BOXES.apply(frame).index) == ["p", "q"]


def test_cells():
    assert BOXES.cells == 6
    assert "north: Quantizer(0, 10, levels=2)" in repr(BOXES)


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: nl.Grid({}), "at least one"),
        (lambda: nl.Grid({"x": 5}), "at least one named quantizer"),  # type: ignore[dict-item]
        (lambda: BOXES.apply({"north": [1.0]}), "no column 'east'"),
        (lambda: BOXES.apply(pl.DataFrame({"north": [1.0]})), "no column 'east'"),
        (lambda: BOXES.apply(5), "cannot read records from a int"),
        (lambda: BOXES.apply({"north": [1.0], "east": [100.0]}), "outside"),
    ],
)
def test_bad_grids(make, why):
    with pytest.raises(nl.DomainError, match=why):
        make()
