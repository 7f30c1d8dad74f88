"""What is public about a column follows from its declaration alone: no value of one person changes it."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import noiseless as nl

QUESTIONS = [
    ("SELECT AVG(x) FROM t", {"bits": 1}),
    ("SELECT AVG(x) FROM t", {"error": "0.5"}),
    ("SELECT SUM(x) FROM t", {"error": 0}),
    ("SELECT MEDIAN(x) FROM t", {"bits": 1}),
    ("SELECT COUNT(*) FROM t WHERE x >= 2", {}),
]


class Rude:
    """An object that does not want to be looked at."""

    def __float__(self):
        raise RuntimeError("no")

    __str__ = __repr__ = __float__


NUMBERS: list[Any] = [0, 1, 3, 4, None, float("nan"), float("inf"), 1.5, -7, 10**400, -(10**30), True, Fraction(7, 2)]
NUMBERS += [Decimal("1.5"), Decimal("1E+500"), np.float32(2.5), np.int8(3), np.bool_(True)]
ANYTHING = [*NUMBERS, "2", "", "ann", "\ud800", b"x", [1], {}, date(2024, 1, 1), datetime(2024, 1, 1), pd.NaT, Rude()]
ANYTHING += [Decimal("sNaN")]


def refusals(run):
    try:
        return run()
    except nl.NoiselessError as refused:
        return type(refused).__name__, str(refused)


def transcript(table, schema, budget=1):
    """All that somebody who asks can see: prices and refusals before, answers, and what is left."""
    opened = refusals(lambda: nl.Curator.open(table, schema, budget=budget, table="t", store=":memory:"))
    if isinstance(opened, tuple):
        return opened, opened
    with opened as curator:
        free = tuple(refusals(lambda q=q, h=h: repr(curator.preview(q, **h).rows)) for q, h in QUESTIONS)
        said = tuple(refusals(lambda q=q, h=h: str(curator.ask(q, **h).rows)) for q, h in QUESTIONS)
        return free, (*free, *said, curator.remaining)


def pandas(values):
    return pd.DataFrame({"x": values})


def arrow(values):
    return pa.table({"x": values})


def polars(values):
    return pl.DataFrame({"x": values})


@pytest.mark.parametrize("others", [[1, 2, 3], [None, None, None], [1.0, 2.0, 3.0], [Decimal("1.0"), 2, Decimal(3)]])
@pytest.mark.parametrize(
    "column", [nl.Integer(0, 4, missing=0), nl.Real(0, 4, step="0.5", missing=0), nl.Integer(0, 4, missing="apart")]
)
def test_one_value_of_a_dataframe_decides_nothing(others, column):
    """Of pandas, whose columns become objects at the first odd value.

    Only where nobody else has a value at all, one that cannot be read shows that the schema is wrong.
    """
    values = NUMBERS if others[0] is None else ANYTHING
    found = [transcript(pandas([*others, value]), nl.Schema(x=column)) for value in values]
    assert len({free for free, _ in found}) == 1
    assert len({seen for _, seen in found}) <= 2


@pytest.mark.parametrize("build", [arrow, polars])
@pytest.mark.parametrize("others", [[1, 2, 3], [None, None, None], [Decimal("1.0"), Decimal("2.0"), Decimal("3.0")]])
def test_nor_does_one_that_makes_another_type(build, others):
    values = [0, 3, None, 1.5, Decimal("2.125"), True]
    tables = []
    for value in values:
        try:
            tables.append(build([*others, value]))
        except (pa.ArrowException, TypeError, pl.exceptions.PolarsError):
            continue  # the library itself does not make such a table
    found = [transcript(table, nl.Schema(x=nl.Integer(0, 4, missing=0))) for table in tables]
    assert len(found) >= 2
    assert len({free for free, _ in found}) == 1
    assert len({seen for _, seen in found}) <= 2


def test_nor_in_files(tmp_path):
    """A missing value turns whole numbers into doubles when a table is written."""
    found = []
    for place, values in enumerate(
        [[1, 2, 3], [1.0, 2.0, None], [None] * 3, [Decimal("1.00")] * 3, [True, False, True]]
    ):
        pq.write_table(pa.table({"x": values}), tmp_path / f"{place}.parquet")
        (tmp_path / f"{place}.csv").write_text("x\n" + "".join(f"{'' if v is None else v}\n" for v in values))  # type: ignore[attr-defined]
        for kind in ("parquet", "csv"):
            for prepare in (True, False):
                how = {"budget": 1, "table": "t", "prepare": prepare}
                with nl.Curator.open(
                    tmp_path / f"{place}.{kind}", nl.Schema(x=nl.Integer(0, 4, missing=0)), **how
                ) as curator:
                    found.append(tuple(repr(curator.preview(sql, **how).rows) for sql, how in QUESTIONS))
    assert len(set(found)) == 1


@pytest.mark.parametrize("prepare", [True, False])
def test_whole_numbers_of_a_csv_file_have_an_exact_mean(tmp_path, prepare):
    (tmp_path / "t.csv").write_text("x\n1\n2\n4\n")
    with nl.Curator.open(
        tmp_path / "t.csv", nl.Schema(x=nl.Integer(0, 4, missing=0)), budget=9, prepare=prepare
    ) as curator:
        row = curator.ask("SELECT AVG(x) FROM t", error=0).rows[0]
        assert (row.lower, row.value, row.upper) == (Fraction(7, 3),) * 3


KEYS = [
    (nl.Category("1", "2", missing="none", other="none"), [1, 2, 1]),
    (nl.Category("01", "2", missing="none", other="none"), [1, 2, 1]),
    (nl.Category(1, 2, missing=9, other=9), [1, 2, 1]),
    (nl.Boolean(missing="apart"), [1, 0, 1]),
    (nl.Boolean(missing="apart"), [True, False, True]),
    (nl.Date("2024-01-01", "2024-01-09", missing="apart"), [date(2024, 1, 1), date(2024, 1, 2), date(2024, 1, 3)]),
]


@pytest.mark.parametrize(("column", "others"), KEYS)
@pytest.mark.parametrize("build", [pandas, arrow, polars])
def test_the_codes_of_others_do_not_change(column, others, build):
    """A missing or odd value of one person makes another type of the column, and no other codes of anybody else."""
    odd = [others[0], None] if build is not pandas else [others[0], None, float("nan"), Decimal("7.5"), "7"]
    found = set()
    for value in odd:
        try:
            table = build([*others, value])
        except (pa.ArrowException, TypeError, pl.exceptions.PolarsError):
            continue
        with nl.Curator.open(table, nl.Schema(x=column), budget=9, prepare=False) as curator:
            codes = curator._dataset.engine.fetch(curator._dataset.engine.table("codes"))
        found.add(tuple(codes[:3]))
    assert len(found) == 1
    assert all(code is not None for (code,) in found.pop())


def test_types_that_libraries_have_and_databases_do_not():
    halves = pa.table({"x": pa.array(np.array([1, 2, 3], np.float16)), "y": pa.array([1, 2, 3], pa.decimal256(60, 2))})
    words = pd.DataFrame({"x": pd.Categorical(["1", "2", "3"]), "y": pd.array([1, 2, None], "Int64")})
    spans = pd.DataFrame({"x": pd.interval_range(0, 3), "y": [1, 2, 3]})
    schema = nl.Schema(x=nl.Integer(0, 4, missing="apart"), y=nl.Integer(0, 4, missing=0))
    for table, sums in ((halves, (6, 6)), (words, (6, 3))):
        with nl.Curator.open(table, schema, budget=60, table="t") as curator:
            row = curator.ask("SELECT SUM(x) AS x, SUM(y) AS y FROM t", error=0).rows[0]
            assert (row["x"].value, row["y"].value) == sums
    with pytest.raises(nl.SchemaError, match="'x' holds unknown, but the schema declares numbers"):
        nl.Curator.open(spans, schema, budget=9)


ODD = [
    (nl.Category(0, 1, missing=0, other=0), [True, False, True, False], [True, None, "x", 1, 2.5]),
    (nl.Integer(0, 9, missing=0), [b"1", b"2", b"3", b"4"], [b"5", 5, None, "x"]),
    (nl.Category("no", "yes", missing="no", other="no"), [b"no", b"yes", b"no", b"no"], [b"no", 5, None, "yes", 1.5]),
    (
        nl.Date("2024-01-01", "2024-01-09", missing="2024-01-01"),
        list(pd.to_datetime(["2024-01-02"] * 4)),
        [date(2024, 1, 3), "x", None, 1.5],
    ),
    (
        nl.Date("2024-01-01", "2024-01-09", missing="2024-01-01"),
        [np.datetime64("2024-01-02")] * 4,
        [np.datetime64("2024-01-03"), "x", None, 1.5],
    ),
    (
        nl.Category("2024-01-02", "b", missing="b", other="b"),
        list(pd.to_datetime(["2024-01-02"] * 4)),
        [pd.Timestamp("2024-01-02"), "x", None, 1],
    ),
    (nl.Category("None", "a", missing="a", other="a"), ["None", "a", None, None], ["a", 5, None, 2.5, b"a"]),
    (nl.Category("<NA>", "a", missing="a", other="a"), ["<NA>", "a", pd.NA, None], ["a", 5, None, 2.5]),
    (nl.Integer(0, 9, missing=0), [1, 2, 3, 4], [5, 1 + 0j, 1j, None]),
]
"""Declared columns, what others have, and what one person may have."""


@pytest.mark.parametrize(("column", "others", "values"), ODD)
def test_odd_values_change_nobody_elses_code(column, others, values):
    found = set()
    for value in values:
        table = pd.DataFrame({"x": [*others, value]})
        with nl.Curator.open(table, nl.Schema(x=column), budget=9, prepare=False) as curator:
            found.add(tuple(curator._dataset.engine.fetch(curator._dataset.engine.table("codes"))[:4]))
    assert len(found) == 1


@pytest.mark.parametrize("prepare", [True, False])
def test_a_text_among_the_numbers_of_a_file_is_missing(tmp_path, prepare):
    pq.write_table(pa.table({"x": ["1", "2", "x"]}), tmp_path / "t.parquet")
    schema = nl.Schema(x=nl.Integer(0, 4, missing="apart"))
    with nl.Curator.open(tmp_path / "t.parquet", schema, budget=9, prepare=prepare) as curator:
        assert curator._dataset.engine.fetch(curator._dataset.engine.table("codes")) == [(1,), (2,), (None,)]
    pq.write_table(pa.table({"x": ["a", "b", "x"]}), tmp_path / "t.parquet")
    with pytest.raises(nl.SchemaError, match="the schema declares numbers"):
        nl.Curator.open(tmp_path / "t.parquet", schema, budget=9, prepare=prepare)
