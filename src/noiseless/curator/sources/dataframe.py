"""A dataframe as a table whose types follow from the schema, not from its values.

A library infers the type of a column from its values, so one person's value can decide it: a missing value turns whole
numbers into doubles, and a text among numbers turns all into objects. So every declared column is read, whatever its
type. Plain types stay unchanged, because codes do not depend on which one it is. Everything else becomes texts, and the
engine parses them like those of a csv file. A value that does not fit the declared kind is missing. Only a column
without any readable value is refused: then the schema is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from noiseless.curator.schema.categories import Boolean, Category
from noiseless.curator.schema.dates import Date
from noiseless.curator.schema.public import Public
from noiseless.curator.schema.scale import Scale
from noiseless.curator.schema.schema import Column, Schema
from noiseless.curator.sources.objects import texts_of
from noiseless.errors import SchemaError

if TYPE_CHECKING:
    import narwhals as nw
    import pyarrow

TRUTHS = {"true", "false", "t", "f", "yes", "no", "y", "n", "1", "0"}
Read = tuple["pyarrow.ChunkedArray | pyarrow.Array", bool]
"""A column, and whether it was turned into texts."""


def declared_columns(frame: nw.DataFrame[Any], schema: Schema) -> tuple[pyarrow.Table, frozenset[str]]:
    """The declared columns of a dataframe, and which of them are texts to be parsed."""
    read = {name: _read(name, frame[name], column) for name, column in _wanted(schema).items() if name in frame.columns}
    return _table(read, len(frame))


def declared_objects(columns: Mapping[str, list[Any]], schema: Schema) -> tuple[pyarrow.Table, frozenset[str]]:
    """The declared columns among columns of Python objects, such as the cells of a workbook, and which are texts."""
    read: dict[str, Read] = {}
    for name, column in _wanted(schema).items():
        if name in columns:
            read[name] = _of_objects(columns[name], column)
            if not _can_be_read(column, read[name]) and any(value is not None for value in columns[name]):
                raise _unreadable_error(name, "cells that cannot be read", column)
    return _table(read, len(next(iter(columns.values()))))


def _wanted(schema: Schema) -> Mapping[str, Column | None]:
    return {**schema.columns, **({} if schema.unit is None else {schema.unit: None})}


def _table(read: Mapping[str, Read], rows: int) -> tuple[pyarrow.Table, frozenset[str]]:
    import pyarrow

    if not read:  # so that rows are still counted
        return pyarrow.table({"": pyarrow.nulls(rows, pyarrow.string())}), frozenset({""})
    return pyarrow.table({name: found for name, (found, _) in read.items()}), frozenset(
        name for name, (_, texts) in read.items() if texts
    )


def _read(name: str, series: Any, column: Column | None) -> Read:
    """Convert a column by its type; objects and types that no database has, value by value."""
    found = None
    if str(getattr(series.to_native(), "dtype", "")).lower() != "object":
        try:
            found = _plain(series.to_arrow())
        except Exception:  # the library cannot handle its own type
            found = None
    read = _of_objects(series.to_list(), column) if found is None else _of_type(found, column)
    if not _can_be_read(column, read) and series.null_count() < len(series):
        raise _unreadable_error(name, str(series.dtype).lower(), column)
    return read


def _can_be_read(column: Column | None, read: Read) -> bool:
    """Whether any value of a column fits the declared kind."""
    found, texts = read
    readable = _readable(column)
    return not texts or readable is None or any(readable(text.as_py()) for text in found)


def _unreadable_error(name: str, kind: str, column: Column | None) -> SchemaError:
    return SchemaError(f"column {name!r} holds {kind}, but the schema declares {_words(column)}; correct the schema")


def _words(column: Column | None) -> str:
    match column:
        case Date():
            return "dates"
        case Scale():
            return "numbers"
        case Boolean():
            return "truth values"
        case Category() | Public() if isinstance(column.keys[0], str):
            return "texts"
        case _:
            return "whole numbers"


def _readable(column: Column | None) -> Callable[[str | None], bool] | None:
    """Whether a text can be a value of the column; None where any text can."""
    match column:
        case Date():
            return lambda text: text is not None and bool(re.match(r"\s*[+-]?[0-9]", text))
        case Boolean():
            return lambda text: text is not None and text.strip().lower() in TRUTHS
        case Category() | Public() if column.keys and isinstance(column.keys[0], str):
            return lambda text: text is not None
        case Category() | Public() if column.keys and isinstance(column.keys[0], bool):
            return lambda text: text is not None and text.strip().lower() in TRUTHS
        case _ if _is_plain(column):
            return None
        case _:
            return _is_number


def _is_number(text: str | None) -> bool:
    try:
        return text is not None and float(text) is not None
    except ValueError:
        return False


def _plain(found: Any) -> Any:
    """Convert to types that every database has."""
    import pyarrow

    kinds = pyarrow.types
    if kinds.is_dictionary(found.type):
        found = found.cast(found.type.value_type)
    if kinds.is_float16(found.type):
        return found.cast("float32")
    if kinds.is_decimal(found.type) and found.type.bit_width not in (32, 64, 128):
        return found.cast("string")
    return found


def _of_type(found: Any, column: Column | None) -> Read:
    import pyarrow

    kinds, given = pyarrow.types, found.type
    if _is_plain(column):
        return (found.cast("string"), True) if kinds.is_null(given) else (found, False)
    if kinds.is_string(given) or kinds.is_large_string(given) or kinds.is_string_view(given):
        return found, True
    number = kinds.is_integer(given) or kinds.is_floating(given) or kinds.is_decimal(given) or kinds.is_boolean(given)
    if isinstance(column, Date):
        fits = kinds.is_date(given) or kinds.is_timestamp(given)
    else:
        fits = number or (kinds.is_date(given) and not isinstance(column, (Scale, Boolean)))
    return (found, False) if fits else _of_objects(found.to_pylist(), column)  # treat it as untyped


def _is_plain(column: Column | None) -> bool:
    """Whether a column is kept unchanged: the unit column, or a public column that orders rows."""
    return column is None or (isinstance(column, Public) and not column.keys)


def _of_objects(values: list[Any], column: Column | None) -> Read:
    """A column of Python objects with any mixture of types."""
    import pyarrow

    if _is_plain(column):
        try:
            return _plain(pyarrow.array(values, from_pandas=True)), False
        except (pyarrow.ArrowException, ValueError, TypeError, OverflowError):
            return pyarrow.array([None if value is None else str(value) for value in values], "string"), True
    try:
        return pyarrow.array(values, "string", from_pandas=True), True
    except (pyarrow.ArrowException, ValueError, TypeError, OverflowError):
        return pyarrow.array(texts_of(values, column), "string"), True
