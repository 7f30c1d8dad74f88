"""The same released copy from every engine, to the last bit; and never half of one."""

from __future__ import annotations

import os
import struct
from pathlib import Path

import duckdb
import psycopg
import pyarrow as pa
import pytest

import noiseless as nl
from tests.engines.test_same import HOSTILE, hostile
from tests.engines.ways import NUMBER

WIDTHS = {"height": 3, "tiny": 2, "wide": 2, "single": 5, "long": 4, "short": 2, "large": 6, "small": 2}
WIDTHS |= {"born": 4, "seen": 1, "heard": 2}
WORDS = {"": "a", " ": "a", "ß": "b", "ü": "b", "u\u0308": "b", "𝔘": "b", "it's": "c", 'say "yes"': "c"}
WORDS |= {"a\\b": "c", "%s": "it's", "*": "none", "none": "none"}


def target(way, tmp_path):
    return f"copies.r{os.getpid()}_{next(NUMBER)}" if hasattr(way, "url") else str(tmp_path / "out.parquet")


def written(way, to):
    """The rows of a copy in one order, with doubles as their bits."""
    if hasattr(way, "url"):
        with psycopg.connect(way.url) as connection:
            rows = connection.execute(f"SELECT * FROM {to} ").fetchall()
            connection.execute(f"DROP TABLE {to}")
    elif hasattr(way, "session"):
        rows = duckdb.sql(f"SELECT * FROM '{to}/*.parquet'").fetchall()
    else:
        rows = duckdb.sql(f"SELECT * FROM '{to}'").fetchall()
    bits = [tuple(struct.pack(">d", v).hex() if isinstance(v, float) else str(v) for v in row) for row in rows]
    return sorted(bits)


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    folder = tmp_path_factory.mktemp("expected")
    with nl.Curator.open(hostile(300), HOSTILE, budget=9000) as curator:
        curator.release(folder / "out.parquet", bits=WIDTHS, hierarchies={"word": WORDS}, intervals=True)
    rows = duckdb.sql(f"SELECT * FROM '{folder}/out.parquet'").fetchall()
    return sorted(tuple(struct.pack(">d", v).hex() if isinstance(v, float) else str(v) for v in row) for row in rows)


def test_the_same_copy_of_hostile_values(way, expected, tmp_path):
    if hasattr(way, "url"):
        with psycopg.connect(way.url, autocommit=True) as connection:
            connection.execute("CREATE SCHEMA IF NOT EXISTS copies")
    with way.open(hostile(300), HOSTILE) as curator:
        to = target(way, tmp_path)
        made = curator.release(to, bits=WIDTHS, hierarchies={"word": WORDS}, intervals=True)
        assert nl.verify(made.certificate).count == made.guarantee.count
        with pytest.raises(nl.SourceError, match="exists already"):
            curator.release(to, bits=WIDTHS, hierarchies={"word": WORDS}, intervals=True)
    assert written(way, to) == expected


USED = ("height", "born", "word", "place")
"""One column of each kind: a figure for each of their pairs is what takes time."""


def test_the_same_utility_of_hostile_values(way, tmp_path):
    schema = nl.Schema({name: HOSTILE.columns[name] for name in USED})
    wanted = {"bits": {"height": 3, "born": 4}, "hierarchies": {"word": WORDS}}
    figures = []
    for curator in (way.open(hostile(100), schema), nl.Curator.open(hostile(100), schema, budget=9000)):
        with curator:
            if hasattr(way, "url") and not figures:
                with psycopg.connect(way.url, autocommit=True) as connection:
                    connection.execute("CREATE SCHEMA IF NOT EXISTS copies")
            to = tmp_path / "plain.parquet" if figures else target(way, tmp_path)
            figures.append(curator.utility(curator.release(to, **wanted)).fields())
    assert figures[0]["unique rows"] == figures[1]["unique rows"]
    assert figures[0]["generalised"] == figures[1]["generalised"]
    for name, measured in figures[1]["columns"].items():
        assert figures[0]["columns"][name] == pytest.approx(measured)
    [(pair, correlation)] = figures[1]["correlations"].items()
    assert figures[0]["correlations"][pair] == pytest.approx(correlation)


def test_a_policy_needs_python(way, tmp_path):
    schema = nl.Schema(height=nl.Real(100, 250, step=2, missing=100), short=nl.Real(-100, 100, step=1, missing=100))
    policy = nl.Shift(nl.Boundary("short", lambda height: 0.1 * height), error=1)
    with way.open(hostile(50), schema) as curator:
        if hasattr(way, "url") or hasattr(way, "session"):
            with pytest.raises(nl.SourceError, match="release from a file"):
                curator.release(target(way, tmp_path).removeprefix("copies."), policies=[policy])
        else:
            made = curator.release(tmp_path / "out.parquet", policies=[policy])
            assert made.certificate.content["policies"][0]["epsilon"] > "0"


def content(way, to):
    """All that somebody gets with a copy: bytes of files, or rows in their order with the types of columns."""
    if hasattr(way, "url"):
        with psycopg.connect(way.url) as connection:
            found = connection.execute(f"SELECT * FROM {to}")
            rows = found.fetchall(), [(column.name, column.type_code) for column in found.description]
            connection.execute(f"DROP TABLE {to}")
            return repr(rows)
    if hasattr(way, "session"):
        return [path.read_bytes() for path in sorted(Path(to).glob("*.parquet"))]
    return Path(to).read_bytes()


def test_raw_values_of_one_code_make_the_same_copy(way, tmp_path):
    """Whether one value is missing, huge or plain, what is released of its code is the same, byte by byte."""
    schema = nl.Schema(x=nl.Integer(0, 7, missing=0), g=nl.Public("a", "b"))
    made = {}
    for place, value in enumerate([0, None, -(2**40), 1, 7, 2**40]):
        table = pa.table({"x": pa.array([4, 6, 2, 5, 0, value], pa.int64()), "g": ["a", "b", "a", "a", "b", "b"]})
        folder = tmp_path / str(place)
        folder.mkdir()
        with way.open(table, schema) as curator:
            to = target(way, folder)
            curator.release(to, bits=2)
            made[value] = content(way, to)
    assert made[0] == made[None] == made[-(2**40)] == made[1]
    assert made[7] == made[2**40] != made[0]
