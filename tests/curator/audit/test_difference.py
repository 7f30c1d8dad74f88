"""What two published tables tell together: by hand, and by brute force over small tables."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st

import noiseless as nl
from noiseless.curator.audit.difference import difference
from noiseless.errors import InputError

ROWS = st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 2)), min_size=1, max_size=8)


def frame(rows) -> pandas.DataFrame:
    return pandas.DataFrame(rows, columns=["town", "n"])


@given(ROWS, ROWS)
def test_rows_in_both_and_what_changed(one, two):
    found, left, right = difference(frame(one), frame(two)), Counter(one), Counter(two)
    assert found.common == (left & right).total()
    apart = {key: abs(left[key] - right[key]) for key in left | right}
    assert found.changed == sum(size > 0 for size in apart.values())
    assert found.by_one == sum(size == 1 for size in apart.values())


@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xy")), min_size=1, max_size=8))
def test_rows_of_the_same_people(rows):
    one, two = (pandas.DataFrame({name: [row[at] for row in rows]}) for at, name in enumerate(("p", "q")))
    one["same"] = two["same"] = 1
    joined = difference(one, two, same_order=True).joined
    for at, alike in enumerate((Counter(row[0] for row in rows), Counter(row[1] for row in rows), Counter(rows))):
        assert joined.k[at] == min(alike.values())
        assert joined.unique[at] == sum(size == 1 for size in alike.values())


def cells(values: list[int], width: int, missing: int = 0) -> pandas.DataFrame:
    low = [float(value // width * width) for value in values] + [None] * missing
    return pandas.DataFrame({"pay_lower": low, "pay_upper": [None if each is None else each + width for each in low]})


@given(st.lists(st.integers(0, 29), min_size=1, max_size=20), st.integers(2, 9), st.integers(2, 9), st.integers(0, 1))
def test_intervals_of_the_same_people_fit_together(values, first, second, missing):
    [cut] = difference(cells(values, first, missing), cells(values, second, missing)).cuts
    assert cut.consistent
    assert 0 < cut.smallest[2] <= min(cut.smallest[:2])
    assert cut.cells[2] >= max(cut.cells[:2])


def test_two_copies_by_hand():
    """18 rows in fives and in fours: between 12 and 15 there is one."""
    values = [0, 1, 2, 3, 5, 6, 7, 8, 10, 11, 11, 13, 15, 16, 17, 18, 18, 19]
    [cut] = difference(cells(values, 5), cells(values, 4)).cuts
    assert (cut.cells, cut.smallest) == ((4, 5, 8), (4, 2, 1))
    words = difference(cells(values, 5), cells(values, 4)).words
    assert "subtraction finds 1 row alone" in words[-1]
    [wrong] = difference(cells(values, 5), cells([*values[1:], 19], 5)).cuts
    assert not wrong.consistent


def test_real_copies_of_a_table(tmp_path):
    table = pandas.DataFrame({"age": np.random.default_rng(5).integers(0, 100, 300)})
    with nl.Curator.open(table, nl.Schema(age=nl.Integer(0, 99)), budget=30) as curator:
        for name, error in (("one", 8), ("two", 5)):
            curator.release(tmp_path / f"{name}.parquet", error={"age": error}, intervals=True)
        found = difference(tmp_path / "one.parquet", tmp_path / "two.parquet")
        [cut] = found.cuts
        assert cut.consistent
        assert cut.smallest[2] < min(cut.smallest[:2])


def test_files_and_refusals(tmp_path):
    frame([("a", 1), ("b", 2)]).to_csv(tmp_path / "one.csv", index=False)
    frame([("a", 1)]).to_parquet(tmp_path / "two.parquet")
    found = difference(tmp_path / "one.csv", tmp_path / "two.parquet")
    assert (found.common, found.by_one, found.shown[0].values) == (1, 1, {"town": "b", "n": "2"})
    with pytest.raises(InputError, match="not the same people row by row"):
        difference(tmp_path / "one.csv", tmp_path / "two.parquet", same_order=True)
    with pytest.raises(InputError, match="no column in common"):
        difference(tmp_path / "one.csv", pandas.DataFrame({"x": [1]}))
    with pytest.raises(InputError, match="not in the table"):
        difference(tmp_path / "one.csv", tmp_path / "two.parquet", columns=["x"])


def test_intervals_that_are_no_cells_are_left_out():
    loose = pandas.DataFrame({"pay_lower": [0.0, 1.0], "pay_upper": [9.0, 10.0]})
    assert difference(loose, loose).cuts == ()
