"""Where a data set is: a path that is given, or a file in the folder that NOISELESS_DATA names."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from noiseless.curator.engines.quiet import quietly
from noiseless.curator.source import identifier, quoted
from noiseless.errors import SourceError

FOLDER = "NOISELESS_DATA"


def found(given: str | Path | None, usual: str, where_from: str) -> Path:
    """The file; refused with a word on where to get it."""
    if given is not None:
        path = Path(given)
        if not path.exists():
            raise SourceError(f"no file or folder {str(path)!r}; it can be had from {where_from}")
        return path
    home = os.environ.get(FOLDER)
    if home is None:
        raise SourceError(
            f"set {FOLDER} to a folder that has {usual}, or give its path; it can be had from {where_from}; "
            "without it take the synthetic twin, data='twin'"
        )
    path = Path(home) / usual
    if not path.exists():
        raise SourceError(f"{FOLDER}={home!r} has no {usual}; it can be had from {where_from}")
    return path


def select(path: Path, columns: str, rest: str = "", source: str | None = None) -> dict[str, Any]:
    """Columns of a parquet or csv file as arrays. `columns` and `rest` are written here, never by a user."""
    import duckdb

    table = source or _reader(path)

    def run() -> dict[str, Any]:
        with duckdb.connect() as connection:
            made: dict[str, Any] = connection.execute(f"SELECT {columns} FROM {table} {rest}").fetchnumpy()
            return made

    return quietly(run, lambda: unreadable(path))


def number(path: Path, name: str) -> str:
    """A column as numbers, missing where it has none."""
    column = identifier(name)
    if path.suffix.lower() == ".parquet":
        return f"TRY_CAST({column} AS DOUBLE)"
    return f"TRY_CAST(concat({column}) AS DOUBLE)"  # without concat DuckDB asks the csv reader for numbers, which fails


def names_in(path: Path, source: str | None = None) -> list[str]:
    """The columns of a file."""
    import duckdb

    def run() -> list[str]:
        with duckdb.connect() as connection:
            rows = connection.execute(f"DESCRIBE SELECT * FROM {source or _reader(path)}").fetchall()
            return [row[0] for row in rows]

    return quietly(run, lambda: unreadable(path))


def need(path: Path, names: Sequence[str], wanted: Sequence[str]) -> None:
    """That the columns are there."""
    if absent := [name for name in wanted if name not in names]:
        raise SourceError(f"{path.name!r} has no column {absent[0]!r}; it has {', '.join(names[:12])}")


def one_of(names: Sequence[str], candidates: Sequence[str]) -> str | None:
    """The first of some names that a table has, in upper or lower case and with blanks around."""
    known = {name.strip().lower(): name for name in names}
    return next((known[each.lower()] for each in candidates if each.lower() in known), None)


def _reader(path: Path) -> str:
    kind = "parquet" if path.suffix.lower() == ".parquet" else "csv"
    return f"read_{kind}({quoted(str(path))})"


def unreadable(path: Path) -> SourceError:
    """The error for a file that is not what its name says."""
    return SourceError(f"{str(path)!r} cannot be read as its name says; check the file with its own tools")
