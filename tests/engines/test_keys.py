"""Many keys are looked up in a table of keys, on every engine, and get the same codes as by one comparison each."""

from __future__ import annotations

from decimal import Decimal
from itertools import product
from math import inf, nan
from typing import Any

import duckdb
import psycopg
import pyarrow as pa
import pytest

import noiseless as nl
from noiseless.curator.sources import keys as keys_home
from tests.engines.ways import Spark

FEW, MANY = 3, 10**9
"""Where tables of keys begin in these tests."""
PLAIN = [f"k{place}" for place in range(9)]
WORDS = [
    "",
    "ß",
    "ü",
    "u\u0308",
    "𝔘",
    "it's",
    'say "yes"',
    "a\\b",
    "%s",
    "${x}",
    "\n",
    "\x1f",
    "\x1e",
    "K1",
    " k2",
    "Ü",
]
NUMBERS = ["1", "01", "1.0", "-0", "0.0", "2.5", "-7", "9007199254740993", "9" * 40, *map(str, range(100, 105))]
WHOLE = [*range(-2, 9), 2**53, -(2**53)]
LARGE = [*range(9), 2**53 + 1, 2**62]
DOUBLES = [0.0, -0.0, 1.0, 2.5, -7.0, 100.0, 100.5, 5e-324, 9007199254740992.0, 1e40, nan, inf, -inf, None]
INTEGERS = [0, 1, -7, 5, 100, 104, 105, 2**53, 2**53 + 1, 2**62, -(2**63), None]
COLUMNS: dict[str, tuple[Any, list, pa.DataType]] = {
    "word": (
        nl.Category(*PLAIN, *WORDS, missing="none", other="*"),
        [*WORDS, "k7", "k07", "k1 ", "K7", None],
        pa.string(),
    ),
    "spaced": (nl.Category(*PLAIN, "a ", "a", missing="none", other="*"), ["a", "a ", "a  ", "k3", None], pa.string()),
    "place": (nl.Public(*PLAIN, other="else"), ["k0", "k8", "k9", "", None], pa.string()),
    "level": (nl.Category(*NUMBERS, *PLAIN, missing="none", other="*"), DOUBLES, pa.float64()),
    "whole": (nl.Category(*NUMBERS, *PLAIN, missing="none", other="*"), INTEGERS, pa.int64()),
    "price": (
        nl.Category(*NUMBERS, missing="none", other="*"),
        [Decimal("1.00"), Decimal("2.50"), Decimal("-7"), Decimal("104.01"), None],
        pa.decimal128(12, 2),
    ),
    "rank": (nl.Category(*WHOLE, missing=99, other=98), INTEGERS, pa.int64()),
    "ratio": (nl.Category(*WHOLE, missing=99, other=98), DOUBLES, pa.float64()),
    "single": (nl.Category(*WHOLE, missing=99, other=98), [0.0, 7.0, 7.1, nan, inf, None], pa.float32()),
    "large": (nl.Category(*LARGE, missing=98, other=99), INTEGERS, pa.int64()),
    "rounded": (nl.Category(*LARGE, missing=98, other=99), [*DOUBLES, 2.0**53, 2.0**62], pa.float64()),
    "truth": (nl.Public(*WHOLE, other=98), [True, False, None], pa.bool_()),
}
ROWS = max(len(values) for _, values, _ in COLUMNS.values())
SOME = ("word", "level", "large")
"""Enough for Spark, which plans joins slowly."""


def values() -> pa.Table:
    columns = {name: pa.array((given * ROWS)[:ROWS], kind) for name, (_, given, kind) in COLUMNS.items()}
    return pa.table({**columns, "row": pa.array(range(ROWS), pa.int64())})


def codes(curator: nl.Curator) -> tuple[list, object]:
    engine = curator._dataset.engine
    rows = sorted(engine.fetch(engine.table("codes")), key=lambda row: row[-1])
    return [tuple(row) for row in rows], curator.check()


@pytest.fixture(autouse=True)
def _few(monkeypatch):
    monkeypatch.setattr(keys_home, "FEW", FEW)


def test_keys_that_are_looked_up_have_the_codes_of_comparisons(way, monkeypatch):
    names = SOME if isinstance(way, Spark) else tuple(COLUMNS)
    schema = nl.Schema({name: COLUMNS[name][0] for name in names}, row=nl.Public())
    with way.open(values(), schema) as curator:
        found = codes(curator)
        engine = curator._dataset.engine
        assert way.prepare or "noiseless_found" in engine._sql(engine.table("codes"))
    monkeypatch.setattr(keys_home, "FEW", MANY)
    with way.open(values(), schema) as curator:
        assert codes(curator) == found
    assert len(found[0]) == ROWS


