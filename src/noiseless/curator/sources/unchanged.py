"""Whether a file still has its rows and columns, found without loading everything that is needed to read it.

Only a plain case is recognized. Any other file is opened as a table, which says what is wrong with it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from noiseless.curator.schema.dates import Date
from noiseless.curator.schema.layout import PLAIN, Layout
from noiseless.curator.schema.public import Public
from noiseless.curator.schema.scale import Scale
from noiseless.curator.schema.schema import Column, Schema
from noiseless.curator.sources.quiet import quietly
from noiseless.curator.sources.quoting import literal, quoted
from noiseless.curator.sources.source import TEXTS, unreadable_error
from noiseless.errors import SourceError

WHOLE = {f"{sign}{size}INT" for sign in ("", "U") for size in ("TINY", "SMALL", "BIG", "HUGE")} | {
    "INTEGER",
    "UINTEGER",
}
NUMBERS = WHOLE | {"FLOAT", "DOUBLE", "BOOLEAN"}
DATES = {"DATE", "TIMESTAMP"}


def plainly_unchanged(given: Any, schema: Schema, rows: int, layout: Layout | None, connection: Any) -> bool:
    """Whether a parquet or text file still has this number of rows, and every declared column in a type that fits."""
    if not isinstance(given, (str, Path)) or schema.unit is not None or not Path(given).is_file():
        return False
    path = Path(given)
    try:
        if path.name.lower().endswith(TEXTS):
            return _text_has(path, schema, rows, layout or PLAIN)
        if path.name.lower().endswith(".parquet") and layout in (None, PLAIN):
            return quietly(lambda: _parquet_has(connection(), path, schema, rows), lambda: unreadable_error(path))
    except SourceError:
        pass
    return False


def _text_has(path: Path, schema: Schema, rows: int, layout: Layout) -> bool:
    from noiseless.curator.sources.csv_file import read_csv_file

    file = read_csv_file(path, layout)
    return file.rows == rows and set(schema.columns) <= set(file.names)


def _parquet_has(connection: Any, path: Path, schema: Schema, rows: int) -> bool:
    table = f"read_parquet({quoted(literal(path))})"
    try:
        described = connection.con.execute(f"DESCRIBE SELECT * FROM {table}").fetchall()
        kinds = {name: kind for name, kind, *_ in described}
        if not all(name in kinds and _fits(column, kinds[name]) for name, column in schema.columns.items()):
            return False
        return bool(connection.con.execute(f"SELECT COUNT(*) FROM {table}").fetchall() == [(rows,)])
    finally:
        connection.disconnect()


def _fits(column: Column, kind: str) -> bool:
    """Whether a column plainly holds what is declared."""
    number = kind in NUMBERS or kind.startswith("DECIMAL(")
    if isinstance(column, Date):
        return kind in DATES
    if isinstance(column, Scale):
        return number
    keys = column.keys
    if isinstance(column, Public) and not keys:
        return True
    return number or (isinstance(keys[0], str) and kind in {"VARCHAR", "DATE"})
