"""Where a data set is (a given path, or a file in the folder NOISELESS_DATA), and how it is read."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from noiseless.curator.engines.embedded import Embedded
from noiseless.curator.sources.quiet import quietly
from noiseless.curator.sources.quoting import identifier, literal, quoted
from noiseless.curator.sources.source import known_columns, unreadable_error
from noiseless.errors import InputError, SourceError

FOLDER = "NOISELESS_DATA"
OR_TWIN = "or use the synthetic twin (data='twin', --data twin)"
KINDS = (".parquet", ".csv", ".tsv", ".txt", ".gz", ".dat")


def found(given: str | Path | None, usual: Sequence[str], where_from: str) -> Path:
    """The given file, or the first of the usual ones that exists; the refusal says where to get it."""
    if given is not None:
        if not isinstance(given, (str, Path)):
            raise InputError(f"data is a {type(given).__name__}, not a path; give the path of a file, or 'twin'")
        if not Path(given).exists():
            raise SourceError(f"no file or folder {str(given)!r} exists; check the path, {OR_TWIN}")
        return Path(given)
    home = os.environ.get(FOLDER)
    if not home:
        raise SourceError(
            f"no data were given; set {FOLDER} to a folder with {' or '.join(usual)} (from {where_from}), give a path, "
            f"{OR_TWIN}"
        )
    path = at_home(Path(home), usual)
    if path is None:
        raise SourceError(f"{FOLDER}={home!r} has none of {', '.join(usual)}; get it from {where_from}, {OR_TWIN}")
    return path


def at_home(home: Path, usual: Sequence[str]) -> Path | None:
    """The first of the usual files in a folder."""
    return next((home / each for each in usual if (home / each).exists()), None)


def select(path: Path, columns: str, rest: str = "", source: str | None = None) -> dict[str, Any]:
    """Columns of a parquet or csv file as arrays. `columns` and `rest` come from this code, never from a user."""
    rows: dict[str, Any] = _run(path, f"SELECT {columns} FROM {source or reader(path)} {rest}", "fetchnumpy")
    return rows


def rows_in(path: Path) -> int:
    """The number of rows of a file."""
    return int(select(path, "COUNT(*) AS rows")["rows"][0])


def names_in(path: Path, source: str | None = None) -> list[str]:
    """The columns of a file."""
    if path.is_dir():
        raise SourceError(f"{str(path)!r} is a folder; give a file")
    if path.suffix.lower() not in KINDS:
        raise SourceError(f"{str(path)!r} is not a csv or parquet file; export it as one of them")
    return [row[0] for row in _run(path, f"DESCRIBE SELECT * FROM {source or reader(path)}", "fetchall")]


def _run(path: Path, sql: str, fetch: str) -> Any:
    def run() -> Any:
        connection = Embedded()
        try:
            return getattr(connection.con.execute(sql), fetch)()
        finally:
            connection.disconnect()

    return quietly(run, lambda: unreadable_error(path))


def number(path: Path, name: str) -> str:
    """A column as numbers; other values are missing."""
    column = identifier(name)
    if path.suffix.lower() == ".parquet":
        return f"TRY_CAST({column} AS DOUBLE)"
    return (
        f"TRY_CAST(concat({column}) AS DOUBLE)"  # without concat DuckDB makes the csv reader parse numbers, which fails
    )


def need(path: Path, names: Sequence[str], wanted: Sequence[str]) -> None:
    """Refuse columns that the file does not have."""
    if absent := [name for name in wanted if name not in names]:
        raise SourceError(f"{path.name!r} has no column {absent[0]!r}; {listed(path, names)}")


def listed(path: Path, names: Sequence[str]) -> str:
    """The columns of a file, for an error message."""
    return known_columns(names[:12], from_csv=path.suffix.lower() != ".parquet")


def one_of(names: Sequence[str], candidates: Sequence[str]) -> str | None:
    """The first of some names that a table has, ignoring case and surrounding spaces."""
    known = {name.strip().lower(): name for name in names}
    return next((known[each.lower()] for each in candidates if each.lower() in known), None)


def csv_reader(path: Path, more: str = "") -> str:
    """A csv file as texts, with names in its first line; other lines may be longer or shorter."""
    return (
        f"read_csv({quoted(literal(path))}, header = true, all_varchar = true, null_padding = true, "
        f"strict_mode = false{more})"
    )


def reader(path: Path) -> str:
    """A file, for use as a table in a statement."""
    if path.suffix.lower() == ".parquet":
        return f"read_parquet({quoted(literal(path))}, can_have_nan = true)"
    return csv_reader(path)