def test_texts_of_a_file_may_spell_numbers_differently(tmp_path, monkeypatch):
    path = tmp_path / "t.csv"
    texts = ["1", "1.0", "01", "1e0", "+1", " 1", "-0.00", "2.5", "2.50", "1e40", "k1", "", "nan", "x", "104", "104.0"]
    path.write_text("row,level,rank\n" + "".join(f'{row},"{text}","{text}"\n' for row, text in enumerate(texts)))
    schema = nl.Schema(level=COLUMNS["level"][0], rank=COLUMNS["rank"][0], row=nl.Public())
    found = []
    for few in (FEW, MANY):
        monkeypatch.setattr(keys_home, "FEW", few)
        with nl.Curator.open(path, schema, 90, store=":memory:") as curator:
            found.append(codes(curator))
    assert found[0] == found[1]


def test_a_key_that_is_compared_with_the_same_number_as_an_earlier_one_never_counts(monkeypatch):
    compared = keys_home._first([(1.0, 0), (1.0, 1), (2.0, 2)])
    assert compared == {1.0: 0, 2.0: 2}
    monkeypatch.setattr(keys_home, "_first", lambda pairs: dict(pairs))  # the last one counts
    table = pa.table({"x": pa.array([1.0]), "row": [0]})
    with nl.Curator.open(table, nl.Schema(x=nl.Category(*NUMBERS), row=nl.Public()), 90, store=":memory:") as curator:
        assert codes(curator)[0][0][0] == NUMBERS.index("1.0") != NUMBERS.index("1")


@pytest.mark.parametrize("made", ["TABLE t", "TABLE s", "VIEW"])
def test_texts_that_a_collation_calls_equal_do_not_repeat_rows(tmp_path, made):
    """Two keys fit the row: a join would make two rows of it."""
    path = tmp_path / "t.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE s (word VARCHAR COLLATE NOCASE)")
        connection.execute("INSERT INTO s VALUES ('k1'), ('K1'), ('k2')")
        connection.execute(f"CREATE {'VIEW' if made == 'VIEW' else 'TABLE'} t AS SELECT * FROM s")
    schema = nl.Schema(word=nl.Category(*PLAIN, "K1", other="*"))
    with nl.Curator.open(path, schema, 90, table=made[-1] if made != "VIEW" else "t", store=":memory:") as curator:
        assert curator._dataset.rows == 3
        assert sorted(codes(curator)[0])[-1] == (2,)


def test_unsigned_keys_and_columns_called_like_our_own(monkeypatch):
    table = pa.table(
        {
            "x": pa.array([5, 2**63 + 5, None, 2**64 - 1], pa.uint64()),
            "Noiseless_Key_0": ["k1", "k2", "z", None],
            "NOISELESS_FOUND_0": [1, 2, 3, 4],
        }
    )
    named = {"Noiseless_Key_0": nl.Category(*PLAIN, other="*", missing="?"), "NOISELESS_FOUND_0": nl.Integer(0, 9)}
    schema, found = nl.Schema(named, x=nl.Category(*map(str, range(9)), other="*", missing="?")), []
    for few in (FEW, MANY):
        monkeypatch.setattr(keys_home, "FEW", few)
        with nl.Curator.open(table, schema, 90, store=":memory:") as curator:
            found.append((sorted(curator._dataset.engine.run("SELECT * FROM codes"), key=str), curator.check()))
    assert found[0] == found[1]


def test_no_mark_is_left_to_write_keys_with(monkeypatch):
    monkeypatch.setattr(keys_home, "MARKS", ("\x1f", "1"))
    table = pa.table({"x": pa.array(["k1", "k2"]), "row": [0, 1]})
    with nl.Curator.open(
        table, nl.Schema(x=nl.Category(*PLAIN, "z"), row=nl.Public()), 90, store=":memory:"
    ) as curator:
        assert [row[0] for row in codes(curator)[0]] == [1, 2]


@pytest.mark.parametrize("engine", ["postgres", "spark"])
def test_padded_texts_have_the_codes_of_comparisons(engine, request, monkeypatch):
    """Databases ignore the padding of fixed-length texts in comparisons, each in its own way."""
    source = request.getfixturevalue(engine)
    made = ["CREATE TABLE padded (word CHAR(4))", "INSERT INTO padded VALUES ('k1'), ('k2'), ('k'), ('k3 '), (NULL)"]
    schemas = [nl.Schema(word=nl.Category(*keys, missing="none", other="*")) for keys in (PLAIN, [*PLAIN, "k "])]
    if engine == "spark":
        for statement in (made[0] + " USING parquet", made[1]):
            source.sql(statement)
    else:
        with psycopg.connect(source, autocommit=True) as connection:
            for statement in made:
                connection.execute(statement)
    found = {FEW: [], MANY: []}
    for few, each in product(found, schemas):
        monkeypatch.setattr(keys_home, "FEW", few)
        with nl.Curator.open(source, each, 90, table="padded") as curator:
            found[few].append(sorted(codes(curator)[0]))
    assert found[FEW] == found[MANY]
    assert found[FEW][0] == [(1,), (2,), (3,), (9,), (10,)]
