"""Reading public tables: from files, dataframes and databases, with a key that is different in every row."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from fractions import Fraction
from math import isnan
from typing import Any

from noiseless.curator.engines.choose import engine_of
from noiseless.curator.engines.request import Request
from noiseless.curator.schema.dates import days
from noiseless.curator.schema.plain import why_not
from noiseless.curator.schema.public_table import Cell, PublicColumn, PublicTable
from noiseless.curator.sources.quiet import quietly
from noiseless.errors import InputError, NumberError, SchemaError, SourceError
from noiseless.exact.number import exact_number

MOST_ROWS = 100_000
NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]{1,3})?")
"""A number in a text file. Digits that begin with a zero are a text, such as a postal code."""
MIDNIGHT = (0, 0, 0, 0, None)
"""The end of a time that stands for a date: dataframes have no other dates."""
TRUTHS = {"true": True, "false": False}
FIELDS = ("source", "key", "table", "columns")
EXAMPLE = "public={'regions': {'source': 'regions.csv', 'key': 'region'}}"


def read_public_tables(given: Any, private: Request) -> dict[str, PublicTable]:
    """The public tables by their names in lower case. Refused if a key is missing or occurs twice."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise SchemaError(f"public= must name public tables with their sources and keys; write {EXAMPLE}")
    found: dict[str, PublicTable] = {}
    for name, said in given.items():
        if wrong := why_not(name):
            raise SchemaError(f"the name of a public table {wrong}; use a plain text")
        if name.lower() in (private.name.lower(), *found):
            raise SchemaError(f"public table {name!r} has the name of another table of this dataset; rename it")
        found[name.lower()] = _read(name, _checked(name, said), private)
    return found


def _checked(name: str, said: Any) -> dict[str, Any]:
    if not isinstance(said, Mapping):
        raise SchemaError(f"public table {name!r} needs a source and a key; write {EXAMPLE}")
    if unknown := [field for field in said if field not in FIELDS]:
        raise SchemaError(f"public table {name!r} has an unknown field {unknown[0]!r}; use {', '.join(FIELDS)}")
    if "key" not in said or ("source" not in said and "table" not in said):
        raise SchemaError(f"public table {name!r} needs a source and a key; write {EXAMPLE}")
    wanted = said.get("columns")
    if wanted is not None and not (isinstance(wanted, (list, tuple)) and all(isinstance(each, str) for each in wanted)):
        raise SchemaError(f"columns of public table {name!r} must be a list of names; write columns = ['country']")
    if not all(isinstance(said.get(field, ""), str) for field in ("key", "table")):
        raise SchemaError(f"key and table of public table {name!r} must be names; write them as texts")
    return dict(said)


def _read(name: str, said: Mapping[str, Any], private: Request) -> PublicTable:
    """All rows of the table, which are few."""
    request = Request(said.get("source", private.source), table=said.get("table"), prepare=False)
    engine = quietly(lambda: engine_of(request).open(request), lambda: _unreadable_error(name))
    try:
        source = quietly(lambda: engine.source(request.source, request.table), lambda: _unreadable_error(name))
        listed = list(source.table.columns)
        wanted = _wanted(name, said, listed)
        rows = engine.fetch(source.table.select(wanted).limit(MOST_ROWS + 1))
    finally:
        engine.close()
    if not 0 < len(rows) <= MOST_ROWS:
        raise SourceError(f"public table {name!r} has {'no' if not rows else 'too many'} rows; use 1 to {MOST_ROWS}")
    found = {each: [row[place] for row in rows] for place, each in enumerate(wanted)}
    columns = {each: _checked_column(name, each, cells, each in source.texts) for each, cells in found.items()}
    key = wanted[0]
    kinds = {columns[key].kind: columns[key].cells}
    if key in source.texts:
        kinds["text"] = tuple(_written(cell) for cell in found[key])
    return PublicTable(name, key, columns, {kind: _unique(name, key, cells) for kind, cells in kinds.items()})


