"""A mock table: rows made up from a schema alone. They hold none of the data, and say so.

Every value is drawn uniformly from what was declared, so the table has the right types and ranges and no other
meaning.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from noiseless.curator.schema.categories import Boolean, Category
from noiseless.curator.schema.dates import Date
from noiseless.curator.schema.derived import is_derived
from noiseless.curator.schema.public import Public
from noiseless.curator.schema.scale import Integer, Scale
from noiseless.errors import InputError, SourceError

if TYPE_CHECKING:
    from noiseless.curator.curator import Curator
    from noiseless.curator.schema.schema import Column, Schema

MARK = "mock"
"""The column that is true in every row."""
SAID = {"noiseless": "a mock table: made up from the schema alone, it holds none of the data"}
MOST_ROWS = 1_000_000
MISSING = 0.05
"""The share of missing values where they are kept separate."""


def mock_table(schema: Schema, rows: int, seed: int = 0) -> Any:
    """A pyarrow table of made-up rows, the same for the same seed."""
    import pyarrow

    if not 1 <= rows <= MOST_ROWS:
        raise InputError(f"n={rows} is not possible; use a whole number from 1 to {MOST_ROWS}")
    random = np.random.default_rng(seed)
    columns: dict[str, Any] = {
        name: _ordered(rows) if name == schema.order_by else _values(name, column, rows, random)
        for name, column in schema.columns.items()
        if not is_derived(column)
    }
    if schema.unit is not None:
        columns[schema.unit] = [f"mock {k // schema.rows}" for k in range(rows)]
    columns[_unused(MARK, columns)] = [True] * rows
    return pyarrow.table(columns).replace_schema_metadata(SAID)


def _ordered(rows: int) -> list[int]:
    return list(range(rows))


def _values(name: str, column: Column, rows: int, random: np.random.Generator) -> list[Any]:
    match column:
        case Public(keys=()):
            return [f"mock {k}" for k in random.integers(0, 10, rows)]
        case Public() | Category() | Boolean():
            return [column.keys[k] for k in random.integers(0, len(column.keys), rows)]
        case Scale():
            codes = random.integers(0, column.top, rows, endpoint=True)
            absent = random.random(rows) < (MISSING if column.apart else 0)
            return [None if gone else _number(column, int(code)) for code, gone in zip(codes, absent, strict=True)]
    raise AssertionError(name)


def _number(column: Scale, code: int) -> Any:
    """The value of a code, as a file would hold it."""
    number = column.number(code)
    if isinstance(column, Date):
        return column.present(number, number)[0]
    return int(number) if isinstance(column, Integer) else float(number)


def _unused(name: str, taken: Mapping[str, Any]) -> str:
    return name if name.lower() not in (each.lower() for each in taken) else _unused(f"{name}_", taken)


def write_mock(schema: Schema, rows: int, to: str, seed: int = 0) -> None:
    """Write a mock table to a new parquet or csv file."""
    import pyarrow.csv
    import pyarrow.parquet

    table = mock_table(schema, rows, seed)
    write = {".parquet": pyarrow.parquet.write_table, ".csv": pyarrow.csv.write_csv}.get(Path(to).suffix.lower())
    if write is None:
        raise SourceError(f"{to!r} has an unsupported file type; name a file that ends in .parquet or .csv")
    with Path(to).open("xb") as file:
        write(table, file)


@contextmanager
def mock_curator(schema_file: str | Path, rows: int = 1000, seed: int = 0) -> Iterator[Curator]:
    """A curator of a mock table with the schema, budget and rules of a schema file, where nothing was asked yet."""
    from noiseless.curator.curator import Curator
    from noiseless.curator.engines.request import Request

    said = Request(schema_file).declared()
    assert said.schema is not None
    rules: Any = {"policy": said.policy, "public": said.public, "per_person": said.per_person, "shares": said.shares}
    table = mock_table(said.schema, rows, seed)
    with Curator.open(table, said.schema, said.budget, table=said.name, **rules) as curator:
        yield curator
