"""The codes of derived columns are the function of the other codes, clamped; the ledger and copies treat them alike."""

from __future__ import annotations

from fractions import Fraction

import pyarrow.parquet as pq
import pytest

import noiseless as nl
from noiseless.curator.schema.derived import is_derived
from tests.curator.small import OTHERS, RAW, SCHEMA, opened, rows_of, table

DERIVED = {
    "sum": nl.Derived("h + a"),
    "part": nl.Derived("a / (h + 1)", step="0.1"),
    "low": nl.Derived("h - a", low=-3, high=1),
    "half": nl.Derived("x / 2"),
    "known": nl.Derived("COALESCE(x, 0.5) * 2"),
    "most": nl.Derived("GREATEST(h, x)"),
    "later": nl.Derived("d + INTERVAL 2 DAY"),
    "truth": nl.Derived("h > x"),
    "sure": nl.Derived("h > 1"),
    "text": nl.Derived("CASE WHEN b THEN s WHEN h > 1 THEN 'high' ELSE 'none' END"),
    "first": nl.Derived("SUBSTR(s, 1, 1)"),
    "logged": nl.Derived("LN(a)", step="0.01"),
    "by_place": nl.Derived("h * k"),
}
WHOLE = nl.Schema(dict(SCHEMA.columns), **DERIVED)
ROWS = [*(row for name in RAW for row in rows_of(name)), *OTHERS[-1]]


def code_by_hand(column, row) -> int | None:
    value = column.function.value(row)
    if value is None:
        return column.missing_code
    if not hasattr(column, "low"):
        return int(value)
    place = (Fraction(value) - column.low) / column.step + Fraction(1, 2)
    return min(max(place.numerator // place.denominator, 0), column.top)


@pytest.mark.parametrize("prepare", [True, False], ids=["prepared", "in flight"])
def test_codes_are_those_of_the_function(prepare):
    with nl.Curator.open(table(ROWS), WHOLE, 90, table="t", prepare=prepare) as curator:
        dataset = curator._dataset
        codes = dataset.engine.table("codes")
        names = {dataset.field(name): name for name in [*WHOLE.private, *WHOLE.public]}
        assert {*codes.columns} >= {*names}
        for found in dataset.engine.fetch(codes.select(*names)):
            row = dict(zip(names.values(), found, strict=True))
            for name, column in WHOLE.columns.items():
                if is_derived(column):
                    assert row[name] == code_by_hand(column, row), (name, row)


def test_a_code_never_leaves_its_grid(monkeypatch):
    """Whatever the arithmetic gives: privacy depends on the grid alone."""
    from noiseless.curator.plan.functions.derived import Derived

    right = Derived.code
    monkeypatch.setattr(Derived, "code", lambda self, dialect, column: f"(3 * {right(self, dialect, column)} - 5)")
    with opened(ROWS, schema=WHOLE) as curator:
        dataset = curator._dataset
        for name, column in WHOLE.private.items():
            codes = [code for (code,) in dataset.engine.run(f"SELECT {dataset.field(name)} FROM codes")]
            assert all((code is None) == (code is None and column.apart) for code in codes)
            assert {0 <= code <= column.top for code in codes if code is not None} == {True}


def test_the_check_is_about_columns_of_the_table():
    with opened(ROWS, schema=WHOLE) as curator:
        assert {finding.column for finding in curator.check().findings} <= set(SCHEMA.private)


def test_a_derived_column_may_be_added_to_a_dataset_later(tmp_path):
    from tests.curator.small import table

    pq.write_table(table(ROWS), tmp_path / "t.parquet")
    given = {"store": tmp_path / "codes.duckdb", "ledger": tmp_path / "ledger.sqlite"}
    with nl.Curator.open(tmp_path / "t.parquet", SCHEMA, 90, **given) as curator:
        before = curator.ask("SELECT AVG(h) FROM t", bits=1)
    with nl.Curator.open(tmp_path / "t.parquet", WHOLE, 90, **given) as curator:
        again = curator.ask("SELECT AVG(h) FROM t", bits=1)
        assert (again.rows, again.cost) == (before.rows, 0)
        assert curator.ask("SELECT AVG(sum) FROM t", bits=2).cost > 0


def test_copies_hold_derived_columns(tmp_path):
    with opened(ROWS, schema=WHOLE) as curator, pytest.raises(nl.SourceError):
        curator.release(tmp_path / "a.parquet", bits=40)  # codes in memory cannot be released
    with nl.Curator.open(table(ROWS), WHOLE, 900, table="t") as curator:
        copy = curator.release(tmp_path / "a.parquet", bits=60)
        assert nl.verify(copy.certificate, file=tmp_path / "a.parquet")
        assert {*DERIVED} <= set(pq.read_schema(tmp_path / "a.parquet").names)