def _wanted(name: str, said: Mapping[str, Any], listed: Sequence[str]) -> list[str]:
    """The columns to read, the key first."""
    wanted = list(dict.fromkeys([said["key"], *(listed if said.get("columns") is None else said["columns"])]))
    if missing := [each for each in wanted if each not in listed]:
        raise SchemaError(f"public table {name!r} has no column {missing[0]!r}; its columns are {', '.join(listed)}")
    lowered = [each.lower() for each in wanted]
    if len(set(lowered)) < len(lowered):
        raise SchemaError(f"public table {name!r} has columns that differ only in upper and lower case; rename one")
    return wanted


def _unique(name: str, key: str, cells: Sequence[Cell]) -> dict[Cell, int]:
    """The row number of every key. Refused if a key is missing or occurs twice."""
    rows: dict[Cell, int] = {}
    for row, cell in enumerate(cells):
        if cell is None:
            raise SchemaError(f"key {key!r} of public table {name!r} is missing in row {row + 1}; give it a value")
        if cell in rows:
            again = f"is {str(cell)!r} in rows {rows[cell] + 1} and {row + 1}"
            raise SchemaError(f"key {key!r} of public table {name!r} {again}; a key must be different in every row")
        rows[cell] = row
    return rows


def _checked_column(table: str, name: str, given: Iterable[Any], texts: bool) -> PublicColumn:
    """The values of a column. Refused if certificates and ledgers cannot hold them."""
    where = f"column {name!r} of public table {table!r}"
    try:
        found = _column(table, name, given, texts)
    except NumberError:
        raise SourceError(f"{where} has a number with too many digits; leave it out with columns = […]") from None
    for row, cell in enumerate(found.cells, start=1):
        if isinstance(cell, str) and (wrong := why_not(cell)):
            raise SourceError(f"{where}, row {row}: the text {wrong}; correct it, or leave it out with columns = […]")
    return found


def _column(table: str, name: str, given: Iterable[Any], texts: bool) -> PublicColumn:
    """The values of a column, all of one kind. What a text file holds is found from all of its texts."""
    cells = [_written(cell) for cell in given] if texts else list(given)
    if texts:
        return _of_texts([cell for cell in cells if cell is None or isinstance(cell, str)])
    try:
        pairs = [_typed(cell) for cell in cells]
    except InputError:
        pairs = [("unknown", None)]
    kinds = {kind for kind, cell in pairs if cell is not None or kind == "unknown"}
    if len(kinds) > 1 or "unknown" in kinds:
        raise SourceError(
            f"column {name!r} of public table {table!r} is not only numbers, only dates (without a time), only texts "
            f"or only truth values; change it, or leave it out with columns = […]"
        )
    return PublicColumn(kinds.pop() if kinds else "text", tuple(cell for _, cell in pairs))


def _written(cell: Any) -> str | None:
    """What a text file holds; an empty field is missing."""
    return None if cell is None or cell == "" else str(cell)


def _of_texts(cells: Sequence[str | None]) -> PublicColumn:
    present = [cell for cell in cells if cell is not None]
    if present and all(NUMBER.fullmatch(cell) for cell in present):
        return PublicColumn("number", tuple(None if cell is None else exact_number(cell) for cell in cells))
    if present and all(cell.lower() in TRUTHS for cell in present):
        return PublicColumn("truth", tuple(None if cell is None else TRUTHS[cell.lower()] for cell in cells))
    try:
        dates = tuple(None if cell is None else days(cell) for cell in cells)
    except SchemaError:
        return PublicColumn("text", tuple(cells))
    return PublicColumn("date" if present else "text", dates)


def _typed(cell: Any) -> tuple[str, Cell]:
    """The kind and the value of a cell that has a type."""
    match cell:
        case None:
            return "text", None
        case bool():
            return "truth", cell
        case str():
            return "text", cell
        case float() if isnan(cell):
            return "number", None
        case datetime() if (cell.hour, cell.minute, cell.second, cell.microsecond, cell.tzinfo) != MIDNIGHT:
            return "unknown", None
        case datetime():
            return "date", days(cell.date())
        case date():
            return "date", days(cell)
    return "number", Fraction(exact_number(cell))


def _unreadable_error(name: str) -> SourceError:
    return SourceError(f"public table {name!r} cannot be read; check its source, and table= in a database")
