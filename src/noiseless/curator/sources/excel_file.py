"""A sheet of an Excel workbook: its first row names the columns, every other row is a row of the table.

Values are Python objects, like those of an untyped dataframe. A formula counts as the value that Excel last stored.
Empty rows at the end are ignored. Anywhere else they are refused, because they may be lost rows.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

from noiseless.curator.schema.layout import why_not_names
from noiseless.errors import MissingExtraError, SourceError

Row = tuple[Any, ...]


def read_excel_file(path: Path, table: str | None) -> dict[str, list[Any]]:
    """The columns of the only sheet, or of the sheet named by `table`."""
    with _workbook(path) as workbook:
        sheet = _sheet(workbook.worksheets, path, table)
        sheet.reset_dimensions()  # programs other than Excel write wrong dimensions
        rows = sheet.iter_rows(values_only=True)
        names = _names(next(rows, ()), path)
        columns: dict[str, list[Any]] = {name: [] for name in names}
        for row in _rows(rows, len(names), path):
            for values, value in zip(columns.values(), row, strict=True):
                values.append(value)
    if not columns[names[0]]:
        raise SourceError(f"{path.name!r}: there are no rows after the column names; use a sheet with rows")
    return columns


def text_of(value: Any) -> str | None:
    """The value of a cell as a text, where no kind is declared.

    >>> text_of(None), text_of(True), text_of(2.5), text_of(datetime(2026, 11, 16))
    (None, 'true', '2.5', '2026-11-16')
    """
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, datetime) and value.time() == time():
        return value.date().isoformat()
    return value.isoformat() if isinstance(value, (date, time)) else str(value)


@contextmanager
def _workbook(path: Path) -> Iterator[Any]:
    try:
        from openpyxl import load_workbook
    except ImportError:
        raise MissingExtraError(
            "reading an Excel workbook needs an extra; run pip install 'noiseless[excel]', or save the workbook as .csv"
        ) from None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # warnings may quote cells
        with path.open("rb") as file, closing(load_workbook(file, read_only=True, data_only=True)) as workbook:
            yield workbook


def _sheet(sheets: list[Any], path: Path, table: str | None) -> Any:
    if len(sheets) == 1:
        return sheets[0]
    named = {sheet.title: sheet for sheet in sheets}
    if table not in named:
        raise SourceError(f"table={table!r} is not a sheet of {path.name!r}; use one of: {', '.join(named) or 'none'}")
    return named[table]


def _names(row: Row, path: Path) -> tuple[str, ...]:
    names = tuple("" if value is None else text_of(value) or "" for value in _trimmed(row))
    if wrong := why_not_names(names):
        raise SourceError(f"{path.name!r}, row 1: {wrong}; give every column a different name in this row")
    return names


def _rows(rows: Iterable[Row], columns: int, path: Path) -> Iterator[Row]:
    """Rows of the same length."""
    empty = 0
    for number, row in enumerate(rows, 2):
        found = _trimmed(row)
        if not found:
            empty = empty or number
            continue
        if empty:
            raise SourceError(f"{path.name!r}, row {empty}: it is empty, and rows follow it; remove it")
        if len(found) > columns:
            raise SourceError(f"{path.name!r}, row {number}: a cell is filled beyond the last named column; clear it")
        yield found + (None,) * (columns - len(found))


def _trimmed(row: Row) -> Row:
    """A row without the empty cells at its end."""
    filled = len(row)
    while filled and row[filled - 1] in (None, ""):
        filled -= 1
    return row[:filled]
