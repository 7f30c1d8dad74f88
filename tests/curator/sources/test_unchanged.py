"""A file is recognized without loading what reads it, and only if opening it as a table would find the same."""

from __future__ import annotations

import subprocess
import sys
from datetime import date
from itertools import product

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import noiseless as nl
from noiseless.curator.dataset.dataset import rows_now
from noiseless.curator.engines.duckdb import DuckDB
from noiseless.curator.engines.embedded import Embedded
from noiseless.curator.schema.layout import Layout
from noiseless.curator.sources.unchanged import plainly_unchanged
from noiseless.errors import NoiselessError

COLUMNS = {
    "integer": nl.Integer(0, 9),
    "real": nl.Real(0, 9, step=1),
    "date": nl.Date("2020-01-01", "2021-01-01"),
    "boolean": nl.Boolean(),
    "texts": nl.Category("a", "b"),
    "numbers": nl.Category(1, 2),
    "keys": nl.Public("a", "b"),
    "number keys": nl.Public(1, 2),
    "truth keys": nl.Public(True, False),
}
VALUES = {
    "int8": pa.array([1, 2, None], "int8"),
    "uint64": pa.array([1, 2, None], "uint64"),
    "double": pa.array([1.0, 2.0, None]),
    "decimal": pa.array([1, 2, None]).cast(pa.decimal128(30, 2)),
    "bool": pa.array([True, False, None]),
    "string": pa.array(["a", "b", None]),
    "numbers in texts": pa.array(["1", "2", None]),
    "date": pa.array([date(2020, 1, 1), None, None]),
    "time": pa.array([1, 2, None], "timestamp[us]"),
    "zoned time": pa.array([1, 2, None], pa.timestamp("us", "UTC")),
    "null": pa.array([None, None, None]),
    "bytes": pa.array([b"a", b"b", None]),
    "list": pa.array([[1], [2], None]),
}


def opened(path, schema):
    """What opening the file as a table finds, or the error."""
    engine = DuckDB(prepares=False)
    try:
        return rows_now(engine, path, schema, None)
    except NoiselessError as wrong:
        return type(wrong)
    finally:
        engine.close()


@pytest.mark.parametrize("values", VALUES)
def test_a_parquet_file_is_recognized_only_if_its_table_would_be_accepted(values, tmp_path):
    path = tmp_path / "people.parquet"
    pq.write_table(pa.table({"x": VALUES[values], "y": pa.array([1, 2, 3])}), path)
    recognized = 0
    for column, rows in product(COLUMNS.values(), (2, 3, 4)):
        schema = nl.Schema(x=column, y=nl.Integer(0, 9))
        if plainly_unchanged(path, schema, rows, None, Embedded):
            recognized += 1
            assert opened(path, schema) == [rows]
    assert (recognized > 0) == (values not in ("zoned time", "null", "bytes", "list"))


@pytest.mark.parametrize(
    ("content", "layout", "names", "known"),
    [
        ("x,y\n1,2\n3,4\n5,6\n", None, ("x", "y"), True),
        ("x,y\n1,2\n3,4\n5,6\n", None, ("x", "z"), False),
        ("x,y\n1,2\n3,4\n", None, ("x", "y"), False),
        ("x,y\n1,2\n3,4\n5\n", None, ("x", "y"), False),
        ("x;y\n1;2\n3;4\n5;6\n", Layout(";"), ("y",), True),
        ("1,2\n3,4\n5,6\n", Layout(names=("x", "y")), ("x", "y"), True),
    ],
)
def test_a_text_file_is_recognized_by_its_names_and_rows(content, layout, names, known, tmp_path):
    path = tmp_path / "people.csv"
    path.write_text(content)
    schema = nl.Schema(**{name: nl.Integer(0, 9) for name in names})
    assert plainly_unchanged(path, schema, 3, layout, Embedded) is known


def test_other_sources_are_opened_as_tables(tmp_path):
    people = pa.table({"x": [1, 2, 3]})
    pq.write_table(people, tmp_path / "people.parquet")
    several = nl.Schema(x=nl.Integer(0, 9), day=nl.Public(), unit="home", order_by="day", rows=2)
    assert not plainly_unchanged(tmp_path / "people.parquet", several, 3, None, Embedded)
    assert not plainly_unchanged(people, nl.Schema(x=nl.Integer(0, 9)), 3, None, Embedded)
    assert not plainly_unchanged(tmp_path / "missing.parquet", nl.Schema(x=nl.Integer(0, 9)), 3, None, Embedded)
    assert not plainly_unchanged("local[1]", nl.Schema(x=nl.Integer(0, 9)), 3, None, Embedded)


def test_a_broken_file_is_not_recognized(tmp_path):
    (tmp_path / "people.parquet").write_bytes(b"PAR1 and nothing else")
    schema = nl.Schema(x=nl.Integer(0, 9))
    assert not plainly_unchanged(tmp_path / "people.parquet", schema, 3, None, Embedded)


def test_prepared_codes_are_asked_without_what_prepares_them(tmp_path):
    pq.write_table(pa.table({"age": [1, 2, 3], "region": ["a", "b", "a"]}), tmp_path / "people.parquet")
    schema = nl.Schema(age=nl.Integer(0, 9), region=nl.Public("a", "b"))
    declared = tmp_path / "people.toml"
    declared.write_text(nl.Declaration(schema, "people.parquet", None, 10).write())
    nl.Curator.open(declared).close()
    code = f"""
import sys, noiseless
with noiseless.Curator.open({str(declared)!r}) as curator:
    answer = curator.ask("SELECT region, COUNT(*) FROM people WHERE age < 3 GROUP BY region")
    print([row["COUNT(*)"].value for row in answer.rows])
print({{"ibis", "numpy", "pandas", "pyarrow", "scipy", "narwhals", "sqlalchemy", "cryptography"}} & set(sys.modules))
"""
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told.splitlines() == ["[1, 1]", "set()"]
